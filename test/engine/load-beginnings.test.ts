/** Loads that meet a fault before they read anything wait for a passing fault, and are listed as failed otherwise. */
import { expect, it } from "@jest/globals";
import type { CommandContext } from "../../ingest/commands/define-command.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { COMPANIES, countCompanies } from "../support/load-command.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const newRegister = registersPerTest();
const FULL = new UnavailableError("redis", "its memory is full");

/** Loads the companies with these stores and waits half a second at most; returns the messages and the fault. */
async function load({ config }: TestRegister, stores: Stores) {
  const told: string[] = [];
  const nothing = () => undefined;
  const context: CommandContext = {
    config: { ...config, STORE_TIMEOUT_MS: 125 },
    openStores: () => stores,
    ...{ print: nothing, write: nothing, tell: (line) => told.push(line) },
    ...{ ask: () => Promise.resolve(null), isTerminal: false, isStopping: () => false },
  };
  const fault = await loadCommand.run(context, [COMPANIES], {}).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { told, fault };
}

it("a load waits for a Redis that takes no writes for a moment", async () => {
  const register = await newRegister();
  const { redis } = register.stores;
  let refusals = 2;
  const nextRevision = (above: number) => (refusals-- > 0 ? Promise.reject(FULL) : redis.nextRevision(above));
  const { told, fault } = await load(register, { ...register.stores, redis: { ...redis, nextRevision } });
  expect(fault).toBeUndefined();
  expect(told[0]).toMatch(/^redis is not available: its memory is full; the load waits for it/);
  expect(await countCompanies(register)).toBe(200);
});

it.each<[string, (stores: Stores) => Stores]>([
  [
    "Redis stays full",
    (stores) => ({ ...stores, redis: { ...stores.redis, nextRevision: () => Promise.reject(FULL) } }),
  ],
  [
    "the remains of earlier loads cannot be cleaned up",
    ({ mongo, ...others }) => {
      const fetchAll = () => Promise.reject(new Error("made up"));
      return { ...others, mongo: { ...mongo, documents: { ...mongo.documents, fetchAll } } };
    },
  ],
  [
    "Elasticsearch is unavailable",
    ({ elasticsearch, ...others }) => ({
      ...others,
      elasticsearch: { ...elasticsearch, ping: () => Promise.reject(new Error("made up")) },
    }),
  ],
])("a load is listed as failed, with the reason, when %s", async (_why, breaking) => {
  const register = await newRegister({}, false);
  const { fault } = await load(register, breaking(register.stores));
  const { message } = fault as Error;
  expect(message).toMatch(/its memory is full|made up/);
  const [listed] = await fetchLatestLoads(register.stores.mongo.documents, 9);
  expect(listed).toMatchObject({ state: "failed", reason: message, files: [COMPANIES] });
  expect(await register.stores.redis.locks.list()).toEqual([]);
});
