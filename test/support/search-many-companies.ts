/**
 * Owns thousands of made-up companies for tests by model: crowded names, of which each is put together from pieces
 * whose plain words are known, so that a model needs none of the code under test to read them.
 */
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import type { CompanyLine } from "./search-records.ts";

/** A company with what a plain model knows of it. */
export interface KnownCompany {
  line: CompanyLine;
  /** Words of the name without THE and ending, folded, initials apart. */
  core: string[];
  /** The same in groups: initials are not joined across two. */
  groups: string[][];
  /** Words of the ending; both spellings of LIMITED where it is one. */
  ending: string[];
  hasThe: boolean;
  /** `key:number`, by which the register is in order. */
  place: string;
  /** Words of the address. */
  address: string[];
}

type Piece = readonly [text: string, plain: string];

// Beginnings of one another, equal but for signs and accents, single letters, digits, other alphabets and letters
// beyond the sixteen bits, whose byte order is not that of JavaScript's texts.
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

/** So many companies, in the order of the register. */
export function manyCompanies(count: number, seed: number): KnownCompany[] {
  const random = createRandom(seed);
  const companies = Array.from({ length: count }, (_, index) => aKnownCompany(random, index));
  return companies.sort((a, b) => compareBytes(a.place, b.place));
}

/** The order of bytes, which beyond sixteen bits is not that of JavaScript's texts. */
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
    place: `${core.join("")}:${company_number}`,
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

/** Letters with dots are complete: each such piece is a group of its own. */
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

/** Numbers in another order than the names, none of them twice. */
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
