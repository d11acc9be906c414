/**
 * Owns what a part of a query is read as: a company's name, how certain that is, and the names that a legal ending closes,
 * wherever it is, cut off or misspelt. Pure.
 */
import {
  type CompanyName,
  type EndingClass,
  findEnding,
  keyWithoutThe,
  parseCompanyName,
  readMisspelt,
} from "../../../index-mappings/names/company-name.ts";
import { splitWords } from "../../../index-mappings/names/text.ts";
import { withWrittenOut } from "./abbreviations.ts";
import {
  distinctiveWords,
  isAroundNames,
  isAroundNamesAt,
  isGeneric,
  isOfDocuments,
} from "./common-words.ts";

/** A part of the query that may be a company's whole name. */
export interface NameReading {
  name: CompanyName;
  /** The other words of the query: usually those of a place. */
  rest: string[];
  /** How many of them must be in the company's address. */
  agreeing: number;
  /** How certain the reading is, from 0 to 1. */
  weight: number;
  /** True where words of the same segment precede it: it may be the end of a longer name. */
  isInside?: boolean;
  /** True for the text before the first comma. */
  isFirst?: boolean;
  /** True for the name in a web or mail address. */
  isDomain?: boolean;
  /** True for one that may be cut off: longer names begin with it. */
  isOpen?: boolean;
  /** True for one with its abbreviations written out. */
  isWrittenOut?: boolean;
  /** Where its ending is cut off or misspelt: the endings that may be meant, one of which it must have. */
  ends?: EndingClass[];
}

// Limit: words before a name in a sentence.
export const MOST_LEADING_WORDS = 3;

// Tuned: the text before an ending or a marker is most certainly a name; after a mere comma it may be a
// partner's name; a split that only the address confirms is the least certain.
export const CLOSED = 1;
export const CLOSED_LATER = 0.8;
export const STRIPPED = 0.7;
const FURTHER = 0.7;
const PROSE = 0.6;
export const SEGMENT = 0.6;
const UNENDED = 0.55;
export const SPLIT = 0.5;
// In a web address QUILLORY.CO.UK LTD is named before QUILLORY LTD, but less certainly than beside it.
const WITH_LAST_PART = (CLOSED + CLOSED_LATER) / 2;
// Tuned: separates only the two forms of one name, and these by more than an ending does.
const LESS_WRITTEN_OUT = 1 / 32;

/** These words as a name that needs no address. */
export function whole(words: string[], weight: number): NameReading {
  return { name: parseCompanyName(words.join(" ")), rest: [], agreeing: 0, weight };
}

/** The names in a web or mail address: `QUILLORY.CO.UK LTD` and `QUILLORY LTD`. */
export function domainNames(domain: string): NameReading[] {
  return [
    { ...whole(splitWords(domain), WITH_LAST_PART), isDomain: true },
    { ...whole(splitWords(withoutLastPart(domain)), CLOSED_LATER), isDomain: true },
  ];
}

/** `QUILLORY` of `QUILLORY.CO.UK` */
export function withoutLastPart(domain: string): string {
  return domain.replace(/\..*/, "");
}

/**
 * A name that needs no address without the THE joined to it, `@thequilloryarms`, or misspelt before it. Before other words THE may be
 * a part of the first one: THEMIS QUILLORY is no MIS QUILLORY.
 */
export function withoutThe(reading: NameReading): NameReading[] {
  const { name, agreeing, isDomain } = reading;
  // The last parts of a web address are not words of a name, beside which fewer letters would do.
  const words = isDomain ? name.words.slice(0, 1) : name.words;
  const key = agreeing === 0 ? keyWithoutThe({ ...name, words }) : null;
  const others = words.slice(1);
  const isGenericLeft = others.join("") === key && others.every(isGeneric);
  if (key === null || isGenericLeft) return [];
  return [{ ...reading, ...whole([key, ...name.endingWords], STRIPPED), isInside: others.length > 0 }];
}

