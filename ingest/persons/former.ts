/** Owns what a release before `persons` has stored of persons: their real ids, and the corrections of nominees. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { PERSONS } from "../../api/core/stores/persons.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { learnRealIds } from "./ids.ts";

// Documents moved at a time.
const PAGE = 1_000;

type Former = Record<string, unknown> & { _id: string };

/**
 * Moves them to where they stand now; where there are none that costs two small reads. Records that were rewritten for a
 * real id hold it, which is as good.
 */
export async function moveFormerPersons(documents: DocumentStore): Promise<void> {
  await moveAll(documents, "shared_ids", (page) => {
    // `appointments/12345678`; the one without an id marks the collection.
    const ids = page.filter(({ id }) => id !== undefined);
    const told = ids.map(({ _id, id }) => ({ person_number: _id.slice(-8), officer_id: id }));
    return learnRealIds(documents, appointmentRecord, told, () => Promise.resolve());
  });
  await moveAll(documents, "lasting", (page) => {
    // `appointments/person_number/900000010001`.
    const kept = page.map(({ _id, place, day, members }) => ({ _id: _id.slice(-12), place, day, members }));
    return documents.raise(PERSONS, kept, "place");
  });
}

async function moveAll(
  documents: DocumentStore,
  from: string,
  move: (page: Former[]) => Promise<void>,
): Promise<void> {
  for (;;) {
    // The cast: all documents have a text for an `_id`.
    const page = (await documents.list(from, {}, PAGE)) as Former[];
    await move(page);
    for (const { _id } of page) await documents.remove(from, _id);
    if (page.length < PAGE) return;
  }
}
