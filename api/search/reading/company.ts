/**
 * Reads a pasted query for a company: its name among a number, a postcode, a place or a trading name, with its legal
 * ending anywhere. A reading is a guess, so it matches only whole names and ranks below all that the plain query finds.
 * Pure.
 */
import {
  type CompanyName,
  findEnding,
  parseCompanyName,
} from "../../../index-mappings/names/company-name.ts";
import { foldText, splitWords } from "../../../index-mappings/names/text.ts";
import { takeFacts, withoutAmounts } from "./facts.ts";
import { distinctiveWords, isAroundNames, isAroundNamesAt } from "./common-words.ts";
import { isNoPlace, isPlace, placeWords, withoutPlaces } from "./places.ts";
import {
  CLOSED,
  CLOSED_LATER,
  domainNames,
  endedNames,
  furtherCompanies,
  lastNames,
  ledByEnding,
  MOST_LEADING_WORDS,
  type NameReading,
  SEGMENT,
  SPLIT,
  STRIPPED,
  unendedNames,
  whole,
  withoutLastPart,
  withoutThe,
  writtenOutNames,
} from "./name-readings.ts";

export type { NameReading };

/** The result of reading a query for a company. */
export interface CompanyReading {
  /** Company numbers in the register's form. */
  numbers: string[];
  postcode: string | null;
  /** Possible whole names, the most certain first. */
  names: NameReading[];
  /** All words around a legal ending that may be inside a name, `Quillory Ltd (North)`; else empty. */
  around: string[];
  /** Possible names at the end of a sentence. */
  lastNames: CompanyName[];
  /** Words that may belong to an address: all after the first, without countries. */
  place: string[];
  /** All words that may belong to an address, for a query that has an address and no name. */
  address: string[];
  /** Words to search for when only most of them match, correct or misspelt. */
  words: string[];
}

// Limits: words and readings beyond these are ignored. A pasted address has about twenty words.
const MOST_WORDS = 32;
const MOST_READINGS = 20;
const MOST_NAME_WORDS = 8;

// Markers between a company's name and its trading name. At the start they are part of a name: `DBA Consulting Ltd`.
const NAME_MARKERS = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:" +
    [
      "T\\s?/\\s?AS?",
      "TRADING\\s+(?:AS|UNDER(?:\\s+THE\\s+NAME(?:\\s+OF)?)?)",
      "(?:(?:IS\\s+)?(?:AN?|THE)\\s+|\\(\\s*)(?:TRADING\\s+(?:NAME|STYLE)|DIVISION|SUBSIDIARY|BRAND|PART)\\s+OF",
      "D\\s?/\\s?B\\s?/\\s?A|(?<!^\\s*)DBA|DOING\\s+BUSINESS\\s+AS",
      "A\\s?/\\s?K\\s?/\\s?A|(?<!^\\s*)A\\s?K\\s?A|(?:ALSO|NOW)\\s+KNOWN\\s+AS",
      "[FN]\\s?/\\s?K\\s?/\\s?A|(?<!^\\s*)FKA|(?:FORMERLY|PREVIOUSLY)(?:\\s+KNOWN\\s+AS)?",
      "\\(\\s*(?:NOW|WAS|EX)(?=\\s)",
      "C\\s?/\\s?O|CARE\\s+OF|ON\\s+BEHALF\\s+OF|(?:OWNED|OPERATED)\\s+BY",
    ].join("|") +
    ")(?![\\p{L}\\p{N}])",
  "u",
);
// The legal form in words: `Quillory Trust (a company limited by guarantee)`.
const LEGAL_FORM =
  /\b(?:A\s+)?(?:(?:PRIVATE|CHARITABLE)\s+)*COMPANY\s+LIMITED\s+BY\s+(?:GUARANTEE|SHARES)\b/g;
// Another way to write the ending of most companies, `Quillory Private Limited`, and the words after it.
const PRIVATE_LIMITED = /\bPRIVATE\s+(?:LIMITED|LTD)\b(?:\s+COMPANY\b)?(?=([\p{L} .]*))/gu;
// The title of the register's page: `QUILLORY TRUST overview - Find and update company information - GOV.UK`.
const PAGE =
  /(?:\s(?:OVERVIEW|PEOPLE|FILING HISTORY|CHARGES|INSOLVENCY|MORE))?\s-\sFIND AND UPDATE COMPANY INFORMATION.*/s;
const DIGITS = /^\d+$/;
// A bracket begins a segment where a legal ending closes it, `The Book Nook (Quillory Press Ltd)`, or where it is a
// remark: three words with nothing after them, `Quillory Press (in voluntary liquidation)`.
const ENDING = "(?:LTD|LIMITED|PLC|LLP|CYF)";
const ENDS_BRACKET = `[^()[\\]]*[\\s.]${ENDING}[.\\s]*[)\\]]`;
const REMARK = "(?:[^\\s()[\\]]+\\s+){2}[^()[\\]]+[)\\]]\\s*(?:$|,)";
const BETWEEN_SEGMENTS = new RegExp(`[,;|\\n\\r\\t]+|\\s[-/]+\\s|:\\s|[([](?=${ENDS_BRACKET}|${REMARK})`);
// A text that is only a legal ending, as is left of `Quillory.com Ltd, Leeds` without the web address.
const IS_ENDING = new RegExp(`^${ENDING}$`);
// A section that begins with the comma that replaced a fact.
const BEHIND_A_FACT = /^\s*,/;

