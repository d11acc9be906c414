/**
 * Stores facts about persons beyond their appointments: real officer ids, and corrections of nominees. Ingest writes
 * them (`ingest/persons`).
 *
 * Bulk files identify an officer only by a number, so appointments are stored under an id derived from that number. As
 * soon as a source states the real id, it is stored here: `{ _id: <derived>, officer_id: <real> }`. No id is both
 * derived and real, so one step leads from any id to the one that the API shows. Corrections of a nominee are stored
 * under its number.
 */
import type { PersonReader } from "../../definitions/record-reader.ts";
import type { Budget } from "../../runtime/deadlines.ts";
import { groupBy } from "../../values/group-by.ts";
import type { DocumentStore } from "../mongodb/documents.ts";
import type { IndexedCollection } from "../mongodb/indexes.ts";

export const PERSONS = "persons";

export const personsIndexes: IndexedCollection = {
  collection: PERSONS,
  indexes: [{ fields: ["officer_id"] }],
};

/** A reader of real and derived ids. While the collection is empty, it looks only once in `emptyForMs` milliseconds. */
export function openPersons(
  documents: Pick<DocumentStore, "fetchAll" | "fetchAny">,
  emptyForMs: number,
): PersonReader {
  let isFilled = false;
  let emptyUntil = 0;
  const fetchAll = async (field: string, ids: readonly string[], budget: Budget | undefined) => {
    if (ids.length === 0 || (!isFilled && performance.now() < emptyUntil)) return [];
    isFilled ||= (await documents.fetchAny(PERSONS)) !== null;
    if (isFilled) return documents.fetchAll(PERSONS, { [field]: [...new Set(ids)] }, undefined, budget);
    emptyUntil = performance.now() + emptyForMs;
    return [];
  };
  return {
    fetchRealIds: async (ids, budget) => {
      const found = await fetchAll("_id", ids, budget);
      return new Map(found.map(({ _id, officer_id }) => [String(_id), String(officer_id)]));
    },
    fetchDerivedIds: async (realIds, budget) => {
      const byReal = groupBy(await fetchAll("officer_id", realIds, budget), ({ officer_id }) =>
        String(officer_id),
      );
      return new Map([...byReal].map(([id, persons]) => [id, persons.map(({ _id }) => String(_id))]));
    },
  };
}
