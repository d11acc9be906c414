/** Owns the names of companies that a text may mean: all of it, without what may be an ending, and its parts. Pure. */
import { editDistance } from "../shared/values/nearness.ts";
import { isGeneric } from "../search/reading/common-words.ts";
import { arePlaces, withoutCountries } from "../search/reading/places.ts";
import { type NameReading, readCompanyText } from "../search/reading/company.ts";
import { CLOSED, SPLIT } from "../search/reading/name-readings.ts";
import {
  type CompanyName,
  type EndingClass,
  nameKey,
  parseCompanyName,
  readMisspelt,
} from "../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../index-mappings/names/same-as.ts";
import { hasPlace } from "./town.ts";

// What lists add behind the legal ending of a name: its status, its country.
const COUNTRY =
  "(?:(?:OF|IN) )?(?:THE )?(?:ENGLAND(?: AND WALES)?|WALES|SCOTLAND|NORTHERN IRELAND|UNITED KINGDOM|GREAT BRITAIN|UK|GB)";
const LIQUIDATION = "(?:(?:CREDITORS |MEMBERS )?VOLUNTARY |COMPULSORY )?LIQUIDATION";
const STATUS = `(?:IN )?(?:${LIQUIDATION}|ADMINISTRATION|RECEIVERSHIP|CVA|CVL|MVL)|DISSOLVED|STRUCK OFF|ACTIVE`;
const STATUSES = `(?:(?:${STATUS})(?: |$))*`;
const REMARKS = new RegExp(`^${STATUSES}(?<country>(?:${COUNTRY})?)(?: |$)?${STATUSES}$`);

/** A name that the question may mean. */
export interface CompanyForm {
  key: string;
  words: string[];
  /** Possible endings; none when the question has none. */
  ends: readonly EndingClass[];
  sameAs: string;
  /**
   * Strength of a name that equals a part of the text, such as the one before a comma: it needs a fact that agrees, and is
   * never the match where the text means another. Null for all of the text.
   */
  part: "likely" | "near" | "weak" | null;
  /** How certain the part is, from 0 to 1. */
  weight: number;
  /** The rest of the text: usually words of a place. */
  rest: string[];
  /** True for the text before the first comma. */
  isBeforeComma?: boolean;
  /**
   * True for all of the text but the status or country behind its ending, for the text with that country before the ending,
   * and where an ending is a guess.
   */
  isReworded?: boolean;
  /** How many of these must be in an address, if it is to be the name. */
  agreeing: number;
}

// What no name ends with: LTD with letters swapped or doubled.
const NEAR_LTD = /^(?:LDT|TLD|L+T+D+)$/;

// Behind these is another company, which may have the address as well: an agent, a parent, who has the name now.
const BEFORE_ANOTHER = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:C\\s?/\\s?O|CARE\\s+OF|ON\\s+BEHALF\\s+OF|(?:DIVISION|SUBSIDIARY|PART)\\s+OF|" +
    "(?:OWNED|OPERATED)\\s+BY|FORMERLY|PREVIOUSLY|F\\s?/\\s?K\\s?/\\s?A|FKA|\\(\\s*(?:EX|WAS))(?![\\p{L}\\p{N}])",
  "u",
);

