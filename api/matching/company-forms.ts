/**
 * Finds the company names that a text may mean: the whole text, the text without a guessed ending, and its parts. Pure.
 */
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

// Lists add these remarks after the legal ending of a name: its status, its country.
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
  /** Possible legal endings; empty if the question has none. */
  ends: readonly EndingClass[];
  sameAs: string;
  /**
   * The best strength of a register's name that equals this form, if the form is only a part of the text, such as the
   * words before a comma. `weak` if the text means another company, or was cut off. Null if the form is the whole text;
   * a reworded form counts as the whole text, too.
   */
  part: "likely" | "near" | "weak" | null;
  /** How certain the part is, from 0 to 1. */
  weight: number;
  /** The rest of the text: usually words of a place. */
  rest: string[];
  /** True for the text before the first comma. */
  isBeforeComma?: boolean;
  /**
   * True for the text without the status or country after its ending, for the text with that country moved before the
   * ending, and for a guessed ending.
   */
  isReworded?: boolean;
  /** How many words of `rest` the candidate's address must have for this form to count. */
  agreeing: number;
}

// No name ends with these: LTD with letters swapped or doubled.
const NEAR_LTD = /^(?:LDT|TLD|L+T+D+)$/;

// After these words comes another company, which may have the same address: an agent, a parent, the present owner of
// the name.
const BEFORE_ANOTHER = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:C\\s?/\\s?O|CARE\\s+OF|ON\\s+BEHALF\\s+OF|(?:DIVISION|SUBSIDIARY|PART)\\s+OF|" +
    "(?:OWNED|OPERATED)\\s+BY|FORMERLY|PREVIOUSLY|F\\s?/\\s?K\\s?/\\s?A|FKA|\\(\\s*(?:EX|WAS))(?![\\p{L}\\p{N}])",
  "u",
);

