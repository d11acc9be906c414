/**
 * Reads parts of a query as company names, each with its certainty. Among these are names that a legal ending closes,
 * wherever it stands, even if it is cut off or misspelt. Pure.
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
  /** The other words of the query, usually of a place. */
  rest: string[];
  /** How many words of `rest` must be in the company's address. */
  agreeing: number;
  /** How certain the reading is, from 0 to 1. */
  weight: number;
  /** True if words of the same segment come before the name: it may be the end of a longer name. */
  isInside?: boolean;
  /** True for the text before the first comma. */
  isFirst?: boolean;
  /** True for the name in a web or mail address. */
  isDomain?: boolean;
  /** True for a name that may be cut off: longer names that begin with it match, too. */
  isOpen?: boolean;
  /** True for a name whose abbreviations were written out. */
  isWrittenOut?: boolean;
  /** Set if the ending is cut off or misspelt: the possible endings, one of which the company's name must have. */
  ends?: EndingClass[];
}

// Limit: most words that may stand before a name in a sentence.
export const MOST_LEADING_WORDS = 3;

// Tuned: how certain a reading is. The text before a legal ending or a marker is most certainly a name; after only a
// comma it may be a partner's name; a split that only the address confirms is the least certain.
export const CLOSED = 1;
export const CLOSED_LATER = 0.8;
export const STRIPPED = 0.7;
const FURTHER = 0.7;
const PROSE = 0.6;
export const SEGMENT = 0.6;
const UNENDED = 0.55;
export const SPLIT = 0.5;
// A web address means QUILLORY.CO.UK LTD rather than QUILLORY LTD, but less certainly than a name outside an address.
const WITH_LAST_PART = (CLOSED + CLOSED_LATER) / 2;
// Tuned: separates only the two forms of one name, as typed and written out, and by more than an ending does.
const LESS_WRITTEN_OUT = 1 / 32;

/** These words as a name that no address need confirm. */
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

/** `QUILLORY` for `QUILLORY.CO.UK`. */
export function withoutLastPart(domain: string): string {
  return domain.replace(/\..*/, "");
}

/**
 * A name without a THE that is misspelt, or joined to its first word, `@thequilloryarms`; only for names that no
 * address need confirm. If other words follow, THE may be a part of the first one: THEMIS QUILLORY is not MIS QUILLORY.
 */
export function withoutThe(reading: NameReading): NameReading[] {
  const { name, agreeing, isDomain } = reading;
  // Not the last parts of a web address: as further words they would allow a shorter word after THE.
  const words = isDomain ? name.words.slice(0, 1) : name.words;
  const key = agreeing === 0 ? keyWithoutThe({ ...name, words }) : null;
  const others = words.slice(1);
  const isGenericLeft = others.join("") === key && others.every(isGeneric);
  if (key === null || isGenericLeft) return [];
  return [{ ...reading, ...whole([key, ...name.endingWords], STRIPPED), isInside: others.length > 0 }];
}

// Limit: how many names have their last word compared with all endings, which takes time.
const MOST_UNENDED = 2;
// Limits: most words, and fewest letters, of a name at the end of a sentence.
const MOST_NAME_WORDS = 8;
const FEWEST_LETTERS = 3;
// Words around names that also occur inside many names, so they do not show that a text is a sentence.
const IN_NAMES = new Set("THE OF AT ON".split(" "));

/** Names with a legal ending, anywhere in the text: at the start of it or of a segment, or inside a sentence. */
export function endedNames(words: string[], starts: number[], weight: number): NameReading[] {
  const leading = Array.from({ length: MOST_LEADING_WORDS + 1 }, (_, index) => index);
  const all = new Set(starts.flatMap((start) => leading.map((count) => start + count)));
  return [...all].flatMap((start) => {
    const before = start - (starts.findLast((first) => first <= start) ?? 0);
    const found: NameReading[] = [];
    for (let end = start + 2; end <= words.length; end += 1) {
      const name = words.slice(start, end);
      if (findEnding(name).length === 0 || isContinued(words, start, end)) continue;
      // An ending at the end of the text does not show where the name begins.
      if (before > 0 && end === words.length) continue;
      const sure = start === 0 ? weight : before === 0 ? CLOSED_LATER : PROSE / before;
      found.push({ ...whole(name, sure), rest: without(words, start, end), isInside: before > 0 });
    }
    return found;
  });
}

/** True if the ending is part of a longer one: LIMITED in LIMITED LIABILITY PARTNERSHIP. */
function isContinued(words: string[], start: number, end: number): boolean {
  const { length } = findEnding(words.slice(start, end));
  return [end + 1, end + 2].some((longer) => {
    // The longer ending may begin where the name would: PUBLIC LIMITED COMPANY.
    const next = longer <= words.length ? findEnding(["", ...words.slice(start, longer)]).length : 0;
    return next >= length + longer - end;
  });
}

