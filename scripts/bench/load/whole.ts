/** Measures one load of a whole register without a floor: time, memory over time, and the sizes of the stores. */
import { rmSync } from "node:fs";
import { MongoClient } from "mongodb";
import type { Config } from "../../../api/shared/settings/config.ts";
import type { PartContext, PartOptions, PartReport } from "../define-part.ts";
import { openWireClient } from "../http-client.ts";
import type { Started } from "../processes.ts";
import { generateFiles, makeTemporaryFolder } from "../register/generate.ts";
import { median, round } from "../statistics.ts";
import { formatTable } from "../table.ts";
import { loadWithCommand, openPipeline, type LoadResult } from "./pipeline.ts";

const SAMPLE_MS = 5_000;
const MEGABYTE = 1_048_576;

interface Loaded extends LoadResult {
  title: string;
  /** Memory of the worker every few seconds, in bytes. */
  workerBytes: number[];
}

/** Bytes of the stores on disk. */
interface Sizes {
  mongodb: number;
  elasticsearch: number;
}

/** Loads each file once, then deletes it: the files of a whole register take tens of gigabytes besides the stores. */
export async function measureWhole(context: PartContext, options: PartOptions): Promise<PartReport> {
  const folder = makeTemporaryFolder(context);
  const files = await generateFiles(context, folder, options);
  const pipeline = await openPipeline(context, "whole", folder);
  const loaded: Loaded[] = [];
  for (const { title, path } of files) {
    context.tell(`loading ${title}`);
    const memory = watchMemory(pipeline.worker);
    const result = await loadWithCommand(context, pipeline, path).finally(memory.end);
    loaded.push({ title, ...result, workerBytes: memory.samples });
    context.tell(`${title}: ${result.counts.read} rows in ${Math.round(result.ms / 1_000)} s`);
    rmSync(path);
  }
  return report(options.companies, loaded, await measureSizes(pipeline.config));
}

function watchMemory(worker: Started): { samples: number[]; end: () => void } {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(worker.residentBytes() ?? NaN), SAMPLE_MS);
  return { samples, end: () => clearInterval(timer) };
}

async function measureSizes(config: Config): Promise<Sizes> {
  const engine = openWireClient(config.ELASTICSEARCH_URL);
  const path = `/${config.INDEX_PREFIX}*/_stats/store`;
  const { body } = await engine.send({ method: "GET", path, headers: {} });
  engine.close();
  const { _all } = JSON.parse(body.toString()) as { _all: { total: { store: { size_in_bytes: number } } } };
  const client = await MongoClient.connect(config.MONGODB_URL);
  const { storageSize = NaN, indexSize = NaN } = await client
    .db(config.DATABASE_NAME)
    .stats()
    .finally(() => client.close());
  return {
    mongodb: Number(storageSize) + Number(indexSize),
    elasticsearch: _all.total.store.size_in_bytes,
  };
}

const HEAD = [
  "file",
  "rows",
  "written",
  "seconds",
  "rows/s",
  "command MB",
  "worker MB, first quarter",
  "last quarter",
  "peak",
];

function report(companies: number, loaded: readonly Loaded[], sizes: Sizes): PartReport {
  const files = loaded.map(({ title, ms, counts, workerBytes, commandPeakBytes, workerPeakBytes }) => {
    const quarter = Math.max(1, Math.floor(workerBytes.length / 4));
    const [first, last] = [workerBytes.slice(0, quarter), workerBytes.slice(-quarter)].map(median);
    const memory = { commandPeakBytes, workerPeakBytes, workerFirstBytes: first, workerLastBytes: last };
    return { title, ms: round(ms, 0), rows: counts.read, written: counts.written, ...memory };
  });
  const toMegabytes = (bytes = NaN) => (bytes / MEGABYTE).toFixed(0);
  const rows = files.map(({ title, ms, rows: read, written, ...memory }) => [
    ...[title, String(read), String(written), (ms / 1_000).toFixed(0), ((read / ms) * 1_000).toFixed(0)],
    ...[toMegabytes(memory.commandPeakBytes), toMegabytes(memory.workerFirstBytes)],
    ...[toMegabytes(memory.workerLastBytes), toMegabytes(memory.workerPeakBytes)],
  ]);
  const minutes = files.reduce((sum, { ms }) => sum + ms, 0) / 60_000;
  return {
    lines: [
      ...formatTable([HEAD, ...rows]),
      "",
      `${companies} companies in ${minutes.toFixed(0)} minutes; MongoDB ${toMegabytes(sizes.mongodb)} MB with its indexes, Elasticsearch ${toMegabytes(sizes.elasticsearch)} MB`,
    ],
    facts: { minutes: round(minutes, 1), sizes, files },
  };
}
