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

  it("tells work that does not end in time by a class of its own, and for how long it waited", async () => {
    const waited = within(5, never());
    await expect(waited).rejects.toBeInstanceOf(LateError);
    await expect(waited).rejects.toThrow("no answer within 5 ms");
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
