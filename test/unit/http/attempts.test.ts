import { expect, it } from "@jest/globals";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { openAttempts, type Attempts } from "../../../api/http/limits/attempts.ts";

const QUARTER_MS = 900_000;
const WRONG = { name: "sign-in", windowMs: QUARTER_MS, limit: 10 };

/** The counts in Redis, which several processes share. `isAway`: Redis refuses every call. */
function openShared() {
  const counts = new Map<string, number>();
  const state = { isAway: false };
  const answer = <T>(value: () => T): Promise<T> =>
    state.isAway ? Promise.reject(new Error("away")) : Promise.resolve().then(value);
  const countOf = (name: string) => counts.get(name) ?? 0;
  const add = (name: string, change: number) => void counts.set(name, countOf(name) + change);
  return {
    ...{ counts, state },
    addBelow: (name: string, _forgetMs: number, limit: number) =>
      answer(() => countOf(name) < limit && (add(name, 1), true)),
    takeBack: (name: string) => answer(() => (countOf(name) > 0 ? add(name, -1) : undefined)),
  };
}

/** One process. */
function openProcess(shared = openShared(), now = () => 0): Attempts {
  return openAttempts(shared, createLogger("silent", "api"), now);
}

/** Takes so many attempts at once; returns, for each one taken, the function that gives it back. */
async function takeMany(attempts: Attempts, count: number) {
  const taken = await Promise.all(Array.from({ length: count }, () => attempts.take(WRONG)));
  return taken.filter((giveBack) => giveBack !== null);
}

it("limits attempts that several processes make at once", async () => {
  const shared = openShared();
  const [one, other] = [openProcess(shared), openProcess(shared)];
  const taken = await Promise.all([takeMany(one, 20), takeMany(other, 20)]);
  expect(taken.flat()).toHaveLength(10);
  expect(await takeMany(one, 1)).toHaveLength(0);
});

it("attempts that are given back can be made again, however many were refused meanwhile", async () => {
  const shared = openShared();
  const [one, other] = [openProcess(shared), openProcess(shared)];
  for (let time = 1; time <= 3; time += 1) {
    const [taken, others] = await Promise.all([takeMany(one, 20), takeMany(other, 20)]);
    await Promise.all([...taken, ...others].map((giveBack) => giveBack()));
  }
  expect([...shared.counts.values()]).toEqual([0]);
  // Until now each of this process's attempts was refused, because the other process was first.
  expect(await takeMany(other, 20)).toHaveLength(10);
});

it("attempts are given back to the window that they were taken from, so the next window has no more than others", async () => {
  let now = QUARTER_MS - 1;
  const attempts = openProcess(openShared(), () => now);
  const taken = await takeMany(attempts, 7);
  now = QUARTER_MS;
  await Promise.all(taken.map((giveBack) => giveBack()));
  expect(await takeMany(attempts, 20)).toHaveLength(10);
});

it("each process counts for itself while Redis is unavailable, and gives nothing back that Redis has not counted", async () => {
  const shared = openShared();
  const attempts = openProcess(shared);
  shared.state.isAway = true;
  const taken = await takeMany(attempts, 20);
  expect(taken).toHaveLength(10);
  shared.state.isAway = false;
  expect(await takeMany(openProcess(shared), 3)).toHaveLength(3);
  await Promise.all(taken.map((giveBack) => giveBack()));
  expect([...shared.counts.values()]).toEqual([3]);
  expect(await takeMany(attempts, 20)).toHaveLength(10);
});

it("an attempt that Redis counted too late for its caller is given back, too", async () => {
  const shared = openShared();
  let answerLate: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (answerLate = resolve));
  const addBelow: typeof shared.addBelow = (...asked) => late.then(() => shared.addBelow(...asked));
  const giveBack = await openProcess({ ...shared, addBelow }).take(WRONG);
  const givenBack = giveBack?.();
  answerLate();
  await givenBack;
  expect([...shared.counts.values()]).toEqual([0]);
});

// Otherwise a person with the right password would wait, too.
it.each(["addBelow", "takeBack"])(
  "giving back does not wait for a Redis that never answers %s",
  async (method) => {
    const never = () => new Promise<never>(() => undefined);
    const giveBack = await openProcess({ ...openShared(), [method]: never }).take(WRONG);
    await expect(giveBack?.()).resolves.toBeUndefined();
    expect(giveBack).not.toBeNull();
  },
);
