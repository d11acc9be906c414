/** Owns the part `load`: how near the ingest comes to what the engines' own clients can write. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../../api/core/config.ts";
import { CommandError } from "../../../api/core/errors.ts";
import type { Stores } from "../../../api/core/stores/index.ts";
import { records } from "../../../api/resources/index.ts";
import { indices } from "../../../index-mappings/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { openBareClients, type BareClients } from "../load/bare-clients.ts";
import { writeFloor } from "../load/floor.ts";
import { loadWithCommand, startPipeline, type LoadResult, type Pipeline } from "../load/pipeline.ts";
import { formatPeak, toRates, toRows, type FileMeasurement } from "../load/report.ts";
import { openOwnStores, withOwnNames } from "../own-stores.ts";
import { generateRegister, makeTemporaryFolder, type FileKind } from "../register/generate.ts";
import { settle } from "../rest.ts";
import { round } from "../statistics.ts";
import { formatTable } from "../table.ts";

const FILES: readonly { kind: FileKind; title: string; rowsPerCompany: number }[] = [
  { kind: "csv", title: "companies", rowsPerCompany: 1 },
  { kind: "officers", title: "officers", rowsPerCompany: 2 },
  { kind: "psc", title: "persons with significant control", rowsPerCompany: 2 },
];

export const loadPart = definePart({
  name: "load",
  title: "How near a load comes to what the engines' own clients write.",
  details:
    "Generates the bulk files of companies, officers and persons with significant control and loads each two ways\n" +
    "in turn, on the same engines: by the command `load` with one worker, from its start to its end, and as\n" +
    "prepared records and documents through the bulk calls of the engines' own clients (the floor), both stores\n" +
    "at the same time, with the clock standing while they are prepared. Both have the same MongoDB indexes,\n" +
    "mappings and settings; WORKER_CONCURRENCY and the sizes of batches are taken from the environment. Then\n" +
    "both registers are counted and must be equal. With more --rounds, the way that goes first changes. A smaller\n" +
    "register goes before both ways without being counted in, so that the engines are warm.",
  options: [],
  run: runLoad,
});

/** The two ways of a round. */
interface Ways {
  pipeline: Pipeline;
  /** Clients on what the pipeline loads, to count it. */
  loadedClients: BareClients;
  loaded: Stores;
  clients: BareClients;
  written: Stores;
  configs: readonly Config[];
  folder: string;
}

// An engine that has just started compiles its code while it works: whoever went first would pay for it alone.
const WARM_UP_COMPANIES = 20_000;

async function runLoad(context: PartContext, options: PartOptions): Promise<PartReport> {
  const companies = Math.min(WARM_UP_COMPANIES, options.companies);
  await measureRounds(context, { ...options, companies, rounds: 1 });
  return measureRounds(context, options);
}

async function measureRounds(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { rounds = 1 } = options;
  const folder = makeTemporaryFolder(context);
  context.tell(`generating the files of ${options.companies} companies`);
  const files = await generateRegister(
    folder,
    options,
    FILES.map(({ kind }) => kind),
  );
  const measurements: FileMeasurement[] = [];
  let workerPeak: number | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const ways = await openWays(context, folder, round);
    for (const [position, file] of FILES.entries()) {
      const isLoadFirst = (position + round) % 2 === 0;
      measurements.push(
        await measureFile(context, ways, options, { ...file, path: files[file.kind], isLoadFirst }),
      );
    }
    workerPeak = Math.max(workerPeak ?? 0, ways.pipeline.worker.peakBytes() ?? 0) || undefined;
    await compareStores(ways);
    await ways.pipeline.worker.stop();
  }
  return report(measurements, workerPeak, options);
}

async function openWays(context: PartContext, folder: string, round: number): Promise<Ways> {
  const loadedConfig = withOwnNames(context.config, `loaded-${round}`);
  const writtenConfig = withOwnNames(context.config, `written-${round}`);
  const loaded = await openOwnStores(context, loadedConfig);
  const written = await openOwnStores(context, writtenConfig);
  const openClients = (config: Config) => {
    const clients = openBareClients(config);
    context.onEnd("the bare clients", clients.close);
    return clients;
  };
  const groupFolder = join(folder, `groups-${round}`);
  mkdirSync(groupFolder);
  const pipeline = await startPipeline(context, { ...loadedConfig, LOG_LEVEL: "info" }, folder);
  const configs = [loadedConfig, writtenConfig];
  return {
    pipeline,
    loadedClients: openClients(loadedConfig),
    loaded,
    clients: openClients(writtenConfig),
    written,
    configs,
    folder: groupFolder,
  };
}

interface MeasuredFile {
  title: string;
  path: string;
  rowsPerCompany: number;
  isLoadFirst: boolean;
}

async function measureFile(
  context: PartContext,
  ways: Ways,
  { companies }: PartOptions,
  { title, path, rowsPerCompany, isLoadFirst }: MeasuredFile,
): Promise<FileMeasurement> {
  const { pipeline, clients, configs, folder } = ways;
  const runLoadWay = async (): Promise<LoadResult> => {
    context.tell(`loading ${title}`);
    const result = await loadWithCommand(context, pipeline, path);
    await settle(...configs);
    return result;
  };
  const before = isLoadFirst ? await runLoadWay() : undefined;
  context.tell(`writing prepared ${title}`);
  const floor = await writeFloor(clients, { path, folder, expected: companies * rowsPerCompany });
  await settle(...configs);
  const load = before ?? (await runLoadWay());
  context.tell(
    `${title}: loaded in ${round(load.ms / 1_000, 1)} s, written in ${round(floor.ms / 1_000, 1)} s`,
  );
  return { title, load, floor };
}

/** Two rates compare only when both ways have written the same. */
async function compareStores({ loadedClients, clients, loaded, written }: Ways): Promise<void> {
  for (const { collection } of records) {
    const one = await loadedClients.count(collection);
    const other = await clients.count(collection);
    if (one !== other) throw new CommandError(`${collection}: ${one} records were loaded, ${other} written`);
  }
  for (const { name } of indices) {
    const [one, other] = await Promise.all(
      [loaded, written].map(({ elasticsearch }) => elasticsearch.count(name)),
    );
    if (one !== other)
      throw new CommandError(`index ${name}: ${one} documents were loaded, ${other} written`);
  }
}

function report(
  measurements: FileMeasurement[],
  workerPeakBytes: number | undefined,
  { companies, seed }: PartOptions,
): PartReport {
  const byFile = FILES.map(({ title }) =>
    toRates(
      title,
      measurements.filter((one) => one.title === title),
    ),
  );
  const rates = [...byFile, toRates("together", measurements)];
  const peaks = measurements.map(({ load }) => load.commandPeakBytes ?? 0);
  const commandPeakBytes = Math.max(...peaks) || undefined;
  return {
    lines: [
      ...formatTable(toRows(rates)),
      "",
      `most memory: command ${formatPeak(commandPeakBytes)}, worker ${formatPeak(workerPeakBytes)}`,
    ],
    facts: { companies, seed, files: rates, commandPeakBytes, workerPeakBytes },
  };
}
