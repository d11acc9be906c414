/** Owns which UK establishments a company has: those in its list, and those whose own profiles name it as parent. */
import { contentHash } from "../../shared/values/identifiers.ts";
import type { CompanyProfile } from "../company-profile/members.ts";
import { companyRecord } from "../company-profile/record.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { type UkEstablishments, ukEstablishmentsRecord } from "./record.ts";

type Establishment = UkEstablishments["items"][number];

/** The establishments of a company. */
export interface CompanyEstablishments {
  items: Establishment[];
  /** Changes with the items; undefined when there are none. */
  etag: string | undefined;
}

// Limit: establishments of one company; the register's largest has a few hundred.
const MOST = 10_000;

/**
 * Fetches them from both. An establishment's own profile is more up to date than an older list, and the list
 * contains those without a stored profile. Either may be loaded first, or alone.
 */
export async function fetchEstablishments(
  records: RecordReader,
  number: string,
): Promise<CompanyEstablishments> {
  const children = { filter: { parent_company_number: number }, sort: [], skip: 0, limit: MOST };
  const [stored, profiles] = await Promise.all([
    records.fetchOne(ukEstablishmentsRecord, { _id: number }),
    records.fetchPage(companyRecord, children),
  ]);
  const listed = stored?.data.items ?? [];
  const items = merge(listed, profiles.map(({ data }) => data).flatMap(toEstablishment));
  const isAsListed = profiles.length === 0 || JSON.stringify(items) === JSON.stringify(listed);
  if (stored && isAsListed) return { items, etag: etagOf(stored) };
  return { items, etag: items.length > 0 ? contentHash(items) : undefined };
}

/** Those of the list in its order, then the others by number. */
function merge(listed: Establishment[], profiles: Establishment[]): Establishment[] {
  const byNumber = new Map(profiles.map((item) => [item.company_number, item]));
  const updated = listed.map((item) => {
    const own = byNumber.get(item.company_number);
    byNumber.delete(item.company_number);
    return own ? { ...item, ...own } : item;
  });
  const others = [...byNumber.values()].sort((a, b) => (a.company_number < b.company_number ? -1 : 1));
  return [...updated, ...others];
}

/** True for the profile of an establishment. */
export function isEstablishment(
  company: CompanyProfile,
): company is CompanyProfile & { company_status: "open" | "closed" } {
  return company.company_status === "open" || company.company_status === "closed";
}

/** A profile as an establishment; empty when it is not one. */
function toEstablishment(company: CompanyProfile): Establishment[] {
  if (!isEstablishment(company)) return [];
  const { company_number, company_name, company_status, registered_office_address: address } = company;
  const locality = address?.locality;
  return [{ company_number, company_name, company_status, ...(locality && { locality }) }];
}
