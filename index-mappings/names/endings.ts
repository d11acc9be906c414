/**
 * Owns legal endings: the words at the end of a name that state its legal form, and their classes; in a query also half-typed
 * (`QUILLORY LIM`), misspelt (`QUILLORY LIMTED`) or joined (`QUILLORYLTD`).
 */
import { splitWords } from "./text.ts";
import { isNear } from "../../api/shared/values/nearness.ts";

/** Endings by class; a dotted form stands for the dotted and the spaced one (rule O5 of the search reference). */
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

/** Every ending as its words, joined by one space, with its class. */
const endingTexts: readonly (readonly [EndingClass, string])[] = (
  Object.entries(ENDINGS) as [EndingClass, readonly string[]][]
).flatMap(([end, texts]) => texts.map((text) => [end, splitWords(text).join(" ")] as const));

interface Branch {
  /** Class of the ending that is complete here. */
  end?: EndingClass;
  /** Branches by the word before. */
  before: Map<string, Branch>;
}

// Endings read from their last word backwards, so that a name without one needs only one look-up.
const BACKWARDS = plantEndings();

/**
 * The longest legal ending at the end of the words, and its number of words. Something must precede
 * it: `LIMITED` alone is a name.
 */
export function findEnding(words: string[]): { end: EndingClass; length: number } {
  let branch: Branch | undefined = BACKWARDS;
  let found: { end: EndingClass; length: number } = { end: "NONE", length: 0 };
  for (let length = 1; length < words.length; length += 1) {
    branch = branch.before.get(words[words.length - length] ?? "");
    if (!branch) break;
    if (branch.end) found = { end: branch.end, length };
  }
  return found;
}

function plantEndings(): Branch {
  const root: Branch = { before: new Map() };
  for (const [end, text] of endingTexts) plantEnding(root, text.split(" "), end);
  return root;
}

function plantEnding(root: Branch, words: string[], end: EndingClass): void {
  let branch = root;
  for (const word of words.toReversed()) {
    const next: Branch = branch.before.get(word) ?? { before: new Map() };
    branch.before.set(word, next);
    branch = next;
  }
  branch.end = end;
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

// A word of two letters before an ending is none: CALTD.
const JOINED = /^([\p{L}\p{N}]{3,})(LIMITED|LTD|PLC|LLP|CYFYNGEDIG|CYF)$/u;
// The longest ending has seven words; a query with that many has it in full.
const MOST_WORDS = 4;

/**
 * The readings in which the last words begin an ending; the fewest words first. A complete ending may be a part of a longer
 * one: LIMITED of PUBLIC LIMITED COMPANY.
 */
export function readHalfTyped({ words, endingWords = [] }: Ended): EndingReading[] {
  const all: Ended = { words: [...words, ...endingWords], end: "NONE" };
  const readings = readingsOf(all, MOST_WORDS, (text, tail) => text.startsWith(tail));
  return readings.filter((reading) => reading.words.length < words.length);
}

/** The readings in which the last words begin an ending, or the last word is nearly one, or has one without its space. */
export function readMisspelt(name: Ended): EndingReading[] {
  return [
    ...readJoined(name),
    ...readHalfTyped(name),
    ...readingsOf(name, 1, (text, tail) => isNear(tail, text)),
  ];
}

/** `QUILLORY PRESSLTD` */
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
    const meant = endingTexts.filter(([, text]) => isMeant(text, tail)).map(([ending]) => ending);
    const rest = words.slice(0, -count);
    if (meant.length > 0) readings.push({ words: rest, key: rest.join(""), ends: [...new Set(meant)] });
  }
  return readings;
}
