/** Owns the mapping of API-shaped exemptions to the stored ones: derived members are left out. */
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import { asList, asMembers, convert, dropDerived, dropSelfLink, type Members } from "../loose-members.ts";
import type { CompanyExemptions } from "./members.ts";

/** The exemptions to store; the record's schema checks them afterwards. Throws RecordError. */
export function normaliseExemptions(resource: IncomingResource): CompanyExemptions {
  const company_number = companyNumberOf(resource);
  const own = dropDerived(resource.data, "kind", ["exemptions"]);
  const content = convert(dropSelfLink(own), "exemptions", normaliseEach);
  // The cast: the record's schema checks it afterwards.
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
