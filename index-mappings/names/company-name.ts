/**
 * The forms in which names of companies are compared: name key, words (rules O1 to O9 and 8.1 of the search reference)
 * and legal ending. In a query the ending may also be half-typed (`QUILLORY LIM`), misspelt (`QUILLORY LIMTED`) or
 * joined (`QUILLORYLTD`). Also reads a query that is a company number instead of a name.
 */
import { endsWith, foldText, joinInitials, splitWords } from "./text.ts";
import { parseTypedNumber } from "../../api/shared/values/company-number.ts";
import { editsAllowed, isNear, letterBits, mayBeWithin } from "../../api/shared/values/nearness.ts";

/** A company's name, or a query for one, in the forms that are compared. */
export interface CompanyName {
  /** The name key: equal for names that differ in ending, spaces, signs or accents only. */
  key: string;
  end: EndingClass;
  /** Words without the ending and without a leading THE; initials joined. */
  words: string[];
  /** Words of the legal ending as written. */
  endingWords: string[];
  /** The folded text from which all forms are made. */
  folded: string;
  /** Every word of that text, as written. */
  allWords: string[];
}

// `CLUB (THE)`, `CLUB, THE`. After a legal ending any separator is accepted: `LTD.THE`, `LIMITED - THE`.
const INVERTED_THE = /[([,]\s*THE[^\p{L}\p{N}]*$/u;
const SPACES = /\s+/g;

/** Reads a company's name; all its forms are derived from the result. */
export function parseCompanyName(name: string): CompanyName {
  const folded = foldText(name);
  const allWords = splitWords(folded);
  const all = dropInvertedThe(allWords, folded);
  const { end, length } = findEnding(all);
  const core = dropLeadingThe(all.slice(0, all.length - length));
  const key = core.join("") || folded.replace(SPACES, "");
  const endingWords = all.slice(all.length - length);
  const words = joinInitials(core, folded, all.length - length - core.length);
  return { key, end, words, endingWords, folded, allWords };
}

/** The name key alone: `ordered_alpha_key` of the API. */
export function nameKey(name: string): string {
  return parseCompanyName(name).key;
}

// Limit: most words of a query that are compared.
const WORDS_OF_STARTS = 16;

/**
 * The first word of a name, its first two, and so on: a name begins with the words of a query when they equal one of
 * these. A term query costs the engine less than a prefix query.
 */
export function nameStarts(words: string[]): string[] {
  let start = "";
  return words.slice(0, WORDS_OF_STARTS).map((word) => (start += start === "" ? word : ` ${word}`));
}

/** Every word that may find a name with its ending: initials joined and split, and both usual spellings of LIMITED. */
export function allNameWords(name: CompanyName): string[] {
  const ending = name.end === "LTD" ? ["LIMITED", "LTD"] : name.end === "NONE" ? [] : [name.end];
  return [...new Set([...name.allWords, ...name.words, ...ending])];
}

/** The words of a folded name without a THE that is inverted: `CLUB, THE`, `LIMITED (THE)`. */
export function dropInvertedThe(words: string[], folded: string): string[] {
  if (words.length < 2 || words.at(-1) !== "THE") return words;
  const before = words.slice(0, -1);
  return INVERTED_THE.test(folded) || findEnding(before).length > 0 ? before : words;
}

/** The words without a leading THE. */
export function dropLeadingThe(words: string[]): string[] {
  return words.length > 1 && words[0] === "THE" ? words.slice(1) : words;
}

// THE before fewer characters begins another word: THERMAL, THESAURUS. If other words follow, fewer suffice: a wrong
// cut finds nothing, since no company is called ATRE ROYAL (of THEATRE ROYAL).
const JOINED_THE = /^THE[\p{L}\p{N}]{7,}$/u;
const JOINED_THE_BEFORE_WORDS = /^THE[\p{L}\p{N}]{3,}$/u;
// THE with letters swapped, left out, doubled, or hit beside the right key; hardly any name has such a word.
const SLIPS_IN_THE = new Set("TEH HTE TH TE THR THW THD TJE TGE RHE YHE THEE TTHE THHE".split(" "));

/**
 * The name key of a query without a THE that is joined to its first word (THEQUILLORY ARMS) or misspelt before other
 * words (TEH QUILLORY ARMS): QUILLORYARMS. Null if the query has no such THE.
 */
export function keyWithoutThe({
  key,
  words,
  allWords,
}: Pick<CompanyName, "key" | "words" | "allWords">): string | null {
  const [first = "", ...others] = words;
  const isAlone = others.length === 0;
  // Initials are joined: `T H Quillory`.
  const isSlip = SLIPS_IN_THE.has(first) && first === allWords[0];
  if (!isAlone && isSlip) return key.slice(first.length);
  return (isAlone ? JOINED_THE : JOINED_THE_BEFORE_WORDS).test(first) ? key.slice("THE".length) : null;
}

// Limit: a text of nine or more characters is never a number, and no error either: it is searched as a name.
const NUMBER_CHARACTERS = 8;
// Spaces, hyphens, and the commas of thousands.
const SEPARATORS = /[\s-]|(?<=\d),(?=\d{3}(?!\d))/g;
/**
 * The prefix of a company number and what people write between it and the digits, as the source of a pattern:
 * `SC.123456`, `SC No: 123456`, `LP/012345`. LP, SL, NL and FC need a sign after them, because names end in LP, SL and
 * FC as well. RC and PC are left out, because before NO they introduce numbers of other kinds.
 */
export const LINKED_PREFIX =
  "(?:(?:SC|NI|OC|SO|NC|OE|IP|RS|CE|CS)(?:[\\s.:/-]+(?:NUMBER|NUM|NO|NR)(?!\\p{L}))?[\\s.:/#-]*|(?:LP|SL|NL|FC)[.:/]\\s?)";
const LEADING_PREFIX = new RegExp(`(?<=^[^\\p{L}\\p{N}]*)${LINKED_PREFIX}(?=\\d)`, "u");
// Decimals that a spreadsheet has added: `912345.0`. Three zeros may be a group of digits instead.
const DECIMALS = /(?<=^\d+)\.0{1,2}$/;
// Characters around a number that was copied from a text: `(00912345)`, `"SC090123".`, `#00912345`.
const WRAPPING = /^["'“„«([{#]+|["'”»)\]}.,;:]+$/g;

/** The number in `912345`, `912,345`, `912345.0`, `sc 90123` or `00-934-567`, as eight characters; null for a name. */
export function parseQueryNumber(query: string): string | null {
  const text = foldText(query).replace(LEADING_PREFIX, (prefix) => prefix.slice(0, 2));
  const compact = withoutCountry(text.replace(SEPARATORS, "").replace(WRAPPING, "").replace(DECIMALS, ""));
  return compact.length > NUMBER_CHARACTERS ? null : parseTypedNumber(compact);
}

// Not before nine digits, which are a VAT number.
const COUNTRY_BEFORE_NUMBER =
  /(?<![\p{L}\p{N}])(?:GB|UK)(?:-?COH-?)?(?=(?:[A-Z]{2}\d{6}|R\d{7}|\d{8})(?![\p{L}\p{N}]))/gu;

/** A folded text without the country that other registers put before numbers: `GB00912345`, `GB-COH-00912345`. */
export function withoutCountry(text: string): string {
  return text.replace(COUNTRY_BEFORE_NUMBER, "");
}

/** Endings by class. A dotted form stands for the same letters with spaces, too (rule O5 of the search reference). */
const ENDINGS = {
  LTD: ["LIMITED", "LTD", "L.T.D", "CYFYNGEDIG", "CYF"],
  PLC: ["PUBLIC LIMITED COMPANY", "PLC", "P.L.C", "CWMNI CYFYNGEDIG CYHOEDDUS", "CCC", "C.C.C"],
  UNLTD: ["UNLIMITED", "UNLTD", "ANGHYFYNGEDIG"],
  LLP: ["LIMITED LIABILITY PARTNERSHIP", "LLP", "L.L.P", "PARTNERIAETH ATEBOLRWYDD CYFYNGEDIG", "PAC"],
  LP: ["LIMITED PARTNERSHIP", "LP", "L.P", "PARTNERIAETH CYFYNGEDIG"],
  CIC: ["COMMUNITY INTEREST COMPANY", "CIC", "C.I.C", "CWMNI BUDDIANT CYMUNEDOL", "CBC", "C.B.C"],
  CIPLC: [
    "COMMUNITY INTEREST PUBLIC LIMITED COMPANY",
    "COMMUNITY INTEREST PLC",
    "COMMUNITY INTEREST P.L.C",
    "CWMNI BUDDIANT CYMUNEDOL CYHOEDDUS CYFYNGEDIG",
    "CWMNI BUDDIANT CCC",
    "CWMNI BUDDIANT C.C.C",
    "CWMNI BUDDIANT CYMUNEDOL CCC",
    "CWMNI BUDDIANT CYMUNEDOL C.C.C",
  ],
  EIG: [
    "EUROPEAN ECONOMIC INTEREST GROUPING",
    "EEIG",
    "AEIE",
    "EESV",
    "EOFG",
    "EOOS",
    "GEIE",
    "GELE",
    "UKEIG",
  ],
  SE: ["SE", "UK SOCIETAS"],
  ICVC: [
    "INVESTMENT COMPANY WITH VARIABLE CAPITAL",
    "ICVC",
    "OPEN-ENDED INVESTMENT COMPANY",
    "OEIC",
    "CWMNI BUDDSODDIA CHYFALAF NEWIDIOL",
    "CBCN",
    "CWMNI BUDDSODDIANT PENAGORED",
    "CBP",
  ],
  PCC: [
    "PROTECTED CELL COMPANY",
    "PCC",
    "PCC LIMITED",
    "PCC LTD",
    "CWMNI CELL GWARCHODEDIG",
    "CCG CYF",
    "CCG CYFYNGEDIG",
  ],
} as const;

/** Class of a legal ending; NONE for a name without one. */
export type EndingClass = keyof typeof ENDINGS | "NONE";

interface Ending {
  end: EndingClass;
  words: string[];
  /** The words, joined by one space. */
  text: string;
}

/** Every ending, by class. */
const endings: readonly Ending[] = (Object.entries(ENDINGS) as [EndingClass, readonly string[]][]).flatMap(
  ([end, texts]) => texts.map(splitWords).map((words): Ending => ({ end, words, text: words.join(" ") })),
);

// Grouped by last word, so that a name without an ending needs only one look-up; the longest first.
const BY_LAST_WORD = new Map<string, Ending[]>();
for (const ending of endings.toSorted((a, b) => b.words.length - a.words.length)) {
  const last = ending.words.at(-1) ?? "";
  BY_LAST_WORD.set(last, [...(BY_LAST_WORD.get(last) ?? []), ending]);
}

/**
 * The class of the longest legal ending at the end of the words, and its number of words. Something must precede the
 * ending: `LIMITED` alone is a name.
 */
export function findEnding(words: string[]): { end: EndingClass; length: number } {
  const found = BY_LAST_WORD.get(words.at(-1) ?? "")?.find((ending) => endsWith(words, ending.words));
  return { end: found?.end ?? "NONE", length: found?.words.length ?? 0 };
}

/** A name, or a query for one, and the class of its ending. */
interface Ended {
  /** The words before the ending. */
  words: string[];
  end: EndingClass;
  /** The words of the ending. */
  endingWords?: string[];
}

/** A query read as a name and the beginning, or a near spelling, of a legal ending. */
export interface EndingReading {
  /** Words of the name before the ending. */
  words: string[];
  /** Their key. */
  key: string;
  /** Classes of the possible endings. */
  ends: EndingClass[];
}

// Fewer than three characters before the ending are not split off: CALTD.
const JOINED = /^([\p{L}\p{N}]{3,})(LIMITED|LTD|PLC|LLP|CIC|CYFYNGEDIG|CYF)$/u;
// Limit: how many last words of a query may begin an ending. The longest ending has seven words, but a query with more
// than four of them usually has all.
const MOST_WORDS = 4;

/**
 * The readings in which the last words begin an ending, those with the fewest such words first. A complete ending may
 * be part of a longer one: LIMITED of PUBLIC LIMITED COMPANY.
 */
export function readHalfTyped({ words, endingWords = [] }: Ended): EndingReading[] {
  const all: Ended = { words: [...words, ...endingWords], end: "NONE" };
  const readings = readingsOf(all, MOST_WORDS, (text, tail) => text.startsWith(tail));
  return readings.filter((reading) => reading.words.length < words.length);
}

/** The readings in which the last words begin an ending, or the last word is misspelt or has an ending joined to it. */
export function readMisspelt(name: Ended): EndingReading[] {
  return [...readJoined(name), ...readHalfTyped(name), ...readingsOf(name, 1, isNearEnding)];
}

const BITS_OF_ENDINGS = new Map(endings.map(({ text }) => [text, letterBits(text)]));

/** True for a word near an ending. Comparing their sets of letters first saves most full comparisons. */
function isNearEnding(text: string, tail: string): boolean {
  const bits = BITS_OF_ENDINGS.get(text) ?? 0;
  return mayBeWithin(editsAllowed(tail), letterBits(tail), bits) && isNear(tail, text);
}

/** The reading of `QUILLORY PRESSLTD` as QUILLORY PRESS with the ending LTD. */
function readJoined({ words, end }: Ended): EndingReading[] {
  const [, last, ending = ""] = JOINED.exec(end === "NONE" ? (words.at(-1) ?? "") : "") ?? [];
  if (last === undefined) return [];
  const rest = [...words.slice(0, -1), last];
  return [{ words: rest, key: rest.join(""), ends: [findEnding([last, ending]).end] }];
}

function readingsOf(
  { words, end }: Ended,
  mostWords: number,
  isMeant: (text: string, tail: string) => boolean,
): EndingReading[] {
  if (end !== "NONE") return [];
  const readings: EndingReading[] = [];
  for (let count = 1; count <= Math.min(mostWords, words.length - 1); count += 1) {
    const tail = words.slice(-count).join(" ");
    const meant = endings.filter(({ text }) => isMeant(text, tail)).map((ending) => ending.end);
    const rest = words.slice(0, -count);
    if (meant.length > 0) readings.push({ words: rest, key: rest.join(""), ends: [...new Set(meant)] });
  }
  return readings;
}