// After these words comes the present name of the company.
const BEFORE_PRESENT =
  /(?:\(\s*NOW|(?<![\p{L}\p{N}])(?:NOW\s+KNOWN\s+AS|N\s?\/\s?K\s?\/\s?A))(?![\p{L}\p{N}])/u;

// A plus between words may stand for &; the form with the plus stays as well.
const PLUS = /(?<=[\p{L}\p{N}] ?)\+(?= ?[\p{L}\p{N}])/gu;

// An open bracket at the end shows that the rest of the name was cut off.
const OPEN_BRACKET = /\(\s*$/;

/** The names that a text may mean: all of it, all but a misspelt ending, and parts beside a fact, marker or place. */
export function companyForms(text: string): CompanyForm[] {
  const whole = parseCompanyName(text);
  const all = { part: null, weight: 1, rest: [], agreeing: 0 };
  const { names } = readCompanyText(text);
  const own = keyOfOwnPart(whole, names);
  const signed = parseCompanyName(text.replace(PLUS, "&"));
  const forms = [
    { ...toForm(whole), ...all, part: OPEN_BRACKET.test(text) ? ("weak" as const) : null },
    ...(signed.key === whole.key ? [] : [{ ...toForm(signed), ...all, isReworded: true }]),
    ...endingForms(whole).map((form) => ({ ...all, ...form })),
    ...names.flatMap((reading) => formsOf(reading, whole, own)),
  ];
  // Signs alone, such as a dash for no name, are no name.
  return forms.filter(({ words }) => words.length > 0);
}

/** The text without a cut-off or misspelt ending; and BOOKS UNLIMITED as a name whose ending is missing. */
function endingForms(whole: CompanyName) {
  const all = [...whole.words, ...whole.endingWords];
  const misspelt = readMisspelt(whole).map(({ key, words, ends }) => {
    const last = all.slice(words.length).join(" ");
    const isNear = last !== "LIMITER" && editDistance(last, "LIMITED", 1) === 1;
    const isSure = last === "" || isNear || NEAR_LTD.test(last);
    const name = parseCompanyName(words.join(" "));
    return { key, words, ends, sameAs: sameAsKey(name), part: "near" as const, isReworded: isSure };
  });
  if (whole.end !== "UNLTD") return misspelt;
  const worded = parseCompanyName(`${whole.folded} LTD`);
  return [...misspelt, { ...toForm(worded), ends: [], isReworded: true }];
}

/**
 * The key of the part of the text that names the company itself, if the text also names another one. The part ends at
 * the first name's ending or at a marker such as C/O; or it is the present name. Null if the text names only one
 * company.
 */
function keyOfOwnPart(whole: CompanyName, names: readonly NameReading[]): string | null {
  const closed = names.find(({ name, weight }) => weight === CLOSED && name.end !== "NONE");
  const [before = "", ...others] = whole.folded.split(BEFORE_ANOTHER);
  const [, present] = before.split(BEFORE_PRESENT);
  if (present !== undefined) return nameKey(present);
  const found = [...(others.length > 0 ? [nameKey(before)] : []), ...(closed ? [closed.name.key] : [])];
  const [own] = found.filter((key) => key !== "").toSorted((a, b) => a.length - b.length);
  return own ?? null;
}

/** The forms that are possible for a candidate with these addresses. */
export function formsInPlace(
  forms: readonly CompanyForm[],
  addresses: readonly (readonly string[])[],
): CompanyForm[] {
  return forms.filter(
    (form) => hasPlace(form.rest, form.agreeing, addresses) && isBesidePlace(form, addresses),
  );
}

/** False if the word after the name is in no address, and so belongs to the name, as in QUILLORY PAVING NORTH. */
function isBesidePlace(
  { rest: [first = ""], agreeing, weight }: CompanyForm,
  addresses: readonly (readonly string[])[],
): boolean {
  const isSplit = agreeing > 0 && weight <= SPLIT;
  return !isSplit || hasPlace([first], 1, addresses);
}

/** The forms of a reading: for `A Ltd (UK)` both A LTD and A UK LTD, for any other reading one. */
function formsOf(reading: NameReading, whole: CompanyName, own: string | null): CompanyForm[] {
  const { name, weight, rest, agreeing, ends, isFirst = false } = reading;
  // A place before an ending belongs to the name: QUILLORY PRESS (LEEDS) LTD. So does one after a country.
  const isPlaced = agreeing > 0 && arePlaces(rest);
  if (isPlaced && (whole.end !== "NONE" || (weight <= SPLIT && isBeforeCountry(reading, whole)))) return [];
  const isEnded = weight === CLOSED && name.end !== "NONE";
  const remarks = isEnded ? readRemarks(rest) : null;
  const found = { ...toForm(name), ...(ends && { ends }), part: partOf(reading, whole, own) };
  const form = { ...found, weight, rest, agreeing, isBeforeComma: isFirst };
  if (!remarks) return [form];
  if (remarks.country.length === 0) return [{ ...form, isReworded: true }];
  const longer = parseCompanyName([...name.words, ...remarks.country, ...name.endingWords].join(" "));
  return [form, { ...form, ...toForm(longer), rest: [] }].map((one) => ({ ...one, isReworded: true }));
}

/** True for `Quillory Press (Scotland) - Leeds`. In addresses a country follows the town; this one is in the name. */
function isBeforeCountry({ name, isWrittenOut = false }: NameReading, whole: CompanyName): boolean {
  const behind = whole.words.slice(name.words.length);
  const isAtStart = isWrittenOut || whole.key.startsWith(name.key);
  return isAtStart && withoutCountries(behind)[0] !== behind[0];
}

/** The words of a country, maybe none, if the words after an ending are nothing but remarks; otherwise null. */
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
  // `endsWith`, because words may precede the name: `Payment to Quillory Press Ltd, Leeds`.
  if (own !== null && !isClosed && !isAtStart && !own.endsWith(name.key)) return "weak";
  // Words of an address that are not places, such as COURT or the name of a house, may belong to the name.
  const isPlaced = () => arePlaces(rest) && isBeforePlace(name, whole);
  const isLikely = agreeing > 0 ? isPlaced() : isClosed || isAtStart;
  return isLikely ? "likely" : "near";
}

/**
 * True for `Quillory Press Leeds`: the name has several words, one of them distinctive, and comes before the place.
 * Words after a place may be half of a name, as in Leeds Building Society.
 */
function isBeforePlace({ key, words }: CompanyName, whole: CompanyName): boolean {
  const isTelling = words.length > 1 && !words.every(isGeneric);
  return isTelling && whole.key.startsWith(key);
}

function toForm(name: CompanyName): Pick<CompanyForm, "key" | "words" | "ends" | "sameAs"> {
  const { key, words, end } = name;
  return { key, words, ends: end === "NONE" ? [] : [end], sameAs: sameAsKey(name) };
}
