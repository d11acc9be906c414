/**
 * The UK establishments of a company: GET /company/:company_number/uk-establishments. These are the establishments in
 * its stored list, and those whose own profiles name it as parent.
 */
import { contentHash } from "../../shared/values/identifiers.ts";
import {
  COVERAGE,
  ETAG,
  linkSchema,
  COMPANY_NUMBER,
  objectWithOptional,
  objectOf,
  textUpTo,
} from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import type { FromSchema } from "json-schema-to-ts";
import { growingList } from "../../shared/values/enumerations.ts";
import type { Members } from "../../shared/values/members.ts";
import { asMembers, convert, dropDerived } from "../../shared/definitions/incoming-resource.ts";
import type { CompanyProfile } from "../company-profile/members.ts";
import { companyRecord, isEstablishment } from "../company-profile/record.ts";
import { defineResource } from "../define-resource.ts";
import { defineCompanyRecord } from "../define-company-record.ts";
import example from "./example.json" with { type: "json" };

/** The members of an establishment that the API shows as stored. */
const establishmentMemberSchemas = {
  company_number: COMPANY_NUMBER,
  company_name: textUpTo(300),
  company_status: growingList({ type: "string", enum: ["open", "closed"] }),
  locality: textUpTo(300),
} as const;

const ukEstablishmentsSchema = objectOf(["company_number", "items"], {
  company_number: COMPANY_NUMBER,
  etag: ETAG,
  items: {
    type: "array",
    maxItems: 10_000,
    items: objectOf(["company_number", "company_name", "company_status"], establishmentMemberSchemas),
  },
});

export type UkEstablishments = FromSchema<typeof ukEstablishmentsSchema>;

/** An establishment without its only link, which is derived from its number. */
function normaliseEstablishment(value: unknown): Members {
  const { links = {}, ...rest } = asMembers(value, "items");
  dropDerived(asMembers(links, "items.links"), "company", [`/company/${String(rest.company_number)}`]);
  return rest;
}

/** Lists of establishments, by the number of the company they belong to. */
export const ukEstablishmentsRecord = defineCompanyRecord<UkEstablishments>({
  name: "uk-establishments",
  collection: "uk_establishments",
  schema: ukEstablishmentsSchema,
  kinds: ["uk-establishments", "uk_establishments"],
  // The word of live answers, then that of the published schema.
  shownKinds: ["related-companies", "ukestablishment-companies"],
  derived: { properties: { kind: {}, items: { properties: { links: { properties: { company: {} } } } } } },
  normalise: (members) =>
    convert(members, "items", (items) => (items as unknown[]).map(normaliseEstablishment)),
});

type Establishment = UkEstablishments["items"][number];

const COMPANY_LINK = "^/company/[A-Z0-9]{8}$";
// Limit: most establishments of one company; the largest number in the register is a few hundred.
const MOST = 10_000;

const establishmentSchema = {
  title: "uk-establishment",
  description: "A UK establishment of an overseas company.",
  ...objectOf(["company_number", "company_name", "company_status", "links"], {
    ...establishmentMemberSchemas,
    links: linkSchema("company", COMPANY_LINK),
  }),
};

const schema = {
  title: "company-uk-establishments",
  description: "The UK establishments of an overseas company.",
  ...objectWithOptional(["coverage"], {
    etag: ETAG,
    // Compat: live answers say so; the published schema has `ukestablishment-companies`.
    kind: { const: "related-companies" },
    links: linkSchema("self", COMPANY_LINK),
    items: { type: "array", items: establishmentSchema },
    coverage: COVERAGE,
  }),
};

/**
 * Establishments of the list in its order, then the others by number. The list has establishments without a stored
 * profile. Where both exist, the profile wins: it is more up to date. Either may be loaded first, or alone.
 */
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

/** A profile as an establishment; empty when it is not one. */
function toEstablishment(company: CompanyProfile): Establishment[] {
  if (!isEstablishment(company)) return [];
  const { company_number, company_name, company_status, registered_office_address: address } = company;
  const locality = address?.locality;
  return [{ company_number, company_name, company_status, ...(locality && { locality }) }];
}

export const ukEstablishments = defineResource({
  name: "uk-establishments",
  aliases: ["company-uk-establishments"],
  path: "/company/:company_number/uk-establishments",
  scope: "company.read",
  summary: "The UK establishments of an overseas company.",
  record: ukEstablishmentsRecord,
  notFound: "company-profile-not-found",
  read: async (records, { company_number = "" }) => {
    const children = { filter: { parent_company_number: company_number }, sort: [], skip: 0, limit: MOST };
    const [stored, profiles] = await Promise.all([
      records.fetchOne(ukEstablishmentsRecord, { _id: company_number }),
      records.fetchPage(companyRecord, children),
    ]);
    const listed = stored?.data.items ?? [];
    const items = merge(listed, profiles.map(({ data }) => data).flatMap(toEstablishment));
    const isAsListed = JSON.stringify(items) === JSON.stringify(listed);
    if (stored && isAsListed) return { company_number, items, etag: etagOf(stored) };
    if (items.length > 0) return { company_number, items, etag: contentHash(items) };
    // Without establishments the answer has the company's ETag.
    const company = await records.fetchOne(companyRecord, { _id: company_number });
    return company && { company_number, items, etag: company.etag };
  },
  hasRecords: ({ items }) => items.length > 0,
  schema,
  present: ({ company_number, etag, items }) => ({
    etag,
    kind: "related-companies",
    links: { self: `/company/${company_number}` },
    items: items.map((item) => ({ ...item, links: { company: `/company/${item.company_number}` } })),
  }),
  example,
  examplePath: { company_number: "FC099001" },
});
