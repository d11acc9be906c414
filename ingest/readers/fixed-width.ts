/** Reads fixed-width lines: fields at fixed positions, then a text of stated length whose parts end with `<`. */
import { RecordError } from "../../api/shared/runtime/errors.ts";
import { formatNumber } from "../../api/shared/runtime/format.ts";

/** `start` counts characters from 1, as in the publisher's tables. */
type Field = readonly [name: string, start: number, length: number];

// Characters beyond the basic plane are two units in JavaScript but one position in the file.
const HAS_PAIR = /[\ud800-\udbff]/;

/**
 * Returns a reader for one kind of line. Fields are cut by position, since a full field touches the next one, and
 * trimmed. At `lengthStart` four digits give the length of the text after them. `texts` names the parts of the text, or
 * the text itself if it has no `<`. The reader throws RecordError if the length or the number of parts is wrong.
 */
export function lineReader<const Fields extends readonly Field[], const Text extends string>(
  fields: Fields,
  lengthStart: number,
  texts: readonly Text[] | Text,
) {
  type Line = Record<Fields[number][0] | Text, string>;
  const parts: readonly string[] = typeof texts === "string" ? [texts] : texts;
  const names = [...fields.map(([name]) => name), ...parts];
  // Copying keeps one object shape: filling an empty object makes a load a fifth slower.
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

/** The text after a length field of four digits, which counts characters. */
function readText(line: string, lengthStart: number): string {
  const start = lengthStart + 3;
  // Fast path for nearly every line; it also accepts a length counted in JavaScript units.
  const text = line.slice(start).trimEnd();
  if (text.length === toLength(line.slice(lengthStart - 1, start))) return text;
  const cut = cutterOf(line);
  const stated = toLength(cut(lengthStart - 1, start));
  if (stated === null) throw new RecordError("is not four digits", "text_length");
  const padded = cut(start, line.length);
  const found = [...padded.trimEnd()].length;
  // Only spaces may make up the difference: texts may end in spaces, and lines may be padded.
  if (found !== stated && (found > stated || [...padded].length < stated)) {
    throw new RecordError(`says ${stated}, the text has ${formatNumber(found, "character")}`, "text_length");
  }
  return cut(start, start + stated);
}

function toLength(digits: string): number | null {
  return /^\d{4}$/.test(digits) ? Number(digits) : null;
}

/** Cuts by characters if the line has any beyond the basic plane: that is rare, and much slower than by units. */
function cutterOf(line: string): (start: number, end: number) => string {
  if (!HAS_PAIR.test(line)) return (start, end) => line.slice(start, end);
  const characters = [...line];
  return (start, end) => characters.slice(start, end).join("");
}

function splitParts(text: string, wanted: number): string[] {
  const parts = text.split("<");
  const found = parts.length - 1;
  if (found !== wanted)
    throw new RecordError(`has ${formatNumber(found, "delimiter")} instead of ${wanted}`, "text");
  if (parts[found] !== "") throw new RecordError("does not end with its delimiter", "text");
  return parts;
}
