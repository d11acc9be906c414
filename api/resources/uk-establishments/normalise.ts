/** Owns the way from API-shaped UK establishments to the stored ones: what follows from the rest is left out. */
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
import type { UkEstablishments } from "./record.ts";

/** What live answers say, then what the published schema says. */
const KINDS = ["related-companies", "ukestablishment-companies"];

/** The establishments as stored, for the schema to judge. Throws RecordError. */
export function normaliseUkEstablishments(resource: IncomingResource): UkEstablishments {
  const company_number = companyNumberOf(resource);
  const own = dropSelfLink(dropDerived(resource.data, "kind", KINDS));
  const content = convert(own, "items", (items) => asList(items).map(normaliseEstablishment));
  // The check of the record follows, so that the type holds for all that is stored.
  return { ...dropDerived(content, "company_number", [company_number]), company_number } as UkEstablishments;
}

/** The link of an establishment follows from its number. */
function normaliseEstablishment(value: unknown): Members {
  const { links, ...rest } = asMembers(value, "items");
  if (links === undefined) return rest;
  const own = [`/company/${String(rest.company_number)}`];
  const others = dropDerived(asMembers(links, "items.links"), "company", own);
  return dropEmpty({ ...rest, links: others }, "links");
}
