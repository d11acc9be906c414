import { expect, it } from "@jest/globals";
import { formatStep, Pace, type Step } from "../../../ingest/pace.ts";

const LOADING: Step = { doing: "loading companies.csv", unit: "rows", total: 100_000 };

/** Measures the progress after each second; returns the last line. */
function show(step: Step, done: readonly number[]): string {
  const pace = new Pace(step, 0);
  const states = done.map((rows, index) => pace.measure((index + 1) * 1_000, rows));
  const last = states.at(-1);
  return last ? formatStep(last) : "";
}

const steady = (seconds: number, perSecond: number, from = 0) =>
  Array.from({ length: seconds }, (_none, index) => from + (index + 1) * perSecond);

it("the line of a step shows rate and time left", () => {
  expect(show(LOADING, steady(10, 1_000))).toBe(
    "loading companies.csv: 10,000 of 100,000 rows, 10 %, 1,000 rows/s, 90 s left",
  );
});

it("the line of a step shows the rate of the last half minute", () => {
  expect(show(LOADING, [...steady(60, 100), ...steady(31, 1_000, 6_000)])).toMatch(
    /37,000 of 100,000 rows, 37 %, 1,000 rows\/s, 63 s left$/,
  );
});

it("the line of a stalled step shows how long nothing was done, and no time left", () => {
  const stalled = [...steady(20, 1_000), ...Array.from({ length: 40 }, () => 20_000)];
  expect(show(LOADING, stalled)).toBe(
    "loading companies.csv: 20,000 of 100,000 rows, 20 %, no rows for 40 s",
  );
});

it("a step counts as stalled after ten seconds", () => {
  const still = (seconds: number) => [...steady(20, 1_000), ...Array.from({ length: seconds }, () => 20_000)];
  expect(show(LOADING, still(9))).toMatch(/20 %, [\d,]+ rows\/s, \d+ s left$/);
  expect(show(LOADING, still(10))).toMatch(/20 %, no rows for 10 s$/);
});

it("the line of a step of unknown length shows its rate, and no time left", () => {
  expect(show({ doing: "counting records", unit: "records" }, steady(10, 100))).toBe(
    "counting records: 1,000 records, 100 records/s",
  );
});

it("the line of a step leaves a stall that is over out of the rate", () => {
  const stall = Array.from({ length: 60 }, () => 20_000);
  expect(show(LOADING, [...steady(20, 1_000), ...stall, ...steady(5, 1_000, 20_000)])).toMatch(
    /25,000 of 100,000 rows, 25 %, 1,000 rows\/s, 75 s left$/,
  );
});

it("the line of a step shows the share of its bytes if the number of rows is not known", () => {
  let share = 0;
  const pace = new Pace({ doing: "checking companies.csv", unit: "rows", shareOf: () => share }, 0);
  let line = "";
  for (let second = 1; second <= 10; second += 1) {
    share = second / 20;
    line = formatStep(pace.measure(second * 1_000, second * 10));
  }
  expect(line).toBe("checking companies.csv: 100 rows, 50 %, 10 rows/s, 10 s left");
});

it("the line of a resumed load counts only its own rows in the rate", () => {
  let done = 50_000;
  const pace = new Pace({ ...LOADING, doneOf: () => done }, 0);
  let line = "";
  for (let second = 1; second <= 5; second += 1) {
    done += 500;
    line = formatStep(pace.measure(second * 1_000, 0));
  }
  expect(line).toMatch(/52,500 of 100,000 rows, 52 %, 500 rows\/s, 95 s left$/);
});

it("the line of a wait shows how long it lasts", () => {
  expect(
    show(
      { doing: "waiting for another load" },
      Array.from({ length: 40 }, () => 0),
    ),
  ).toBe("waiting for another load, for 40 s");
});
