/** How long the bootstrap waits for a service. */
import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";

it("the wait does not end early because the clock is set forward while a service starts", () => {
  const program = `
    const { waitUntilReady } = await import("./scripts/bootstrap/processes.mjs");
    let asked = 0;
    Date.now = () => asked * 86_400_000;
    const service = { name: "Redis", logFile: "none", isRunning: () => true };
    await waitUntilReady(service, async () => (asked += 1) > 2, 60_000);
    console.log("ready");
    process.exit();`;
  const args = ["--input-type=module", "-e", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stdout + stderr).toBe("ready\n");
});
