/** Owns the `load` command: bulk files in, totals out. */
import { defineCommand, type CommandContext } from "../../api/core/define-command.ts";
import { messageOf } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchDeadLetters } from "../dead-letters.ts";
import { loadFile } from "../load-file.ts";
import { writeLoadFile } from "../load-files.ts";
import { addCounts, newLoadId, noCounts, writeLoad, type LoadRecord } from "../loads.ts";
import { mendIndexes } from "../mend.ts";
import { prepareStores } from "../prepare.ts";
import { formatCount, formatTotals } from "../progress.ts";
import { openProducer, type BatchCounts, type BatchProducer } from "../queue.ts";
import { openInput } from "../readers/open-input.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { sources } from "../sources/index.ts";
import { ProgressLine } from "./progress-line.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;
// Refused rows shown at the end; all of them are kept.
const SHOWN_LETTERS = 10;

export const loadCommand = defineCommand({
  name: "load",
  summary: "Load bulk files into the register.",
  details:
    "Reads zip, gzip and plain files, or standard input for '-'. Loading a file again changes nothing.\n" +
    "Exit code: 0 all rows loaded, 2 some rows refused (they are kept, see dead-letters), 1 the load failed.\n\n" +
    `Formats:\n${sources.map((source) => `  ${source.name.padEnd(32)}${source.title}`).join("\n")}`,
  arguments: [{ name: "<file...>", description: "bulk files in the order in which they are to be loaded" }],
  options: [
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
  ],
  example: "load BasicCompanyDataAsOneFile-2026-11-01.zip",
  run: async (context, files, options) => {
    const stores = context.openStores();
    // Asked in turn, so that the first one that is away is named alone.
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    await prepareStores(stores, new Date());
    return runLoad(context, stores, files, { as: options.as, encoding: options.encoding as Encoding });
  },
});

interface LoadOptions {
  as: string | undefined;
  encoding: Encoding;
}

/** Everything that one run of the command shares. */
interface Run extends LoadOptions {
  context: CommandContext;
  stores: Stores;
  record: LoadRecord;
  producer: BatchProducer;
  startedAt: number;
  nextRevision: () => number;
}

async function runLoad(
  context: CommandContext,
  stores: Stores,
  files: string[],
  options: LoadOptions,
): Promise<number> {
  const record: LoadRecord = {
    _id: newLoadId(new Date(), Math.random()),
    state: "running",
    files,
    started_at: new Date().toISOString(),
    counts: noCounts(),
  };
  const onWritten = (counts: BatchCounts) => (record.counts = addCounts(record.counts, counts));
  const producer = await openProducer(stores.redis.connection, {
    prefix: context.config.QUEUE_PREFIX,
    depth: context.config.QUEUE_DEPTH,
    patienceMs: context.config.STORE_TIMEOUT_MS,
    onWritten,
    isStopping: context.isStopping,
  });
  // Batches are numbered from one draw of the clock; no load writes a million batches a second.
  let revision = await stores.redis.nextRevision();
  const nextRevision = () => (revision += 1);
  const run: Run = {
    ...options,
    context,
    stores,
    record,
    producer,
    startedAt: performance.now(),
    nextRevision,
  };
  try {
    await writeLoad(stores.mongo.documents, record);
    await mendEarlierLoads(run);
    return await loadAndReport(run);
  } finally {
    await producer.close();
  }
}

async function mendEarlierLoads({ context, stores, producer }: Run): Promise<void> {
  const mended = await mendIndexes(stores, (job) => producer.isUnderWay(job));
  if (mended === 0) return;
  context.tell(`${mended} batches of an earlier load had not reached Elasticsearch; they have now`);
}

async function loadAndReport(run: Run): Promise<number> {
  const { context, record } = run;
  const fault = await loadFiles(run);
  const finishing = finish(run, fault);
  // When a store has gone away, that is the reason to tell, not that the end could not be written either.
  await (fault ? finishing.catch(() => undefined) : finishing);
  // A file that was refused whole has no totals to tell.
  const lines =
    fault && record.counts.read === 0 ? [] : formatTotals(record.counts, performance.now() - run.startedAt);
  for (const line of lines) context.print(line);
  if (record.counts.refused > 0) await tellRefused(run);
  if (fault) throw fault;
  return record.counts.refused > 0 ? EXIT_REFUSED : EXIT_OK;
}

async function finish({ stores, record }: Run, fault: Error | null): Promise<void> {
  await writeLoad(stores.mongo.documents, {
    ...record,
    state: fault ? "failed" : "succeeded",
    finished_at: new Date().toISOString(),
    ...(fault ? { reason: messageOf(fault) } : {}),
  });
  // What was written can be found from now on, not only from the engine's next refresh.
  await stores.elasticsearch.refresh();
}

/** Loads the files in turn; what was enqueued is waited for even when a later row showed the file to be unfit. */
async function loadFiles(run: Run): Promise<Error | null> {
  try {
    for (const file of run.record.files) await loadOne(run, file);
    await run.producer.drain();
    return null;
  } catch (error) {
    // The totals tell of every batch that was enqueued; a wait that cannot end adds nothing to the first fault.
    await run.producer.settle().catch(() => undefined);
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function loadOne(run: Run, path: string): Promise<void> {
  const { context, record, producer } = run;
  const input = await openInput(path);
  const line = new ProgressLine(context, input, () => record.counts, producer);
  try {
    const { source, rows } = await loadFile({
      load: record._id,
      input,
      as: run.as,
      encoding: run.encoding,
      limits: { rows: context.config.BATCH_ROWS, bytes: context.config.BATCH_BYTES },
      nextRevision: run.nextRevision,
      onOpen: (file) => writeLoadFile(run.stores.mongo.documents, file),
      enqueue: (job) => producer.add(job),
      onProgress: (count) => line.update(count),
      isStopping: context.isStopping,
    });
    await producer.drain();
    line.clear();
    context.tell(`${input.label}: ${formatCount(rows)} rows read as ${source}`);
  } finally {
    line.clear();
    input.stream.destroy();
  }
}

async function tellRefused({ context, stores, record }: Run): Promise<void> {
  const letters = await fetchDeadLetters(stores.mongo.documents, record._id, SHOWN_LETTERS);
  for (const { file, line, field, reason } of letters) {
    context.tell(`refused: ${file}, line ${line}: ${field ? `${field}: ` : ""}${reason}`);
  }
  const more = record.counts.refused - letters.length;
  context.tell(
    `${more > 0 ? `and ${formatCount(more)} more; ` : ""}all of them: npm run cli -- dead-letters list ${record._id}`,
  );
}
