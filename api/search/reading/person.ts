/**
 * Owns the reading of a pasted query: a person's name among titles and honours, a date of birth, a
 * postcode, a place. Pure.
 */
import { findEnding } from "../../../index-mappings/names/endings.ts";
import { foldText, wordsOf } from "../../../index-mappings/names/text.ts";
import {
  parsePersonParts,
  parsePersonQuery,
  type PersonQuery,
} from "../../../index-mappings/names/person-name.ts";
import { type Birth, takeBirth, takeFacts } from "./facts.ts";

/** A part of the query that may be a person's whole name. */
export interface PersonNameReading {
  query: PersonQuery;
  /** Words of a place. */
  place: string[];
  /** How many of them must be in an address. */
  agreeing: number;
  /** True for a name before what is surely an address: it is found, too, where no address agrees. */
  isBeforeAddress?: boolean;
}

/** What was read in a query. */
export interface PersonReading {
  born: Birth | null;
  /** Numbers of companies that the person belongs to. */
  numbers: string[];
  postcode: string | null;
  /** Names beside other facts; none when the query is only a name. */
  names: PersonNameReading[];
  /** Words that may be those of an address. */
  place: string[];
  /** The query as a name, without titles, birth and postcode. */
  name: PersonQuery;
}

// Limit: further words are ignored; a pasted address has twenty words.
const MOST_WORDS = 32;
// Limit: of a place with more words only the last ones are used.
const MOST_PLACE_WORDS = 3;

// Titles and honours that are names as well: only a reading removes them.
const LETTERS_BEHIND_NAMES = (
  "OBE CBE MBE KBE DBE GBE BEM CB KCB DCB GCB CMG KCMG DCMG CH OM KG KT LVO CVO KCVO MVO VC GC GM DSO DSC DFC MC AFC TD " +
  "RD VRD QPM QFSM KC QC JP DL MP MSP MEP MLA AM MS PC BA BSC BENG BCOM BED LLB LLM LLD MA MSC MENG MPHIL PHD DPHIL " +
  "EDD MD MBA MBCHB MBBS BDS FCA ACA FCCA ACCA CPA ACMA FCMA CIMA ACIB FCIB FRCS FRCP MRCP FRICS MRICS FRSA FRS FBA " +
  "CENG IENG FIET MIET ARIBA RIBA"
).split(" ");
const POSTS = (
  "HONS CHARTERED DECEASED DIRECTOR SECRETARY COMPANY CHAIRMAN CHAIRWOMAN CHAIR CEO CFO COO MANAGING EXECUTIVE NON " +
  "TRUSTEE PARTNER MEMBER OFFICER OWNER SHAREHOLDER PSC"
).split(" ");
const HONOURS = new Set([
  ...LETTERS_BEHIND_NAMES,
  ...POSTS,
  ..."JNR JR SNR SR JUNIOR SENIOR II III IV BT BART ESQ ESQUIRE RN RNR RAF".split(" "),
]);
// Two letters behind a single word may be a surname: Wei MA.
const LETTERS_BEHIND_SURNAMES = new Set(LETTERS_BEHIND_NAMES.filter(({ length }) => length > 2));
const TITLES = new Set(
  (
    "MR MRS MISS MS MX MASTER MISTER MADAM DR DOCTOR SIR LORD LADY DAME PROF PROFESSOR REV REVD REVEREND HON HONOURABLE " +
    "BARON BARONESS EARL VISCOUNT VISCOUNTESS COUNT COUNTESS MARQUESS MARQUIS DUKE DUCHESS CAPT CAPTAIN MAJ MAJOR COL " +
    "COLONEL LT LIEUTENANT BRIG BRIGADIER GEN GENERAL SGT CDR COMMANDER ADMIRAL CLLR COUNCILLOR FATHER SISTER BROTHER " +
    "RABBI IMAM BISHOP CANON DEAN JUDGE JUSTICE THE RT RIGHT MOST VERY"
  ).split(" "),
);

// Of the titles these are hardly surnames: BISHOP, DEAN, JUSTICE and MAJOR are.
const TITLES_ONLY =
  "MR MRS MISS MS MX MISTER DR DOCTOR SIR DAME PROF PROFESSOR REV REVD REVEREND CLLR COUNCILLOR CAPT LT SGT CDR".split(
    " ",
  );
const BEHIND_NAMES = new Set([...HONOURS, ...TITLES_ONLY]);
const NO_SURNAMES = new Set([...LETTERS_BEHIND_SURNAMES, ...POSTS, ...TITLES_ONLY]);

const DOTTED = /(?<![\p{L}\p{N}])(?:\p{L}{1,2}\.\s?)+\p{L}{1,2}(?![\p{L}\p{N}])\.?/gu;

// `Nomanby, J.P.`: behind a surname alone two letters are initials.
const SURNAME_ALONE = /^[^\s,]+\s*,\s*$/u;

// `Harold Nomanby, director of Quillory Ltd`
const POST =
  /[\s,]+(?:IS\s+)?(?:AN?\s+|THE\s+)?(?:(?:MANAGING|COMPANY|FORMER)\s+)?(?:DIRECTOR|SECRETARY|CHAIRMAN|CHAIR|CEO|TRUSTEE|PARTNER|OWNER|MEMBER|SHAREHOLDER)\s+(?:OF|AT)\s.*$/u;