// Tuned: a quarter of the words of a long pasted address may be missing from the register's address.
const CONFIRMING_SHARE = 0.75;

/** Reads a query for a company. */
export function readCompanyText(q: string): CompanyReading {
  const folded = foldText(q);
  const named = folded.replace(PAGE, ",").replace(LEGAL_FORM, ",");
  const facts = takeFacts(withoutAmounts(named));
  const text = withoutPrivate(facts.text);
  const { numbers, postcode, domains } = facts;
  // `LS1 1ZZ, England` is only a postcode, and no company called ENGLAND.
  if (postcode !== null && domains.length === 0 && placeWords(splitWords(text)).length === 0)
    return { numbers, postcode, names: [], around: [], lastNames: [], place: [], address: [], words: [] };
  const sections = text.split(NAME_MARKERS).filter((section) => splitWords(section).length > 0);
  const isCut = named.length < folded.length || text.length < facts.text.length;
  const isClosed = facts.hasNumber || postcode !== null || sections.length > 1 || isCut;
  const names = [
    ...sections.flatMap((section, position) => readSection(section, isClosed, position)),
    ...domains.flatMap(domainNames),
    ...(sections.length > 1 || text !== folded ? beginningNames(folded) : []),
  ];
  // A query that begins with a web address has its name there: `Quillory.com Leeds`.
  const [domain = ""] = BEHIND_A_FACT.test(facts.text) ? domains : [];
  const first = `${withoutLastPart(domain)} ${sections[0] ?? ""}`;
  const plain = parseCompanyName(q);
  // Except the query itself (even without its THE): the plain query finds it with an incomplete ending.
  const all = [...names, ...unendedNames(names.filter(({ name }) => name.key !== plain.key))];
  const read = distinct([...all, ...all.flatMap(withoutThe)], plain);
  const readings = distinct([...read, ...writtenOutNames(read)], plain).slice(0, MOST_READINGS);
  const closed = readings.find(({ weight }) => weight === CLOSED);
  const words = splitWords(sections.join(" ")).slice(0, MOST_WORDS);
  const isPlaced = (word: string) => !isNoPlace(word);
  return {
    numbers,
    postcode,
    names: readings,
    around: closed ? aroundEnding(closed, first) : [],
    lastNames: lastNames(splitWords(sections.at(-1) ?? "").slice(0, MOST_WORDS)),
    place: words.slice(1).filter(isPlaced),
    address: words.filter(isPlaced),
    words: (closed?.name ?? parseCompanyName(first)).words.slice(0, MOST_NAME_WORDS),
  };
}

/** The text without PRIVATE LIMITED, except inside a name: `Quillory Private Limited Editions`. */
function withoutPrivate(text: string): string {
  return text.replace(PRIVATE_LIMITED, (form: string, behind: string) => {
    const words = splitWords(behind.split(NAME_MARKERS)[0] ?? "");
    return withoutPlaces(words).every(isNoPlace) ? "," : form;
  });
}

/** A few words right after a legal ending may be a place, or belong to the name: then all the words are the name. */
function aroundEnding({ name, rest }: NameReading, text: string): string[] {
  const isPart = rest.length > 0 && rest.length <= MOST_LEADING_WORDS && !BETWEEN_SEGMENTS.test(text);
  return isPart ? [...name.words, ...rest] : [];
}

/** Names at the start that contain a supposed fact or marker: `QUORN.COM LIMITED, Leeds`, `HOME CARE OF YORK LTD`. */
function beginningNames(text: string): NameReading[] {
  const all = splitWords(text).join("");
  return readSection(text, false, 0).filter((one) => isClosed(one) && all.startsWith(one.name.key));
}

/** True for a name closed by a legal ending, a comma or a marker; not by removing the words around it. */
export function isClosed({ agreeing, weight }: NameReading): boolean {
  return agreeing === 0 && weight >= CLOSED_LATER;
}

/** The readings of a section, the text between two markers. */
function readSection(section: string, isClosed: boolean, position: number): NameReading[] {
  const segments = section
    .split(BETWEEN_SEGMENTS)
    .map(splitWords)
    .filter(({ length }) => length > 0);
  const words = segments.flat().slice(0, MOST_WORDS);
  const starts = segments.reduce<number[]>(
    (found, { length }) => [...found, (found.at(-1) ?? 0) + length],
    [0],
  );
  const weight = position === 0 ? CLOSED : CLOSED_LATER;
  const ended = endedNames(words, starts, weight);
  // If a legal ending closes the name at the start, the text after it is not part of a name.
  const isEnded = ended.some((reading) => reading.weight === weight && reading.rest.length > 0);
  const core = words.slice(0, words.length - findEnding(words).length);
  return [
    ...(isClosed && !isEnded ? [whole(words, segments.length === 1 ? weight : SEGMENT)] : []),
    ...ended,
    ...furtherCompanies(words),
    // An ending right after a fact belongs to that: 1234567 LIMITED.
    ...(BEHIND_A_FACT.test(section) ? [] : ledByEnding(words)),
    ...stripped(words),
    ...(isEnded
      ? []
      : [
          ...segmentNames(words, starts.slice(1, -1), isClosed && position === 0),
          ...labelledNames(segments),
          ...splits(core),
        ]),
  ];
}

