/** Owns the layout of the disqualified persons file: the four kinds of lines, by position and by text. */
import type {
  RawDisqualification,
  RawPermission,
  RawPerson,
  RawVariation,
} from "../../api/resources/disqualified-officer/normalise.ts";
import { readFields, readParts, readText, type Field } from "../readers/fixed-width.ts";
import { readDisqualificationType, readReason } from "./disqualification-reasons.ts";

const PERSON_FIELDS = [
  ["person_number", 2, 12],
  ["birth_date", 14, 8],
  ["postcode", 22, 8],
] as const satisfies Field<string>[];

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

const DISQUALIFICATION_FIELDS = [
  ["start_date", 14, 8],
  ["end_date", 22, 8],
  ["section", 30, 20],
  ["type", 50, 30],
  ["order_date", 80, 8],
  ["case_number", 88, 30],
  ["company_name", 118, 160],
] as const satisfies Field<string>[];

// The purpose (30–39) is left out: the API has no place for it.
const PERMISSION_FIELDS = [
  ["start_date", 14, 8],
  ["end_date", 22, 8],
] as const satisfies Field<string>[];

// The type of the varied order (14–43) and its date (44–51) repeat what the disqualification says.
const VARIATION_FIELDS = [
  ["variation_date", 52, 8],
  ["case_number", 60, 30],
] as const satisfies Field<string>[];

export function readPersonLine(line: string): RawPerson {
  return { ...readFields(PERSON_FIELDS, line), ...readParts(PERSON_TEXTS, readText(line, 30)) };
}

export function readDisqualificationLine(line: string): RawDisqualification {
  const { section, type, ...fields } = readFields(DISQUALIFICATION_FIELDS, line);
  return {
    ...fields,
    disqualification_type: readDisqualificationType(type),
    reason: readReason(section),
    court: readText(line, 278).trim(),
  };
}

export function readPermissionLine(line: string): RawPermission {
  return { ...readFields(PERMISSION_FIELDS, line), company_name: readText(line, 40).trim() };
}

export function readVariationLine(line: string): RawVariation {
  return { ...readFields(VARIATION_FIELDS, line), court: readText(line, 90).trim() };
}