const BETWEEN_COMPANIES = new Set("AND V VS VERSUS".split(" "));

/** Companies after the first: `Quillory Ltd v Zorblatt Ltd`. Less certain, since AND may be a part of a name. */
export function furtherCompanies(words: string[]): NameReading[] {
  return words.flatMap((word, place) => {
    const isBetween = BETWEEN_COMPANIES.has(word) && findEnding(words.slice(0, place)).length > 0;
    const found = isBetween ? endedNames(words.slice(place + 1), [0], FURTHER) : [];
    return found.filter(({ isInside }) => !isInside);
  });
}

/** The names that have an incomplete or misspelt ending, without it: QUILLORY for `QUILLORY LIMI`. */
export function unendedNames(names: NameReading[]): NameReading[] {
  return names.filter(mayEnd).slice(0, MOST_UNENDED).flatMap(beforeEnding);
}

/**
 * True for a name whose last word may be an incomplete ending. A generic word is none, though CO and UK begin endings;
 * a single letter may be one of a name that is cut off. A name in a web address can only have an ending joined to it.
 */
function mayEnd({ name, agreeing, isFirst, isDomain, isOpen = false }: NameReading): boolean {
  const last = name.words.at(-1) ?? "";
  const isClosed = isDomain ? name.words.length === 1 : isFirst === true || agreeing === 0;
  return isClosed && name.end === "NONE" && (isOpen || last.length > 1) && !isGeneric(last);
}

function beforeEnding(reading: NameReading): NameReading[] {
  const [found] = readMisspelt(reading.name);
  if (!found) return [];
  // Only the words as typed show which ones are joined initials.
  const name = { ...parseCompanyName(found.words.join(" ")), allWords: reading.name.allWords };
  return [{ ...reading, name, ends: found.ends, weight: UNENDED, isDomain: false, isOpen: false }];
}

// The mark of a list or cell, or care of: `a) `, `(iv) `, `Re: `, `c/o `. Its sign shows that no name begins there.
const MARK = "[([]?[A-Z\\d]{1,3}(?:[)\\]]\\s*|[:/]\\s+|\\t\\s*)|[CM]/[OS]\\s+";
// These words may also be the first word of a name, or its first letters.
const LEADING_WORDS =
  "AN|AT|BY|DD|DR|EX|FAO|FOR|FROM|IN|IS|MISS|MR|MRS|MS|NEAR|NO|NOW|OF|ON|RE|REF|SEE|TO|VIA|WAS|WITH";
const MARKS = new RegExp(`^(?:${MARK})+`);
const MARKS_AND_WORDS = new RegExp(`^(?:${MARK}|(?:${LEADING_WORDS})[.:]?\\s+)+`);

/**
 * A name without the list mark before it. If a legal ending closes it, also without short words, which may begin words
 * of other names: `c/o Quillory Ltd` is not CONQUEST QUILLORY LTD. Null if nothing is left out.
 */
export function withoutLead({ folded, end }: CompanyName): CompanyName | null {
  const text = folded.replace(end === "NONE" ? MARKS : MARKS_AND_WORDS, "");
  const name = text.length < folded.length ? parseCompanyName(text) : null;
  return name?.end === end ? name : null;
}

/** The names that have abbreviations, with these written out: QUILLORY BROTHERS for `Quillory Bros, Leeds`. */
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

/** The forms of a name with its abbreviations written out; empty without an abbreviation. */
export function writtenOut(name: CompanyName): CompanyName[] {
  return withWrittenOut(name.words).map((words) => ({ ...name, words, key: words.join("") }));
}

/** A name after its legal ending: `LTD QUILLORY`. The ending closes it even if all other words are generic. */
export function ledByEnding(words: string[]): NameReading[] {
  for (let length = Math.min(MOST_LEADING_WORDS, words.length - 1); length > 0; length -= 1) {
    const ending = words.slice(0, length);
    if (findEnding(["", ...ending]).length === length)
      return [whole([...words.slice(length), ...ending], CLOSED_LATER)];
  }
  return [];
}

/**
 * Names with a legal ending that may end a sentence: `Your payment to Quillory Press Ltd`. Only names after many words:
 * more than three, or more than the name has (`splits` in company.ts covers the others). Nothing shows where such a
 * name begins, so a word that leads to a name must come before it. Before a name of one word it must come directly,
 * since one word ends too many other names: `Remittance advice Quillory Ltd`.
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

/** True for a word or number after which a name begins. */
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
