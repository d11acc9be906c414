/** Owns the facts beside a name: which of them can be read, and whether a candidate agrees with them. Pure. */
import { isOutward, normalisePostcode, splitPostcode } from "../shared/values/address.ts";
import { parseCompanyStatus } from "../shared/values/company-status.ts";
import { term, type Clause } from "../search/clauses.ts";
import { type Birth, birthsOf, takeBirth } from "../search/reading/birth.ts";
import { takeFacts, takeNumberAlone, takePostcodeAlone, withoutAmounts } from "../search/reading/facts.ts";
import { foldText, wordsOf } from "../../index-mappings/names/text.ts";
import { parseQueryNumber } from "../../index-mappings/names/company-name.ts";
import { squeezePostcode } from "../../index-mappings/places.ts";
import type { Fact, FactFound, FactsFound, Likeness, MatchQuestion } from "./define-match.ts";
import { compareWithAddresses, readTown, type Town } from "./town.ts";

/** The facts that a question states beside the name, in the register's forms. */
export type KnownFacts = ReturnType<typeof readFacts>["facts"];

/** Facts that may be a part of a name. */
type FactOfText = Extract<Fact, "number" | "postcode">;

interface CandidateFacts {
  numbers: readonly string[];
  postcodes: readonly string[];
  /** Words of each address. */
  addresses: readonly (readonly string[])[];
  status?: string | null | undefined;
  /** `YYYY-MM`, or `YYYY-MM-DD` where the day is known. */
  born?: string | undefined;
}

