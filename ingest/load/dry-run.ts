/**
 * Previews a load.
 * Limit: each batch is compared with what is stored now. So a record in several batches is counted once for each, and a
 * change does not find a record that the load itself would create.
 */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { MongoStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { isTombstone, type RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";
import type { RefusedRow } from "../refused-rows/refused-rows.ts";
import { addCounts } from "../history/counts.ts";
import { fetchKnownLoads } from "../history/loads.ts";
import { countKinds, idsOf, sortRows, writeKind } from "../pipeline.ts";
import type { BatchJob } from "../queue/queue.ts";
import { findSource } from "../sources/index.ts";
import { writeStatements, type KindWriting, type MongoRecords } from "../statements/write.ts";
import { checkFiles, countRows, type WholeEdition } from "./editions.ts";
import { IdSet } from "./id-set.ts";
import { countMended } from "./mends.ts";
import { findLacking, guardRefused, guardShare, isCovered, addIds } from "./retire.ts";
import type { LoadRun } from "./open-file.ts";
import { cutFile, guardRefusals, surveyFiles, type FileBatch } from "./read-files.ts";

// Limit: how many refused rows are returned.
const KEPT_ROWS = 50;
// Higher than the revision of any stored record, so that the rows count as later.
const REVISION = Number.MAX_SAFE_INTEGER;

interface DryRunOutcome {
  /** How many of the written records would be new. */
  created: number;
  refused: RefusedRow[];
  /** The error that would stop the load during or after its rows. */
  fault: Error | null;
}

/**
 * `ids`: the record ids that rows name; `left`: how many surveyed rows are still to come; `brought`: how many of the
 * edition's records would be created.
 */
type Edition = WholeEdition & { ids: IdSet; left: number; brought: number };

/** Counts in `run.record` what the load would do. Throws the error that would stop the load before its first write. */
export async function runDry(run: LoadRun): Promise<DryRunOutcome> {
  const { surveys, edition: whole } = await surveyFiles(run);
  checkFiles(run, surveys, await fetchKnownLoads(run.stores.mongo.documents));
  const rows = countRows(surveys);
  const edition = whole && { ...whole, ids: new IdSet(rows), left: rows, brought: 0 };
  const outcome: DryRunOutcome = { created: 0, refused: [], fault: null };
  const guard = async (check: () => unknown) => {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      outcome.fault ??= error;
    }
  };
  for (const survey of surveys) {
    const guardFile = guardRefusals(run, survey);
    const take = (batch: FileBatch) => {
      const job = { load: "dry-run", revision: REVISION, ...batch, ...survey.mended?.job };
      return compareBatch(run, job, outcome, edition);
    };
    await cutFile(run, survey, { take });
    await guard(guardFile);
  }
  if (run.record.plan.mends)
    run.record.mended = await countMended(run.stores.mongo.documents, run.record, surveys);
  if (edition) await guard(() => previewRetired(run, edition));
  return outcome;
}

/** Counts the records that would be removed. Throws the error that would prevent their removal. */
async function previewRetired(run: LoadRun, edition: Edition): Promise<void> {
  guardRefused(run);
  const { covered, lacking } = await findLacking(run, edition, edition.ids);
  guardShare(run, { covered: covered + edition.brought, lacking });
  run.record.retired = lacking;
}

/** Processes a batch as a worker would, and counts what it would write. */
async function compareBatch(
  { stores: { mongo }, record: load }: LoadRun,
  job: BatchJob,
  outcome: DryRunOutcome,
  edition: Edition | null,
): Promise<void> {
  const sorted = sortRows(findSource(job.source), job);
  const named = idsOf(sorted);
  // A file with more rows has grown since its survey, which `cutFile` reports at the end of the file.
  if (edition && (edition.left -= job.rows.length) >= 0) addIds(edition.ids, named);
  const unwritten = openUnwritten(mongo, new Set(Object.values(named).flat()));
  const writing = { revision: REVISION };
  const counts = await countKinds(sorted, async (record, of) => {
    const writeApart: KindWriting["writeApart"] = (incoming) =>
      writeStatements(unwritten, record, incoming, writing);
    const done = await writeKind(unwritten, record, of, job, { ...writing, writeApart });
    outcome.created += done.created;
    if (edition)
      edition.brought += done.outcome.filter(
        ({ effect, stored }) => effect === "created" && !isTombstone(stored) && isCovered(stored, edition),
      ).length;
    return done;
  });
  outcome.refused.push(...sorted.refused.slice(0, KEPT_ROWS - outcome.refused.length));
  load.counts = addCounts(load.counts, counts);
}

/** A store for one batch that writes nothing to MongoDB. It holds writes of the ids in `named` and reads them back. */
export function openUnwritten({ records, documents }: MongoStore, named: ReadonlySet<string>): MongoRecords {
  const left = new Map<string, RecordOrTombstone>();
  const leave = (items: RecordOrTombstone[]) => {
    for (const item of items) if (named.has(item._id)) left.set(item._id, item);
  };
  const fetchStored: MongoRecords["records"]["fetchStored"] = async (record, ids) => {
    const others = (await records.fetchStored(record, ids)).filter(({ _id }) => !left.has(_id));
    return [...others, ...ids.flatMap((id) => left.get(id) ?? [])];
  };
  return {
    records: { ...records, fetchStored, fetchStamps: fetchStored },
    documents: { ...documents, put: () => Promise.resolve() },
    writer: {
      // The caller has looked for all of these records before, so none exists.
      insertMissing: (_record, items) => {
        leave(items);
        return Promise.resolve(new Set<string>());
      },
      replaceUnchanged: (_record, replacements) => {
        leave(replacements.map(({ now }) => now));
        return Promise.resolve(replacements.length);
      },
    },
  };
}
