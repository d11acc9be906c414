/**
 * Makes thousands of companies with similar names, for tests that compare searches with a simple model. Each name is
 * made of pieces whose plain words are known, so that the model reads names without the code under test.
 */
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import type { CompanyLine } from "./search-records.ts";

/** A company, and what the model knows about it. */
export interface KnownCompany {
  line: CompanyLine;
  /** Folded words of the name, without THE and the ending; each initial is a word. */
  core: string[];
  /** The same words in groups; initials of two groups are not joined. */
  groups: string[][];
  /** Words of the ending; both spellings if it is LIMITED or LTD. */
  ending: string[];
  hasThe: boolean;
  /** `key:number`, by which the register is sorted. */
  sortKey: string;
  /** Words of the address. */
  address: string[];
}

type Piece = readonly [text: string, plain: string];

// Some begin others, or differ only by signs and accents. There are single letters, digits, other alphabets, and
// characters above U+FFFF, which JavaScript strings do not sort in byte order.
const PIECES: Piece[] = [
  ...["TARN", "TARNE", "TARNER", "TARNWICK", "WICK", "TARNS", "TAR", "QUILLORY", "QUIL"].map(plain),
  ...["A", "B", "X", "Z", "1", "2", "24", "7", "2009", "GROUP", "HOLDINGS", "CO", "COMPANY"].map(plain),
  ["TARN'S", "TARNS"],
  ["Tarn’s", "TARNS"],
  ["TÄRN", "TARN"],
  ["CAFÉ", "CAFE"],
  ["ŁÓDŹ", "LODZ"],
  ["ŒUVRE", "OEUVRE"],
  ["ÆLF", "AELF"],
  ["STRAẞE", "STRASSE"],
  ["O'TARN", "OTARN"],
  ["TARN-WICK", "TARN WICK"],
  ["TARN – WICK", "TARN WICK"],
  ["TARN/WICK", "TARN WICK"],
  ["H.W.Q.", "H W Q"],
  ["H W Q", "H W Q"],
  ["HWQ", "HWQ"],
  ["(UK)", "UK"],
  ["U.K.", "U K"],
  ["24/7", "24 7"],
  ["100%", "100 PERCENT"],
  ["£5", "POUND 5"],
  ["#TARN", "TARN"],
  ["TARN!!!", "TARN"],
  ["TARN.COM", "TARN COM"],
  ["ＴＡＲＮ", "TARN"],
  ["ТАРН", "ТАРН"],
  ["ΤΆΡΝ", "ΤΑΡΝ"],
  ["\u{fa0e}TARN", "\u{fa0e}TARN"],
  ["\u{20000}TARN", "\u{20000}TARN"],
  ["TARN 🙂", "TARN"],
];
const JOINTS: Piece[] = [
  ["", ""],
  ["", ""],
  ["", ""],
  ["&", "AND"],
  ["AND", "AND"],
  ["+", "PLUS"],
  ["@", "AT"],
];
const ENDINGS: [text: string, words: string][] = [
  ["LIMITED", "LIMITED LTD"],
  ["LTD", "LIMITED LTD"],
  ["LTD.", "LIMITED LTD"],
  ["CYFYNGEDIG", "CYFYNGEDIG LIMITED LTD"],
  ["PLC", "PLC"],
  ["P.L.C.", "P L C PLC"],
  ["LLP", "LLP"],
  ["COMMUNITY INTEREST COMPANY", "COMMUNITY INTEREST COMPANY CIC"],
  ["", ""],
];
const TAILS = "ABE";
const STATUSES = [
  "active",
  "active",
  "dissolved",
  "dissolved",
  "liquidation",
  "administration",
  "closed",
  "open",
];
const TYPES = ["ltd", "ltd", "plc", "llp", "limited-partnership", "oversea-company"];
const SUBTYPES = [undefined, undefined, "community-interest-company", "private-fund-limited-partnership"];
const SIC_CODES = ["11050", "56302", "61900", "62012", "99999"];
const STREETS: Piece[] = [
  ["O'Quill Lane", "OQUILL LANE"],
  ["Lane End", "LANE END"],
  ["Château Row", "CHATEAU ROW"],
  ["High-Street", "HIGH STREET"],
];
const TOWNS = ["Tarnby", "Lane", "Quillford", "Tarnby Row"].map(plain);
const PREFIXES = ["", "", "", "SC", "NI", "OC"];

