/** Recognises a bulk file's source by first line and name. Pure. */
import { showText } from "../../api/core/format.ts";
import { SourceError } from "../../api/core/errors.ts";
import type { SourceDefinition } from "../sources/define-source.ts";

/* eslint-disable no-control-regex -- first bytes of files that are not text */
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

/** The source of a file; the first line outranks the name. Throws SourceError with what was found. */
export function recogniseSource(
  sources: readonly SourceDefinition[],
  fileName: string,
  firstLine: string,
): SourceDefinition {
  const byLine = sources.filter((source) => source.recognises(firstLine));
  if (byLine.length === 0) requireText(firstLine);
  const isNamed = (source: SourceDefinition) => source.fileNames.test(fileName);
  // A known name with a wrong first line: its source gives the best error.
  const found = byLine.find(isNamed) ?? byLine[0] ?? sources.find(isNamed);
  if (found) return found;
  if (firstLine.trim() === "") throw new SourceError("it holds no row at all; get it again");
  throw new SourceError(
    `${fileName} is none of the formats that can be loaded (${sources.map((known) => known.name).join(", ")}): ` +
      `it begins with "${showText(firstLine.slice(0, 60))}". If it is one of them all the same, say which with --as.`,
  );
}

/** Throws SourceError for a first line that is not text, whatever the file's name. */
function requireText(firstLine: string): void {
  const [, disguise] = DISGUISES.find(([beginning]) => beginning.test(firstLine)) ?? [];
  if (disguise) throw new SourceError(`expected the text of a bulk file, found ${disguise}`);
}

// JSON may have a carriage return between two members; between two objects it ends a line.
const LOST_LINE_FEEDS = /^\s*[^\s{][^\r]*\r[^\r]|^\s*\{.*\}\s*\r\s*\{/s;

/** Throws SourceError if the first line contains more lines, separated by carriage returns. */
export function requireLineFeeds(firstLine: string): void {
  if (!LOST_LINE_FEEDS.test(firstLine)) return;
  throw new SourceError(
    "expected lines that end with a line feed, found carriage returns alone (CR): convert them to line feeds, " +
      "for instance with tr '\\r' '\\n'",
  );
}
