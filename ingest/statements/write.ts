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

// Limit: looks at records that others keep writing at the same time; each look settles at least one of them.
const MOST_LOOKS = 20;

type Held = Pick<MongoStore, "writer" | "records">;

/**
 * Writes what is stated of records of one kind, each record once; what became of each stands in the order in which it was
 * settled. Inserts go first and only what was there already is fetched: a first load then costs one round trip. A record is
 * replaced only while it is still the one that was read.
 */
export async function writeStatements(
  { writer, records }: Held,
  record: RecordDefinition,
  incoming: readonly Incoming[],
  { revision, onLeave }: Writing,
): Promise<Written[]> {
  const absorbing = { record, revision, findTable };
  // Filled one by one: a group of rows that is not cut may be longer than a call takes arguments.
  const written: Written[] = [];
  let open = await insert({ writer, records }, record, incoming, absorbing, written);
  const tried = new Map<string, Written>();
  for (let look = 1; open.length > 0; look += 1) {
    guardLooks(look, record);
    const ids = open.map(({ id }) => id);
    const held = new Map((await records.fetchHeld(record, ids)).map((item) => [item._id, item]));
    const plan = open.flatMap((item) => planOne(item, held.get(item.id), absorbing, tried));
    const replacements = plan.flatMap(({ made, before }) =>
      made && before ? [{ stored: made, held: before }] : [],
    );
    await onLeave(
      replacements.map((item) => item.held).filter((item): item is StoredRecord => !isGone(item)),
    );
    const isSettled = (await writer.replaceHeld(record, replacements)) === replacements.length;
    // Others wrote in between: what was replaced is recognised in the next look, the rest is folded anew.
    for (const { made, outcome } of plan) {
      if (!made || isSettled) written.push(outcome);
      else tried.set(made._id, outcome);
    }
    open = isSettled ? [] : plan.flatMap(({ made, item }) => (made ? item : []));
  }
  return written;
}

type Absorbing = Parameters<typeof absorb>[2];

/** Inserts what is not there yet; returns what was, in any form. */
async function insert(
  { writer }: Held,
  record: RecordDefinition,
  incoming: readonly Incoming[],
  absorbing: Absorbing,
  written: Written[],
): Promise<Incoming[]> {
  const made = incoming.flatMap((item) => absorb(undefined, item, absorbing) ?? []);
  const existing = await writer.insertMissing(record, made);
  for (const held of made) {
    if (!existing.has(held._id)) written.push({ held, effect: isGone(held) ? "noted" : "created" });
  }
  const inserted = new Set(made.map(({ _id }) => _id).filter((id) => !existing.has(id)));
  return incoming.filter(({ id }) => !inserted.has(id));
}

interface Planned {
  item: Incoming;
  before?: HeldRecord;
  made?: HeldRecord;
  outcome: Written;
}

function planOne(
  item: Incoming,
  held: HeldRecord | undefined,
  absorbing: Absorbing,
  tried: ReadonlyMap<string, Written>,
): Planned[] {
  // Nothing is there, and nothing is to be stated of what is not.
  if (!held) return [];
  const made = absorb(held, item, absorbing);
  if (made) return [{ item, before: held, made, outcome: { held: made, effect: effectOf(held, made) } }];
  const earlier = tried.get(item.id);
  const isOwn = earlier?.held.revision === held.revision && earlier.held.etag === held.etag;
  return [{ item, outcome: isOwn ? earlier : { held, effect: "known" } }];
}

function effectOf(before: HeldRecord, after: HeldRecord): Written["effect"] {
  if (isGone(after)) return isGone(before) ? "noted" : "removed";
  if (isGone(before)) return "created";
  return before.etag === after.etag ? "noted" : "changed";
}

/** Throws when records have been looked at too often: something keeps writing them. */
export function guardLooks(look: number, { collection }: RecordDefinition): void {
  if (look > MOST_LOOKS) throw new Error(`records of ${collection} are written by others without end`);
}
