/** Owns the stored UK establishments of an overseas company. */
import type { FromSchema } from "json-schema-to-ts";
import type { Members } from "../../shared/values/members.ts";
import { ETAG } from "../../shared/schemas/schemas.ts";
import {
  asList,
  asMembers,
  convert,
  dropDerived,
  dropEmpty,
} from "../../shared/definitions/incoming-resource.ts";
import { defineCompanyRecord } from "../define-company-record.ts";
import { COMPANY_NUMBER, objectOf, textUpTo } from "../schemas.ts";

/** The members of an establishment that the API shows as stored. */
export const establishmentMemberSchemas = {
  company_number: COMPANY_NUMBER,
  company_name: textUpTo(300),
  company_status: { type: "string", enum: ["open", "closed"] },
  locality: textUpTo(300),
} as const;

/** The stored establishments. */
const ukEstablishmentsSchema = objectOf(["company_number", "items"], {
  company_number: COMPANY_NUMBER,
  etag: ETAG,
  items: {
    type: "array",
    maxItems: 10_000,
    items: objectOf(["company_number", "company_name", "company_status"], establishmentMemberSchemas),
  },
});

/** The establishments of a company as stored. */
export type UkEstablishments = FromSchema<typeof ukEstablishmentsSchema>;

/** The link of an establishment is derived from its number. */
function normaliseEstablishment(value: unknown): Members {
  const { links, ...rest } = asMembers(value, "items");
  if (links === undefined) return rest;
  const own = [`/company/${String(rest.company_number)}`];
  const others = dropDerived(asMembers(links, "items.links"), "company", own);
  return dropEmpty({ ...rest, links: others }, "links");
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
  normalise: (members) => convert(members, "items", (items) => asList(items).map(normaliseEstablishment)),
});