// Limit: names whose last word is compared with all endings, which takes time.
const MOST_UNENDED = 2;
// Limits: words of a name at the end of a sentence, and letters of one that is a single word.
const MOST_NAME_WORDS = 8;
const FEWEST_LETTERS = 3;
// Words of many names, which show no sentence.
const IN_NAMES = new Set("THE OF AT ON".split(" "));

/** A name ends with its legal ending, wherever that is; it begins the text or a segment, or is inside a sentence. */
export function endedNames(words: string[], starts: number[], weight: number): NameReading[] {
  const leading = Array.from({ length: MOST_LEADING_WORDS + 1 }, (_, index) => index);
  const all = new Set(starts.flatMap((start) => leading.map((count) => start + count)));
  return [...all].flatMap((start) => {
    const before = start - (starts.findLast((first) => first <= start) ?? 0);
    const found: NameReading[] = [];
    for (let end = start + 2; end <= words.length; end += 1) {
      const name = words.slice(start, end);
      if (findEnding(name).length === 0 || isContinued(words, start, end)) continue;
      // At the end of the text an ending does not show where the name begins.
      if (before > 0 && end === words.length) continue;
      const sure = start === 0 ? weight : before === 0 ? CLOSED_LATER : PROSE / before;
      found.push({ ...whole(name, sure), rest: without(words, start, end), isInside: before > 0 });
    }
    return found;
  });
}

/** True where the ending is part of a longer one: LIMITED of LIMITED LIABILITY PARTNERSHIP. */
function isContinued(words: string[], start: number, end: number): boolean {
  const { length } = findEnding(words.slice(start, end));
  return [end + 1, end + 2].some((longer) => {
    // It may begin where the name would: PUBLIC LIMITED COMPANY.
    const next = longer <= words.length ? findEnding(["", ...words.slice(start, longer)]).length : 0;
    return next >= length + longer - end;
  });
}

const BETWEEN_COMPANIES = new Set("AND V VS VERSUS".split(" "));

/** The companies behind the first one, less certain, since AND may be a part of its name: `Quillory Ltd v Zorblatt Ltd`. */
export function furtherCompanies(words: string[]): NameReading[] {
  return words.flatMap((word, place) => {
    const isBetween = BETWEEN_COMPANIES.has(word) && findEnding(words.slice(0, place)).length > 0;
    const found = isBetween ? endedNames(words.slice(place + 1), [0], FURTHER) : [];
    return found.filter(({ isInside }) => !isInside);
  });
}

/** Of these names those that have an incomplete ending, without it: `QUILLORY LIMI` and `QUILLORY LMITED` beside other words. */
export function unendedNames(names: NameReading[]): NameReading[] {
  return names.filter(mayEnd).slice(0, MOST_UNENDED).flatMap(beforeEnding);
}

/**
 * True for a name that may have an incomplete ending, not a generic word: CO and UK begin endings, too. That of a web address
 * may only have a joined one; one letter of it is left where a name is cut off.
 */
function mayEnd({ name, agreeing, isFirst, isDomain, isOpen = false }: NameReading): boolean {
  const last = name.words.at(-1) ?? "";
  const isClosed = isDomain ? name.words.length === 1 : isFirst === true || agreeing === 0;
  return isClosed && name.end === "NONE" && (isOpen || last.length > 1) && !isGeneric(last);
}

function beforeEnding(reading: NameReading): NameReading[] {
  const [found] = readMisspelt(reading.name);
  if (!found) return [];
  // Which words are joined initials shows as typed only.
  const name = { ...parseCompanyName(found.words.join(" ")), allWords: reading.name.allWords };
  return [{ ...reading, name, ends: found.ends, weight: UNENDED, isDomain: false, isOpen: false }];
}

