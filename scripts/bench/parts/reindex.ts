/** The part `reindex`: how close a reindex comes to only reading MongoDB, and to only writing prepared documents. */
import type { Config } from "../../../api/shared/settings/config.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { findIndex } from "../../../index-mappings/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { openBareClients, type BareClients } from "../load/bare-clients.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { readByCursor, writePrepared, writeRecords } from "../reindex/floors.ts";
import { reindexUnderLoad } from "../reindex/live.ts";
import { openOwnStores, withOwnNames } from "../own-stores.ts";
import { reindexWithCommand } from "../reindex/run-command.ts";
import { formatReport, toFacts, type ReindexRound } from "../reindex/report.ts";
import { settle } from "../rest.ts";
import { rotate } from "../turns.ts";

const INDEX = "companies";

export const reindexPart = definePart({
  name: "reindex",
  title: "How close a reindex comes to the slower of reading MongoDB and writing Elasticsearch.",
  details:
    "It fills MongoDB with generated companies, then measures in the same run, on the same engines: the command\n" +
    "`reindex companies` from start to end, checks and alias included; a plain cursor over the collection; and prepared\n" +
    "documents through the bulk helper of Elasticsearch's client, into an index with the settings of an index that is being\n" +
    "built (preparing them is not timed). With more --rounds the order of the three changes. With --live nothing is timed:\n" +
    "loads of changed companies run, searches come at 20 per second, and companies are reindexed meanwhile; then no request\n" +
    "may have failed, and both stores must be equal.",
  options: [{ flags: "--live", description: "reindex under load and searches, and compare the stores" }],
  run: (context, options) =>
    options.own.live ? reindexUnderLoad(context, options, INDEX) : runTimed(context, options),
});

interface Ways {
  config: Config;
  stores: Stores;
  clients: BareClients;
  /** The floor's writes go to stores with their own names. */
  floor: { config: Config; stores: Stores; clients: BareClients };
  path: string;
  folder: string;
}

async function runTimed(context: PartContext, options: PartOptions): Promise<PartReport> {
  const ways = await openWays(context, options);
  const rounds: ReindexRound[] = [];
  for (let round = 0; round < (options.rounds ?? 1); round += 1) {
    const measured: Partial<ReindexRound> = {};
    for (const step of rotate([measureReindex, measureCursor, measurePrepared], round))
      Object.assign(measured, await step(context, ways));
    rounds.push(measured as ReindexRound);
  }
  return { lines: formatReport(rounds), facts: { ...options, rounds: rounds.map(toFacts) } };
}

async function openWays(context: PartContext, options: PartOptions): Promise<Ways> {
  const folder = makeTemporaryFolder(context);
  context.tell(`generating ${options.companies} companies`);
  const { csv: path } = await generateRegister(folder, options, ["csv"]);
  const open = async (purpose: string) => {
    const config = withOwnNames(context.config, purpose);
    const stores = await openOwnStores(context, config);
    return { config, stores, clients: openBareClients(context, config) };
  };
  const { config, stores, clients } = await open("reindexed");
  const floor = await open("written");
  context.tell("filling MongoDB");
  await writeRecords(clients, path);
  // The first reindex makes the live index as large as the new ones will be.
  await reindexWithCommand(context, config, folder, INDEX);
  await settle(config);
  return { config, stores, clients, floor, path, folder };
}

async function measureReindex(context: PartContext, { config, folder }: Ways) {
  context.tell("reindexing");
  const reindex = await reindexWithCommand(context, config, folder, INDEX);
  await settle(config);
  return { reindex };
}

async function measureCursor(context: PartContext, { clients, stores }: Ways) {
  context.tell("reading by a bare cursor");
  const cursor = await readByCursor(clients, stores);
  return { cursor };
}

async function measurePrepared(context: PartContext, { floor, path }: Ways) {
  context.tell("writing prepared documents");
  const { builds } = floor.stores.elasticsearch;
  const definition = findIndex(INDEX);
  const built = await builds.create(definition, new Date());
  const prepared = await writePrepared(floor.clients, definition, path);
  await settle(floor.config);
  await builds.remove(built);
  return { prepared };
}
