/** Owns fixed-width lines: fields cut by position, then texts that each end with `<` and whose total length is stated. */
import { RecordError } from "../../api/core/errors.ts";

/** A field by its place in the line: start counts characters from 1, as the publisher's tables do. */
type Field = readonly [name: string, start: number, length: number];

// Characters beyond the basic plane take two units of a text, while positions count them once.
const HAS_PAIR = /[\ud800-\udbff]/;

/**
 * Returns what reads a kind of line. Fields are cut by position, never at spaces: a full field touches the next one. `lengthStart`
 * is where the four digits stand that say how long the text behind them is; `texts` names its parts, or the text where it is one
 * without an end. Ends are trimmed. The reader throws RecordError when length or parts do not fit.
 */
export function lineReader<const Fields extends readonly Field[], const Text extends string>(
  fields: Fields,
  lengthStart: number,
  texts: readonly Text[] | Text,
) {
  type Line = Record<Fields[number][0] | Text, string>;
  const parts: readonly string[] = typeof texts === "string" ? [texts] : texts;
  const names = [...fields.map(([name]) => name), ...parts];
  // Objects of one shape, made by copying: filling an empty one member by member makes a load a fifth slower.
  const empty: Record<string, string> = Object.fromEntries(names.map((name) => [name, ""]));
  return (line: string): Line => {
    const read = { ...empty };
    const text = readText(line, lengthStart);
    const cut = cutterOf(line);
    for (const [name, start, length] of fields) read[name] = cut(start - 1, start - 1 + length).trim();
    const found = typeof texts === "string" ? [text] : splitParts(text, parts.length);
    for (const [at, name] of parts.entries()) read[name] = (found[at] ?? "").trim();
    return read as Line; // it has all of them
  };
}

/** The text behind a length field of four digits, which counts characters. */
function readText(line: string, lengthStart: number): string {
  const start = lengthStart + 3;
  // Nearly every line fits as it is; one whose length counts units fits as well.
  const text = line.slice(start).trimEnd();
  if (text.length === toLength(line.slice(lengthStart - 1, start))) return text;
  const cut = cutterOf(line);
  const stated = toLength(cut(lengthStart - 1, start));
  if (stated === null) throw new RecordError("is not four digits", "text_length");
  const padded = cut(start, line.length);
  const found = [...padded.trimEnd()].length;
  // Only spaces may make up the difference: a text may end in some, and a line may be padded with more.
  if (found !== stated && (found > stated || [...padded].length < stated)) {
    throw new RecordError(`says ${stated}, the text has ${found} characters`, "text_length");
  }
  return cut(start, start + stated);
}

function toLength(digits: string): number | null {
  return /^\d{4}$/.test(digits) ? Number(digits) : null;
}

/** Cuts a line by characters, which is many times slower than by units and seldom another place. */
function cutterOf(line: string): (start: number, end: number) => string {
  if (!HAS_PAIR.test(line)) return (start, end) => line.slice(start, end);
  const characters = [...line];
  return (start, end) => characters.slice(start, end).join("");
}

function splitParts(text: string, wanted: number): string[] {
  const parts = text.split("<");
  const found = parts.length - 1;
  if (found !== wanted) throw new RecordError(`has ${found} delimiters instead of ${wanted}`, "text");
  if (parts[found] !== "") throw new RecordError("does not end with its delimiter", "text");
  return parts;
}
