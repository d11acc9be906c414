/** Loads of mended rows (`--mends`). They are read as if at the end of the file in which they were refused. */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { countRefusedRows, listRefusedFiles } from "../refused-rows/refused-rows.ts";
import {
  fetchKnownLoads,
  fetchLoadedFiles,
  filesOf,
  isOverlapping,
  listResumable,
  reachedBy,
  requireLoad,
  withStates,
  type KnownLoad,
  type LoadedFile,
  type LoadFacts,
  type LoadRecord,
  type MendPlan,
} from "../history/loads.ts";
import type { Input } from "../readers/open-input.ts";
import { isOutdated } from "./editions.ts";
import type { MendedFile } from "./open-file.ts";

/**
 * Plans the mending of rows that `load` refused. `own`: the id of the mending load, if it has begun. Throws
 * CommandError if `load` does not exist, was undone or is running. With `own` it may be running: it then waits for
 * locks that `own` holds.
 */
export async function planMends(stores: Stores, load: string, own?: string) {
  const { documents } = stores.mongo;
  const [known] = await withStates(stores.redis, [await requireLoad(documents, load)]);
  if (own === undefined && known?.state === "running")
    throw new CommandError(`load ${load} has not ended; wait for it`);
  requireNotUndone(known);
  const first = await fetchFirst(documents, load);
  const menders = await fetchMenders(documents, [first._id]);
  const { asOf } = first.plan;
  const places = menders.map(({ plan }) => plan.mends?.place ?? 0);
  const mends: MendPlan = { load, place: Math.max(reachedBy(first), ...places) + 1 };
  return { mends, ...(asOf !== undefined && { asOf }) };
}

/** Throws CommandError: rows of an undone load are no longer wanted. */
function requireNotUndone(load: Pick<KnownLoad, "_id" | "state"> | null | undefined): void {
  if (load?.state !== "undone") return;
  throw new CommandError(`load ${load._id} was undone: load the rows without --mends`);
}

/** The load that this one mends, directly or through others; itself if it mends none. */
async function fetchFirst(documents: DocumentStore, load: string): Promise<LoadRecord> {
  const record = await requireLoad(documents, load);
  return record.plan.mends ? fetchFirst(documents, record.plan.mends.load) : record;
}

/** The loads that mend these, directly or through others. `known`: all loads, where they have been read. */
export async function fetchMenders(
  documents: DocumentStore,
  loads: readonly string[],
  known?: readonly LoadFacts[],
) {
  const menders = listMenders(loads, known ?? (await fetchKnownLoads(documents)));
  return Promise.all(menders.map((_id) => requireLoad(documents, _id)));
}

/** The ids of the loads that mend these, directly or through others, earliest first. */
function listMenders(loads: readonly string[], latestFirst: readonly LoadFacts[]): string[] {
  const mended = new Set(loads);
  return latestFirst
    .toReversed()
    .flatMap(({ _id, plan: { mends } }) => (mends && mended.has(mends.load) && mended.add(_id) ? _id : []));
}

/**
 * The loads whose changes must stay in the log: those that may be resumed, and those that mend them, since a resumed
 * load needs the record ids that these named. An outdated load is not among them: if it is resumed with --force, it
 * writes all its batches, and so names its ids again.
 */
export async function listNeeded(documents: DocumentStore): Promise<string[]> {
  const resumable = await listResumable(documents);
  if (resumable.length === 0) return [];
  const known = await fetchKnownLoads(documents);
  const loaded = filesOf(known);
  const needed = resumable.filter((load) => !isOutdated(load, loaded));
  const idsOf = (loads: readonly LoadFacts[]) => loads.map(({ _id }) => _id);
  return [...idsOf(needed), ...listMenders(idsOf(resumable), known)];
}

/** Counts refused rows of a load that are not mended, including discarded ones. */
export async function countUnmended(documents: DocumentStore, load: LoadRecord, menders: LoadRecord[]) {
  const counted = [load, ...menders.filter(({ state }) => state === "succeeded")];
  let sum = 0;
  for (const { _id, discarded = 0 } of counted) sum += discarded + (await countRefusedRows(documents, _id));
  return sum;
}

/**
 * Returns a function that finds the original file of mended rows: by its path `known`, as the only file, or by the name
 * that `refused-rows export` gives. Throws CommandError.
 */
export async function openMended(documents: DocumentStore, { load, place }: MendPlan) {
  requireNotUndone(await requireLoad(documents, load));
  const files = await listRefusedFiles(documents, load);
  const { _id: first } = await fetchFirst(documents, load);
  const whole = (await fetchLoadedFiles(documents)).filter(
    ({ of: { _id, state, plan } }) => _id !== first && state === "succeeded" && plan.isComplete,
  );
  return ({ name: given }: Pick<Input, "name">, known?: string): MendedFile => {
    const refused = files.filter((one) => known === undefined || one.file === known);
    const found = refused.length === 1 ? refused[0] : refused.find(({ name }) => name === given);
    if (refused.length === 0)
      throw new CommandError(
        `load ${load} has no refused rows: they were mended or discarded, or belong to a later load that refused them again ` +
          "(refused-rows list names the loads that have some)",
      );
    if (!found) {
      const names = refused.map(({ name }) => name).join(", ");
      throw new CommandError(
        `load ${load} has refused rows of ${refused.length} files; name each file as refused-rows export does: ${names}`,
      );
    }
    const { file, facts, lines, refused: count } = found;
    const { source, scope, production_date: day } = facts;
    // The days decide, whichever was loaded first. If they are equal or one is missing, the order of the loads decides.
    const isLater = ({ of, production_date: other }: LoadedFile) =>
      day === undefined || other === undefined || day === other ? of._id > first : other > day;
    const later = whole.find(
      (other) => other.source === source && isOverlapping(other.scope, scope) && isLater(other),
    );
    const { product } = later?.part ?? {};
    const lackedBy = later && { lackedBy: product === undefined ? {} : { product } };
    return { facts, lines, refused: count, job: { file, place, ...lackedBy } };
  };
}

/** How many refused rows these files mend, and how many are left: rows of other files, and rows refused again. */
export async function countMended(
  documents: DocumentStore,
  { plan, counts }: LoadRecord,
  files: readonly { mended?: MendedFile | undefined }[],
): Promise<NonNullable<LoadRecord["mended"]>> {
  const before = files.reduce((sum, { mended }) => sum + (mended?.refused ?? 0), 0);
  const open = await countRefusedRows(documents, plan.mends?.load ?? "");
  return { rows: Math.max(0, before - counts.refused), left: open - before + counts.refused };
}
