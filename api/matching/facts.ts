/** Reads the facts of a question other than the name, and compares them with those of a candidate. Pure. */
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

/** The facts of a question other than the name, in the register's forms. */
export type KnownFacts = ReturnType<typeof readFacts>["facts"];

/** Facts that may be a part of a name. */
type FactOfText = Extract<Fact, "number" | "postcode">;

interface CandidateFacts {
  numbers: readonly string[];
  postcodes: readonly string[];
  /** Words of each address. */
  addresses: readonly (readonly string[])[];
  status?: string | null | undefined;
  /** `YYYY-MM`, or `YYYY-MM-DD` if the day is known. */
  born?: string | undefined;
}

// Bulk formats 1.6. It excludes HRB12345, a German number with as many characters.
const NUMBER_FORM = /^(?:\d{8}|R\d{7}|[A-Z]{2}\d+[A-Z]*)$/;
// `Active` with a proceeding after it.
const ACTIVE = /^active[\s-]/i;
// Cell values that mean "none".
const NOTHING =
  /^(?:N\.?\/?A\.?|#[A-Z]+(?:\/[A0])?[!?]?|NAN|NONE|NULL|NIL|UNKNOWN|UNDEFINED|NOT (?:KNOWN|APPLICABLE|AVAILABLE)|TB[AC]|\(?BLANK\)?|X+|[?.0-]+)?$/i;

/**
 * The facts of a question: the given ones, and those read in the text of the name where none is given. `fromText`: the
 * facts that may come from that text, where they may belong to the name. `notes`: messages about facts that cannot be
 * used.
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
  // A date in the text of a person is the date of birth.
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
 * Removes facts that differ but are only a part of the candidate's name, as the number in 1234567 LIMITED. These are
 * facts read in the text, if the text is the candidate's name, or if it is the name with a remark and the name has
 * their digits.
 */
export function withoutFactsOfName(
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

/** A number without its prefix and leading zeros; a postcode from its first digit other than 0. */
function digitsOf(value: string): string {
  return value.replace(/^\D*0*/, "");
}

/** The date of birth in the text of a name; only its year if the month may belong to the name. */
function birthIn(text: string): Birth | null {
  const { born, withMonth } = takeBirth(text);
  return born && withMonth !== null ? { ...born, month: null } : born;
}

/** A number, alone or with a label; null for several numbers. */
function parseNumber(text: string): string | null {
  const number = parseQueryNumber(text);
  return number !== null && NUMBER_FORM.test(number) ? number : takeNumberAlone(foldText(text));
}

/** A postcode or its outward code, or a postcode beside its town. */
function parsePostcode(text: string): string | null {
  const squeezed = squeezePostcode(normalisePostcode(foldText(text)));
  return isOutward(squeezed) || splitPostcode(squeezed) ? squeezed : takePostcodeAlone(foldText(text));
}

/** A status, also in the words of the register's files: `Active - Proposal to Strike off`. */
function parseStatus(text: string): string | null {
  return parseCompanyStatus(text) ?? (ACTIVE.test(text) ? "active" : null);
}

/** A query for this postcode, or for all postcodes with this outward code: LS1 finds LS1 1ZZ, but not LS11 1ZZ. */
export function hasPostcode(postcode: string): Clause {
  return isOutward(postcode)
    ? { regexp: { postcode: `${postcode}[0-9][A-Z]{2}` } }
    : term("postcode", postcode);
}

/** Compares the facts with those of a candidate; facts that either side lacks are omitted. */
export function compareFacts(known: KnownFacts, candidate: CandidateFacts): FactsFound {
  const postcode = comparePostcode(known.postcode, candidate.postcodes);
  const town = compareTown(known.town, candidate.addresses);
  const found: Record<Fact, FactFound | null> = {
    number: compareNumber(known.number, candidate.numbers),
    postcode,
    // A village and its post town share a postcode, so the town is not compared if it differs.
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
  const agrees = postcodes.some((other) => other === postcode || splitPostcode(other)?.[0] === postcode);
  const found = toFound("postcode", agrees, normalisePostcode(postcodes[0] ?? ""));
  return { ...found, isVague: isOutward(postcode) };
}

/** Looks for a town in the addresses; null if it is not known, or may be there under another name. */
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
