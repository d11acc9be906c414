/** Owns the layout of the disqualified persons file: the four kinds of lines by position and by text, and their words. */
import { RecordError } from "../../api/core/errors.ts";
import type { RawDisqualification } from "../../api/resources/disqualified-officer/normalise.ts";
import type { DisqualificationReason } from "../../api/resources/disqualified-officer/record.ts";
import { lineReader } from "../readers/fixed-width.ts";

const PERSON_FIELDS = [
  ["person_number", 2, 12],
  ["birth_date", 14, 8],
  ["postcode", 22, 8],
] as const;

const PERSON_TEXTS = [
  "title",
  "forenames",
  "surname",
  "honours",
  "address_line_1",
  "address_line_2",
  "post_town",
  "county",
  "country",
  "nationality",
  "corporate_number",
  "country_of_registration",
] as const;

export const readPersonLine = lineReader(PERSON_FIELDS, 30, PERSON_TEXTS);

const DAYS = [
  ["start_date", 14, 8],
  ["end_date", 22, 8],
] as const;

// No more is read by position: the API has no place for the purpose (30-39).
export const readPermissionLine = lineReader(DAYS, 40, "company_name");

const DISQUALIFICATION_FIELDS = [
  ...DAYS,
  ["section", 30, 20],
  ["type", 50, 30],
  ["order_date", 80, 8],
  ["case_number", 88, 30],
  ["company_name", 118, 160],
] as const;

const readDisqualificationFields = lineReader(DISQUALIFICATION_FIELDS, 278, "court");

export function readDisqualificationLine(line: string): RawDisqualification {
  const { section, type, ...fields } = readDisqualificationFields(line);
  return { ...fields, disqualification_type: readType(type), reason: readReason(section) };
}

const VARIATION_FIELDS = [
  ["variation_date", 52, 8],
  ["case_number", 60, 30],
] as const;

// The type of the varied order (14-43) and its date (44-51) repeat what the disqualification says.
export const readVariationLine = lineReader(VARIATION_FIELDS, 90, "court");

// The acts by the first word: the year is not compared, since `CDDO 1986` occurs. Northern Ireland's order has articles.
const ACTS: Record<string, { act: string; member?: "article"; keepsLetter?: true }> = {
  CDDA: { act: "company-directors-disqualification-act-1986" },
  CDDO: { act: "company-directors-disqualification-northern-ireland-order-2002", member: "article" },
  SAMLA: { act: "sanctions-anti-money-laundering-act-2018" },
  // `S7` is shown as 7; of these regulations' `16A` the letter is no section's.
  "CT-REGS": { act: "sanctions-counter-terrorism-regulations-2019", keepsLetter: true },
};

// Sections of the acts and articles of the order, by what they mean.
const SECTIONS = {
  "conviction-of-indictable-offence": "S2",
  "persistent-breaches-of-companies-legislation": "S3",
  "fraud-etc-in-winding-up": "S4 A7",
  "summary-conviction": "S5",
  "certain-convictions-abroad": "S5A A8A",
  "court-to-disqualify-unfit-directors-of-insolvent-companies": "S6",
  "high-court-to-disqualify-unfit-directors-of-insolvent-companies": "A9",
  "order-or-undertaking-and-reporting-provisions": "S7 A10",
  "investigation-of-company": "S8 A11",
  "order-disqualifying-a-person-instructing-an-unfit-director-of-an-insolvent-company": "S8ZA A11A",
  "order-disqualifying-a-person-instructing-an-unfit-director": "S8ZD A11D",
  "undertaking-disqualifying-a-person-instructing-an-unfit-director-of-an-insolvent-company": "S8ZC",
  "undertaking-disqualifying-a-person-instructing-an-unfit-director": "S8ZE",
  "matters-determining-unfitness-of-directors": "S9",
  "competition-and-markets-authority-disqualification-order": "S9A A13A",
  "competition-and-markets-authority-disqualification-undertaking": "S9B A13B",
  "participation-in-wrongful-trading": "S10 A14",
  "conviction-of-offence-punishable-on-indictment-or-conviction-on-indictment-or-summary-conviction": "A5",
  "persistent-default-under-companies-legislation": "A6",
  "summary-conviction-of-offence": "A8",
  "undertaking-instead-of-order-under-article-11a": "A11C",
  "undertaking-instead-of-order-under-article-11d": "A11E",
  "disqualification-under-sanctions-regulation": "S3A 16A",
};

const DESCRIPTIONS = new Map(
  Object.entries(SECTIONS).flatMap(([description, places]) =>
    places.split(" ").map((place) => [place, description] as const),
  ),
);

const TYPES: Record<string, string> = {
  ORDER: "court-order",
  UNDERTAKING: "undertaking",
  SANCTION: "sanction",
};

/** `CDDA 1986 S7` to act, description and section 7. Throws RecordError for a section that is not in the tables. */
export function readReason(section: string): DisqualificationReason {
  const [word = "", , place = ""] = section.toUpperCase().split(/\s+/);
  const found = ACTS[word];
  const description_identifier = DESCRIPTIONS.get(place);
  if (!found || !description_identifier)
    throw new RecordError(`is not known: ${section || "(blank)"}`, "section");
  const { act, member = "section", keepsLetter } = found;
  return { description_identifier, act, [member]: keepsLetter ? place : place.slice(1) };
}

function readType(text: string): string {
  const type = TYPES[text.toUpperCase()];
  if (!type) throw new RecordError(`is not known: ${text || "(blank)"}`, "disqualification_type");
  return type;
}
