import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { Admission, MeanDurations } from "../../../api/http/limits/admission.ts";

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Durations with these means, in milliseconds, by caller. */
function durationsOf(means: Record<string, number>): MeanDurations {
  const durations = new MeanDurations();
  for (const [name, ms] of Object.entries(means)) durations.note(name, ms);
  return durations;
}

describe("the share of its places that a caller may use", () => {
  it("is all of them for the only caller, however long its work takes, and for a caller without finished work", () => {
    expect(durationsOf({ slow: 500 }).shareOf("slow")).toBe(1);
    expect(durationsOf({ quick: 5 }).shareOf("new")).toBe(1);
  });

  it("is all of them beside others whose work takes as long, or a third as long", () => {
    const durations = durationsOf({ search: 9, suggest: 3 });
    expect([durations.shareOf("search"), durations.shareOf("suggest")]).toEqual([1, 1]);
  });

  it("shrinks as the caller's work takes longer than three times that of others", () => {
    expect(durationsOf({ slow: 300, quick: 10, quicker: 6 }).shareOf("slow")).toBeCloseTo((3 * 8) / 300);
    expect(durationsOf({ slow: 300, quick: 10 }).shareOf("quick")).toBe(1);
  });

  it("follows the latest work", () => {
    const durations = durationsOf({ mended: 300, quick: 10 });
    for (let search = 0; search < 60; search += 1) durations.note("mended", 10);
    expect(durations.shareOf("mended")).toBe(1);
  });

  it("is all of them while the only other caller asks for something every few seconds", () => {
    const clock = jest.spyOn(performance, "now").mockReturnValue(1_000);
    const durations = durationsOf({ monitor: 1, search: 12 });
    expect(durations.shareOf("search")).toBeLessThan(1);
    clock.mockReturnValue(2_100);
    durations.note("search", 12);
    expect(durations.shareOf("search")).toBe(1);
  });

  it("stays small although the caller's last work ended more than a second ago, since one piece takes longer", () => {
    const clock = jest.spyOn(performance, "now").mockReturnValue(1_000);
    const durations = durationsOf({ slow: 1_500 });
    clock.mockReturnValue(2_400);
    durations.note("quick", 10);
    expect(durations.shareOf("slow")).toBeCloseTo(30 / 1_500);
  });
});

it("a caller with expensive work has one place beside others, and none of the others waits for it", async () => {
  // With real timers the measured durations would vary.
  jest.useFakeTimers();
  const admission = new Admission({ what: "searches", atOnce: 8, waiting: 8, retryAfterSeconds: 1 });
  const take = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  void admission.run("slow", undefined, () => take(300));
  await jest.advanceTimersByTimeAsync(300);
  void admission.run("quick", undefined, () => take(3));
  await jest.advanceTimersByTimeAsync(3);
  const begun: string[] = [];
  const begin = (name: string) =>
    void admission.run(name, undefined, () => {
      begun.push(name);
      return take(200);
    });
  for (let search = 0; search < 4; search += 1) begin("slow");
  for (let search = 0; search < 4; search += 1) begin("quick");
  await jest.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["slow", "quick", "quick", "quick", "quick"]);
});

it("waiting work of a caller begins in order once the caller has all of its places again", async () => {
  const limits = { what: "searches", atOnce: 8, waiting: 16, retryAfterSeconds: 1 };
  // By this clock other callers become so old that they no longer count.
  const clock = jest.spyOn(performance, "now").mockReturnValue(1_000);
  const admission = new Admission(limits, durationsOf({ slow: 300, quick: 10 }));
  const begun: number[] = [];
  let endOne = () => undefined as void;
  const run = (number: number) =>
    admission.run("slow", undefined, () => {
      begun.push(number);
      return new Promise<void>((resolve) => (endOne = resolve));
    });
  for (const number of [1, 2, 3, 4, 5]) void run(number);
  await sleep(1);
  expect(begun).toEqual([1]);
  clock.mockReturnValue(2_080);
  void run(6);
  await sleep(1);
  expect(begun).toEqual([1, 2, 3, 4]);
  endOne();
  await sleep(1);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});
