/** Owns the id under which an officer is shown: the real one, as soon as a source has told it of any appointment of the person. */
import { contentHash } from "../../core/identifiers.ts";
import { etagOf } from "../define-record.ts";
import type { RecordReader } from "../define-resource.ts";
import type { StoredAppointment } from "./record.ts";

/** An officer, whatever id was asked for. */
export interface OfficerIds {
  /** The id that is shown. */
  shown: string;
  /** All ids under which appointments may be held, that one included. */
  held: readonly string[];
}

/** The officer that is shown or held under this id. */
export async function fetchOfficerIds({ persons }: RecordReader, id: string): Promise<OfficerIds> {
  const shown = (await persons.fetchRealIds([id])).get(id) ?? id;
  const derived = await persons.fetchDerivedIds([shown]);
  return { shown, held: [shown, ...(derived.get(shown) ?? [])] };
}

/** The appointments as answers show them. */
export async function showOfficers(
  { persons }: RecordReader,
  held: readonly StoredAppointment[],
): Promise<StoredAppointment[]> {
  const real = await persons.fetchRealIds(held.map(({ officer_id }) => officer_id));
  return held.map((item) => showOfficer(item, real.get(item.officer_id) ?? item.officer_id));
}

/**
 * The appointment under the id of its officer that is shown. Its ETag changes with that id, and is made of what a stream has
 * sent before the id was known, so that a register that follows this one shows the same.
 */
export function showOfficer(held: StoredAppointment, officerId: string): StoredAppointment {
  if (held.officer_id === officerId) return held;
  const { data } = underId(held, officerId);
  const etag = contentHash([etagOf(held), officerId]);
  return { ...held, officer_id: officerId, etag, data: data.etag === undefined ? data : { ...data, etag } };
}

/** The same without its ETag, for what shows none. */
export function underId(held: StoredAppointment, officer_id: string): StoredAppointment {
  return held.officer_id === officer_id ? held : { ...held, officer_id, data: { ...held.data, officer_id } };
}
