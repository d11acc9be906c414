/** The layout of the disqualified persons file, and the mapping of a person's lines to one record. */
import { isDeepStrictEqual } from "node:util";
import { RecordError } from "../../api/shared/runtime/errors.ts";
import {
  compareDisqualifications,
  isSameDisqualification,
  normaliseDisqualification,
  normalisePermission,
  normalisePerson,
  normalisePersonAddress,
  normaliseVariation,
  type RawDisqualification,
} from "../../api/resources/disqualified-officer/normalise.ts";
import type {
  Disqualification,
  DisqualificationReason,
  DisqualifiedOfficer,
} from "../../api/resources/disqualified-officer/members.ts";
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { lineReader } from "../readers/fixed-width.ts";
import { isUnreadable, textOf, type ReadRow, type RawRow } from "../readers/read-rows.ts";
import { notOnList } from "../../api/shared/values/enumerations.ts";
import { toOutcome, type Outcome } from "./define-source.ts";
import { ADDRESS_TEXTS, frameOf, NAME_TEXTS } from "./frame.ts";

// Names of the merge rules: for a person whose lines were all read, and for one with an unread line.
export const WHOLE = "disqualified-officers-snapshot";
export const IN_PART = "disqualified-officers-snapshot-in-part";

export const { isTrailer, framed } = frameOf({
  header: "DISQUALS",
  trailer: "DISQUALS/",
  types: ["1", "2", "3", "4"],
  keyOf: (text) => text.slice(1, 13),
});

const PERSON_FIELDS = [
  ["person_number", 2, 12],
  ["birth_date", 14, 8],
  ["postcode", 22, 8],
] as const;
const BODY_TEXTS = ["corporate_number", "country_of_registration"] as const;
const PERSON_TEXTS = [...NAME_TEXTS, ...ADDRESS_TEXTS, "nationality", ...BODY_TEXTS] as const;
const readPersonLine = lineReader(PERSON_FIELDS, 30, PERSON_TEXTS);

const DAYS = [
  ["start_date", 14, 8],
  ["end_date", 22, 8],
] as const;

// Without the purpose (30-39), for which the API has no member.
const readPermissionLine = lineReader(DAYS, 40, "company_name");

const DISQUALIFICATION_FIELDS = [
  ...DAYS,
  ["section", 30, 20],
  ["type", 50, 30],
  ["order_date", 80, 8],
  ["case_number", 88, 30],
  ["company_name", 118, 160],
] as const;

const readDisqualificationFields = lineReader(DISQUALIFICATION_FIELDS, 278, "court");
const TYPES = new Map([
  ["ORDER", "court-order"],
  ["UNDERTAKING", "undertaking"],
  ["SANCTION", "sanction"],
]);

/** Keeps an unknown type or section as it is, with a warning. Throws RecordError if one is missing. */
export function readDisqualificationLine(line: string, warnings: string[]): RawDisqualification {
  const { section, type, ...fields } = readDisqualificationFields(line);
  const field = "disqualification_type";
  if (type === "") throw new RecordError("is missing", field);
  const known = TYPES.get(type.toUpperCase());
  if (known === undefined) warnings.push(notOnList(field, type));
  return { ...fields, disqualification_type: known ?? type, reason: readReason(section, warnings) };
}

const VARIATION_FIELDS = [
  ["order_date", 44, 8],
  ["variation_date", 52, 8],
  ["case_number", 60, 30],
] as const;

// Without the type of the varied order (14-43), which only repeats that of the disqualification.
const readVariationLine = lineReader(VARIATION_FIELDS, 90, "court");

const ORDER = "company-directors-disqualification-northern-ireland-order-2002";
// Acts by the first word of a section. The year is ignored, since `CDDO 1986` occurs.
const ACTS: Record<string, string> = {
  CDDA: "company-directors-disqualification-act-1986",
  CDDO: ORDER,
  SAMLA: "sanctions-anti-money-laundering-act-2018",
  "CT-REGS": "sanctions-counter-terrorism-regulations-2019",
};

// Sections of the acts and articles of the order, by meaning.
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

/**
 * Splits `CDDA 1986 S7` into act, description and section 7. After CDDO or an unknown word it is an article of the
 * Northern Ireland order (bulk formats 4). An unknown section or article has no description. Throws RecordError if it
 * is missing.
 */
