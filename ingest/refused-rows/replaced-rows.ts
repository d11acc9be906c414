/** Refused rows of earlier loads that are out of date, since their file was corrected and loaded again. */
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { countRefusedRows, listRefusedFiles, removeKeptRows } from "./refused-rows.ts";
import {
  fetchLatestLoads,
  filesOf,
  identityOf,
  withStates,
  writeLoad,
  type LoadedFile,
  type LoadRecord,
} from "../history/loads.ts";
import { findSource } from "../sources/index.ts";

/**
 * Deletes the refused rows of earlier loads that this load, or one before it, replaces; returns their number. They count as
 * discarded: which of their records came again is not known. Runs under the locks of the record kinds.
 */
export async function removeReplaced({ mongo, redis }: Stores, record: LoadRecord): Promise<number> {
  const { documents } = mongo;
  const refusing = new Set((await countRefusedRows(documents)).map(({ load }) => load));
  refusing.delete(record._id);
  if (refusing.size === 0) return 0;
  const loads = await fetchLatestLoads(documents);
  const succeeded = loads.filter(({ _id, state }) => _id !== record._id && state === "succeeded");
  const loaded = filesOf([record, ...succeeded]);
  let removed = 0;
  for (const { _id, state } of await withStates(redis, loads)) {
    const load = loads.find((one) => one._id === _id);
    if (!load || !refusing.has(_id) || state === "running") continue;
    const { surveyed = [], ...of } = firstOf(load, loads);
    const later = loaded.filter((other) => other.of._id > _id);
    const replaced = surveyed.filter((file) => isReplaced({ ...file, of }, later));
    const names = replaced.map(({ file }) => file);
    if (names.length > 0) removed += await removeRows(documents, load, names);
  }
  return removed;
}

/** The load whose rows this one mends, directly or through others; its own files are those that were refused. */
function firstOf(load: LoadRecord, loads: readonly LoadRecord[]): LoadRecord {
  const mended = loads.find(({ _id }) => _id === load.plan.mends?.load);
  return mended ? firstOf(mended, loads) : load;
}

async function removeRows(documents: DocumentStore, load: LoadRecord, files: string[]): Promise<number> {
  const refused = (await listRefusedFiles(documents, load._id)).filter(({ file }) => files.includes(file));
  const rows = refused.reduce((sum, file) => sum + file.refused, 0);
  await writeLoad(documents, { ...load, discarded: (load.discarded ?? 0) + rows });
  for (const { file } of refused) await removeKeptRows(documents, `${load._id}:${file}`);
  return rows;
}

/**
 * True when the same file was loaded again, or a whole edition of its day or a later one (`--complete`). Never for rows that
 * say what changed, as those of updates and streams: a later file does not repeat them.
 */
export function isReplaced(file: LoadedFile, later: readonly LoadedFile[]): boolean {
  if (!findSource(file.source).completeness) return false;
  const newer = later.filter(
    (other) => other.source === file.source && other.mends === undefined && momentOf(other) >= momentOf(file),
  );
  return newer.some((other) => isSameFile(other, file) || isEditionOf(other, file));
}

/** The moment as of which the rows of a file count. */
function momentOf({ production_date: day, of }: LoadedFile): string {
  return day ?? of.plan.asOf ?? of.started_at;
}

/** Standard input is never the same. */
function isSameFile(other: LoadedFile, file: LoadedFile): boolean {
  return identityOf(other) === identityOf(file) && !other.of.files.includes("-");
}

function isEditionOf(other: LoadedFile, { scope, part }: LoadedFile): boolean {
  const { of, scope: covered = scope, part: { product } = {} } = other;
  return of.plan.isComplete && covered === scope && product === part?.product;
}
