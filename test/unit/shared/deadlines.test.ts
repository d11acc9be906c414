/** The wait with a deadline. */
import { describe, expect, it } from "@jest/globals";
import { LateError, within } from "../../../api/shared/runtime/deadlines.ts";

const LONG_MS = 60_000;
const never = () => new Promise<never>(() => undefined);
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("a wait with a deadline", () => {
  it("passes on what the work returns", async () => {
    await expect(within(LONG_MS, Promise.resolve("done"))).resolves.toBe("done");
  });

  it("passes on what the work throws", async () => {
    const fault = new Error("away");
    await expect(within(LONG_MS, Promise.reject(fault))).rejects.toBe(fault);
  });

  it("throws an error of its own class, with the time it waited, if work does not end in time", async () => {
    const waited = within(5, never());
    await expect(waited).rejects.toBeInstanceOf(LateError);
    await expect(waited).rejects.toThrow("no answer within 5 ms");
  });

  it("does not treat the lag of this process as silence", async () => {
    // The work answers in time, but this process is too busy to read the answer.
    const waited = within(50, new Promise((resolve) => setTimeout(() => resolve("done"), 20)));
    const until = performance.now() + 300;
    while (performance.now() < until);
    await expect(waited).resolves.toBe("done");
  });

  it("grants the same time again if its own timer was late", async () => {
    const waited = within(
      50,
      new Promise((resolve) => setImmediate(() => setTimeout(() => resolve("done"), 100))),
    );
    const until = performance.now() + 1_000;
    while (performance.now() < until);
    await expect(waited).resolves.toBe("done");
  });

  it.each([
    ["returned", () => Promise.resolve()],
    ["thrown", () => Promise.reject(new Error("away"))],
  ])("leaves no timer behind once the work has %s", async (_how, work) => {
    const before = timers();
    const waited = within(LONG_MS, work()).catch(() => undefined);
    expect(timers()).toBe(before + 1);
    await waited;
    expect(timers()).toBe(before);
  });
});