export function readReason(section: string, warnings: string[]): DisqualificationReason {
  const [word = "", , place = ""] = section.toUpperCase().split(/\s+/);
  if (place === "") throw new RecordError(`is not known: ${section || "(blank)"}`, "section");
  const description_identifier = DESCRIPTIONS.get(place);
  if (!description_identifier) warnings.push(notOnList("section", section));
  const act = ACTS[word] ?? ORDER;
  if (!ACTS[word]) warnings.push(`section: "${word}" is not a known act, read as the Northern Ireland order`);
  // `S7` becomes 7; the regulations' `16A` stays as it is.
  const number = word === "CT-REGS" ? place : place.slice(1);
  return {
    ...(description_identifier && { description_identifier }),
    act,
    [act === ORDER ? "article" : "section"]: number,
  };
}

interface Draft {
  begun?: { row: RawRow; data: DisqualifiedOfficer; address: Disqualification["address"] };
  /** The disqualification to which a following variation belongs; null: its line could not be read. */
  current: Disqualification | null;
  warnings: string[];
}

/** Maps one person's lines in file order. `isWhole`: the person has no lines elsewhere. */
export function mapPersonLines(rows: ReadRow[], isWhole: boolean): Outcome[] {
  const draft: Draft = { current: null, warnings: [] };
  const outcomes = rows.flatMap((row) => {
    // After an unreadable line a variation may belong to that line, unless its type shows otherwise.
    if (!/^[134]/.test(textOf(row))) draft.current = null;
    return isUnreadable(row) ? [] : toOutcome(row, () => addLine(row, draft));
  });
  const isEachRead = outcomes.length === rows.length && outcomes.every(({ kind }) => kind === "skipped");
  const tells = isWhole && isEachRead ? WHOLE : IN_PART;
  const { begun, warnings } = draft;
  return outcomes.map((outcome) => (outcome.row === begun?.row ? finish(begun, warnings, tells) : outcome));
}

function addLine(row: RawRow, draft: Draft): { kind: "skipped" } {
  const { text } = row;
  const { begun, warnings } = draft;
  if (isTrailer(text)) return { kind: "skipped" };
  const type = text.charAt(0);
  if (!/[1234]/.test(type)) throw new RecordError(`is not known: ${type}`, "record_type");
  if (type === "1") {
    if (begun) throw new RecordError("the person already has a record");
    const raw = readPersonLine(text);
    draft.begun = { row, data: normalisePerson(raw, warnings), address: normalisePersonAddress(raw) };
  } else if (!begun) throw new RecordError("belongs to a person whose own record is not in the file");
  else if (type === "2") {
    const read = normaliseDisqualification(readDisqualificationLine(text, warnings), begun.address, warnings);
    draft.current = addDisqualification(begun.data.disqualifications, read);
  } else if (type === "3") {
    const permission = normalisePermission(readPermissionLine(text));
    const permissions = (begun.data.permissions_to_act ??= []);
    // The API shows no purpose, so a permission for several purposes appears once.
    if (!permissions.some((other) => isDeepStrictEqual(other, permission))) permissions.push(permission);
  } else addVariation(text, draft.current, warnings);
  return { kind: "skipped" };
}

/** Adds the disqualification, or only its company if the same disqualification already exists. */
function addDisqualification(disqualifications: Disqualification[], incoming: Disqualification) {
  const known = disqualifications.find((item) => isSameDisqualification(item, incoming));
  const names = new Set([...(known?.company_names ?? []), ...(incoming.company_names ?? [])]);
  if (known && names.size > 0) known.company_names = [...names];
  if (!known) disqualifications.push(incoming);
  return known ?? incoming;
}

function addVariation(text: string, current: Disqualification | null, warnings: string[]): void {
  if (!current) throw new RecordError("follows no disqualification that could be read");
  const variation = normaliseVariation(readVariationLine(text), warnings);
  const isLatest = !current.last_variation || current.last_variation.varied_on <= variation.varied_on;
  if (isLatest) current.last_variation = variation;
}

function finish({ row, data }: NonNullable<Draft["begun"]>, dropped: string[], tells: string): Outcome {
  return toOutcome(row, (warnings) => {
    if (data.disqualifications.length === 0)
      throw new RecordError("no disqualification of this person could be read");
    data.disqualifications.sort(compareDisqualifications);
    warnings.push(...dropped);
    return { kind: "record", record: disqualifiedOfficerRecord, data, tells };
  });
}
