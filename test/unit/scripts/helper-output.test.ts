import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";

const RUN = `
  import { run } from "./scripts/bootstrap/processes.mjs";
  console.log(await run("sh", ["-c", "(sleep 0.5; echo late) & echo early"]));`;

it("a helper's output is read to its end, including what arrives after its exit", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", RUN], {
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual(["early\nlate\n\n", ""]);
});
