import { expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { transformFileSync } from "@swc/core";

const MEGABYTE = 1_000_000;
const WRITTEN_MEGABYTES = 120;

// Its log is a pipe that nobody reads.
const SCRIPT = `
  const log = createLogger("info", "api");
  const line = "x".repeat(10_000);
  for (let count = 0; count < ${WRITTEN_MEGABYTES} * 100; count += 1) {
    log.info(line);
    if (count % 100 === 0) await new Promise(setImmediate);
  }
  gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(String(heapUsed + external));
`;

it("log lines that nobody takes are held up to a limit, not until the memory is full", async () => {
  const typescript = { parser: { syntax: "typescript" }, target: "es2022" } as const;
  const { code } = transformFileSync("api/shared/runtime/logger.ts", {
    jsc: typescript,
    module: { type: "es6" },
  });
  const args = ["--expose-gc", "--input-type=module", "--eval", `${code}\n${SCRIPT}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const told = await new Promise<string>((resolve) =>
    child.stderr.once("data", (data) => resolve(`${data}`)),
  );
  child.kill("SIGKILL");
  expect(Number(told)).toBeGreaterThan(0);
  expect(Number(told)).toBeLessThan((WRITTEN_MEGABYTES / 2) * MEGABYTE);
});
