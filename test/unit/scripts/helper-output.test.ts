import { expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.ts";

const PROGRAM = `
  import { run } from "./scripts/bootstrap/processes.mjs";
  console.log(await run("sh", ["-c", "(sleep 0.5; echo late) & echo early"]));`;

it("a helper's output is read to its end, including what arrives after its exit", () => {
  expect(runModule(PROGRAM)).toEqual({ status: 0, stdout: "early\nlate\n\n", stderr: "" });
});