/** Makes `count` companies, in the order of the register. */
export function manyCompanies(count: number, seed: number): KnownCompany[] {
  const random = createRandom(seed);
  const companies = Array.from({ length: count }, (_, index) => aKnownCompany(random, index));
  return companies.sort((a, b) => compareBytes(a.sortKey, b.sortKey));
}

/** Compares by bytes; JavaScript strings sort differently above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function aKnownCompany(random: Random, index: number): KnownCompany {
  const { name, core, groups, ending, hasThe } = drawName(random);
  const company_number = drawNumber(random, index);
  const street = random.pick(STREETS);
  const town = random.pick(TOWNS);
  const created = drawDay(random);
  return {
    line: {
      company_name: name,
      company_number,
      company_status: random.pick(STATUSES),
      type: random.pick(TYPES),
      ...(random.below(10) > 0 && { date_of_creation: created }),
      ...(random.below(2) > 0 && { date_of_cessation: drawDay(random) }),
      ...withSubtype(random.pick(SUBTYPES)),
      ...(random.below(4) > 0 && {
        sic_codes: [...new Set([random.pick(SIC_CODES), random.pick(SIC_CODES)])],
      }),
      registered_office_address: { address_line_1: street[0], locality: town[0] },
    },
    core,
    groups,
    ending,
    hasThe,
    sortKey: `${core.join("")}:${company_number}`,
    address: wordsIn(`${street[1]} ${town[1]}`),
  };
}

function withSubtype(subtype: string | undefined): Partial<CompanyLine> {
  return subtype ? { subtype } : {};
}

function drawName(random: Random) {
  const pieces: Piece[] = [drawPiece(random)];
  for (let more = random.below(4) % 3; more > 0; more -= 1)
    pieces.push(random.pick(JOINTS), drawPiece(random));
  const [ending, endingWords] = random.pick(ENDINGS);
  const hasThe = random.below(8) === 0;
  const isInverted = hasThe && ending !== "" && random.below(2) === 0;
  const texts = pieces.map(([text]) => text);
  const name = [hasThe && !isInverted ? "THE" : "", ...texts, ending, isInverted ? "(THE)" : ""];
  return {
    name: name.filter(Boolean).join(random.below(20) === 0 ? "  " : " "),
    core: wordsIn(pieces.map(([, words]) => words).join(" ")),
    groups: groupPieces(pieces),
    ending: wordsIn(endingWords),
    hasThe,
  };
}

/** Groups the pieces: a piece of dotted letters is complete, so it is a group of its own. */
function groupPieces(pieces: Piece[]): string[][] {
  const marked = pieces.map(([text, words]) => (/^(?:\p{L}\.){2,}$/u.test(text) ? `| ${words} |` : words));
  return marked.join(" ").split("|").map(wordsIn);
}

function drawPiece(random: Random): Piece {
  const [text, words] = random.pick(PIECES);
  if (!/^[A-Z]{3,}$/.test(text) || random.below(2) === 0) return [text, words];
  const tail = Array.from({ length: random.below(5) }, () => TAILS[random.below(TAILS.length)]).join("");
  return [text + tail, words + tail];
}

/** Draws a unique number; numbers have another order than the names. */
function drawNumber(random: Random, index: number): string {
  const prefix = random.pick(PREFIXES);
  return prefix + String((index * 7919) % 100_000).padStart(8 - prefix.length, "0");
}

function drawDay(random: Random): string {
  return `${1990 + random.below(30)}-${String(1 + random.below(12)).padStart(2, "0")}-${String(1 + random.below(28)).padStart(2, "0")}`;
}

function wordsIn(text: string): string[] {
  return text.split(" ").filter(Boolean);
}

function plain(text: string): Piece {
  return [text, text.toUpperCase()];
}
