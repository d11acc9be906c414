/** Owns the way from API-shaped exemptions to the stored ones: what follows from the rest is left out. */
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import { asList, asMembers, convert, dropDerived, dropSelfLink, type Members } from "../loose-members.ts";
import type { CompanyExemptions } from "./record.ts";

/** The exemptions as stored, for the schema to judge. Throws RecordError. */
export function normaliseExemptions(resource: IncomingResource): CompanyExemptions {
  const company_number = companyNumberOf(resource);
  const own = dropDerived(resource.data, "kind", ["exemptions"]);
  const content = convert(dropSelfLink(own), "exemptions", normaliseEach);
  // The check of the record follows, so that the type holds for all that is stored.
  return { ...dropDerived(content, "company_number", [company_number]), company_number } as CompanyExemptions;
}

function normaliseEach(value: unknown): Members {
  const exemptions = Object.entries(asMembers(value, "exemptions"));
  return Object.fromEntries(
    exemptions.map(([name, exemption]) => [name, normaliseExemption(name, exemption)]),
  );
}

function normaliseExemption(name: string, value: unknown): Members {
  const exemption = asMembers(value, `exemptions.${name}`);
  return convert(dropDerived(exemption, "exemption_type", [name.replaceAll("_", "-")]), "items", asList);
}
