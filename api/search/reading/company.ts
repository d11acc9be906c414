/**
 * Owns the reading of a query as people paste it: a company's name among a number, a postcode, a place, a trading
 * name, an ending anywhere. A reading is a guess, so it matches only whole names; its results are below all that
 * the plain query finds. Pure.
 */
import {
  type CompanyName,
  type EndingClass,
  findEnding,
  parseCompanyName,
  readMisspelt,
} from "../../../index-mappings/names/company-name.ts";
import { foldText, splitWords } from "../../../index-mappings/names/text.ts";
import { takeFacts, withoutAmounts } from "./facts.ts";
import { isAroundNames, isGeneric, isNoPlace, isPlace } from "./common-words.ts";
import { lastNames } from "./last-names.ts";

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
  /** Where its ending is cut off or misspelt: the endings that may be meant, one of which it must have. */
  ends?: EndingClass[];
}

/** What was read in a query. */
export interface CompanyReading {
  /** Company numbers among other words; a query that is only a number is not read. */
  numbers: string[];
  postcode: string | null;
  /** The most certain first. */
  names: NameReading[];
  /** Names at the end of a sentence. */
  lastNames: CompanyName[];
  /** Words that may be those of an address. */
  place: string[];
  /** All words, which are those of an address where the query has no name. */
  address: string[];
  /** Words most of which may be in a name, misspelt. */
  words: string[];
}

// Limit: further words or readings are ignored; a pasted address has twenty words.
const MOST_WORDS = 32;
const MOST_READINGS = 20;
const MOST_NAME_WORDS = 8;
// Limit: names whose last word is compared with all endings, which takes time.
const MOST_UNENDED = 2;
const MOST_LEADING_WORDS = 3;

// The company's name is on one side, its trading name on the other. At the start of the query these letters belong to
// a name: `DBA Consulting Ltd`.
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
const DIGITS = /^\d+$/;
// A bracket begins a segment where a legal ending closes it: `The Book Nook (Quillory Press Ltd)`.
const BETWEEN_SEGMENTS =
  /[,;|\n\r\t]+|\s[-/]+\s|:\s|[([](?=[^()[\]]*[\s.](?:LTD|LIMITED|PLC|LLP|CYF)[.\s]*[)\]])/;
// A section that begins with what takes the place of a fact.
const BEHIND_A_FACT = /^\s*,/;

// Tuned: the text before an ending or a marker is most certainly a name; after a mere comma it may be a
// partner's name; a split that only the address confirms is the least certain.
const CLOSED = 1;
const CLOSED_LATER = 0.8;
const STRIPPED = 0.7;
const FURTHER = 0.7;
const PROSE = 0.6;
const SEGMENT = 0.6;
const UNENDED = 0.55;
const SPLIT = 0.5;
// Tuned: of a pasted address of many words a quarter may be missing from the register's.
const CONFIRMING_SHARE = 0.75;

/** Reads a query for a company. */
export function readCompanyText(q: string): CompanyReading {
  const written = withoutAmounts(foldText(q));
  const facts = takeFacts(written);
  const sections = facts.text.split(NAME_MARKERS).filter((section) => splitWords(section).length > 0);
  const isClosed = facts.hasNumber || facts.postcode !== null || sections.length > 1;
  const names = [
    ...sections.flatMap((section, position) => readSection(section, isClosed, position)),
    ...facts.domains.map((domain) => ({ ...whole(splitWords(domain), CLOSED_LATER), isDomain: true })),
    ...(sections.length > 1 || facts.text !== written ? beginningNames(written) : []),
  ];
  const [first = ""] = sections;
  const unended = names.filter(mayEnd).slice(0, MOST_UNENDED).flatMap(beforeEnding);
  const readings = distinct([...names, ...unended], parseCompanyName(q)).slice(0, MOST_READINGS);
  const [closed] = readings.filter(({ agreeing, weight }) => agreeing === 0 && weight === CLOSED);
  const all = splitWords(sections.join(" ")).slice(0, MOST_WORDS);
  const isPlaced = (word: string) => !isNoPlace(word);
  return {
    numbers: facts.numbers,
    postcode: facts.postcode,
    names: readings,
    lastNames: lastNames(splitWords(sections.at(-1) ?? "").slice(0, MOST_WORDS)),
    place: all.slice(1).filter(isPlaced),
    address: all.filter(isPlaced),
    words: (closed?.name ?? parseCompanyName(first)).words.slice(0, MOST_NAME_WORDS),
  };
}

/** Names that begin the text, of which a fact or a marker may be a part: `QUORN.COM LIMITED, Leeds`, `HOME CARE OF YORK LTD`. */
function beginningNames(text: string): NameReading[] {
  const all = splitWords(text).join("");
  return readSection(text, false, 0).filter((one) => isClosed(one) && all.startsWith(one.name.key));
}

/** True for a name that an ending, a comma or a marker closes, not one that is left without the words around it. */
export function isClosed({ agreeing, weight }: NameReading): boolean {
  return agreeing === 0 && weight >= CLOSED_LATER;
}

