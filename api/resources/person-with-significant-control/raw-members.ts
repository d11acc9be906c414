/** Owns the reading of raw JSON members by rules: known members are cleaned, others are reported. Pure. */
import { addressSchema, normaliseAddress } from "../../shared/values/address.ts";
import { parseCompanyNumber } from "../../shared/values/company-number.ts";
import { isFarAway, parseDate, parseDayOfAnyYear } from "../../shared/values/dates.ts";
import { enumerationKeys, readWord, type EnumerationName } from "../../shared/values/enumerations.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { isMembers, type Members } from "../../shared/values/members.ts";
import { NO_MEMBER } from "../../shared/schemas/unknown-members.ts";
import { asText } from "../rules.ts";

/** Cleans one value; undefined drops the member. A value of a wrong type is passed on for the schema to refuse. */
export type Rule = (value: unknown, field: string, warnings: string[]) => unknown;

export type Rules = ReadonlyMap<string, Rule>;

/** A raw record with its place. */
export interface RawRecord {
  companyNumber: string;
  /** The address of the resource, used where `links.self` is absent. */
  uri?: string;
  /** The id that its envelope states. */
  statedId?: string;
  data: Members;
}

/**
 * The id in the link to the resource itself, or in its address. Throws RecordError without one, for another company, and for
 * another id than the stated one.
 */
export function readOwnId(
  { companyNumber, uri, statedId }: RawRecord,
  self: unknown,
  pattern: RegExp,
): string {
  const [, company, id] = pattern.exec(textOf(self ?? uri)) ?? [];
  if (!company || !id)
    throw new RecordError("has no link to the resource itself, so its id is unknown", "links.self");
  if (parseCompanyNumber(company) !== companyNumber)
    throw new RecordError(`is of company ${company}, not of ${companyNumber}`, "links.self");
  if (statedId !== undefined && statedId !== id)
    throw new RecordError("differs from the id of the resource", "resource_id");
  return id;
}

/** The value where it is a text, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The members that have a rule, cleaned. Null means absent; a member without a rule is unknown. */
export function readMembers(raw: Members, rules: Rules, warnings: string[], path = ""): Members {
  const cleaned: Members = {};
  for (const member of Object.keys(raw)) {
    const given = raw[member];
    if (given === null || given === undefined) continue;
    const rule = rules.get(member);
    const field = path + member;
    if (!rule) warnings.push(`${field}: ${NO_MEMBER}, ignored`);
    const value = rule?.(given, field, warnings);
    if (value !== undefined) cleaned[member] = value;
  }
  return cleaned;
}

/** The links of a record; what is no object has none, with a warning. */
export function readLinks(data: Members, rules: Rules, warnings: string[]): Members {
  const links = data.links ?? {};
  if (isMembers(links)) return readMembers(links, rules, warnings, "links.");
  warnings.push("links: is not an object, dropped");
  return {};
}

/** Text on one line, without the space at its ends. */
export const readText: Rule = (value) => (typeof value === "string" ? asText(value) : value);

/** The same for digits, which some programs write as a number. */
export const readDigits: Rule = (value, ...around) =>
  typeof value === "number" ? String(value) : readText(value, ...around);

/** The value unchanged, for the schema to check. */
export const readAsIs: Rule = (value) => value;

/** A list of texts without the empty ones; without any it is left out. */
export const readTexts: Rule = (value, field, warnings) => {
  if (!Array.isArray(value)) return value;
  const texts = value.map((item) => readText(item, field, warnings)).filter((item) => item !== undefined);
  return texts.length > 0 ? texts : undefined;
};

/** A day of the calendar; another text is dropped. */
export const readDate: Rule = (value, field, warnings) => {
  const date = parseDay(value);
  if (date === null) warnings.push(`${field}: not a valid date, dropped`);
  return date ?? undefined;
};

/** The day on which something began: one from 2100 on is dropped, too. */
export const readStart: Rule = (value, field, warnings) => {
  const date = readDate(value, field, warnings);
  if (typeof date !== "string" || !isFarAway(date)) return date;
  warnings.push(`${field}: too far in the future, dropped`);
  return undefined;
};

/** The day on which something ended. Without it, ended things would be shown as current, so another text refuses the record. */
export const readEnd: Rule = (value, field) => {
  const date = parseDay(value);
  if (date === null) throw new RecordError(`is not a valid date: ${textOf(value).slice(0, 40)}`, field);
  return date;
};

/** Old files and some services write 1, 0, "1", "0" or the words as texts. */
export const readFlag: Rule = (value) => FLAGS.get(value) ?? value;

/** A word of a list or several (`readWord`). */
export function readWords(list: EnumerationName): Rule {
  const known: ReadonlySet<unknown> = new Set(enumerationKeys(list));
  return (value, field, warnings) => {
    const read = (word: unknown) => readWord(field, word, known, (warning) => warnings.push(warning));
    return Array.isArray(value) ? value.map(read) : read(value);
  };
}

/** An address in the stored form of all addresses. */
export const readAddress: Rule = (value, field, warnings) => {
  if (!isMembers(value)) return value;
  return normaliseAddress(readMembers(value, ADDRESS_RULES, warnings, `${field}.`)) ?? undefined;
};

/** An object whose members have rules of their own; an empty one is left out. */
export function readObject(rules: Rules): Rule {
  return (value, field, warnings) => {
    if (!isMembers(value)) return value;
    const cleaned = readMembers(value, rules, warnings, `${field}.`);
    return Object.keys(cleaned).length > 0 ? cleaned : undefined;
  };
}

/** The same rule for several members. */
export function rulesFor(members: readonly string[], rule: Rule): [string, Rule][] {
  return members.map((member) => [member, rule]);
}

const FLAGS = new Map<unknown, boolean>([
  ...[1, "1", "true"].map((word) => [word, true] as const),
  ...[0, "0", "false"].map((word) => [word, false] as const),
]);

const ADDRESS_RULES: Rules = new Map(
  rulesFor(Object.keys(addressSchema.properties), (value, field, warnings) => {
    if (typeof value === "string" || typeof value === "number") return value;
    warnings.push(`${field}: is not a text, dropped`);
    return undefined;
  }),
);

/** Compat: the register has days of the first thousand years (ceased in the year 224); they are shown unchanged. */
function parseDay(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return /^0\d{3}-\d\d-\d\d$/.test(value) ? parseDayOfAnyYear(value) : parseDate(value);
}
