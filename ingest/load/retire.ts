/**
 * Owns the removal of what a whole edition no longer holds (`--complete`), after all of it has been loaded.
 *
 * The guard compares the edition with what is there when it would remove, what the edition itself has brought included:
 * an edition that is smaller than a set share of that removes nothing.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { isGone } from "../../api/core/gone.ts";
import { writeBoth } from "../both-stores.ts";
import { writeStatements } from "../statements/write.ts";
import { toIndex } from "../write-rows.ts";
import { isToldSince } from "../writers/stored.ts";
import { readBatchNames } from "./batch-records.ts";
import type { WholeEdition } from "./completeness.ts";
import { addNamed, IdSet } from "./id-set.ts";
import { addMendedNames } from "./mended-batches.ts";

/** What an edition says by what it lacks. */
export interface Retirement extends WholeEdition {
  /** The load's first revision: what has a higher one was written by it or later. */
  revision: number;
  /** Least share of what the edition covers that it must hold, in per cent; 0 lifts the guard. */
  minimumPercent: number;
  /** Set in a dry run: records that the edition would have brought and that a scan does not show. */
  unseen?: number;
}

// Records removed at once.
const BATCH = 500;

/**
 * Removes the records of the edition's kinds that no row named; returns how many. What an event of its day or later,
 * or another load, has told since stays. Throws CommandError, with nothing removed, when so much is lacking that the
 * edition can hardly be whole.
 */
export async function retire(stores: Stores, load: string, retirement: Retirement): Promise<number> {
  const { lacking } = await planRetirement(stores, await readNamed(stores, load), retirement);
  let removed = 0;
  for (const [record, ids] of lacking) removed += await removeAll(stores, record, ids, { load, retirement });
  return removed;
}

/**
 * Throws CommandError when rows were refused and are not mended, for what they hold is not named. Only a replay of the
 * load mends them here: a row that was discarded, or mended in a file of its own, is still one that the load does not
 * know. `load` is null in a dry run.
 */
export function guardRefused(refused: number, load: string | null): void {
  if (refused === 0) return;
  const why = "what those rows hold would be taken for lacking";
  throw new CommandError(
    load === null
      ? `nothing would be removed: ${refused} rows would be refused, and ${why}. Mend them, or use --force`
      : `everything but ${refused} refused rows was loaded, and nothing was removed: ${why}. When ` +
          `npm run cli -- dead-letters replay ${load} has had them accepted, go on with load --resume ${load}; ` +
          "or load a mended edition; or go on with --force",
  );
}

/** Where records are looked through. */
interface Scanned {
  mongo: { scanner: Pick<Stores["mongo"]["scanner"], "scan" | "patiently"> };
}

/** What would be removed: identities by kind of record. Throws as `retire` does. `named`: what rows named, by collection. */
export async function planRetirement(
  stores: Scanned,
  named: Map<string, IdSet>,
  retirement: Retirement,
): Promise<{ lacking: Map<RecordDefinition, string[]>; count: number }> {
  const lacking = new Map<RecordDefinition, string[]>();
  const sums = { covered: retirement.unseen ?? 0, lacking: 0 };
  for (const record of retirement.completeness.records) {
    const found = await stores.mongo.scanner.patiently(() => findLacking(stores, record, named, retirement));
    lacking.set(record, found.ids);
    sums.covered += found.covered;
    sums.lacking += found.ids.length;
  }
  guardShare(sums, retirement);
  return { lacking, count: sums.lacking };
}

async function readNamed(stores: Stores, load: string): Promise<Map<string, IdSet>> {
  const named = new Map<string, IdSet>();
  for await (const ofBatch of readBatchNames(stores.mongo.documents, load)) addNamed(named, ofBatch);
  await addMendedNames(stores.mongo.documents, load, named);
  return named;
}

async function findLacking(
  { mongo }: Scanned,
  record: RecordDefinition,
  named: Map<string, IdSet>,
  retirement: Retirement,
): Promise<{ ids: string[]; covered: number }> {
  const set = named.get(record.collection) ?? new IdSet();
  const members = ["revision", "told", "update", ...retirement.completeness.members];
  const ids: string[] = [];
  let covered = 0;
  for await (const chunk of mongo.scanner.scan(record, { members })) {
    for (const held of chunk) {
      if (!isCovered(held, retirement)) continue;
      covered += 1;
      if (!set.has(held._id)) ids.push(held._id);
    }
  }
  return { ids, covered };
}

/** What the edition should hold: its kind, and nobody has told anything newer of it. */
export function isCovered(
  held: StoredRecord,
  { completeness, context, productionDate }: WholeEdition,
): boolean {
  return completeness.covers(held, context) && !isToldSince(held, productionDate);
}

function guardShare(
  sums: { covered: number; lacking: number },
  { minimumPercent, unseen }: Retirement,
): void {
  const percent = sums.covered === 0 ? 100 : (100 * (sums.covered - sums.lacking)) / sums.covered;
  if (percent >= minimumPercent) return;
  const isDryRun = unseen !== undefined;
  const outcome = isDryRun ? "nothing would be removed" : "everything was loaded, but nothing was removed";
  const those = isDryRun ? "that would be there" : "that are there";
  throw new CommandError(
    `${outcome}: the edition holds only ${percent.toFixed(1)} % of the ` +
      `${sums.covered} records ${those}, its own included, and ${minimumPercent} % is the least (COMPLETE_MIN_PERCENT). ` +
      "Get the edition again, or, when it is as it should be, run the same load with --force",
  );
}

/** Of each record it is stated that it is gone, which an older event or edition that comes later does not undo. */
async function removeAll(
  stores: Stores,
  record: RecordDefinition,
  ids: string[],
  { load, retirement }: { load: string; retirement: Retirement },
): Promise<number> {
  const { revision, productionDate: at = "" } = retirement;
  const isMeant = (held: HeldRecord | undefined) =>
    held !== undefined && !isGone(held) && held.revision < revision && isCovered(held, retirement);
  let removed = 0;
  for (let start = 0; start < ids.length; start += BATCH) {
    const chunk = ids.slice(start, start + BATCH);
    const incoming = chunk.map((id) => {
      const statements = [{ at, place: revision, gone: true as const }];
      return { id, statements, isUndated: at === "", isMeant };
    });
    removed += await writeBoth(
      stores,
      record,
      { jobId: `${load}-retire-${start}`, ids: chunk },
      async (leaving) => {
        const written = await writeStatements(stores.mongo, record, incoming, { revision, ...leaving });
        return {
          written: toIndex(written, leaving),
          counts: written.filter(({ effect }) => effect === "removed").length,
        };
      },
    );
  }
  return removed;
}
