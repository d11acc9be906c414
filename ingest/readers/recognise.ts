/** Owns the recognition of a bulk file: which source its first line and its name belong to. Pure. */
import { showText } from "../../api/core/format.ts";
import { SourceError } from "../../api/core/errors.ts";
import type { SourceDefinition } from "../sources/define-source.ts";

/* eslint-disable no-control-regex -- what a file that is no text begins with */
const DISGUISES: [beginning: RegExp, is: string][] = [
  [/^PK[\u0003\u0005]/, "a zip inside the file; unpack it and load what it holds"],
  [/^\u001f/, "a gzip inside the file; unpack it and load what it holds"],
  [
    /^(BZh|\ufffd7zXZ|7z\ufffd|Rar!|\(\ufffd\/)/,
    "a packed file; unpack it (zip and gzip are unpacked by themselves)",
  ],
  [/^(\ufffd\ufffd|\u00ff\u00fe|\u00fe\u00ff)?\u0000?[^\u0000]\u0000/, "UTF-16; convert it to UTF-8"],
];
/* eslint-enable no-control-regex */

/** The source of a file: what its first line says counts before the name. Throws SourceError, saying what was found. */
export function recogniseSource(
  sources: readonly SourceDefinition[],
  fileName: string,
  firstLine: string,
): SourceDefinition {
  const byLine = sources.filter((source) => source.recognises(firstLine));
  if (byLine.length === 0) requireText(firstLine);
  const isNamed = (source: SourceDefinition) => source.fileNames.test(fileName);
  // A file of the right name with another first line: its own source says best what is wrong with it.
  const found = byLine.find(isNamed) ?? byLine[0] ?? sources.find(isNamed);
  if (found) return found;
  if (firstLine.trim() === "") throw new SourceError("it holds no row at all; get it again");
  throw new SourceError(
    `${fileName} is none of the formats that can be loaded (${sources.map((known) => known.name).join(", ")}): ` +
      `it begins with "${showText(firstLine.slice(0, 60))}". If it is one of them all the same, say which with --as.`,
  );
}

/** Throws SourceError for a first line that is none of a text file: its name, however right, says nothing then. */
function requireText(firstLine: string): void {
  const [, disguise] = DISGUISES.find(([beginning]) => beginning.test(firstLine)) ?? [];
  if (disguise) throw new SourceError(`expected the text of a bulk file, found ${disguise}`);
}

// Of JSON a carriage return may stand between two members; between two objects it ends a line.
const LOST_LINE_FEEDS = /^\s*[^\s{][^\r]*\r[^\r]|^\s*\{.*\}\s*\r\s*\{/s;

/** Throws SourceError for a first line in which further ones follow, each behind a carriage return. */
export function requireLineFeeds(firstLine: string): void {
  if (!LOST_LINE_FEEDS.test(firstLine)) return;
  throw new SourceError(
    "expected lines that end with a line feed, found carriage returns alone (CR): convert them to line feeds, " +
      "for instance with tr '\\r' '\\n'",
  );
}
