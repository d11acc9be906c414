import { expect, it, jest } from "@jest/globals";
import { openCallCounter, openRateLimit, type Counted } from "../../../api/http/limits/rate-limit.ts";

/** One call of a caller with this limit; what was counted of it, and its refusal. */
async function call(limit?: number) {
  const counted: string[] = [];
  const count = ({ name }: Counted) => Promise.resolve(counted.push(name));
  const principal = { countedAs: "application", ...(limit !== undefined && { limit }) };
  const context = { state: { principal }, set: () => undefined };
  const { middleware } = openRateLimit({ count, isAbove: () => false }, () => 0, 600);
  // The cast: nothing else of a request is looked at.
  const answered = middleware(context as never, () => Promise.resolve());
  const refusal = await answered.then(
    () => null,
    (error: { status: number }) => error.status,
  );
  return { counted, refusal };
}

it("a caller without a limit is let through uncounted", async () => {
  expect(await call()).toEqual({ counted: [], refusal: null });
});

it("a caller is let through as often as its limit says", async () => {
  expect(await call(1)).toEqual({ counted: ["application"], refusal: null });
});

// Only a hand that changes the database writes it, to shut an application out.
it("a limit of no calls lets none through", async () => {
  expect(await call(0)).toEqual({ counted: ["application"], refusal: 429 });
});

it("an answer that costs more counts for more", async () => {
  const counted: number[] = [];
  const counter = openCallCounter(
    (_name, _ms, calls = 1) => Promise.resolve(counted.push(calls)),
    () => undefined,
    () => 0,
  );
  const headers: Record<string, string> = {};
  const context = {
    state: { principal: { countedAs: "application", limit: 10 } } as {
      charge?: (calls: number) => Promise<void>;
    },
    set: (given: Record<string, string>) => Object.assign(headers, given),
  };
  await openRateLimit(counter, () => 0, 600).middleware(context as never, async () => {
    expect(headers["X-Ratelimit-Remain"]).toBe("9");
    await context.state.charge?.(3);
  });
  expect(counted).toEqual([1, 3]);
  expect(headers["X-Ratelimit-Remain"]).toBe("6");
});

const WINDOW = { name: "application", windowMs: 300_000 };

it("of a caller above its limit nothing more is asked of Redis", async () => {
  let asked = 0;
  const counter = openCallCounter(
    () => Promise.resolve((asked += 1)),
    () => undefined,
    () => 0,
  );
  for (let i = 0; i < 10; i += 1) await counter.count({ ...WINDOW, limit: 3 });
  expect(asked).toBe(4);
  expect(counter.isAbove({ ...WINDOW, limit: 3 })).toBe(true);
  expect(counter.isAbove({ ...WINDOW, limit: 10 })).toBe(false);
});

it("a process that was busy does not take its own lag for Redis being away", async () => {
  const away: unknown[] = [];
  // It answers in time, and the answer lies there while this process is busy with something else.
  const counter = openCallCounter(
    () => new Promise((resolve) => setTimeout(() => resolve(41), 20)),
    (reason) => away.push(reason),
    () => 0,
  );
  const counting = counter.count({ ...WINDOW, limit: 100 });
  const until = performance.now() + 1_500;
  while (performance.now() < until);
  expect(await counting).toBe(41);
  expect(away).toEqual([]);
});

it("an outage of Redis is reported once, however long it lasts, and the next one again", async () => {
  jest.useFakeTimers({ now: 1_000_000 });
  try {
    const away: unknown[] = [];
    let isAway = true;
    const counter = openCallCounter(
      () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(1)),
      (reason) => away.push(reason),
      () => 0,
    );
    const callFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await counter.count({ ...WINDOW, limit: 1_000 });
        jest.advanceTimersByTime(1_000);
      }
    };
    await callFor(30);
    expect(away).toHaveLength(1);
    isAway = false;
    await callFor(6);
    isAway = true;
    await callFor(30);
    expect(away).toHaveLength(2);
    // Nobody called in between.
    jest.advanceTimersByTime(3_600_000);
    await callFor(1);
    expect(away).toHaveLength(3);
  } finally {
    jest.useRealTimers();
  }
});

it("Redis is asked again five seconds after it failed, also where the clock was set back", async () => {
  jest.useFakeTimers();
  try {
    let isAway = true;
    const counter = openCallCounter(
      () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(41)),
      () => undefined,
      () => 0,
    );
    await counter.count({ ...WINDOW, limit: 100 });
    isAway = false;
    jest.setSystemTime(Date.now() - 3_600_000);
    jest.advanceTimersByTime(5_001);
    expect(await counter.count({ ...WINDOW, limit: 100 })).toBe(41);
  } finally {
    jest.useRealTimers();
  }
});

it("one outage of Redis is reported once, although some of the counts that were under way succeed", async () => {
  const away: unknown[] = [];
  let asked = 0;
  const counter = openCallCounter(
    () => ((asked += 1) % 2 === 0 ? Promise.resolve(1) : Promise.reject(new Error("away"))),
    (reason) => away.push(reason),
    () => 0,
  );
  await Promise.all(Array.from({ length: 10 }, () => counter.count({ ...WINDOW, limit: 100 })));
  expect([asked, away.length]).toEqual([10, 1]);
});

it("nobody waits a second for a Redis that says nothing, and each process then counts for itself", async () => {
  const away: unknown[] = [];
  const counter = openCallCounter(
    () => new Promise(() => undefined),
    (reason) => away.push(reason),
    () => 0,
  );
  jest.useFakeTimers();
  try {
    const counts: number[] = [];
    const count = () => void counter.count({ ...WINDOW, limit: 100 }).then((sum) => counts.push(sum));
    for (let call = 0; call < 3; call += 1) count();
    await jest.advanceTimersByTimeAsync(999);
    expect(counts.toSorted()).toEqual([1, 2, 3]);
    // The next one does not wait at all.
    count();
    await jest.advanceTimersByTimeAsync(0);
    expect(counts.at(3)).toBe(4);
    expect(away).toHaveLength(1);
  } finally {
    jest.useRealTimers();
  }
});
