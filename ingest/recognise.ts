/** Owns the recognition of a bulk file: which source its first line and its name belong to. Pure. */
import { SourceError } from "../api/core/errors.ts";
import type { SourceDefinition } from "./define-source.ts";

/**
 * The source of a file. What the first line says counts before the name; with neither, the error names
 * what was found and what can be loaded.
 */
export function recogniseSource(
  sources: readonly SourceDefinition[],
  fileName: string,
  firstLine: string,
): SourceDefinition {
  const byLine = sources.filter((source) => source.recognises(firstLine));
  const byName = sources.filter((source) => source.fileNames.test(fileName));
  const [source] = byLine.length > 1 ? byLine.filter((candidate) => byName.includes(candidate)) : byLine;
  // A file of the right name with another first line: its own source says best what is wrong with it.
  const found = source ?? byLine[0] ?? byName[0];
  if (found) return found;
  throw new SourceError(
    `${fileName} is none of the formats that can be loaded (${sources.map((known) => known.name).join(", ")}): ` +
      `it begins with "${firstLine.slice(0, 60)}". If it is one of them all the same, say which with --as.`,
  );
}
