/** The part `reindex`: how close a reindex comes to only reading MongoDB, and to only writing prepared documents. */
import { findIndex } from "../../../index-mappings/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { openBareRegister, type BareRegister } from "../load/bare-clients.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { readByCursor, writePrepared, writeRecords } from "../reindex/floors.ts";
import { reindexUnderLoad } from "../reindex/live.ts";
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
  register: BareRegister;
  /** The floor writes into its own register. */
  floor: BareRegister;
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
  const register = await openBareRegister(context, "reindexed");
  const floor = await openBareRegister(context, "written");
  context.tell("filling MongoDB");
  await writeRecords(register.clients, path);
  // The first reindex makes the live index as large as the new ones will be.
  await reindexWithCommand(context, register.config, folder, INDEX);
  await settle(register.config);
  return { register, floor, path, folder };
}

async function measureReindex(context: PartContext, { register: { config }, folder }: Ways) {
  context.tell("reindexing");
  const reindex = await reindexWithCommand(context, config, folder, INDEX);
  await settle(config);
  return { reindex };
}

async function measureCursor(context: PartContext, { register }: Ways) {
  context.tell("reading by a bare cursor");
  return { cursor: await readByCursor(register) };
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