/**
 * The text without the words that documents put around a name; a legal ending stays. Without one the name may be cut
 * off, as in lines of bank statements.
 */
function stripped(words: string[]): NameReading[] {
  const { length } = findEnding(words);
  const core = words.slice(0, words.length - length);
  const isAround = (word: string, place: number) =>
    isAroundNamesAt(place, words) || (core.some(isLabel) && DIGITS.test(word));
  const first = core.findIndex((word, place) => !isAround(word, place));
  const last = length > 0 ? words.length - 1 : words.findLastIndex((word, place) => !isAround(word, place));
  const isWhole = first <= 0 && last === words.length - 1;
  if (first < 0 || isWhole) return [];
  const name = words.slice(first, last + 1);
  // The last word may be cut off. So two words must precede it, or one that is distinctive and no single letter.
  const before = name.slice(0, -1);
  const isApart = before.length > 1 || distinctiveWords(before).some((word) => word.length > 1);
  const isOpen = length === 0 && isApart;
  return [{ ...whole(name, STRIPPED), isOpen }];
}

/** True for a word that a number may follow, as in `Invoice 123`. */
function isLabel(word: string): boolean {
  return word !== "THE" && word !== "OF" && isAroundNames(word);
}

/**
 * The text before a comma as a name. Half of the rest must be in the address. For the first comma that is not needed if
 * something else closes the name, or if the rest is a town, since the register's address may name another town.
 */
function segmentNames(words: string[], ends: number[], isClosed: boolean): NameReading[] {
  return ends.map((end, index) => {
    const rest = placeWords(words.slice(end));
    const isFirst = index === 0;
    const agreeing = isFirst && (isClosed || isPlace(rest)) ? 0 : Math.ceil(rest.length / 2);
    return { ...whole(words.slice(0, end), isFirst ? CLOSED_LATER : SEGMENT), rest, agreeing, isFirst };
  });
}

/** Names after a label: `Invoice from Quillory Press, Leeds`, `Supplier: Quillory Press, Leeds`. */
function labelledNames(segments: string[][]): NameReading[] {
  const place = segments.findIndex((words) => !words.every((_, at) => isAroundNamesAt(at, words)));
  const [words = [], ...others] = segments.slice(place);
  const named = place > 0 ? [whole(words, STRIPPED)] : stripped(words);
  const [{ rest, ...read } = whole(words, STRIPPED)] = segmentNames(
    [...words, ...others.flat()].slice(0, MOST_WORDS),
    [words.length],
    false,
  );
  // A single word that is left of a segment may be half of a name: `The Company Shop, Leeds`.
  const agreeingOf = (name: CompanyName) =>
    place === 0 && name.words.length === 1 ? Math.ceil(rest.length / 2) : read.agreeing;
  return named.map(({ name, weight }) => ({ ...read, rest, name, weight, agreeing: agreeingOf(name) }));
}

/** A name and a place, in either order, with nothing between them. The place must be in the address. */
function splits(words: string[]): NameReading[] {
  const found: NameReading[] = [];
  const { length } = words;
  for (let end = Math.min(length - 1, MOST_NAME_WORDS); end > 0; end -= 1) {
    found.push(confirmed(words.slice(0, end), words.slice(end), (SPLIT * end) / length));
  }
  for (let start = 1; start <= Math.min(length - 1, MOST_LEADING_WORDS); start += 1) {
    found.push(confirmed(words.slice(start), words.slice(0, start), (SPLIT / 2) * (1 - start / length)));
  }
  return found;
}

/** A few other words must all be in the address, of many only most: the register lacks lines of pasted addresses. */
function confirmed(name: string[], others: string[], weight: number): NameReading {
  const place = placeWords(others);
  const rest = place.length > 0 ? place : others;
  const agreeing =
    rest.length <= MOST_LEADING_WORDS ? rest.length : Math.ceil(rest.length * CONFIRMING_SHARE);
  return { ...whole(name, weight), rest, agreeing };
}

/** Each name once, in its most certain reading. Leaves out the unchanged query, and an ending alone. */
function distinct(readings: NameReading[], plain: CompanyName): NameReading[] {
  const seen = new Set([plain.key]);
  const isNew = ({ name: { key }, ends = [] }: NameReading) => {
    const named = [key, ...ends].join(" ");
    return !seen.has(named) && seen.add(named);
  };
  return readings
    .toSorted((a, b) => a.agreeing - b.agreeing || b.weight - a.weight)
    .filter(
      (reading) => reading.name.words.length > 0 && !IS_ENDING.test(reading.name.folded) && isNew(reading),
    );
}
