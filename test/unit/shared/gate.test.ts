/** The gate before a store: when it asks whether the store is available, and what it refuses meanwhile. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import {
  DeniedError,
  KnownUnavailableError,
  NotReadyError,
  OverloadedError,
  UnavailableError,
} from "../../../api/shared/runtime/errors.ts";
import { gateStore } from "../../../api/shared/stores/operations.ts";
import { waitUntil } from "../../support/wait-until.ts";

// The pause between two pings of a store that is away.
const AGAIN_MS = 500;

const lost = new UnavailableError("redis", "lost");
const never = () => new Promise<never>(() => undefined);

/** A gated store whose ping fails with these errors in turn, and then answers. */
function open(faults: Error[] = []) {
  const seen = { pings: 0, isClosed: false, changes: [] as unknown[] };
  const store = {
    ping: () => {
      const fault = faults[seen.pings];
      seen.pings += 1;
      return fault ? Promise.reject(fault) : Promise.resolve();
    },
    close: () => {
      seen.isClosed = true;
      return Promise.resolve();
    },
    run: <T>(work: () => Promise<T>) => work(),
    list: () => ["a"],
  };
  const gated = gateStore(store, { store: "redis", onChange: (_name, reason) => seen.changes.push(reason) });
  return { gated, seen };
}

const reject = (error: Error) => () => Promise.reject(error);

it.each([
  ["asks once whether the store is there after two failures to reach it", lost, 1],
  ["does not ask after the answer that something must be created", new NotReadyError("redis", "no index"), 0],
  ["does not ask after the answer that there is too much to do", new OverloadedError("redis", "full"), 0],
  ["does not ask after the answer that access is denied", new DeniedError("redis", "no right"), 0],
  ["does not ask after a fault of the code", new TypeError("a fault"), 0],
])("it %s", async (_what, error, pings) => {
  const { gated, seen } = open();
  expect(await gated.run(() => Promise.resolve("done"))).toBe("done");
  await Promise.all([1, 2].map(() => expect(gated.run(reject(error))).rejects.toBe(error)));
  await sleep(0);
  expect(seen).toEqual({ pings, isClosed: false, changes: [] });
});

it("it asks after half a second without an answer, and goes on waiting if the store is there", async () => {
  const { gated, seen } = open();
  let answer: (text: string) => void = () => undefined;
  const waiting = gated.run(() => new Promise<string>((resolve) => (answer = resolve)));
  await waitUntil(() => seen.pings === 1, "the store is pinged");
  answer("late");
  expect([await waiting, seen.changes]).toEqual(["late", []]);
});

it("a store that denies access to the ping is there", async () => {
  const { gated, seen } = open([new DeniedError("redis", "no right")]);
  await expect(gated.run(reject(lost))).rejects.toBe(lost);
  await sleep(0);
  expect(await gated.run(() => Promise.resolve("done"))).toBe("done");
  expect(seen).toEqual({ pings: 1, isClosed: false, changes: [] });
});

it("while the store is away, operations are refused, also those under way, until a ping is answered", async () => {
  const { gated, seen } = open([lost, lost, lost]);
  const underWay = gated.run(never);
  await expect(gated.run(reject(lost))).rejects.toBe(lost);
  await expect(underWay).rejects.toBeInstanceOf(KnownUnavailableError);
  let asked = 0;
  const ask = () => gated.run(() => Promise.resolve((asked += 1)));
  await expect(ask()).rejects.toBeInstanceOf(KnownUnavailableError);
  // Readiness asks the store itself.
  await expect(gated.ping()).rejects.toBe(lost);
  await waitUntil(() => seen.changes.length === 2, "the store is back");
  expect(asked).toBe(0);
  expect(await ask()).toBe(1);
  expect(seen).toEqual({ pings: 4, isClosed: false, changes: [lost, null] });
});

it("a closed store is asked no more", async () => {
  const { gated, seen } = open([lost, lost]);
  await expect(gated.run(reject(lost))).rejects.toBe(lost);
  await waitUntil(() => seen.changes.length === 1, "the store is refused");
  await gated.close();
  await sleep(AGAIN_MS + 100);
  expect(seen).toEqual({ pings: 1, isClosed: true, changes: [lost] });
});

it("a ping that fails because the store is closed refuses nothing", async () => {
  const { gated, seen } = open([lost]);
  const failing = gated.run(reject(lost));
  await gated.close();
  await expect(failing).rejects.toBe(lost);
  await sleep(0);
  expect(seen.changes).toEqual([]);
});

it("operations that return no promise are passed through", () => {
  expect(open().gated.list()).toEqual(["a"]);
});