// Behind it is the name that the company has now.
const BEFORE_PRESENT =
  /(?:\(\s*NOW|(?<![\p{L}\p{N}])(?:NOW\s+KNOWN\s+AS|N\s?\/\s?K\s?\/\s?A))(?![\p{L}\p{N}])/u;

// It may stand for &, where no name has the sign itself.
const PLUS = /(?<=[\p{L}\p{N}] ?)\+(?= ?[\p{L}\p{N}])/gu;

// It shows that the rest of the name was cut off.
const OPEN_BRACKET = /\(\s*$/;

/** The names that a text may mean: all of it, without a misspelt ending, and parts beside a fact, a marker or a place. */
export function companyForms(text: string): CompanyForm[] {
  const whole = parseCompanyName(text);
  const all = { part: null, weight: 1, rest: [], agreeing: 0 };
  const { names } = readCompanyText(text);
  const own = ownLetters(whole, names);
  const signed = parseCompanyName(text.replace(PLUS, "&"));
  const forms = [
    { ...toForm(whole), ...all, part: OPEN_BRACKET.test(text) ? ("weak" as const) : null },
    ...(signed.key === whole.key ? [] : [{ ...toForm(signed), ...all, isReworded: true }]),
    ...endingForms(whole).map((form) => ({ ...all, ...form })),
    ...names.flatMap((reading) => formsOf(reading, whole, own)),
  ];
  return forms.filter(({ key }) => key !== "");
}

/** The text without what may be a cut off or misspelt ending, and BOOKS UNLIMITED as a name that lacks its ending. */
function endingForms(whole: CompanyName) {
  const all = [...whole.words, ...whole.endingWords];
  const misspelt = readMisspelt(whole).map(({ key, words, ends }) => {
    const last = all.slice(words.length).join(" ");
    const isNear = last !== "LIMITER" && editDistance(last, "LIMITED", 1) === 1;
    const isSure = last === "" || isNear || NEAR_LTD.test(last);
    const part = isSure ? null : ("near" as const);
    const name = parseCompanyName(words.join(" "));
    return { key, words, ends, sameAs: sameAsKey(name), part, isReworded: isSure };
  });
  if (whole.end !== "UNLTD") return misspelt;
  const worded = parseCompanyName(`${whole.folded} LTD`);
  return [...misspelt, { ...toForm(worded), ends: [], isReworded: true }];
}

/**
 * The letters up to where the text turns to another company, behind the ending of the first name or such a marker, or those
 * of the present name; null for a text that does not.
 */
function ownLetters(whole: CompanyName, names: readonly NameReading[]): string | null {
  const closed = names.find(({ name, weight }) => weight === CLOSED && name.end !== "NONE");
  const [before = "", ...others] = whole.folded.split(BEFORE_ANOTHER);
  const [, present] = before.split(BEFORE_PRESENT);
  if (present !== undefined) return nameKey(present);
  const found = [...(others.length > 0 ? [nameKey(before)] : []), ...(closed ? [closed.name.key] : [])];
  const [own] = found.filter((key) => key !== "").toSorted((a, b) => a.length - b.length);
  return own ?? null;
}

/** The forms that a candidate with these addresses may have. */
export function formsInPlace(
  forms: readonly CompanyForm[],
  addresses: readonly (readonly string[])[],
): CompanyForm[] {
  return forms.filter(
    (form) => hasPlace(form.rest, form.agreeing, addresses) && isBesidePlace(form, addresses),
  );
}

/** False where the word behind a name, with no comma between, is in no address: it is one of the name, QUILLORY PAVING NORTH. */
function isBesidePlace(
  { rest: [first = ""], agreeing, weight }: CompanyForm,
  addresses: readonly (readonly string[])[],
): boolean {
  const isSplit = agreeing > 0 && weight <= SPLIT;
  return !isSplit || hasPlace([first], 1, addresses);
}

/** Of `A Ltd (UK)` the forms A LTD and A UK LTD, of any other reading the one that it is. */
function formsOf(reading: NameReading, whole: CompanyName, own: string | null): CompanyForm[] {
  const { name, weight, rest, agreeing, ends, isFirst = false } = reading;
  // With an ending behind it the place is a part of the name: QUILLORY PRESS (LEEDS) LTD. A country before it is, too.
  const isPlaced = agreeing > 0 && arePlaces(rest);
  if (isPlaced && (whole.end !== "NONE" || (weight <= SPLIT && isBeforeCountry(reading, whole)))) return [];
  const isEnded = weight === CLOSED && name.end !== "NONE";
  const remarks = isEnded ? readRemarks(rest) : null;
  const part = remarks ? null : partOf(reading, whole, own);
  const found = { ...toForm(name), ...(ends && { ends }) };
  const form = { ...found, part, weight, rest, agreeing, isBeforeComma: isFirst };
  if (!remarks) return [form];
  if (remarks.country.length === 0) return [{ ...form, isReworded: true }];
  const longer = parseCompanyName([...name.words, ...remarks.country, ...name.endingWords].join(" "));
  return [form, { ...form, ...toForm(longer), rest: [] }].map((one) => ({ ...one, isReworded: true }));
}

/** `Quillory Press (Scotland) - Leeds`: a country is behind the towns of an address, and here behind the name. */
function isBeforeCountry({ name, isWrittenOut = false }: NameReading, whole: CompanyName): boolean {
  const behind = whole.words.slice(name.words.length);
  const isAtStart = isWrittenOut || whole.key.startsWith(name.key);
  return isAtStart && withoutCountries(behind)[0] !== behind[0];
}

/** The words of a country, maybe none, where the words behind an ending are nothing but remarks; else null. */
function readRemarks(words: readonly string[]): { country: string[] } | null {
  const found = words.length > 0 ? REMARKS.exec(words.join(" ")) : null;
  return found && { country: (found.groups?.country ?? "").split(" ").filter(Boolean) };
}

function partOf(
  { name, rest, agreeing, weight, isFirst, ends }: NameReading,
  whole: CompanyName,
  own: string | null,
): CompanyForm["part"] {
  const isAtStart = (isFirst === true || agreeing > 0) && !ends && whole.key.startsWith(name.key);
  const isClosed = weight === CLOSED;
  // Words may precede it: `Payment to Quillory Press Ltd, Leeds`.
  if (own !== null && !isClosed && !isAtStart && !own.endsWith(name.key)) return "weak";
  // Any other word of an address, as COURT or a house's, may belong to the name.
  const isPlaced = () => arePlaces(rest) && isBeforePlace(name, whole);
  const isLikely = agreeing > 0 ? isPlaced() : isClosed || isAtStart;
  return isLikely ? "likely" : "near";
}

/**
 * `Quillory Press Leeds`: several words, one of them distinctive, before the place. Words behind a place may be a half of a
 * name, as in Leeds Building Society.
 */
function isBeforePlace({ key, words }: CompanyName, whole: CompanyName): boolean {
  const isTelling = words.length > 1 && !words.every(isGeneric);
  return isTelling && whole.key.startsWith(key);
}

function toForm(name: CompanyName): Pick<CompanyForm, "key" | "words" | "ends" | "sameAs"> {
  const { key, words, end } = name;
  return { key, words, ends: end === "NONE" ? [] : [end], sameAs: sameAsKey(name) };
}
