/** Compares a first load with the floor: how close it comes to the rate at which the engines' own clients can write. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { records } from "../../../api/resources/index.ts";
import { indices } from "../../../index-mappings/index.ts";
import type { PartContext, PartOptions, PartReport } from "../define-part.ts";
import { openBareClients, type BareClients } from "./bare-clients.ts";
import { writeFloor } from "./floor.ts";
import { loadWithCommand, openPipeline, type LoadResult, type Pipeline } from "./pipeline.ts";
import { formatPeak, peaksOf, toRates, toRows, type FileMeasurement } from "./report.ts";
import { openOwnStores, withOwnNames } from "../own-stores.ts";
import { generateRegister, makeTemporaryFolder, REGISTER_FILES } from "../register/generate.ts";
import { settle } from "../rest.ts";
import { round } from "../statistics.ts";
import { formatTable } from "../table.ts";

/** What a round needs to load a file in both ways. */
interface Ways {
  pipeline: Pipeline & { stores: Stores };
  /** Clients of the pipeline's database, to count the loaded records. */
  loadedClients: BareClients;
  clients: BareClients;
  written: Stores;
  configs: readonly Config[];
  folder: string;
}

/** Loads each file in both ways, and reports the rates. */
export async function measureAgainstFloor(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { rounds = 1 } = options;
  const folder = makeTemporaryFolder(context);
  context.tell(`generating the files of ${options.companies} companies`);
  const files = await generateRegister(
    folder,
    options,
    REGISTER_FILES.map(({ kind }) => kind),
  );
  const measurements: FileMeasurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ways = await openWays(context, folder, round);
    for (const [position, file] of REGISTER_FILES.entries()) {
      const isLoadFirst = (position + round) % 2 === 0;
      measurements.push(
        await measureFile(context, ways, options, { ...file, path: files[file.kind], isLoadFirst }),
      );
    }
    await compareStores(ways);
    await ways.pipeline.worker.stop();
  }
  return report(measurements, options);
}

async function openWays(context: PartContext, folder: string, round: number): Promise<Ways> {
  const pipeline = await openPipeline(context, `loaded-${round}`, folder);
  const writtenConfig = withOwnNames(context.config, `written-${round}`);
  const written = await openOwnStores(context, writtenConfig);
  const openClients = (config: Config) => {
    const clients = openBareClients(config);
    context.onEnd("the bare clients", clients.close);
    return clients;
  };
  const groupFolder = join(folder, `groups-${round}`);
  mkdirSync(groupFolder);
  return {
    pipeline,
    loadedClients: openClients(pipeline.config),
    clients: openClients(writtenConfig),
    written,
    configs: [pipeline.config, writtenConfig],
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

/** Throws CommandError unless both ways have written equally many records and documents: else rates do not compare. */
async function compareStores({ pipeline, loadedClients, clients, written }: Ways): Promise<void> {
  for (const { collection } of records) {
    const one = await loadedClients.count(collection);
    const other = await clients.count(collection);
    if (one !== other) throw new CommandError(`${collection}: ${one} records were loaded, ${other} written`);
  }
  for (const { name } of indices) {
    const [one, other] = await Promise.all(
      [pipeline.stores, written].map(({ elasticsearch }) => elasticsearch.count(name)),
    );
    if (one !== other)
      throw new CommandError(`index ${name}: ${one} documents were loaded, ${other} written`);
  }
}

function report(measurements: FileMeasurement[], { companies, seed }: PartOptions): PartReport {
  const byFile = REGISTER_FILES.map(({ title }) =>
    toRates(
      title,
      measurements.filter((one) => one.title === title),
    ),
  );
  const rates = [...byFile, toRates("together", measurements)];
  const { commandPeakBytes, workerPeakBytes } = peaksOf(measurements.map(({ load }) => load));
  return {
    lines: [
      ...formatTable(toRows(rates)),
      "",
      `most memory: command ${formatPeak(commandPeakBytes)}, worker ${formatPeak(workerPeakBytes)}`,
    ],
    facts: { companies, seed, files: rates, commandPeakBytes, workerPeakBytes },
  };
}
