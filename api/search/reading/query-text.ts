/** Owns the text of a query as it arrives: how long it may be, and the signs themselves in place of what was copied for them. */
import { findEnding } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import type { TextParameter } from "../../shared/schemas/query-parameters.ts";
import { readBack } from "../../shared/values/windows-1252.ts";

// Limit: a longer query is refused with 400; the longest name of the register has 160 characters.
export const QUERY_CHARACTERS = 160;

// What stands for a sign in text copied from a page's source or its address: `Quillory &amp; Brant`, `Quillory%26Brant`; and where
// not all of a text was read as Windows-1252: `Caffè Quilloryâ€™s`.
const ESCAPES: [escape: RegExp, sign: string][] = [
  [/&(?:amp|#0?38|#x26);|%26/gi, "&"],
  [/&(?:apos|rsquo|#0?39|#x27);|%27|â€[™˜]/gi, "'"],
  [/&(?:quot|nbsp);|%20/gi, " "],
  [/%2C/gi, ","],
  [/â€[“”]/g, "-"],
];

/** A text to search for, at most as long as a name, its signs not escaped. */
export function queryText(description: string): TextParameter {
  return { kind: "text", description, maxLength: QUERY_CHARACTERS, settle: readText };
}

/** In the query of an address a plus stands for each space: `Quillory+%26+Brant+Ltd`. */
function readText(given: string): string {
  const text = withoutEscapes(given);
  return isOfAnAddress(text) ? text.replaceAll("+", " ") : text;
}

/** True for several words or a legal ending behind pluses alone; between two words, or letters, it is the word PLUS. */
function isOfAnAddress(text: string): boolean {
  const words = wordsOf(text.replaceAll("+", " "));
  const isSpaced = /\s/.test(text.trim());
  const pluses = text.split("+").length - 1;
  const isLong = pluses > 1 && words.filter(({ length }) => length > 2).length > 1;
  return !isSpaced && pluses > 0 && (isLong || findEnding(words).length > 0);
}

/** A text with the letters and signs themselves in place of what stands for them. */
export function withoutEscapes(given: string): string {
  return ESCAPES.reduce((text, [escape, sign]) => text.replace(escape, sign), readBack(given));
}

/** The text to search for, without which there is no search. */
export function requiredQuery(description: string): TextParameter & { required: true } {
  return { ...queryText(description), required: true };
}
