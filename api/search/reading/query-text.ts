/** The text of a query as it arrives: its maximum length, and the decoding of escaped signs in copied text. */
import { findEnding } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import type { TextParameter } from "../../shared/schemas/query-parameters.ts";
import { repairMisreadUtf8 } from "../../shared/values/windows-1252.ts";

// Limit: a longer query is refused with 400; the longest name of the register has 160 characters.
export const QUERY_CHARACTERS = 160;

// Escapes of signs from the source or address of a page: `Quillory &amp; Brant`, `Quillory%26Brant`. Also UTF-8 signs
// read as Windows-1252, in a text that `repairMisreadUtf8` leaves alone because not all of it was: `Caffè Quilloryâ€™s`.
const ESCAPES: [escape: RegExp, sign: string][] = [
  [/&(?:amp|#0?38|#x26);|%26/gi, "&"],
  [/&(?:apos|rsquo|#0?39|#x27);|%27|â€[™˜]/gi, "'"],
  [/&(?:quot|nbsp);|%20/gi, " "],
  [/%2C/gi, ","],
  [/â€[“”]/g, "-"],
];

/** A parameter for a text to search for: at most as long as a name, with escaped signs decoded. */
export function queryText(description: string): TextParameter {
  return { kind: "text", description, maxLength: QUERY_CHARACTERS, settle: readText };
}

/** Decodes the text. In a text copied from the query of a URL, each plus is a space: `Quillory+%26+Brant+Ltd`. */
function readText(given: string): string {
  const text = withoutEscapes(given);
  return isOfAnAddress(text) ? text.replaceAll("+", " ") : text;
}

/** True if pluses, and no spaces, separate several words or a legal ending. Otherwise a plus is the word PLUS. */
function isOfAnAddress(text: string): boolean {
  const words = wordsOf(text.replaceAll("+", " "));
  const isSpaced = /\s/.test(text.trim());
  const pluses = text.split("+").length - 1;
  const isLong = pluses > 1 && words.filter(({ length }) => length > 2).length > 1;
  return !isSpaced && pluses > 0 && (isLong || findEnding(words).length > 0);
}

/** The text with its escapes and its wrongly decoded letters put right. */
export function withoutEscapes(given: string): string {
  return ESCAPES.reduce((text, [escape, sign]) => text.replace(escape, sign), repairMisreadUtf8(given));
}

/** The same parameter, required. */
export function requiredQuery(description: string): TextParameter & { required: true } {
  return { ...queryText(description), required: true };
}
