/** Owns the `load` command: bulk files in, totals out. */
import { defineCommand, type CommandContext, type CommandOption } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchDeadLetters } from "../dead-letters.ts";
import { fetchBatchCounts } from "../load/batch-records.ts";
import { surveyAndPreview } from "../load/dry-run.ts";
import { endForgottenPause } from "../load/refresh-pause.ts";
import { REVISIONS_PER_LOAD, runLoad, type LoadObserver } from "../load/run-load.ts";
import { spoolStandardInput, type FileOpener } from "../load/spool.ts";
import { addCounts, fetchLoad, newLoadId, noCounts, type LoadRecord } from "../loads.ts";
import { mendIndexes } from "../mend.ts";
import { prepareStores } from "../prepare.ts";
import { formatCount, formatTotals } from "../progress.ts";
import { openProducer, type BatchProducer } from "../queue.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { sources } from "../sources/index.ts";
import { LoadProgress } from "./load-progress.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;
// Refused rows shown at the end; all of them are kept.
const SHOWN_LETTERS = 10;

const options: CommandOption[] = [
  {
    flags: "--as <format>",
    description: "format of the files, where name and first line do not tell",
    choices: sources.map((source) => source.name),
  },
  {
    flags: "--encoding <encoding>",
    description: "encoding of the files",
    choices: ["utf-8", "latin1"],
    default: "utf-8",
  },
  {
    flags: "--complete",
    description: "the files are a whole edition: remove what it no longer holds, once all of it is loaded",
  },
  {
    flags: "--force",
    description:
      "with --complete: remove even much, and although rows were refused; of daily updates: although runs are missing",
  },
  {
    flags: "--unchecked",
    description: "load a file although its end is missing, or its trailer or totals do not add up",
  },
  { flags: "--resume <load>", description: "go on with a load that was broken off; name no files" },
  { flags: "--dry-run", description: "check the files and say what would change; write nothing" },
  { flags: "--json", description: "print the outcome as JSON" },
];

export const loadCommand = defineCommand({
  name: "load",
  summary: "Load bulk files into the register.",
  details:
    "Reads zip, gzip and plain files, or standard input for '-'. Each file is read to its end before any of it is\n" +
    "loaded: one that was cut off changes nothing. Loading a file again changes nothing either.\n" +
    "Exit code: 0 all rows loaded, 2 some rows refused (they are kept, see dead-letters), 1 the load failed.\n\n" +
    `Formats:\n${sources.map((source) => `  ${source.name.padEnd(32)}${source.title}`).join("\n")}`,
  arguments: [{ name: "[file...]", description: "bulk files in the order in which they are to be loaded" }],
  options,
  example: "load BasicCompanyDataAsOneFile-2026-11-01.zip",
  run: async (context, files, given) => {
    requireFiles(files, given.resume);
    if (given.complete && given.unchecked) {
      throw new CommandError(
        "--complete removes what a file does not hold, so its end must be checked: leave --unchecked out",
      );
    }
    const stores = context.openStores();
    const request = readRequest(files, given);
    if (given.dryRun) {
      await stores.mongo.ping();
      return withFiles(files, (open) => surveyAndPreview(context, stores, request, open));
    }
    // Asked in turn, so that the first one that is away is named alone.
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    await prepareStores(stores, new Date());
    return withFiles(files, (open) => loadLocked(context, stores, request, open));
  },
});

/** What was asked for. */
export interface LoadRequest {
  files: string[];
  as: string | undefined;
  encoding: Encoding;
  isComplete: boolean;
  isForced: boolean;
  isUnchecked: boolean;
  isJson: boolean;
  resume: string | undefined;
}

function requireFiles(files: string[], resume: string | undefined): void {
  if (files.length === 0 && !resume) throw new CommandError("name the files to load; --help says how");
  if (files.length > 0 && resume) {
    throw new CommandError("--resume goes on with the files that its load began with: name none");
  }
}

function readRequest(files: string[], given: Record<string, string | undefined>): LoadRequest {
  return {
    files,
    as: given.as,
    encoding: (given.encoding ?? "utf-8") as Encoding, // one of the option's choices
    isComplete: Boolean(given.complete),
    isForced: Boolean(given.force),
    isUnchecked: Boolean(given.unchecked),
    isJson: Boolean(given.json),
    resume: given.resume,
  };
}

/** Each file is read twice, standard input too. */
async function withFiles<T>(files: string[], work: (open: FileOpener) => Promise<T>): Promise<T> {
  const spool = await spoolStandardInput(files, process.stdin);
  try {
    return await work(spool.open);
  } finally {
    await spool.remove();
  }
}

/** A load that lives holds a lock, so that no second process goes on with it. */
async function loadLocked(
  context: CommandContext,
  stores: Stores,
  request: LoadRequest,
  open: FileOpener,
): Promise<number> {
  const record = request.resume
    ? await fetchResumable(stores, request.resume)
    : await newRecord(context, stores, request);
  const lock = await stores.redis.locks.acquire(`load:${record._id}`);
  if (!lock) throw new CommandError(`the load ${record._id} is under way in another process`);
  try {
    return await loadAndReport(context, stores, { request, record, open });
  } finally {
    await lock.release().catch(() => undefined);
  }
}

