/**
 * Owns what is known of persons beyond their appointments, as MongoDB holds it; ingest writes it (`ingest/persons`).
 *
 * Bulk files know an officer by a number alone, so appointments are stored under an id that is derived from it. The
 * real one is stored here under the derived one as soon as a source states it: `{ _id: <derived>, officer_id: <real> }`. No
 * id is both, so that one step leads from any id to the one that is shown. The last correction of a nominee stands here
 * by its number.
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

/** A reader of them. While nobody is known, as with bulk files alone, it asks once in `emptyForMs`. */
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