/** The readings of the text between two markers. */
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
  // When an ending closes the name at the start, the text after it is not part of a name.
  const isEnded = ended.some((reading) => reading.weight === weight && reading.rest.length > 0);
  const core = words.slice(0, words.length - findEnding(words).length);
  return [
    ...(isClosed && !isEnded ? [whole(words, segments.length === 1 ? weight : SEGMENT)] : []),
    ...ended,
    ...furtherCompanies(words),
    // Behind a fact an ending belongs to it: 1234567 LIMITED.
    ...(BEHIND_A_FACT.test(section) ? [] : ledByEnding(words)),
    ...stripped(words),
    ...(isEnded
      ? []
      : [...segmentNames(words, starts.slice(1, -1), isClosed && position === 0), ...splits(core)]),
  ];
}

const BETWEEN_COMPANIES = new Set("AND V VS VERSUS".split(" "));

/** The companies behind the first one, less certain, since AND may be a part of its name: `Quillory Ltd v Zorblatt Ltd`. */
function furtherCompanies(words: string[]): NameReading[] {
  return words.flatMap((word, place) => {
    const isBetween = BETWEEN_COMPANIES.has(word) && findEnding(words.slice(0, place)).length > 0;
    const found = isBetween ? endedNames(words.slice(place + 1), [0], FURTHER) : [];
    return found.filter(({ isInside }) => !isInside);
  });
}

/** A name ends with its legal ending, wherever that is; it begins the text or a segment, or is inside a sentence. */
function endedNames(words: string[], starts: number[], weight: number): NameReading[] {
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

/** True for a name that may have an incomplete ending, not a generic word: CO and UK begin endings, too. */
function mayEnd({ name, agreeing, isFirst, isDomain }: NameReading): boolean {
  const last = name.words.at(-1) ?? "";
  const isClosed = !isDomain && (isFirst === true || agreeing === 0);
  return isClosed && name.end === "NONE" && last.length > 1 && !isGeneric(last);
}

/** `QUILLORY LIMI` and `QUILLORY LMITED` beside other words: the name before the ending that is meant. */
function beforeEnding(reading: NameReading): NameReading[] {
  const [found] = readMisspelt(reading.name);
  if (!found) return [];
  return [{ ...reading, name: parseCompanyName(found.words.join(" ")), ends: found.ends, weight: UNENDED }];
}

/** `LTD QUILLORY` */
function ledByEnding(words: string[]): NameReading[] {
  for (let length = Math.min(MOST_LEADING_WORDS, words.length - 1); length > 0; length -= 1) {
    const ending = words.slice(0, length);
    if (findEnding(["", ...ending]).length === length)
      return [whole([...words.slice(length), ...ending], STRIPPED)];
  }
  return [];
}

/** The text without the words that documents put around a name; a legal ending closes it, and stays. */
function stripped(words: string[]): NameReading[] {
  const { length } = findEnding(words);
  const core = words.slice(0, words.length - length);
  const isAround = (word: string) => isAroundNames(word) || (core.some(isLabel) && DIGITS.test(word));
  const first = core.findIndex((word) => !isAround(word));
  const last = length > 0 ? words.length - 1 : words.findLastIndex((word) => !isAround(word));
  const isWhole = first <= 0 && last === words.length - 1;
  return first < 0 || isWhole ? [] : [whole(words.slice(first, last + 1), STRIPPED)];
}

/** True for a word followed by a number of its own. */
function isLabel(word: string): boolean {
  return word !== "THE" && word !== "OF" && isAroundNames(word);
}

/**
 * The text before a comma; half of the rest must be in the address unless something else closes the name, or the rest
 * is a town, which may differ from that of the address.
 */
function segmentNames(words: string[], ends: number[], isClosed: boolean): NameReading[] {
  return ends.map((end, index) => {
    const rest = words.slice(end).filter((word) => !isNoPlace(word));
    const isFirst = index === 0;
    const agreeing = isFirst && (isClosed || isPlace(rest)) ? 0 : Math.ceil(rest.length / 2);
    return { ...whole(words.slice(0, end), isFirst ? CLOSED_LATER : SEGMENT), rest, agreeing, isFirst };
  });
}

/** A name and a place, or a place and a name, with nothing between them: the place must be in the address. */
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

/** All of a few words must be in the address, most of many: a pasted address has lines that the register does not have. */
function confirmed(name: string[], others: string[], weight: number): NameReading {
  const place = others.filter((word) => !isNoPlace(word));
  const rest = place.length > 0 ? place : others;
  const agreeing =
    rest.length <= MOST_LEADING_WORDS ? rest.length : Math.ceil(rest.length * CONFIRMING_SHARE);
  return { ...whole(name, weight), rest, agreeing };
}

function whole(words: string[], weight: number): NameReading {
  return { name: parseCompanyName(words.join(" ")), rest: [], agreeing: 0, weight };
}

function without(words: string[], start: number, end: number): string[] {
  return [...words.slice(0, start), ...words.slice(end)];
}

/** Each name once, in its most certain reading; the unchanged query is no reading of it. */
function distinct(readings: NameReading[], plain: CompanyName): NameReading[] {
  const seen = new Set([plain.key]);
  const isNew = ({ name: { key }, ends = [] }: NameReading) => {
    const named = [key, ...ends].join(" ");
    return !seen.has(named) && seen.add(named);
  };
  return readings
    .toSorted((a, b) => a.agreeing - b.agreeing || b.weight - a.weight)
    .filter((reading) => reading.name.words.length > 0 && isNew(reading));
}
