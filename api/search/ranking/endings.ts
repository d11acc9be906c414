/** Owns incomplete or misspelt legal endings in a query: half-typed (`QUILLORY LIM`), misspelt (`QUILLORY LIMTED`). Pure. */
import type { CompanyName } from "../../../index-mappings/names/company-name.ts";
import { type EndingClass, endingTexts } from "../../../index-mappings/names/endings.ts";
import { isNear } from "../../shared/values/nearness.ts";

/** A query read as a name and the beginning, or a near spelling, of a legal ending. */
export interface EndingReading {
  /** Words of the name before the ending. */
  words: string[];
  /** Their key. */
  key: string;
  /** Classes of the possible endings. */
  ends: EndingClass[];
}

// The longest ending has seven words; a query with that many has it in full.
const MOST_WORDS = 4;

/** The readings in which the last words begin an ending; the fewest words first. */
export function readHalfTyped(name: CompanyName): EndingReading[] {
  return readingsOf(name, MOST_WORDS, (text, tail) => text.startsWith(tail));
}

/** The readings in which the last words begin an ending, or the last word is nearly one. */
export function readMisspelt(name: CompanyName): EndingReading[] {
  return [...readHalfTyped(name), ...readingsOf(name, 1, (text, tail) => isNear(tail, text))];
}

function readingsOf(
  { words, end }: CompanyName,
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
