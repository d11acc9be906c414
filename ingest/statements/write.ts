/** Owns the writing of statements to MongoDB: of each record what it then comes to, and nothing where that is as it was. */
import { isGone } from "../../api/core/gone.ts";
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { findTable } from "../sources/index.ts";
import { absorb, type Incoming } from "./absorb.ts";

/** What is told to a writer from outside. */
export interface Writing {
  /** Of the batch. */
  revision: number;
  /** Told, before it happens, which records will be replaced. */
  onLeave: (held: StoredRecord[]) => Promise<void>;
}

/** What became of a record. */
export interface Written {
  held: HeldRecord;
  /**
   * `noted`: its content stayed, and it remembers the statement. `known`: nothing was to be done, which this batch may
   * have done in an earlier run.
   */
  effect: "created" | "changed" | "removed" | "noted" | "known";
}

/** What writing records of one kind came to. */
export interface KindOutcome {
  outcome: Written[];
  /** Records that have got another content by this run, or by an earlier one of the same batch. */
  written: number;
  /** Of the written ones those of which nothing was held. */
  created: number;
  /** Records that are gone by it. */
  removed: number;
  warnings?: string[];
}

/** What the records are read from and written to. */
export type Truth = Pick<MongoStore, "records" | "writer" | "documents">;

// Limit: looks at records that others keep writing at the same time; each look settles at least one of them.
const MOST_LOOKS = 20;

/**
 * Writes what is stated of records of one kind, each record once; what became of each stands in the order in which it was
 * settled. A record is replaced only while it is still the one that was read, and inserted only where none is.
 */
export async function writeStatements(
  { writer, records }: Omit<Truth, "documents">,
  record: RecordDefinition,
  incoming: readonly Incoming[],
  { revision, onLeave }: Writing,
): Promise<Written[]> {
  const absorbing = { record, revision, findTable };
  // Filled one by one: a group of rows that is not cut may be longer than a call takes arguments.
  const written: Written[] = [];
  const tried = new Map<string, Written>();
  const isReload = reloaded.has(record.collection);
  let open = incoming;
  for (let look = 1; open.length > 0; look += 1) {
    guardLooks(look, record);
    // A first load, where nothing is there to be read, costs one round trip.
    const isRead = isReload || look > 1;
    const found = isRead
      ? await records.fetchHeld(
          record,
          open.map(({ id }) => id),
        )
      : [];
    const held = new Map(found.map((item) => [item._id, item]));
    const plan = open.map((item) => planOne(item, held.get(item.id), absorbing, tried));
    const existing = await writer.insertMissing(record, plan.flatMap(toCreation));
    if (look === 1) noteHeld(record, incoming.length, isRead ? held.size : existing.size);
    const replacements = plan.flatMap(toReplacement);
    await onLeave(replacements.map((one) => one.held).filter((one): one is StoredRecord => !isGone(one)));
    const isReplaced = (await writer.replaceHeld(record, replacements)) === replacements.length;
    open = plan.flatMap(({ item, before, made, outcome }) => {
      const isSettled = before ? !made || isReplaced : made ? !existing.has(item.id) : isRead;
      if (isSettled && outcome) written.push(outcome);
      // Others wrote in between: what was replaced is recognised in the next look, the rest is folded anew.
      if (!isSettled && before && outcome) tried.set(item.id, outcome);
      return isSettled ? [] : item;
    });
  }
  return written;
}

// Kinds of which the last batch found records there: those of the next one are read before anything is inserted. A hint only.
const reloaded = new Set<string>();
// A batch of fewer says little of the next one.
const TELLING_COUNT = 50;

function noteHeld({ collection }: RecordDefinition, count: number, held: number): void {
  if (count < TELLING_COUNT) return;
  if (held * 4 > count) reloaded.add(collection);
  else reloaded.delete(collection);
}

type Absorbing = Parameters<typeof absorb>[2];

/** What is to be done with one record, and what it then came to; without either nothing is there, nor to be stated. */
interface Planned {
  item: Incoming;
  before?: HeldRecord | undefined;
  made?: HeldRecord;
  outcome?: Written;
}

function toCreation({ before, made }: Planned): HeldRecord[] {
  return made && !before ? [made] : [];
}

function toReplacement({ before, made }: Planned): { stored: HeldRecord; held: HeldRecord }[] {
  return made && before ? [{ stored: made, held: before }] : [];
}

/** What becomes of one record by what is stated of it. `tried`: what this batch has made of records before. Pure. */
export function planOne(
  item: Incoming,
  before: HeldRecord | undefined,
  absorbing: Absorbing,
  tried: ReadonlyMap<string, Written> = new Map(),
): Planned {
  const made = absorb(before, item, absorbing);
  if (made) return { item, before, made, outcome: { held: made, effect: effectOf(before, made) } };
  if (!before) return { item };
  const earlier = tried.get(item.id);
  const isOwn = earlier?.held.revision === before.revision && earlier.held.etag === before.etag;
  return { item, before, outcome: isOwn ? earlier : { held: before, effect: "known" } };
}

function effectOf(before: HeldRecord | undefined, after: HeldRecord): Written["effect"] {
  if (isGone(after)) return !before || isGone(before) ? "noted" : "removed";
  if (!before || isGone(before)) return "created";
  return before.etag === after.etag ? "noted" : "changed";
}

/** Throws when records have been looked at too often: something keeps writing them. */
export function guardLooks(look: number, { collection }: RecordDefinition): void {
  if (look > MOST_LOOKS) throw new Error(`records of ${collection} are written by others without end`);
}

/** True for a record that this run of the batch, or an earlier one, has given another content. */
export function isWritten({ effect, held }: Written, revision: number): boolean {
  const isOfBatch = held.revision === revision || held.told?.some(({ place }) => place === revision);
  const isOwn = effect === "known" && isOfBatch === true;
  return effect === "created" || effect === "changed" || isOwn;
}
