/** Compares a first load with the floor: how close it comes to the rate at which the engines' own clients can write. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { records } from "../../../api/resources/index.ts";
import { indices } from "../../../index-mappings/index.ts";
import type { PartContext, PartOptions, PartReport } from "../define-part.ts";
import { generateFiles, makeTemporaryFolder, REGISTER_FILES } from "../register/generate.ts";
import { settle } from "../rest.ts";
import { round } from "../statistics.ts";
import { formatTable } from "../table.ts";
import { inTurn } from "../turns.ts";
import { openBareClients, openBareRegister, type BareClients, type BareRegister } from "./bare-clients.ts";
import { writeFloor } from "./floor.ts";
import { loadWithCommand, openPipeline, type Pipeline } from "./pipeline.ts";
import { formatPeak, peaksOf, toRates, toRows, type FileMeasurement } from "./report.ts";

/** What a round needs to load a file in both ways. */
interface Ways {
  pipeline: Pipeline;
  /** Clients of the pipeline's database, to count the loaded records. */
  loadedClients: BareClients;
  /** What the floor writes into. */
  written: BareRegister;
  /** For the temporary files of the floor. */
  folder: string;
}

/** Loads each file in both ways, and reports the rates. */
export async function measureAgainstFloor(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { rounds = 1 } = options;
  const folder = makeTemporaryFolder(context);
  const files = await generateFiles(context, folder, options);
  const measurements: FileMeasurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ways = await openWays(context, folder, round);
    for (const [position, { title, path, rowsPerCompany }] of files.entries()) {
      const expected = options.companies * rowsPerCompany;
      measurements.push(await measureFile(context, ways, { title, path, expected, turn: position + round }));
    }
    await compareStores(ways);
    await ways.pipeline.worker.stop();
  }
  return report(measurements, options);
}

async function openWays(context: PartContext, folder: string, round: number): Promise<Ways> {
  const pipeline = await openPipeline(context, `loaded-${round}`, folder);
  const written = await openBareRegister(context, `written-${round}`);
  const groupFolder = join(folder, `groups-${round}`);
  mkdirSync(groupFolder);
  const loadedClients = openBareClients(context, pipeline.config);
  return { pipeline, loadedClients, written, folder: groupFolder };
}

interface MeasuredFile {
  title: string;
  path: string;
  /** Number of its records. */
  expected: number;
  turn: number;
}

async function measureFile(
  context: PartContext,
  { pipeline, written, folder }: Ways,
  { title, path, expected, turn }: MeasuredFile,
): Promise<FileMeasurement> {
  const measureLoad = async () => {
    context.tell(`loading ${title}`);
    const result = await loadWithCommand(context, pipeline, path);
    await settle(pipeline.config, written.config);
    return result;
  };
  const measureFloor = async () => {
    context.tell(`writing prepared ${title}`);
    const result = await writeFloor(written.clients, { path, folder, expected });
    await settle(pipeline.config, written.config);
    return result;
  };
  const [load, floor] = await inTurn(turn, measureLoad, measureFloor);
  context.tell(
    `${title}: loaded in ${round(load.ms / 1_000, 1)} s, written in ${round(floor.ms / 1_000, 1)} s`,
  );
  return { title, load, floor };
}

/** Throws CommandError unless both ways have written equally many records and documents: else rates do not compare. */
async function compareStores({ pipeline, loadedClients, written }: Ways): Promise<void> {
  for (const { collection } of records) {
    const one = await loadedClients.count(collection);
    const other = await written.clients.count(collection);
    if (one !== other) throw new CommandError(`${collection}: ${one} records were loaded, ${other} written`);
  }
  for (const { name } of indices) {
    const [one, other] = await Promise.all(
      [pipeline.stores, written.stores].map(({ elasticsearch }) => elasticsearch.count(name)),
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
