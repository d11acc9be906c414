/**
 * Facts about persons that concern more than one appointment, stored in a collection of their own:
 * - Real officer ids (bulk formats 3.8). They do not rewrite appointments (`shared/stores/collections/persons.ts`).
 * - Corrections of nominees (3.7). They are kept for appointments that an older snapshot brings later. Each appointment
 *   gets them as statements: MongoDB sorts companies' lists by name, and against other sources the day decides.
 */
import type { Members } from "../../api/shared/values/members.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { appointmentRecord, type Appointment } from "../../api/resources/officer-appointment/record.ts";
import type { RecordChange } from "../statements/record-change.ts";
import { stateNominee } from "../sources/officers-update-rules.ts";
import type { Incoming } from "../statements/absorb.ts";
import { momentOfUpdate, type FullStatement } from "../statements/statement.ts";
import { isWritten, type KindWriting, type MongoRecords } from "../statements/write.ts";

// Limit: how many appointments one change corrects, 2 kB each. All ids of a number are in memory, 100 bytes each.
const CHUNK_RECORDS = 2_000;

/** A correction of a person number: its place in the series of updates and its day, `YYYY-MM-DD`. */
interface Correction {
  place: number;
  day: string;
  members: Partial<Appointment>;
}

/** The corrections of a person number, ordered by place. */
type Kept = Id & { corrections: Correction[] };

interface Id {
  _id: string;
}

/**
 * Stores the real officer ids of incoming records, even if these records will not be written. A person's first real id
 * stays; an id derived from another person number is not real. Before it stores anything, it calls `onLearn` with the
 * officers whose documents change.
 */
export async function learnRealIds(
  documents: DocumentStore,
  { collection }: RecordDefinition,
  incoming: readonly Pick<FullStatement, "data">[],
  onLearn: (officers: string[]) => Promise<void>,
): Promise<void> {
  if (collection !== appointmentRecord.collection) return;
  const ids = new Map<string, string>();
  for (const { data } of incoming) {
    // The cast: the record passed its schema.
    const { person_number, officer_id } = (data ?? {}) as unknown as Appointment;
    if (person_number === undefined) continue;
    const derived = deriveOfficerId(person_number);
    if (officer_id !== derived && !ids.has(derived)) ids.set(derived, officer_id);
  }
  if (ids.size === 0) return;
  const [own, real] = await Promise.all([
    documents.fetchAll(PERSONS, { _id: [...ids.keys(), ...ids.values()] }),
    documents.fetchAll(PERSONS, { officer_id: [...ids.keys()] }),
  ]);
  const taken = new Set([...own.map(({ _id }) => String(_id)), ...real.map((one) => String(one.officer_id))]);
  const news = [...ids]
    .filter(([one, other]) => !taken.has(one) && !taken.has(other) && !ids.has(other))
    .map(([_id, officer_id]) => ({ _id, officer_id }));
  if (news.length === 0) return;
  await onLearn(news.flatMap(({ _id, officer_id }) => [_id, officer_id]));
  await documents.putMissing(PERSONS, news);
}

/** Stores and applies corrections. `written`: how many of them changed anything. */
export async function correctNominees(
  mongo: MongoRecords,
  record: RecordDefinition,
  changes: readonly RecordChange[],
  { productionDate: day, revision, writeApart }: KindWriting & { productionDate: string },
) {
  const sum = { written: 0, warnings: [] as string[] };
  for (const { place, correction } of changes) {
    if (!correction) continue;
    const { person_number, members } = correction;
    const made = { place, day, members };
    const isApplicable = (item: unknown) => item !== undefined;
    await keepCorrection(mongo.documents, person_number, made);
    const ids = await mongo.records.fetchKeys(record, { person_number }, "_id");
    let isChanged = false;
    for (let at = 0; at < ids.length; at += CHUNK_RECORDS) {
      const stored = await mongo.records.fetchByIds(record, ids.slice(at, at + CHUNK_RECORDS));
      const incoming = stored.map(({ _id: id, data }) => {
        return { id, statements: state(data as Members, made), isApplicable };
      });
      const outcome = await writeApart(incoming);
      isChanged ||= outcome.some((item) => isWritten(item, revision));
    }
    if (ids.length === 0) sum.warnings.push("nominee: no appointment of the number is stored");
    if (isChanged) sum.written += 1;
  }
  return sum;
}

/** Needs no lock: one load at a time writes appointments, and its batches run one after the other. */
async function keepCorrection(documents: DocumentStore, number: string, made: Correction): Promise<void> {
  const others = (await fetchKept(documents, [number])).get(number) ?? [];
  const all = [...others.filter(({ place }) => place !== made.place), made];
  const kept: Kept = { _id: number, corrections: all.sort((a, b) => a.place - b.place) };
  await documents.put(PERSONS, { ...kept });
}

async function fetchKept(documents: DocumentStore, numbers: string[]): Promise<Map<string, Correction[]>> {
  // The cast: this module writes these documents. An earlier release stored only the last correction, without a list.
  const found = (await documents.fetchAll(PERSONS, { _id: numbers })) as unknown as (
    | Kept
    | (Correction & Id)
  )[];
  return new Map(found.map((one) => [one._id, "corrections" in one ? one.corrections : [one]]));
}

/** Adds the stored corrections of later updates to the appointments of a snapshot or a stream. */
export async function addCorrections(
  { documents }: MongoRecords,
  { collection }: RecordDefinition,
  rows: readonly Incoming[],
) {
  if (collection !== appointmentRecord.collection) return rows;
  const numbers = new Set(rows.flatMap(nomineeOf));
  if (numbers.size === 0) return rows;
  const kept = await fetchKept(documents, [...numbers]);
  return rows.map((row) => {
    const { at = "", data = {} } = row.statements.at(-1) ?? {};
    const corrections = kept.get(nomineeOf(row)[0] ?? "") ?? [];
    const statements = [...row.statements];
    let known = data;
    for (const one of corrections.filter(({ day }) => at <= momentOfUpdate(day))) {
      const stated = state(known, one);
      statements.push(...stated);
      known = { ...known, ...stated[0]?.data };
    }
    return { ...row, statements };
  });
}

/** The number of a nominee; none for a row without a day, which counts as later than the updates loaded before it. */
function nomineeOf({ statements, isUndated }: Incoming): string[] {
  const number = isUndated ? undefined : statements.at(-1)?.data?.person_number;
  return typeof number === "string" && number.startsWith("9") ? [number] : [];
}

function state(data: Members, { place, day, members }: Correction): FullStatement[] {
  // The cast: the data of an appointment.
  const correction = stateNominee(data as unknown as Appointment, members);
  return correction ? [{ at: momentOfUpdate(day), place, ...correction }] : [];
}
