/** Recognises a bulk file's source by first line and name. Pure. */
import { showText } from "../../api/shared/runtime/format.ts";
import { SourceError, UnknownFormatError } from "../../api/shared/runtime/errors.ts";
import { FORMATS_PAGE, type SourceDefinition } from "../sources/define-source.ts";

/* eslint-disable no-control-regex -- first bytes of files that are not text */
const DISGUISES: [beginning: RegExp, is: string][] = [
  [/^PK[\u0003\u0005]/, "a zip inside the file; unpack it and load its content"],
  [/^\u001f/, "a gzip inside the file; unpack it and load its content"],
  [/^(BZh|\ufffd7zXZ|7z\ufffd|Rar!|\(\ufffd\/)/, "a compressed file; unpack it (zip and gzip load as is)"],
  [/^(\ufffd\ufffd|\u00ff\u00fe|\u00fe\u00ff)?\u0000?[^\u0000]\u0000/, "UTF-16; convert it to UTF-8"],
];
/* eslint-enable no-control-regex */

/** The source of a file; the first line outranks the name. Throws SourceError with what was found. */
export function recogniseSource(sources: readonly SourceDefinition[], fileName: string, firstLine: string) {
  const byLine = sources.filter((source) => source.recognises(firstLine));
  if (byLine.length === 0) requireText(firstLine);
  const isNamed = (source: SourceDefinition) => source.fileNames.test(fileName);
  // A known name with a wrong first line: its source gives the best error.
  const found = byLine.find(isNamed) ?? byLine[0] ?? sources.find(isNamed);
  if (found) return found;
  if (firstLine.trim() === "") throw new SourceError("it has no rows; download it again");
  throw new UnknownFormatError(
    `unknown format: it begins with "${showText(firstLine.slice(0, 60))}"; see ${FORMATS_PAGE}, and if it has one of these ` +
      "formats, name that with --as",
  );
}

function requireText(firstLine: string): void {
  const [, disguise] = DISGUISES.find(([beginning]) => beginning.test(firstLine)) ?? [];
  if (disguise) throw new SourceError(`expected the text of a bulk file, found ${disguise}`);
}

// JSON may have a carriage return between two members; between two objects it ends a line. In UTF-16 a NUL follows it.
const LOST_LINE_FEEDS = /^\s*[^\s{][^\r]*\r[^\r\0]|^\s*\{.*\}\s*\r\s*\{/s;

/** Throws SourceError if the first line contains more lines, separated by carriage returns. */
export function requireLineFeeds(firstLine: string): void {
  if (!LOST_LINE_FEEDS.test(firstLine)) return;
  throw new SourceError(
    "expected lines that end with a line feed, found carriage returns alone (CR): convert them to line feeds, " +
      "for instance with tr '\\r' '\\n'",
  );
}