// Bulk formats 1.6; HRB12345, which has as many characters, is a German one.
const NUMBER_FORM = /^(?:\d{8}|R\d{7}|[A-Z]{2}\d+[A-Z]*)$/;
// With what is under way behind it.
const ACTIVE = /^active[\s-]/i;
// Cell values that mean "none".
const NOTHING =
  /^(?:N\.?\/?A\.?|#[A-Z]+(?:\/[A0])?[!?]?|NAN|NONE|NULL|NIL|UNKNOWN|UNDEFINED|NOT (?:KNOWN|APPLICABLE|AVAILABLE)|TB[AC]|\(?BLANK\)?|X+|[?.0-]+)?$/i;

/**
 * The facts of a question: the given ones, else those read beside the name. `fromText`: which ones were read there, where they
 * may be part of the name. `notes`: what cannot be used.
 */
export function readFacts(question: MatchQuestion) {
  const notes: string[] = [];
  const read = <T>(text: string | undefined, title: string, parse: (text: string) => T | null): T | null => {
    const given = (text ?? "").trim();
    if (NOTHING.test(given)) return null;
    const value = parse(given);
    if (value === null) notes.push(`${title} "${given}" was not understood and is not used`);
    return value;
  };
  const folded = foldText(question.name);
  const isPerson = question.type !== "company";
  // Of a person a date is that of birth.
  const beside = takeFacts(isPerson ? folded : withoutAmounts(folded), { isPerson });
  const hasName = wordsOf(beside.text).length > 0;
  const number = read(question.number, "number", parseNumber);
  const postcode = read(question.postcode, "postcode", parsePostcode);
  const status = read(question.status, "status", parseStatus);
  const born = read(question.born, "date of birth", (text) => takeBirth(foldText(text)).born);
  const facts = {
    number: number ?? (hasName ? (beside.numbers[0] ?? null) : parseQueryNumber(question.name)),
    postcode: postcode ?? beside.postcode,
    town: NOTHING.test((question.town ?? "").trim()) ? null : readTown(question.town ?? ""),
    status,
    born: born ?? (isPerson ? birthIn(beside.text) : null),
  };
  const fromText: FactOfText[] = [
    ...(number === null ? ["number" as const] : []),
    ...(postcode === null ? ["postcode" as const] : []),
  ];
  return { facts, fromText, notes };
}

/**
 * The facts found, without those read in the text that differ where they are a part of the candidate's name, as in 1234567
 * LIMITED: it has all of the text as its name, or their digits in the name that the text has with a remark.
 */
export function withoutOwn(
  found: FactsFound,
  likeness: Likeness | null,
  { facts, fromText }: Pick<ReturnType<typeof readFacts>, "facts" | "fromText">,
): FactsFound {
  if (likeness?.strength !== "exact" && likeness?.strength !== "same") return found;
  const { isReworded = false, key = "" } = likeness;
  const own = fromText.filter((kind) => !isReworded || key.includes(digitsOf(facts[kind] ?? "")));
  const isLeft = ([fact, { agreement }]: [string, FactFound]) =>
    agreement === "agrees" || !own.some((kind) => kind === fact);
  return Object.fromEntries(Object.entries(found).filter(isLeft));
}

/** A number without its prefix and the zeros that fill it, a postcode from its first digit on. */
function digitsOf(value: string): string {
  return value.replace(/^\D*0*/, "");
}

/** The date of birth beside a name; only its year where the month may belong to the name. */
function birthIn(text: string): Birth | null {
  const { born, withMonth } = takeBirth(text);
  return born && withMonth !== null ? { ...born, month: null } : born;
}

/** A number, alone or with a label; of several numbers none is meant. */
function parseNumber(text: string): string | null {
  const number = parseQueryNumber(text);
  return number !== null && NUMBER_FORM.test(number) ? number : takeNumberAlone(foldText(text));
}

/** A postcode or its outward code, or a postcode beside its town. */
function parsePostcode(text: string): string | null {
  const squeezed = squeezePostcode(normalisePostcode(foldText(text)));
  return isOutward(squeezed) || splitPostcode(squeezed) ? squeezed : takePostcodeAlone(foldText(text));
}

/** A status of the register, also in the words of its files: `Active - Proposal to Strike off`. */
function parseStatus(text: string): string | null {
  return parseCompanyStatus(text) ?? (ACTIVE.test(text) ? "active" : null);
}

/** A place with this postcode, or with a postcode of this outward code: LS1 is that of LS1 1ZZ, not that of LS11 1ZZ. */
export function hasPostcode(postcode: string): Clause {
  return isOutward(postcode)
    ? { regexp: { postcode: `${postcode}[0-9][A-Z]{2}` } }
    : term("postcode", postcode);
}

/** How a candidate agrees with the facts; those that either side lacks are omitted. */
export function compareFacts(known: KnownFacts, candidate: CandidateFacts): FactsFound {
  const postcode = comparePostcode(known.postcode, candidate.postcodes);
  const town = compareTown(known.town, candidate.addresses);
  const found: Record<Fact, FactFound | null> = {
    number: compareNumber(known.number, candidate.numbers),
    postcode,
    // A village and its post town have one postcode.
    town: postcode?.agreement === "agrees" && town?.agreement === "differs" ? null : town,
    status: compareStatus(known.status, candidate.status),
    born: compareBirth(known.born, candidate.born),
  };
  return Object.fromEntries(Object.entries(found).filter(([, fact]) => fact !== null));
}

function toFound(title: string, agrees: boolean, registered: string): FactFound {
  return agrees
    ? { agreement: "agrees", reason: `${title} agrees` }
    : { agreement: "differs", reason: `${title} differs: the register has ${registered}` };
}

function compareNumber(number: string | null, numbers: readonly string[]): FactFound | null {
  if (number === null || numbers.length === 0) return null;
  const [first = ""] = numbers;
  return toFound("number", numbers.includes(number), numbers.length > 1 ? "others" : first);
}

function comparePostcode(postcode: string | null, postcodes: readonly string[]): FactFound | null {
  if (postcode === null || postcodes.length === 0) return null;
  const agrees = postcodes.some(
    (other) => other === postcode || (isOutward(postcode) && splitPostcode(other)?.[0] === postcode),
  );
  const found = toFound("postcode", agrees, normalisePostcode(postcodes[0] ?? ""));
  return { ...found, isVague: isOutward(postcode) };
}

/** A town in one of the addresses. */
export function compareTown(town: Town | null, addresses: readonly (readonly string[])[]): FactFound | null {
  const filled = addresses.filter(({ length }) => length > 0);
  const found = town === null || filled.length === 0 ? null : compareWithAddresses(town, filled);
  return found && toFound("town", found === "agrees", "another address");
}

function compareStatus(status: string | null, other: string | null | undefined): FactFound | null {
  return status === null || !other ? null : toFound("status", status === other, other);
}

function compareBirth(born: Birth | null, other: string | undefined): FactFound | null {
  if (born === null || other === undefined) return null;
  const agrees = birthsOf(born).some((given) => other.startsWith(given));
  if (born.month === null) return { ...toFound("year of birth", agrees, other), isVague: true };
  const isDayKnown = born.day !== null && other.length > "YYYY-MM".length;
  return isDayKnown
    ? toFound("date of birth", agrees && other.endsWith(`-${born.day}`), other)
    : toFound("month of birth", agrees, other);
}
