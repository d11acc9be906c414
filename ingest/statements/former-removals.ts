/**
 * Owns what a release before statements has stored beside the records: tombstones of what streams deleted and withdrawals of
 * what daily updates took away.
 */
import type { Stores } from "../../api/core/stores/index.ts";
import type { EventStamp, HeldRecord } from "../../api/resources/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { momentOfUpdate, type Told } from "./statement.ts";
import { writeStatements } from "./write.ts";

// Documents moved at a time.
const PAGE = 1_000;

/** Moves tombstones and withdrawals to records that are gone; where there are none that costs two small reads. */
export async function moveFormerRemovals({ mongo }: Pick<Stores, "mongo">): Promise<void> {
  await moveAll(mongo, "tombstones", (document) => {
    const {
      _id: uri,
      collection,
      record_id,
      timepoint,
      published_at,
    } = document as unknown as FormerTombstone;
    const statement = { at: published_at, event: { uri, timepoint }, gone: true as const };
    // Under the id of its address, too, as `apply-events` states a deletion of which no record was known.
    const ids = [...new Set([record_id ?? "", /[^/]*$/.exec(uri)?.[0] ?? ""])].filter(Boolean);
    return { collection, ids, statement };
  });
  await moveAll(mongo, "withdrawals", (document) => {
    const { _id, record_id, place, day } = document as unknown as FormerWithdrawal;
    const statement = { at: momentOfUpdate(day), place, gone: true as const };
    return { collection: _id.slice(0, -record_id.length - 1), ids: [record_id], statement };
  });
}

interface FormerTombstone extends EventStamp {
  _id: string;
  collection: string;
  record_id?: string;
}

interface FormerWithdrawal {
  _id: string;
  record_id: string;
  place: number;
  day: string;
}

interface Removal {
  collection: string;
  ids: string[];
  statement: Told;
}

async function moveAll(
  mongo: Stores["mongo"],
  from: string,
  toRemoval: (document: object) => Removal,
): Promise<void> {
  for (;;) {
    const page = await mongo.documents.list(from, {}, PAGE);
    const removals = page.map(toRemoval);
    for (const record of records) {
      const stated = new Map<string, Told[]>();
      for (const { collection, ids, statement } of removals) {
        if (collection !== record.collection) continue;
        for (const id of ids) stated.set(id, [...(stated.get(id) ?? []), statement]);
      }
      const incoming = [...stated].map(([id, statements]) => ({ id, statements, isMeant: isNotHeld }));
      const onLeave = () => Promise.resolve();
      await writeStatements(mongo, record, incoming, { revision: 0, onLeave });
    }
    for (const { _id } of page) await mongo.documents.remove(from, String(_id));
    if (page.length < PAGE) return;
  }
}

/** What is held was told later than it was removed, or that release would have removed it. */
function isNotHeld(held: HeldRecord | undefined): boolean {
  return held === undefined || "gone" in held;
}
