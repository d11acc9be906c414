/** How long the bootstrap waits for a service. */
import { expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.ts";

it("the wait does not end early because the clock is set forward while a service starts", () => {
  const { stdout, stderr } = runModule(`
    const { waitUntilReady } = await import("./scripts/bootstrap/processes.mjs");
    let checks = 0;
    Date.now = () => checks * 86_400_000;
    const service = { name: "Redis", logFile: "none", isRunning: () => true };
    await waitUntilReady(service, async () => (checks += 1) > 2, 60_000);
    console.log("ready");
    process.exit();`);
  expect(stdout + stderr).toBe("ready\n");
});
