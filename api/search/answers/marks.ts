/** The member `matches` of an item: the places of words in a shown text that match the query. Pure. */
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { objectOf } from "../../shared/schemas/schemas.ts";
import { findEnding } from "../../../index-mappings/names/company-name.ts";
import { SHOWN_HONORIFIC } from "../../../index-mappings/names/entries.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";

const PLACES = {
  type: "array",
  description: "Pairs of start and end, counted from 1, both ends included.",
  items: { type: "integer", minimum: 1 },
};

/** JSON Schemas of the name that matched and the marks in it. */
export const marksSchemas: Record<string, JsonSchema> = {
  snippet: {
    type: "string",
    description:
      "The previous, former or other name that matches the query better than the title; otherwise empty.",
  },
  matches: {
    title: "matches",
    description: "Positions of the words that match the query.",
    ...objectOf([], { title: PLACES, snippet: PLACES, address_snippet: PLACES }),
  },
};

/** A word of a shown text with its place: positions from 0, `end` included. */
interface Span {
  word: string;
  start: number;
  end: number;
}

// Initials with dots are one word. An apostrophe belongs to its word. A sign that is read aloud, such as &, is a word.
const SHOWN_WORD =
  /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{M}\p{N}])\.?|[\p{L}\p{M}\p{N}]+(?:['’‘`´ʼ][\p{L}\p{M}\p{N}]+)*|[&+@£$€¥%]/gu;
// SHOWN_WORD for ASCII texts, which nearly all names of the register are. It is several times as fast.
const PLAIN_SHOWN_WORD =
  /(?<![A-Za-z0-9])[A-Za-z](?:\.[A-Za-z])+(?![A-Za-z0-9])\.?|[A-Za-z0-9]+(?:['`][A-Za-z0-9]+)*|[&+@$%]/g;
const IS_PLAIN = /^[\x20-\x7E]*$/;
const IS_PLAIN_WORD = /^[A-Za-z0-9]+$/;

/**
 * Places of the words of `text` that match words of a query: a flat list of starts and ends, counted from 1, both
 * included. A word is marked whole even if only its beginning matches, but not if it is spelt differently in the query.
 * Legal endings and honorifics are not marked. People have no legal ending: Pac may be a surname.
 */
export function markWords(text: string, queryWords: string[], isPerson = false): number[] {
  const found = findSpans(text);
  const spans = isPerson ? withoutHonorific(found) : withoutEnding(found);
  const marked = spans.map(() => false);
  for (const word of queryWords) {
    for (let first = 0; first < spans.length; first += 1) {
      const end = endOfMatch(spans, first, word);
      for (let place = first; place < end; place += 1) marked[place] = true;
    }
  }
  const places: number[] = [];
  spans.forEach(({ start, end }, place) => {
    if (marked[place]) places.push(start + 1, end + 1);
  });
  return places;
}

function findSpans(text: string): Span[] {
  const spans: Span[] = [];
  const shown = IS_PLAIN.test(text) ? PLAIN_SHOWN_WORD : SHOWN_WORD;
  // Not with matchAll, which copies the expression for each text; that took a third of the time.
  for (let match = shown.exec(text); match; match = shown.exec(text)) {
    const word = readWord(match[0]);
    if (word) spans.push({ word, start: match.index, end: match.index + match[0].length - 1 });
  }
  return spans;
}

function withoutHonorific(spans: Span[]): Span[] {
  const [first, ...name] = spans;
  return first && name.length > 0 && SHOWN_HONORIFIC.test(first.word) ? name : spans;
}

function withoutEnding(spans: Span[]): Span[] {
  const { length } = findEnding(spans.map((span) => span.word));
  return spans.slice(0, spans.length - length);
}

function readWord(shown: string): string {
  return IS_PLAIN_WORD.test(shown) ? shown.toUpperCase() : wordsOf(shown).join("");
}

/**
 * The end of the run of words from `first` on that match a word of the query: one word that begins with it, or several
 * that together form it (BLUE WISTERIA for `bluewisteria`). Returns `first` if they do not match. Works by index
 * instead of slices, since it runs for each word of each item of a page.
 */
function endOfMatch(spans: Span[], first: number, word: string): number {
  let rest = word;
  for (let place = first; place < spans.length; place += 1) {
    const part = spans[place]?.word ?? "";
    // The last part may be half-typed: `skyharrowtech` for SKY HARROW TECHNOLOGIES.
    if (part.startsWith(rest)) return place + 1;
    if (!rest.startsWith(part)) return first;
    rest = rest.slice(part.length);
  }
  return first;
}
