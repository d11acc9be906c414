/** Owns the choice of descriptions in the OpenAPI document: a schema's own first, else those for its name. */
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { memberWords } from "./members.ts";

/** Descriptions of lists of values, by name in the OpenAPI document. The labels of the values are published with them. */
export const valueWords: Readonly<Record<string, string>> = {
  "account-type": "Type of a company's accounts.",
  "capital-contribution-sub-type": "One part of a limited partner's contribution, such as money or land.",
  "charge-assets-ceased-released":
    "Whether property was released from the charge, or ceased to belong to the company, in whole or in part.",
  "charge-classification-type": "Whether the charge is described by its description or its nature.",
  "charge-particulars-type": "Kind of the particulars of a charge.",
  "charge-secured-details-type": "Whether a charge secures an amount or obligations.",
  "charge-status": "Whether a charge is outstanding, or satisfied in part or in full.",
  "company-search-description": "Code of the words that say how a company began or ended.",
  "company-status": "Whether a company is active, or how it ended.",
  "company-status-detail": "Further detail of the status, such as a proposal to strike the company off.",
  "company-subtype": "Kind of company within its legal form, such as a community interest company.",
  "company-type": "Legal form of a company.",
  "corporate-annotation-type": "Kind of a registrar's note on a company's record.",
  "disqualification-act": "The act under which an officer was disqualified.",
  "disqualification-reason-description-identifier": "Reason for which an officer was disqualified.",
  "disqualification-type":
    "Whether a court ordered it, the officer gave an undertaking, or it is a sanction.",
  "disqualified-officer-search-description": "Code of the words that describe a disqualified officer.",
  "filing-history-category": "What a filing is about.",
  "filing-history-description":
    "Code of the sentence that describes a filing; with `legacy`, `description_values.description` has the text itself. " +
    "The sentences are published: filing_history_descriptions.yml of github.com/companieshouse/api-enumerations.",
  "filing-history-resolution-category": "What a resolution is about.",
  "filing-history-status": "Whether the filing history of companies with such a number is available.",
  "filing-history-subcategory": "What a filing is about within its category.",
  "foreign-account-type": "Whether the accounting requirements of the home country apply.",
  "identification-type":
    "Where a corporate officer is registered: in the UK, in or outside the EEA, or elsewhere.",
  "insolvency-case-date-type": "What happened on an important date in an insolvency case.",
  "insolvency-case-type": "Kind of an insolvency case.",
  "insolvency-practitioner-role": "Role of an insolvency practitioner.",
  "insolvency-status": "State of a company's insolvency.",
  jurisdiction: "Part of the United Kingdom, or region, in which a company is registered.",
  "mortgage-filing-type":
    "What was filed about a charge. The texts are published: mortgage_descriptions.yml of github.com/companieshouse/api-enumerations.",
  notes: "Note on an insolvency case.",
  "officer-role": "Role of an officer in a company.",
  "officer-search-description": "Code of the words that describe an officer.",
  "partial-data-available": "Who holds the full data, if the registrar is not its primary source.",
  "psc-kind": "Kind of a person or body with significant control.",
  "psc-natures-of-control": "One way in which a person or body controls a company.",
  "psc-statement": "What a company states about its persons with significant control.",
  "psc-statement-restrictions-notice-withdrawal-reason": "Why a notice of restrictions was withdrawn.",
  "psc-super-secure-description": "Says that the details of a person with significant control are protected.",
  "register-locations": "Where a register is kept.",
  "terms-of-account-publication": "How the day of a company's account publication is set.",
};

/** Description of a member. One in a schema with many uses belongs to the schema, and comes last. */
export function describeMember(name: string, schema: JsonSchema): string | undefined {
  const own = typeof schema.description === "string" ? schema.description : undefined;
  if (typeof schema.title !== "string") return own ?? memberWords[name];
  return memberWords[name] ?? describeSchema(schema.title, schema);
}

/** Description of a named schema. */
export function describeSchema(name: string, { description }: JsonSchema): string | undefined {
  return typeof description === "string" ? description : (valueWords[name] ?? linkWords(name));
}

/** `self-link`: links with a single use. */
function linkWords(name: string): string | undefined {
  const link = /^(.+)-link$/.exec(name)?.[1]?.replaceAll("-", "_");
  return link && memberWords[`links.${link}`];
}
