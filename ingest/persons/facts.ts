/**
 * Owns what sources tell of persons beyond one appointment, kept in a collection of its own: the real ids of officers (bulk
 * formats 3.8; no appointment is rewritten for one, `core/stores/persons.ts`), and the corrections of nominees (3.7).
 *
 * A correction tells of all appointments of a number: those that are held, and those that an older snapshot brings later, for
 * which the last one is kept. It is stated of each appointment, as sources state anything: companies' lists are sorted by
 * names in the database, and the day decides against other sources.
 */
import type { Members } from "../../api/core/members.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { PERSONS } from "../../api/core/stores/persons.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { appointmentRecord, type Appointment } from "../../api/resources/officer-appointment/record.ts";
import type { HeldChange } from "../statements/held-memory.ts";
import { OFFICERS_TELLING } from "../sources/officers-layout.ts";
import { statePerson } from "../sources/officers-update-rules.ts";
import type { Incoming } from "../statements/absorb.ts";
import { momentOfUpdate, type Told } from "../statements/statement.ts";
import { isWritten, writeStatements, type Truth, type Writing } from "../statements/write.ts";

// Limit: appointments that are corrected at a time, some 2 kB each; of all of them the ids are held, some 100 bytes each.
const CHUNK_RECORDS = 2_000;

/** A correction as it is kept, by the number: of this place in the series of updates, and of this day, `YYYY-MM-DD`. */
interface Kept {
  place: number;
  day: string;
  members: object;
}

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

/**
 * States corrections of the appointments that are held, and keeps them; returns how many changed anything, and the ids of the
 * appointments that did. Their records may be very many: `onLeave` is told which documents they are in.
 */
export async function correctNominees(
  truth: Truth,
  record: RecordDefinition,
  changes: readonly HeldChange[],
  { productionDate: day, ...writing }: Writing & { productionDate: string },
): Promise<{ written: number; ids: string[]; warnings: string[] }> {
  const sum = { written: 0, ids: [] as string[], warnings: [] as string[] };
  for (const { place, correction } of changes) {
    if (!correction) continue;
    const { person_number, members } = correction;
    const kept = { place, day, members };
    const isMeant = (item: unknown) => item !== undefined;
    await truth.documents.raise(PERSONS, [{ _id: person_number, ...kept }], "place");
    const ids = await truth.records.fetchKeys(record, { person_number }, "_id");
    let isChanged = false;
    for (let at = 0; at < ids.length; at += CHUNK_RECORDS) {
      const held = await truth.records.fetchByIds(record, ids.slice(at, at + CHUNK_RECORDS));
      const incoming = held.map(({ _id: id, data }) => {
        return { id, statements: state(data as Members, kept), isMeant };
      });
      const outcome = await writeStatements(truth, record, incoming, writing);
      isChanged ||= outcome.some((item) => isWritten(item, writing.revision));
      for (const {
        held: { _id: id },
        effect,
      } of outcome)
        if (effect === "changed") sum.ids.push(id);
    }
    if (ids.length === 0) sum.warnings.push("nominee: no appointment of the number is held");
    if (isChanged) sum.written += 1;
  }
  return sum;
}

/** What rows state, those of an officers snapshot with the corrections that updates of a later day have told. */
export async function tellCorrections(
  { documents }: Pick<Truth, "documents">,
  rows: readonly Incoming[],
): Promise<readonly Incoming[]> {
  const numbers = new Set(rows.flatMap(nomineeOf));
  if (numbers.size === 0) return rows;
  const found = await documents.fetchAll(PERSONS, { _id: [...numbers] });
  // The cast: documents of this collection are written above.
  const kept = new Map(found.map((one) => [String(one._id), one as unknown as Kept]));
  return rows.map((row) => {
    const told = kept.get(nomineeOf(row)[0] ?? "");
    const { at = "", data = {} } = row.statements.at(-1) ?? {};
    if (!told || at > momentOfUpdate(told.day)) return row;
    return { ...row, statements: [...row.statements, ...state(data, told)] };
  });
}

/** The number of the nominee whose appointment a row of a snapshot is. */
function nomineeOf({ statements }: Incoming): string[] {
  const { tells, data } = statements.at(-1) ?? {};
  const number = tells === OFFICERS_TELLING ? data?.person_number : undefined;
  return typeof number === "string" && number.startsWith("9") ? [number] : [];
}

/** What a correction states of an appointment of these data. */
function state(data: Members, { place, day, members }: Kept): Told[] {
  // The casts: the one is of an appointment, the other was made by the source of updates.
  const told = statePerson(data as unknown as Appointment, members);
  return told ? [{ at: momentOfUpdate(day), place, ...told }] : [];
}
