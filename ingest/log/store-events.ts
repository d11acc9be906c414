/** Stores stream events (`api/streams`) for records that followed changes have changed or removed. */
import type { Stores } from "../../api/shared/stores/index.ts";
import { putEvents } from "../../api/shared/stores/collections/events.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { fetchRuns, type Change } from "./changes.ts";

const streamed = records.filter(({ incoming }) => incoming?.addressOf !== undefined);

export async function storeEvents({ mongo }: Stores, changes: readonly Change[]): Promise<void> {
  const at = new Date().toISOString();
  const events = [];
  for (const change of changes) {
    for (const record of streamed) {
      const { collection } = record;
      if (!change.ids[collection] || change.first?.includes(collection)) continue;
      const isWhole = change.state === "written";
      const ids = isWhole ? changedBy(change, collection) : await fetchLeft(mongo, change, record);
      const left = change.addresses?.[collection] ?? [];
      if (ids.length + left.length > 0) events.push({ collection, position: change._id, at, ids, left });
    }
  }
  await putEvents(mongo.documents, events);
}

function changedBy({ ids, changed = ids, quiet = {} }: Change, collection: string): string[] {
  const isQuiet = new Set(quiet[collection]);
  return (changed[collection] ?? []).filter((id) => !isQuiet.has(id));
}

/** What an interrupted change wrote. It does not say so itself: revisions and later runs of its batch show it. */
async function fetchLeft(
  { records: reader, documents }: Stores["mongo"],
  { _id: position, job, ids, revision: least = Infinity }: Change,
  record: RecordDefinition,
): Promise<string[]> {
  const stored = await reader.fetchStored(record, ids[record.collection] ?? []);
  // Others may have written a record since, which raises its revision. So an event may be stored needlessly; a missing
  // one would be worse.
  const own = stored.filter(({ revision }) => revision >= least);
  if (own.length === 0) return [];
  // Only later runs: events of an earlier change are about its own writes, and this change may have written the same
  // record again, as with a second correction of a nominee.
  const isTold = ({ _id, state, first }: Change) =>
    _id > position && state === "written" && !first?.includes(record.collection);
  const runs = (await fetchRuns(documents, job)).filter(isTold);
  const changed = new Set(runs.flatMap((run) => changedBy(run, record.collection)));
  return own.flatMap(({ _id }) => (changed.has(_id) ? [] : _id));
}