// A letter or number of a list or of a cell, and care of: `a) `, `(iv) `, `Re: `, `c/o `. The sign behind it shows that no name begins.
const MARK = "[([]?[A-Z\\d]{1,3}(?:[)\\]]\\s*|[:/]\\s+|\\t\\s*)|[CM]/[OS]\\s+";
// They may be the first words of a name, too, or of the letters of one.
const LEADING_WORDS =
  "AN|AT|BY|DD|DR|EX|FAO|FOR|FROM|IN|IS|MISS|MR|MRS|MS|NEAR|NO|NOW|OF|ON|RE|REF|SEE|TO|VIA|WAS|WITH";
const MARKS = new RegExp(`^(?:${MARK})+`);
const MARKS_AND_WORDS = new RegExp(`^(?:${MARK}|(?:${LEADING_WORDS})[.:]?\\s+)+`);

/**
 * A name without the list mark before it or, where an ending closes it, the short words, which begin words of other names:
 * `c/o Quillory Ltd` is no CONQUEST QUILLORY LTD. Null where nothing is left out.
 */
export function withoutLead({ folded, end }: CompanyName): CompanyName | null {
  const text = folded.replace(end === "NONE" ? MARKS : MARKS_AND_WORDS, "");
  const name = text.length < folded.length ? parseCompanyName(text) : null;
  return name?.end === end && name.words.length > 0 ? name : null;
}

/** Of these names those that have abbreviations, with these written out: `QUILLORY BROTHERS` of `Quillory Bros, Leeds`. */
export function writtenOutNames(names: NameReading[]): NameReading[] {
  return names.flatMap((reading) =>
    writtenOut(reading.name).map((name) => ({
      ...reading,
      name,
      weight: reading.weight - LESS_WRITTEN_OUT,
      isWrittenOut: true,
    })),
  );
}

/** A name with its abbreviations written out; none when it has none. */
export function writtenOut(name: CompanyName): CompanyName[] {
  return withWrittenOut(name.words).map((words) => ({ ...name, words, key: words.join("") }));
}

/** `LTD QUILLORY`, closed by it also where all other words are generic. */
export function ledByEnding(words: string[]): NameReading[] {
  for (let length = Math.min(MOST_LEADING_WORDS, words.length - 1); length > 0; length -= 1) {
    const ending = words.slice(0, length);
    if (findEnding(["", ...ending]).length === length)
      return [whole([...words.slice(length), ...ending], CLOSED_LATER)];
  }
  return [];
}

/**
 * The names that may end a text, `Your payment to Quillory Press Ltd`, with a legal ending behind more words than are split
 * off a name: more than three, or more than it has itself. Nothing shows where such a name begins, so one of those words must
 * be one that leads to a name; one word alone ends too many names where none stands just before it: `Remittance advice Quillory Ltd`.
 */
export function lastNames(words: string[]): CompanyName[] {
  const { length } = findEnding(words);
  const core = words.slice(0, words.length - length);
  if (length === 0) return [];
  const led = core.findIndex((word) => isAroundNames(word) && !IN_NAMES.has(word));
  const isLed = (name: string[], start: number) =>
    name.length === 1 ? isLeading(start - 1, core) : led >= 0 && start > led;
  return core
    .map((_word, start) => core.slice(start))
    .filter((name, start) => isLed(name, start) && mayBeName(name, start))
    .map((name) => parseCompanyName([...name, ...words.slice(-length)].join(" ")));
}

/** True for a word, or a number, that shows where a name begins. */
function isLeading(place: number, words: string[]): boolean {
  const word = words[place] ?? "";
  const isLeft = IN_NAMES.has(word) || isGeneric(word);
  return isOfDocuments(word) || /^\d+$/.test(word) || (!isLeft && isAroundNamesAt(place, words));
}

function mayBeName(name: string[], before: number): boolean {
  const isSplit = before <= MOST_LEADING_WORDS && before <= name.length;
  const isSized = name.length <= MOST_NAME_WORDS && name.join("").length >= FEWEST_LETTERS;
  return isSized && !isSplit && !isAroundNames(name[0] ?? "") && distinctiveWords(name).length > 0;
}

function without(words: string[], start: number, end: number): string[] {
  return [...words.slice(0, start), ...words.slice(end)];
}