async function newRecord(
  { config }: CommandContext,
  stores: Stores,
  { files, as, encoding, isComplete, isUnchecked }: LoadRequest,
): Promise<LoadRecord> {
  return {
    _id: newLoadId(new Date(), Math.random()),
    state: "running",
    files,
    started_at: new Date().toISOString(),
    counts: noCounts(),
    plan: {
      ...(as && { as }),
      encoding,
      limits: { rows: config.BATCH_ROWS, bytes: config.BATCH_BYTES },
      revision: await stores.redis.nextRevision(REVISIONS_PER_LOAD),
      isComplete,
      ...(isUnchecked && { isUnchecked }),
    },
  };
}

async function fetchResumable({ mongo }: Stores, id: string): Promise<LoadRecord> {
  const record = await fetchLoad(mongo.documents, id);
  if (!record) throw new CommandError(`there is no load ${id}; npm run cli -- loads list names them`);
  if (record.state === "succeeded")
    throw new CommandError(`the load ${id} has succeeded: there is nothing to go on with`);
  if (record.files.includes("-"))
    throw new CommandError(`the load ${id} read standard input, which is gone: load it anew`);
  delete record.reason;
  delete record.finished_at;
  return { ...record, state: "running" };
}

async function loadAndReport(
  context: CommandContext,
  stores: Stores,
  { request, record, open }: { request: LoadRequest; record: LoadRecord; open: FileOpener },
): Promise<number> {
  const startedAt = performance.now();
  const { config, isStopping } = context;
  const producer = await openProducer(stores.redis.connection, {
    prefix: config.QUEUE_PREFIX,
    depth: config.QUEUE_DEPTH,
    patienceMs: config.STORE_TIMEOUT_MS,
    fetchDone: (revision) => fetchBatchCounts(stores.mongo.documents, record._id, revision),
    onWritten: (counts) => (record.counts = addCounts(record.counts, counts)),
    isStopping,
  });
  try {
    await mendEarlierLoads(context, stores, producer);
    if (request.resume) await producer.clearFailed(record._id);
    const observer = observe(context, record, producer);
    const completeMinPercent = request.isForced ? undefined : config.COMPLETE_MIN_PERCENT;
    const fault = await runLoad({ stores, record, producer, completeMinPercent, open, observer }).then(
      () => null,
      (error: unknown) => error,
    );
    await report(context, stores, {
      record,
      fault,
      isJson: request.isJson,
      elapsedMs: performance.now() - startedAt,
    });
    if (fault) throw fault as Error;
    return record.counts.refused > 0 ? EXIT_REFUSED : EXIT_OK;
  } finally {
    await producer.close();
  }
}

function observe(context: CommandContext, record: LoadRecord, producer: BatchProducer): LoadObserver {
  return {
    watch: (input, phase) =>
      new LoadProgress(context, { input, phase, counts: () => record.counts, producer }),
    onNote: (note) => context.tell(note),
    onLoaded: ({ file, rows, source, doubt }) =>
      context.tell(
        `${file}: ${formatCount(rows)} rows read as ${source.name}${doubt ? `, although ${doubt}` : ""}`,
      ),
  };
}

async function mendEarlierLoads(
  context: CommandContext,
  stores: Stores,
  producer: BatchProducer,
): Promise<void> {
  if (await endForgottenPause(stores))
    context.tell("Elasticsearch's refresh was off since a load that died; it is on again");
  const mended = await mendIndexes(stores, (job) => producer.isUnderWay(job));
  if (mended === 0) return;
  context.tell(`${mended} batches of an earlier load had not reached Elasticsearch; they have now`);
}

interface Outcome {
  record: LoadRecord;
  fault: unknown;
  isJson: boolean;
  elapsedMs: number;
}

async function report(
  context: CommandContext,
  stores: Stores,
  { record, fault, isJson, elapsedMs }: Outcome,
) {
  const { counts, retired } = record;
  if (isJson)
    context.print(
      JSON.stringify({ load: record._id, state: record.state, files: record.files, counts, retired }),
    );
  else if (!fault || counts.read > 0) {
    for (const line of formatTotals(counts, elapsedMs)) context.print(line);
    if (retired !== undefined)
      context.print(`retired   ${formatCount(retired)} (held, but no longer in the edition)`);
  }
  if (counts.refused > 0) await tellRefused(context, stores, record);
  // Before the survey has ended nothing was written: the same command again is as good. Standard input is gone.
  if (fault && record.surveyed && !record.files.includes("-"))
    context.tell(`to go on where it stopped: npm run cli -- load --resume ${record._id}`);
}

async function tellRefused(
  context: CommandContext,
  stores: Stores,
  { _id, counts }: LoadRecord,
): Promise<void> {
  const letters = await fetchDeadLetters(stores.mongo.documents, _id, SHOWN_LETTERS).catch(() => []);
  for (const { file, line, field, reason } of letters) {
    context.tell(`refused: ${file}, line ${line}: ${field ? `${field}: ` : ""}${reason}`);
  }
  const more = counts.refused - letters.length;
  context.tell(
    `${more > 0 ? `and ${formatCount(more)} more; ` : ""}all of them: npm run cli -- dead-letters list ${_id}`,
  );
}
