/** A register for one test: on the real engines, under names of its own, with a worker and an API in this process. */
import { buildApp, type AppDependencies } from "../../api/app.ts";
import { addTestKey } from "./keys.ts";
import { readConfig, type Config } from "../../api/shared/settings/config.ts";
import type { CommandContext, CommandDefinition } from "../../ingest/commands/define-command.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { startWorker } from "../../ingest/worker.ts";
import { endRegister, fetchIndices, isEmpty, makeNames, takeNames } from "./register-names.ts";
import { SAMPLE } from "./sample-register.ts";
import { addressOf } from "./serve.ts";

export const TEST_KEY = "test-key-of-this-run";

/** What a command did. */
export interface CommandRun {
  exitCode: number;
  printed: string[];
  /** Bytes written to standard output as they are. */
  written: Buffer;
  messages: string[];
  /** What it threw, if it failed. */
  error?: Error;
}

/** An answer of the API. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined when there is none. */
  body: unknown;
}

export interface TestRegister {
  config: Config;
  stores: Stores;
  /** Address of the API. */
  base: string;
  /** Runs a command; `isStopping` returns true once Ctrl-C has been pressed. */
  run: (
    command: CommandDefinition,
    args: string[],
    options?: Record<string, string>,
    isStopping?: () => boolean,
  ) => Promise<CommandRun>;
  /** Runs the load command over files of the sample register. */
  load: (...files: string[]) => Promise<CommandRun>;
  /** Loads as `load` does, with one row in each batch. */
  loadRowByRow: (files: string[], isStopping?: () => boolean) => Promise<CommandRun>;
  /** Calls the API with the test's key, unless headers say otherwise. */
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  close: () => Promise<void>;
}

/**
 * A configuration with new names, and engine addresses from `overrides` or the environment. Throws if one is missing.
 */
export function testConfig(overrides: Record<string, string> = {}): Config {
  const given = { ...process.env, ...overrides };
  for (const name of ["ELASTICSEARCH_URL", "MONGODB_URL", "REDIS_URL"]) {
    if (!given[name as keyof typeof given])
      throw new Error(`${name} is not set: run the tests with 'npm test', which brings up the engines`);
  }
  return readConfig({ ...process.env, ...makeNames(), LOG_LEVEL: "silent", PORT: "0", ...overrides });
}

/** Settings that say where a register is stored. A test that sets one gets a register of its own. */
const PLACES = [
  "DATABASE_NAME",
  "INDEX_PREFIX",
  "QUEUE_PREFIX",
  "ELASTICSEARCH_URL",
  "MONGODB_URL",
  "REDIS_URL",
];

/** Where a register is stored, and its open stores. */
export interface Storage {
  config: Config;
  stores: Stores;
  /** Called when nothing uses the register any more, before its stores are closed. */
  end: () => Promise<void>;
}

/** Opens the stores of an empty register; `end` empties or drops it. */
export async function openStorage(settings: Record<string, string> = {}): Promise<Storage> {
  const isShared = PLACES.every((name) => settings[name] === undefined);
  const names = isShared ? await takeNames(testConfig()) : undefined;
  const config = testConfig({ ...names, ...settings });
  const stores = openStores(config);
  if (!names) await prepareStores(stores, new Date());
  else if (!(await isEmpty(stores, config))) {
    await endRegister(stores, config);
    await closeStores(stores);
    return openStorage(settings);
  }
  const indices = isShared ? await fetchIndices(config) : undefined;
  return { config, stores, end: () => endRegister(stores, config, indices) };
}

/** Opens a register with an API and, by default, a worker. */
export async function openRegister(
  options: {
    settings?: Record<string, string>;
    withWorker?: boolean;
    clock?: () => Date;
    /** Stores of the API, instead of those of its settings. */
    apiStores?: AppDependencies["stores"];
    /** Where it is stored; by default an empty register. */
    storage?: Storage;
  } = {},
): Promise<TestRegister> {
  const { config, stores, end } = options.storage ?? (await openStorage(options.settings));
  const log = createLogger(config.LOG_LEVEL, "api");
  const workerStores = openStores(config, { forWorker: true });
  await addTestKey(stores.mongo.documents, TEST_KEY, { name: "tests", origins: ["https://app.example"] });
  const stopWorker = options.withWorker === false ? undefined : startWorker(config, workerStores, log);
  const clock = options.clock ?? (() => new Date());
  const app = buildApp({
    // A long limit, because a machine that runs many tests at once is slow.
    config: { ...config, REQUEST_TIMEOUT_MS: 20_000 },
    ...{ stores: options.apiStores ?? stores, log, clock, checksAnswers: true },
  });
  const server = app.listen(0, "127.0.0.1");
  const base = await addressOf(server);
  return {
    config,
    stores,
    base,
    run: (command, args, given = {}, isStopping = () => false) =>
      runCommand({ config, stores }, command, args, given, isStopping),
    load: (...files) => loadSample({ config, stores }, files),
    loadRowByRow: (files, isStopping) =>
      loadSample({ config: { ...config, BATCH_ROWS: 1 }, stores }, files, isStopping),
    get: (path, headers) => get(base + path, headers),
    close: async () => {
      server.close();
      await stopWorker?.();
      await end();
      await closeStores(workerStores);
      await closeStores(stores);
    },
  };
}

/** The Authorization header of a key. */
export function basic(key: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
}

function loadSample(by: Operated, files: string[], isStopping = () => false): Promise<CommandRun> {
  const paths = files.map((file) => `${SAMPLE}/${file}`);
  return runCommand(by, loadCommand, paths, { encoding: "utf-8" }, isStopping);
}

/**
 * What a command gets: a configuration, which may differ from the register's, and stores. Without stores the command
 * opens its own, which takes as long as a small load.
 */
interface Operated {
  config: Config;
  stores?: Stores;
}

/** Runs a command. */
export async function runCommand(
  { config, stores: given }: Operated,
  command: CommandDefinition,
  args: string[],
  options: Record<string, string>,
  isStopping: () => boolean = () => false,
): Promise<CommandRun> {
  const outcome: CommandRun = { exitCode: 1, printed: [], written: Buffer.alloc(0), messages: [] };
  const stores = given ?? openStores(config);
  const context: CommandContext = {
    config,
    openStores: () => stores,
    print: (line) => outcome.printed.push(line),
    write: (bytes) => (outcome.written = Buffer.concat([outcome.written, bytes])),
    tell: (line) => outcome.messages.push(line),
    ask: () => Promise.resolve(null),
    isTerminal: false,
    isStopping,
  };
  try {
    outcome.exitCode = await command.run(context, args, options);
  } catch (error) {
    outcome.error = error as Error;
  }
  if (!given) await closeStores(stores);
  return outcome;
}

async function get(url: string, headers: Record<string, string> = basic(TEST_KEY)): Promise<Answer> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text ? (JSON.parse(text) as unknown) : undefined,
  };
}
