/** The wait with a deadline, and the budget of a request. */
import { describe, expect, it } from "@jest/globals";
import {
  type Budget,
  ClientDisconnectedError,
  LateError,
  openBudget,
  untilEnd,
  withBudget,
  within,
} from "../../../api/shared/runtime/deadlines.ts";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";

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

/** Waits for the end of a budget, and throws its reason. */
const endOf = ({ signal }: Budget) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

describe("a budget", () => {
  it("ends at its deadline; the time left is then one millisecond, as stores take 0 as no limit", async () => {
    const budget = openBudget(20);
    expect(budget.leftMs()).toBe(20);
    await expect(within(LONG_MS, endOf(budget))).rejects.toThrow("within 20 ms");
    expect(budget.leftMs()).toBe(1);
    await expect(untilEnd(never(), budget, "redis")).rejects.toBeInstanceOf(UnavailableError);
  });

  it("ends when the caller leaves, with the reads and the step under way", async () => {
    const budget = openBudget(LONG_MS);
    const waiting = [endOf(budget), untilEnd(never(), budget, "redis"), budget.runStep(endOf)];
    budget.abandon();
    for (const one of waiting) await expect(one).rejects.toBeInstanceOf(ClientDisconnectedError);
    await expect(untilEnd(never(), budget, "redis")).rejects.toBeInstanceOf(ClientDisconnectedError);
    await expect(budget.runStep(() => Promise.resolve())).rejects.toBeInstanceOf(ClientDisconnectedError);
  });

  it("does not end the reads and the step that have ended before it", async () => {
    const budget = openBudget(LONG_MS);
    const signals: AbortSignal[] = [];
    const step = ({ signal }: Budget) => Promise.resolve(signals.push(signal));
    await expect(untilEnd(budget.runStep(step), budget, "redis")).resolves.toBe(1);
    budget.abandon();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it("gives a step the full time again, or the time that the step names", async () => {
    const budget = openBudget(LONG_MS);
    const left = (step: Budget) => Promise.resolve(step.leftMs());
    expect(await Promise.all([budget.runStep(left), budget.runStep(left, 70)])).toEqual([LONG_MS, 70]);
    budget.finish();
  });

  it("leaves no timer behind once its work is done", async () => {
    const before = timers();
    await withBudget(LONG_MS, () => Promise.resolve(expect(timers()).toBe(before + 1)));
    expect(timers()).toBe(before);
  });
});
