/** Owns the real ids of officers as sources tell them (bulk formats 3.8); no appointment is rewritten for one (`core/stores/persons.ts`). */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { PERSONS } from "../../api/core/stores/persons.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { appointmentRecord, type Appointment } from "../../api/resources/officer-appointment/record.ts";
import type { Told } from "../statements/statement.ts";

/**
 * Keeps the real ids that records tell as they come in, whether they will be written or not; the first that is told of a
 * person stays, and one that is derived from another number is no real one. `onLearn` is told before of which officers
 * another document is to be made.
 */
export async function learnRealIds(
  documents: DocumentStore,
  { collection }: RecordDefinition,
  told: readonly Pick<Told, "data">[],
  onLearn: (officers: string[]) => Promise<void>,
): Promise<void> {
  if (collection !== appointmentRecord.collection) return;
  const ids = new Map<string, string>();
  for (const { data } of told) {
    // The cast: it has obeyed the schema of the record.
    const { person_number, officer_id } = (data ?? {}) as unknown as Appointment;
    if (person_number === undefined) continue;
    const derived = deriveOfficerId(person_number);
    if (officer_id !== derived && !ids.has(derived)) ids.set(derived, officer_id);
  }
  if (ids.size === 0) return;
  const [derived, real] = await Promise.all([
    documents.fetchAll(PERSONS, { _id: [...ids.keys(), ...ids.values()] }),
    documents.fetchAll(PERSONS, { officer_id: [...ids.keys()] }),
  ]);
  const isTaken = new Set([
    ...derived.map(({ _id }) => String(_id)),
    ...real.map((one) => String(one.officer_id)),
  ]);
  const news = [...ids]
    .filter(([one, other]) => !isTaken.has(one) && !isTaken.has(other) && !ids.has(other))
    .map(([_id, officer_id]) => ({ _id, officer_id }));
  if (news.length === 0) return;
  await onLearn(news.flatMap(({ _id, officer_id }) => [_id, officer_id]));
  await documents.putMissing(PERSONS, news);
}
