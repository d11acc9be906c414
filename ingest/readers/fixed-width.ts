/** Owns fixed-width lines: fields cut by position, then texts that each end with `<` and whose total length is stated. */
import { RecordError } from "../../api/core/errors.ts";

/** A field by its place in the line: start counts characters from 1, as the publisher's tables do. */
export type Field<Name extends string> = readonly [name: Name, start: number, length: number];

// Characters beyond the basic plane take two units of a text, while positions count them once.
const HAS_PAIR = /[\ud800-\udbff]/;
const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;
const ONE_UNIT = "\ue000";

/** Cuts a line by position, never at spaces: a full field touches the next one. Ends are trimmed. */
export function readFields<Name extends string>(
  fields: readonly Field<Name>[],
  line: string,
  into = {} as Record<Name, string>,
): Record<Name, string> {
  const hasPair = HAS_PAIR.test(line);
  for (const [name, start, length] of fields) {
    const end = start - 1 + length;
    into[name] = (hasPair ? cut(line, start - 1, end) : line.slice(start - 1, end)).trim();
  }
  return into;
}

/** The text behind a length field of four digits, which counts characters. Throws RecordError when it does not fit. */
export function readText(line: string, lengthStart: number): string {
  const start = lengthStart + 3;
  // Nearly every line fits as it is; one whose length counts units fits as well.
  const text = line.slice(start).trimEnd();
  if (text.length === statedLength(line, lengthStart)) return text;
  const counted = line.replace(PAIRS, ONE_UNIT);
  const stated = statedLength(counted, lengthStart);
  if (stated === null) throw new RecordError("is not four digits", "text_length");
  const found = counted.slice(start).trimEnd().length;
  // Only spaces may make up the difference: a text may end in some, and a line may be padded with more.
  if (found !== stated && (found > stated || counted.length < start + stated)) {
    throw new RecordError(`says ${stated}, the text has ${found} characters`, "text_length");
  }
  return counted === line ? line.slice(start, start + stated) : cut(line, start, start + stated);
}

function statedLength(line: string, lengthStart: number): number | null {
  const stated = line.slice(lengthStart - 1, lengthStart + 3);
  return /^\d{4}$/.test(stated) ? Number(stated) : null;
}

/** By characters, which is many times slower than by units. */
function cut(line: string, start: number, end: number): string {
  return [...line].slice(start, end).join("");
}

/** Names the `<`-terminated parts of a text. Throws RecordError when there are more or fewer. */
export function readParts<Name extends string>(
  names: readonly Name[],
  text: string,
  into = {} as Record<Name, string>,
): Record<Name, string> {
  const parts = text.split("<");
  const found = parts.length - 1;
  if (found !== names.length) {
    throw new RecordError(`has ${found} delimiters instead of ${names.length}`, "text");
  }
  if (parts[found] !== "") throw new RecordError("does not end with its delimiter", "text");
  for (const [index, name] of names.entries()) into[name] = (parts[index] ?? "").trim();
  return into;
}
