/** Loads that meet a fault when all rows are written: they end with it, and their process goes on. */
import { runInThisContext } from "node:vm";
import { expect, it } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { CommandContext } from "../../ingest/commands/define-command.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { FOLLOW_LOCK } from "../../ingest/log/follow.ts";
import { COMPANIES } from "../support/load-command.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const newRegister = registersPerTest();
// The process of this test has a copy, which is told nothing.
const outer = runInThisContext("process") as NodeJS.Process;

it("a fault while fingerprints are stored, before the search is up to date, fails the load alone", async () => {
  const { config, stores } = await newRegister();
  const { mongo, redis } = stores;
  let follow = await redis.locks.acquire(FOLLOW_LOCK);
  while (!follow) follow = await redis.locks.acquire(FOLLOW_LOCK);
  let faults = 0;
  const put: typeof mongo.documents.put = (collection, document) => {
    if (collection !== "fingerprints" || document.prints === undefined)
      return mongo.documents.put(collection, document);
    faults += 1;
    return Promise.reject(new Error("made up"));
  };
  const broken: Stores = { ...stores, mongo: { ...mongo, documents: { ...mongo.documents, put } } };
  const nothing = () => undefined;
  const context: CommandContext = {
    config,
    openStores: () => broken,
    ...{ print: nothing, write: nothing, tell: nothing, ask: () => Promise.resolve(null) },
    ...{ isTerminal: false, isStopping: () => false },
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  outer.on("unhandledRejection", note);
  const ended = loadCommand.run(context, [COMPANIES], {}).catch((error: unknown) => error);
  await waitUntil(() => Promise.resolve(faults > 0), "fingerprints are stored");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await follow.release();
  expect(await ended).toMatchObject({ message: "made up" });
  outer.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
