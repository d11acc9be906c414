/** The id under which an officer is shown: a derived one, until a source states the real one for any appointment. */
import { contentHash } from "../../shared/values/identifiers.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import type { StoredAppointment } from "./record.ts";

/** The ids of an officer, given any of them: `shown` in answers, and `all` under which appointments may be stored. */
export async function fetchOfficerIds({ persons }: RecordReader, id: string) {
  const shown = (await persons.fetchRealIds([id])).get(id) ?? id;
  const derived = await persons.fetchDerivedIds([shown]);
  return { shown, all: [shown, ...(derived.get(shown) ?? [])] };
}

/** The appointments under the ids that answers show. */
export async function showOfficers(
  { persons }: RecordReader,
  stored: readonly StoredAppointment[],
): Promise<StoredAppointment[]> {
  const real = await persons.fetchRealIds(stored.map(({ officer_id }) => officer_id));
  return stored.map((item) => showOfficer(item, real.get(item.officer_id) ?? item.officer_id));
}

/**
 * The appointment under the shown id of its officer. A different id means a different ETag. It is derived from the ETag
 * that a stream sent before the id was known, so that a register that follows this one shows the same.
 */
export function showOfficer(stored: StoredAppointment, officerId: string): StoredAppointment {
  if (stored.officer_id === officerId) return stored;
  const shown = withShownId(stored, officerId);
  return { ...shown, data: { ...shown.data, etag: contentHash([etagOf(stored), officerId]) } };
}

/** Like `showOfficer`, but keeps the ETag; for answers that show no ETag. */
export function withShownId(stored: StoredAppointment, officer_id: string): StoredAppointment {
  return stored.officer_id === officer_id
    ? stored
    : { ...stored, officer_id, data: { ...stored.data, officer_id } };
}
