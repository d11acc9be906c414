/** Owns fixed-width lines: fields cut by position, then texts that each end with `<` and whose total length is stated. */
import { RecordError } from "../../api/core/errors.ts";

/** A field by its place in the line: start counts characters from 1, as the publisher's tables do. */
export type Field<Name extends string> = readonly [name: Name, start: number, length: number];

/** Cuts a line by position, never at spaces: a full field touches the next one. Ends are trimmed. */
export function readFields<Name extends string>(
  fields: readonly Field<Name>[],
  line: string,
  into = {} as Record<Name, string>,
): Record<Name, string> {
  for (const [name, start, length] of fields) into[name] = line.slice(start - 1, start - 1 + length).trim();
  return into;
}

/**
 * The variable text behind a length field of four digits. Lengths count characters, not bytes, and
 * padding after the text is no part of it. Throws RecordError when the length does not fit.
 */
export function readText(line: string, lengthStart: number): string {
  const stated = line.slice(lengthStart - 1, lengthStart + 3);
  if (!/^\d{4}$/.test(stated)) throw new RecordError("is not four digits", "text_length");
  const text = line.slice(lengthStart + 3).trimEnd();
  const length = Number(stated);
  if (text.length === length) return text;
  // Only spaces may make up the difference: a text may end in some, and a line may be padded with more.
  if (text.length < length && line.length >= lengthStart + 3 + length) {
    return line.slice(lengthStart + 3, lengthStart + 3 + length);
  }
  throw new RecordError(`says ${length}, the text has ${text.length} characters`, "text_length");
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
