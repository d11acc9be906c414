import { expect, it, jest } from "@jest/globals";
import { createLogger, type Logger } from "../../../api/shared/runtime/logger.ts";
import { openCallCounter, openRateLimit, type Counted } from "../../../api/http/limits/rate-limit.ts";

const SILENT = createLogger("silent", "api");

/** One call of a caller with this limit: how it was counted, and its refusal. */
async function call(limit?: number) {
  const counted: string[] = [];
  const count = ({ name }: Counted) => Promise.resolve(counted.push(name));
  const principal = { countedAs: "application", ...(limit !== undefined && { limit }) };
  const context = { state: { principal }, set: () => undefined };
  const { middleware } = openRateLimit({ count, isAbove: () => false }, () => 0, 600);
  // The cast: the middleware uses nothing else of a request.
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

it("a caller is let through as often as its limit allows", async () => {
  expect(await call(1)).toEqual({ counted: ["application"], refusal: null });
});

// Only somebody who edits the database can set this, to shut an application out.
it("a limit of no calls lets none through", async () => {
  expect(await call(0)).toEqual({ counted: ["application"], refusal: 429 });
});

it("further calls that an answer is charged for are counted, and lower the remaining calls in its headers", async () => {
  const counted: number[] = [];
  const counter = openCallCounter(
    { add: (_name, _ms, calls = 1) => Promise.resolve(counted.push(calls)) },
    SILENT,
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

it("a caller above its limit costs no more requests to Redis", async () => {
  let requests = 0;
  const counter = openCallCounter({ add: () => Promise.resolve((requests += 1)) }, SILENT, () => 0);
  for (let i = 0; i < 10; i += 1) await counter.count({ ...WINDOW, limit: 3 });
  expect(requests).toBe(4);
  expect(counter.isAbove({ ...WINDOW, limit: 3 })).toBe(true);
  expect(counter.isAbove({ ...WINDOW, limit: 10 })).toBe(false);
});

it("a busy process does not mistake its own delay for an outage of Redis", async () => {
  // Redis answers in time, but this process is too busy to read the answer.
  const add = () => new Promise<number>((resolve) => setTimeout(() => resolve(41), 20));
  const counting = openCallCounter({ add }, SILENT, () => 0).count({ ...WINDOW, limit: 100 });
  const until = performance.now() + 1_500;
  while (performance.now() < until);
  expect(await counting).toBe(41);
});

it("a call waits less than a second for a silent Redis; the process then counts alone, and logs it once", async () => {
  const log = { warn: jest.fn() };
  const add = jest.fn(() => new Promise<number>(() => undefined));
  // The cast: the counter uses nothing else of a log.
  const counter = openCallCounter({ add }, log as unknown as Logger, () => 0);
  jest.useFakeTimers();
  try {
    const counts: number[] = [];
    const count = () => void counter.count({ ...WINDOW, limit: 100 }).then((sum) => counts.push(sum));
    for (let call = 0; call < 3; call += 1) count();
    await jest.advanceTimersByTimeAsync(999);
    expect(counts.toSorted()).toEqual([1, 2, 3]);
    // For five seconds the counter does not ask Redis again, so further calls do not wait at all.
    count();
    await jest.advanceTimersByTimeAsync(0);
    expect([counts.at(3), add.mock.calls.length]).toEqual([4, 3]);
    await jest.advanceTimersByTimeAsync(5_000);
    count();
    expect(add).toHaveBeenCalledTimes(4);
    expect(log.warn.mock.calls).toEqual([
      [{ store: "redis", reason: "no answer within 500 ms" }, "store too slow"],
    ]);
  } finally {
    jest.useRealTimers();
  }
});
