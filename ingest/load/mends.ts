/**
 * Owns loads of mended rows (`--mends`): what another load has refused is read as the files that it was refused in, and
 * counts as if it stood at their ends.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { countDeadLetters, countOf, listRefusedFiles } from "../dead-letters/dead-letters.ts";
import {
  fetchLatestLoads,
  fetchLoad,
  fetchLoadedFiles,
  isOverlapping,
  isUndone,
  listResumable,
  reachedBy,
  withStates,
  type LoadRecord,
  type MendPlan,
} from "../history/loads.ts";
import type { Input } from "../readers/open-input.ts";
import type { MendedFile } from "./open-file.ts";

/** What a load that mends this one is to do. Throws CommandError for a load that there is not, or that is running. */
export async function planMends(stores: Stores, load: string): Promise<MendPlan> {
  const { documents } = stores.mongo;
  const record = await fetchLoad(documents, load);
  if (!record)
    throw new CommandError(`there is no load ${load}; npm run cli -- dead-letters list names them`);
  if (isUndone(record)) throw new CommandError(`load ${load} was undone: load the rows without --mends`);
  const [known] = await withStates(stores.redis, [record]);
  if (known?.state === "running") throw new CommandError(`load ${load} has not ended; wait for it`);
  const first = await fetchFirst(documents, load);
  const others = await fetchMenders(documents, [first._id]);
  return { load, place: reachedBy(first) + 1 + others.length };
}

/** The load that this one mends rows of, be it through others; itself where it mends none. */
async function fetchFirst(documents: DocumentStore, load: string): Promise<LoadRecord> {
  const record = await fetchLoad(documents, load);
  if (!record) throw new CommandError(describeLost(load));
  return record.plan.mends ? fetchFirst(documents, record.plan.mends.load) : record;
}

/** The loads that mend rows of these, or rows that those have refused. */
export async function fetchMenders(documents: DocumentStore, loads: readonly string[]) {
  const mended = new Set(loads);
  const earliestFirst = (await fetchLatestLoads(documents)).reverse();
  return earliestFirst.filter(
    ({ _id, plan: { mends } }) => mends && mended.has(mends.load) && mended.add(_id),
  );
}

/** Loads that may be gone on with, and those that mend rows of them: what they have named is asked for then. */
export async function listNeeded(documents: DocumentStore): Promise<string[]> {
  const resumable = await listResumable(documents);
  return [...resumable, ...(await fetchMenders(documents, resumable)).map(({ _id }) => _id)];
}

/** Rows of a load that were refused and that nobody has mended; those that were discarded are among them. */
export async function countUnmended(documents: DocumentStore, load: LoadRecord, menders: LoadRecord[]) {
  const counted = [load, ...menders.filter(({ state }) => state === "succeeded")];
  const open = await countDeadLetters(documents);
  return counted.reduce((sum, { _id, discarded = 0 }) => sum + discarded + countOf(open, _id), 0);
}

/**
 * Finds the file of which a file holds the mended rows: by the name that the export has given it, or the only one that there
 * is. Throws CommandError where it cannot be told.
 */
export async function openMended(documents: DocumentStore, { load, place }: MendPlan) {
  const refused = await listRefusedFiles(documents, load);
  const { _id: first } = await fetchFirst(documents, load);
  const whole = (await fetchLoadedFiles(documents)).filter(
    ({ of: { _id, state, plan } }) => _id !== first && state === "succeeded" && plan.isComplete,
  );
  return ({ name: given }: Input): MendedFile => {
    const found = refused.length === 1 ? refused[0] : refused.find(({ name }) => name === given);
    if (refused.length === 0)
      throw new CommandError(`load ${load} holds no refused rows: they were mended, or discarded`);
    if (!found) {
      const names = refused.map(({ name }) => name).join(", ");
      throw new CommandError(
        `load ${load} holds refused rows of ${refused.length} files; name each file as dead-letters export does: ${names}`,
      );
    }
    const { file, facts, lines } = found;
    if (!facts) throw new CommandError(describeLost(load));
    const { source, scope, production_date: day = "9999" } = facts;
    // A whole edition that came after the rows: later by its day, or begun later.
    const later = whole.find(
      (other) =>
        other.source === source &&
        isOverlapping(other.scope, scope) &&
        (other.of._id > first || (other.production_date ?? "") > day),
    );
    const { product } = later?.part ?? {};
    const lackedBy = later && { lackedBy: product === undefined ? {} : { product } };
    return { facts, lines, job: { file, place, ...lackedBy } };
  };
}

function describeLost(load: string): string {
  return `there is no record of load ${load} any more: load the rows without --mends`;
}
