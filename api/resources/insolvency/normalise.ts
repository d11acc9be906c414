/** Owns the mapping of an API-shaped insolvency to the stored one: texts and lists in the form of live answers. */
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import { asList, asMembers, convert, dropDerived, dropEmpty, type Members } from "../loose-members.ts";
import type { CompanyInsolvency } from "./members.ts";

/** The insolvency to store; the record's schema checks it afterwards. Throws RecordError. */
export function normaliseInsolvency(resource: IncomingResource): CompanyInsolvency {
  const company_number = companyNumberOf(resource);
  const own = dropDerived(resource.data, "company_number", [company_number]);
  const withStatus = dropEmpty(convert(own, "status", asList), "status");
  const content = convert(withStatus, "cases", (cases) => asList(cases).map(normaliseCase));
  // The cast: the record's schema checks it afterwards.
  return { ...content, company_number } as CompanyInsolvency;
}

function normaliseCase(value: unknown): Members {
  const given = asMembers(value, "cases");
  const numbered = convert(given, "number", (number) =>
    typeof number === "number" ? String(number) : number,
  );
  const linked = convert(numbered, "links", (links) => asMembers(links, "cases.links"));
  const noted = dropEmpty(convert(linked, "notes", asList), "notes");
  const { dates = [], practitioners = [], ...rest } = noted;
  return {
    ...rest,
    dates: asList(dates),
    practitioners: asList(practitioners).map(normalisePractitioner),
  };
}

function normalisePractitioner(value: unknown): Members {
  const practitioner = asMembers(value, "cases.practitioners");
  return convert(practitioner, "address", (address) => asMembers(address, "cases.practitioners.address"));
}
