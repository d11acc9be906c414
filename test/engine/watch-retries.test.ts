/** What ends a watch, and what makes it retry, with stores that fail once. */
import { expect, it } from "@jest/globals";
import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Lock } from "../../api/shared/stores/redis/locks.ts";
import type { CommandContext } from "../../ingest/commands/define-command.ts";
import { watch } from "../../ingest/commands/watch.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { PARTS } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { drop, listInbox, listPutAway } from "../support/watched-folder.ts";

const SOON_MS = 100;
const [PART = ""] = PARTS;
const NAME = "companies 1.csv";

const root = makeOwnFolder();
const register = forAllTests(openRegister);

/** Creates a folder with a file in it. */
function newInbox(): string {
  const inbox = mkdtempSync(join(root, "inbox-"));
  drop(inbox, PART, NAME);
  return inbox;
}

function contextOf(
  isStopping: () => boolean,
  { messages = [], stores = register.stores }: { messages?: string[]; stores?: Stores } = {},
): CommandContext {
  return {
    ...{ config: register.config, print: () => undefined, write: () => undefined, isTerminal: false },
    ...{ tell: (line) => void messages.push(line), ask: () => Promise.resolve(null) },
    ...{ isStopping, openStores: () => stores },
  };
}

/** Watches with these stores until a file is put away; returns the messages. */
async function watchOnce(inbox: string, stores: Stores): Promise<string[]> {
  const messages: string[] = [];
  const arePutAway = () => ["done", "failed"].some((folder) => readdirSync(join(inbox, folder)).length > 0);
  const context = contextOf(arePutAway, { messages, stores });
  expect(await watch({ context, path: inbox, given: {} }, SOON_MS, SOON_MS)).toBe(0);
  return messages;
}

/** Stores whose locks are changed by `change`. */
function withLocks(stores: Stores, change: (name: string, lock: Lock) => Lock): Stores {
  const { redis } = stores;
  const acquire = async (name: string) => {
    const lock = await redis.locks.acquire(name);
    return lock && change(name, lock);
  };
  return { ...stores, redis: { ...redis, locks: { ...redis.locks, acquire } } };
}

it.each<[string, RegExp, (stores: Stores) => Stores]>([
  [
    "a store is unavailable when the load begins",
    /^elasticsearch is not available: away/,
    (stores) => {
      let pings = 0;
      const { elasticsearch } = stores;
      const ping = () => {
        pings += 1;
        // The first ping is the watch's, which waits for no store.
        return pings === 2
          ? Promise.reject(new UnavailableError("elasticsearch", "away"))
          : elasticsearch.ping();
      };
      return { ...stores, elasticsearch: { ...elasticsearch, ping } };
    },
  ],
  [
    "another process may have written the same kinds of record",
    /^this process paused for longer than LOCK_MS, and another one may have written the same kinds of record/,
    (stores) => {
      let losses = 0;
      return withLocks(stores, (name, lock) => ({
        ...lock,
        isKept: () => {
          if (!name.startsWith("write:") || losses > 0) return lock.isKept();
          losses += 1;
          return Promise.resolve(false);
        },
      }));
    },
  ],
])("loads a file again when %s", async (_what, fault, fail) => {
  const inbox = newInbox();
  const messages = await watchOnce(inbox, fail(register.stores));
  expect(listPutAway(inbox, "failed")).toEqual([]);
  expect(listPutAway(inbox, "done")).toMatchObject([{ state: "succeeded", files: [NAME] }]);
  expect(messages.filter((line) => line.endsWith("; the watch tries again in 0.1 s"))).toEqual([
    expect.stringMatching(fault),
  ]);
});

it("loads nothing once another process has the watch's lock", async () => {
  const inbox = newInbox();
  const lose = (name: string, lock: Lock) =>
    name.startsWith("watch:") ? { ...lock, isHeld: () => Promise.resolve(false) } : lock;
  const watching = watchOnce(inbox, withLocks(register.stores, lose));
  await expect(watching).rejects.toThrow(/^a watch of \S+ is under way in another process/);
  expect(listInbox(inbox)).toEqual([NAME]);
});

it.each([
  [1, { once: "true" }],
  [0, {}],
])("ends with %i when stopped with %j, and leaves the files in the folder", async (code, given) => {
  const inbox = newInbox();
  const context = contextOf(() => true);
  expect(await watch({ context, path: inbox, given }, SOON_MS)).toBe(code);
  expect(listInbox(inbox)).toEqual([NAME]);
});