// `Jane Quornsby c/o Quillory Press`, `Jane Quornsby née Smithers`; behind two words, of which the first is a name.
const BESIDE = /(?<=\S\s+\S+)[\s,(]+(?:C\s?\/\s?O|NEE|FORMERLY|ON BEHALF OF)\s.*$/u;

const DIGIT = /\d/;

// `Harold Nomanby of London`
const LEADS_A_PLACE = new Set(["OF", "IN", "FROM", "AT", "NEAR"]);

/** Reads a query for a person. */
export function readPersonText(q: string): PersonReading {
  const { numbers, postcode, text } = takeFacts(foldText(q));
  const { born, text: named } = takeBirth(
    text.replace(DOTTED, (dotted, at: number) => joinHonour(dotted, text.slice(0, at))),
  );
  const segments = named
    .replace(POST, "")
    .replace(BESIDE, "")
    .split(/[,;|\n\r\t()]+/)
    .map(wordsOf)
    .filter(isNotEmpty)
    .filter((words, place) => place === 0 || !isCompany(words));
  const cleaned = firstWords(segments.map(withoutHonours)).filter(isNotEmpty);
  const plain = parsePersonQuery(q);
  const name = wholeOf(cleaned);
  const all = cleaned.flat();
  return {
    born,
    numbers,
    postcode,
    names: [...namesOf(cleaned), ...withPlace(all)].filter(({ query, place }) =>
      // A surname alone beside a place would be half of any name with a comma.
      place.length > 0 ? query.words.length > 1 : query.words.length > 0 && !isSame(query, plain),
    ),
    place: all.slice(1),
    name,
  };
}

function firstWords(segments: string[][]): string[][] {
  let left = MOST_WORDS;
  return segments.map((words) => {
    const kept = words.slice(0, left);
    left -= kept.length;
    return kept;
  });
}

/** The query as a whole, its first part before a place, or `SURNAME, Forenames` and a place. */
function namesOf(segments: string[][]): PersonNameReading[] {
  const [first = [], ...rest] = segments;
  const [second = [], ...others] = rest;
  const whole = { query: wholeOf(segments), place: [], agreeing: 0 };
  if (second.length === 0) return [whole];
  return [
    whole,
    {
      ...before(parseParts([first]), [...second, ...others.flat()]),
      isBeforeAddress: isAddress(first, rest),
    },
    before(parseParts([first, second]), others.flat()),
  ];
}

/** Behind a name of several words: something with a digit, or two parts. */
function isAddress(name: string[], rest: string[][]): boolean {
  return name.length > 1 && (rest.length > 1 || rest.flat().some((word) => DIGIT.test(word)));
}

/** A name before a comma and a place: a pasted address has lines that the register does not have. */
function before(query: PersonQuery, place: string[]): PersonNameReading {
  return { query, place, agreeing: Math.ceil(place.length / 2) };
}

/** Digits belong to no person's name. */
function parseParts(parts: string[][]): PersonQuery {
  return parsePersonParts(parts.map((words) => words.filter((word) => !DIGIT.test(word))));
}

/** All words as a name: one word alone before a comma is the surname, several may be all of a name before a place. */
function wholeOf(segments: string[][]): PersonQuery {
  const [first = [], ...others] = segments;
  return parseParts(first.length === 1 ? [first, others.flat()] : [segments.flat()]);
}

/** A name followed by a place, with nothing between them. */
function withPlace(words: string[]): PersonNameReading[] {
  const most = Math.min(MOST_PLACE_WORDS, words.length - 2);
  return Array.from({ length: Math.max(0, most) }, (_, index) => {
    const end = words.length - index - 1;
    const name = words.slice(0, end);
    const isLed = LEADS_A_PLACE.has(name.at(-1) ?? "");
    const query = parseParts([isLed ? name.slice(0, -1) : name]);
    return { query, place: words.slice(end), agreeing: words.length - end };
  });
}

/**
 * Titles are removed from the front, `Mr & Mrs` too, honours from the end; two words stay, since a name has as many, or a
 * surname before letters that are hardly one. One word before a comma is the surname, though it may be a title as well.
 */
function withoutHonours(words: string[], place: number, segments: string[][]): string[] {
  const isBeforeComma = place === 0 && segments.length > 1 && words.length === 1;
  if (isBeforeComma && !isIn(NO_SURNAMES, words[0])) return words;
  if (words.every((word) => HONOURS.has(word) || TITLES.has(word)) && words.length < 2) return [];
  let [start, end] = [0, words.length];
  while (end - start > 2 && (isIn(TITLES, words[start]) || (start > 0 && words[start] === "AND"))) start += 1;
  while (end - start > 2 && isIn(BEHIND_NAMES, words[end - 1])) end -= 1;
  if (end - start === 2 && isIn(LETTERS_BEHIND_SURNAMES, words[end - 1])) end -= 1;
  return words.slice(start, end);
}

/** `O.B.E.`, `Ph. D` and `O.B.E. M.P.`; other initials stay apart. `before`: the text before them. */
function joinHonour(dotted: string, before: string): string {
  const parts = dotted.split(/\s+/).map(withoutDots);
  const letters = parts.join("");
  if (SURNAME_ALONE.test(before) && !LETTERS_BEHIND_SURNAMES.has(letters)) return dotted;
  if (HONOURS.has(letters)) return ` ${letters} `;
  return parts.every((part) => HONOURS.has(part)) ? ` ${parts.join(" ")} ` : dotted;
}

function isCompany(words: string[]): boolean {
  return findEnding(words).length > 0;
}

function isNotEmpty(words: string[]): boolean {
  return words.length > 0;
}

function withoutDots(text: string): string {
  return text.replaceAll(".", "");
}

function isIn(set: ReadonlySet<string>, word: string | undefined): boolean {
  return word !== undefined && set.has(word);
}

function isSame(query: PersonQuery, plain: PersonQuery): boolean {
  return query.words.join(" ") === plain.words.join(" ") && query.readings.length === plain.readings.length;
}
