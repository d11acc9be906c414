/** Owns which records of followed changes the event streams tell of (`api/streams`). */
import type { Stores } from "../../api/core/stores/index.ts";
import { putEvents } from "../../api/core/stores/events.ts";
import type { HeldRecord } from "../../api/resources/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { REVISIONS_PER_BATCH } from "../history/loads.ts";
import type { Change } from "./changes.ts";

/** Kinds of record of which there are streams. */
const told = records.filter(({ incoming }) => incoming?.addressOf !== undefined);

/** Keeps the events of changes, for whoever reads the streams. */
export async function tellEvents({ mongo }: Stores, changes: readonly Change[]): Promise<void> {
  const at = new Date().toISOString();
  const events = [];
  for (const change of changes) {
    const { _id: position, state, first = [], ids: named, changed = named, noted = {} } = change;
    for (const record of told) {
      const { collection } = record;
      const isBrokenOff = state === "closed";
      const candidates = (isBrokenOff ? named : changed)[collection] ?? [];
      if (candidates.length === 0 || first.includes(collection)) continue;
      const isSame = new Set(noted[collection]);
      const held = isBrokenOff ? await mongo.records.fetchHeld(record, candidates) : [];
      const ids = isBrokenOff
        ? held.filter((item) => isWrittenBy(item, change)).map(({ _id }) => _id)
        : candidates.filter((id) => !isSame.has(id));
      if (ids.length > 0) events.push({ collection, position, at, ids });
    }
  }
  await putEvents(mongo.documents, events);
}

/** Of what was broken off it is not known what was written: the revisions of records tell. */
function isWrittenBy({ revision }: HeldRecord, { revision: first = Infinity }: Change): boolean {
  return revision >= first && revision < first + REVISIONS_PER_BATCH;
}
