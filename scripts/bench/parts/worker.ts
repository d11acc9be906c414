/** The part `worker`: how fast command and worker are on engines that only count what they receive. */
import { join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { records } from "../../../api/resources/index.ts";
import { indices } from "../../../index-mappings/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { loadWithCommand, openPipeline, type LoadResult } from "../load/pipeline.ts";
import { startProcess, waitForLog } from "../processes.ts";
import { generateFiles, makeTemporaryFolder, REGISTER_FILES } from "../register/generate.ts";
import { median, round } from "../statistics.ts";
import { formatTable } from "../table.ts";
import type { CountedRecords } from "../worker/counting-mongo.ts";

const START_MS = 30_000;
// The rate required on two cores.
const LEAST_ROWS_PER_SECOND = 15_000;

export const workerPart = definePart({
  name: "worker",
  title:
    "How fast the command and the worker are by themselves, on engines that only count what they receive.",
  details:
    "It generates companies and loads them with the command `load` and one worker process, over the real Redis, into a MongoDB and\n" +
    "an Elasticsearch of the benchmark: they store nothing and count what arrives, which must be everything that was loaded.\n" +
    "Rows per second are counted from the start of the command to its end; with few companies most of that is the start of\n" +
    "the processes. Processor time is per million rows. The rate should be at least 15,000 companies per second on two cores.\n" +
    "Each of --rounds has its own register and worker; medians are printed. --all also loads officers and persons with\n" +
    "significant control. ELASTICSEARCH_URL and MONGODB_URL are not used.",
  options: [{ flags: "--all", description: "load officers and persons with significant control as well" }],
  run: measureWorker,
});

/** One file loaded once. */
interface Loaded {
  title: string;
  load: LoadResult;
  /** The records and documents that the engines have received for it. */
  arrived: { records: number; documents: number };
}

/** The engines that count. */
interface CountingEngines {
  config: Config;
  fetchCounted: () => Promise<{
    records: Record<string, CountedRecords>;
    documents: Record<string, number>;
  }>;
}

async function measureWorker(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { rounds = 1, own } = options;
  const folder = makeTemporaryFolder(context);
  const chosen = REGISTER_FILES.filter(({ kind }) => own.all === true || kind === "csv");
  const files = await generateFiles(context, folder, options, chosen);
  const engines = await startCountingEngines(context, folder);
  const loaded: Loaded[] = [];
  for (let at = 0; at < rounds; at += 1) {
    const pipeline = await openPipeline({ ...context, config: engines.config }, `worker-${at}`, folder);
    let before = await countArrived(engines, pipeline.config);
    for (const { title, path } of files) {
      context.tell(`loading ${title}`);
      const load = await loadWithCommand(context, pipeline, path);
      const now = await countArrived(engines, pipeline.config);
      const arrived = {
        records: now.records - before.records,
        documents: now.documents - before.documents,
      };
      guardArrived(title, { load, arrived, wanted: now.wanted - before.wanted });
      loaded.push({ title, load, arrived });
      before = now;
    }
    await pipeline.worker.stop();
  }
  return report(loaded, options);
}

async function startCountingEngines(context: PartContext, folder: string): Promise<CountingEngines> {
  const logFile = join(folder, "counting-engines.log");
  const entry = "scripts/bench/worker/counting-engines.js";
  const started = startProcess({ entry, config: context.config, logFile });
  context.onEnd("the counting engines", started.stop);
  const [line] = await waitForLog(started, /^{.*}$/m, START_MS);
  const addresses = JSON.parse(line) as Record<"mongodb" | "elasticsearch" | "counts", string>;
  return {
    config: {
      ...context.config,
      MONGODB_URL: addresses.mongodb,
      ELASTICSEARCH_URL: addresses.elasticsearch,
    },
    fetchCounted: async () => (await fetch(addresses.counts)).json() as never,
  };
}

/** What the engines have received for this register. `wanted`: documents that its records make, one per group. */
async function countArrived({ fetchCounted }: CountingEngines, { DATABASE_NAME, INDEX_PREFIX }: Config) {
  const counted = await fetchCounted();
  const arrivedIn = (collection: string) => counted.records[`${DATABASE_NAME}.${collection}`];
  const sum = (numbers: (number | undefined)[]) => numbers.reduce((all: number, one) => all + (one ?? 0), 0);
  return {
    records: sum(records.map(({ collection }) => arrivedIn(collection)?.records)),
    documents: sum(indices.map(({ name }) => counted.documents[INDEX_PREFIX + name])),
    wanted: sum(indices.map(({ record }) => arrivedIn(record.collection)?.groups)),
  };
}

/** Throws CommandError unless the engines have received exactly what was loaded. */
function guardArrived(title: string, { load, arrived, wanted }: Omit<Loaded, "title"> & { wanted: number }) {
  const { written, refused, read } = load.counts;
  if (refused > 0) throw new CommandError(`${title}: ${refused} of ${read} rows were refused`);
  if (arrived.records !== written)
    throw new CommandError(`${title}: ${written} records were loaded, ${arrived.records} arrived`);
  if (arrived.documents !== wanted)
    throw new CommandError(`${title}: ${wanted} documents were expected, ${arrived.documents} arrived`);
}

const HEAD = ["file", "rows", "records", "documents", "seconds", "rows/s"];
const HEAD_END = ["command CPU s/million", "worker CPU s/million"];

function report(loaded: readonly Loaded[], { companies, seed }: PartOptions): PartReport {
  const titles = [...new Set(loaded.map(({ title }) => title))];
  const files = titles.map((title) => {
    const ofFile = loaded.filter((one) => one.title === title);
    const rows = ofFile[0]?.load.counts.read ?? 0;
    const middle = (valueOf: (load: LoadResult) => number | undefined) =>
      median(ofFile.map(({ load }) => valueOf(load) ?? NaN));
    const ms = middle((load) => load.ms);
    return {
      title,
      rows,
      ...ofFile[0]?.arrived,
      seconds: round(ms / 1_000, 2),
      rowsPerSecond: Math.round((rows / ms) * 1_000),
      commandSecondsPerMillion: round((middle((load) => load.commandCpuMs) / rows) * 1_000, 1),
      workerSecondsPerMillion: round((middle((load) => load.workerCpuMs) / rows) * 1_000, 1),
    };
  });
  const cells = files.map(({ title, ...numbers }) => [title, ...Object.values(numbers).map(String)]);
  const rate = files[0]?.rowsPerSecond ?? 0;
  const ratio = round(rate / LEAST_ROWS_PER_SECOND, 2);
  return {
    lines: [
      ...formatTable([[...HEAD, ...HEAD_END], ...cells]),
      "",
      `companies: ${rate} rows a second; at least ${LEAST_ROWS_PER_SECOND} are required: ratio ${ratio}`,
    ],
    facts: { companies, seed, files, ratio },
    isShort: ratio < 1,
  };
}
