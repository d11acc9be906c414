/** Owns the mapping of API-shaped UK establishments to the stored ones: derived members are left out. */
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import {
  asList,
  asMembers,
  convert,
  dropDerived,
  dropEmpty,
  dropSelfLink,
  type Members,
} from "../loose-members.ts";
import type { UkEstablishments } from "./members.ts";

/** The forms of live answers, then those of the published schema. */
const KINDS = ["related-companies", "ukestablishment-companies"];

/** The establishments to store; the record's schema checks them afterwards. Throws RecordError. */
export function normaliseUkEstablishments(resource: IncomingResource): UkEstablishments {
  const company_number = companyNumberOf(resource);
  const own = dropSelfLink(dropDerived(resource.data, "kind", KINDS));
  const content = convert(own, "items", (items) => asList(items).map(normaliseEstablishment));
  // The cast: the record's schema checks it afterwards.
  return { ...dropDerived(content, "company_number", [company_number]), company_number } as UkEstablishments;
}

/** The link of an establishment is derived from its number. */
function normaliseEstablishment(value: unknown): Members {
  const { links, ...rest } = asMembers(value, "items");
  if (links === undefined) return rest;
  const own = [`/company/${String(rest.company_number)}`];
  const others = dropDerived(asMembers(links, "items.links"), "company", own);
  return dropEmpty({ ...rest, links: others }, "links");
}
