/** Owns sets: an edition that comes in several files, whose parts must belong together and add up. Pure. */
import { SourceError } from "../../api/core/errors.ts";
import type { SetPart, SourceDefinition } from "../sources/define-source.ts";
import type { FileSurvey } from "./survey.ts";

/** A file and which part of a set it is. */
interface Part extends SetPart {
  survey: FileSurvey;
}

/**
 * Checks the files of one load against each other. Throws SourceError for parts of two editions and for a part that
 * is there twice, and what the format itself demands of a whole set.
 */
export function checkSets(surveys: FileSurvey[]): void {
  for (const [source, ofSource] of partsBySource(surveys)) {
    for (const product of new Set(ofSource.map((part) => part.product))) {
      const parts = ofSource.filter((part) => part.product === product);
      checkEdition(parts);
      checkTwice(parts);
      if (isWholeSet(parts)) source.closeSet?.(parts.map(({ survey }) => survey));
    }
  }
}

/** The files of this source that are lacking for a whole edition, by part; none where files stand alone. */
export function lackingParts(surveys: FileSurvey[], source: SourceDefinition): number[] {
  const parts = partsBySource(surveys).get(source) ?? [];
  const held = new Set<number | string>(parts.map(({ part }) => part));
  const count = parts[0]?.parts ?? 0;
  return Array.from({ length: count }, (_, index) => index + 1).filter((part) => !held.has(part));
}

function partsBySource(surveys: FileSurvey[]): Map<SourceDefinition, Part[]> {
  const bySource = new Map<SourceDefinition, Part[]>();
  for (const survey of surveys) {
    const part = survey.source.partOf?.(survey.context);
    if (!part || part.parts === 1) continue;
    bySource.set(survey.source, [...(bySource.get(survey.source) ?? []), { ...part, survey }]);
  }
  return bySource;
}

function checkEdition(parts: Part[]): void {
  const [first] = parts;
  const other = parts.find(
    ({ edition, parts: count }) => edition !== first?.edition || count !== first.parts,
  );
  if (!first || !other) return;
  throw new SourceError(
    `${first.survey.file} and ${other.survey.file} are parts of two editions (${nameOf(first)}, ${nameOf(other)}): ` +
      "load the editions one after the other",
  );
}

function nameOf({ edition, parts }: Part): string {
  return parts === undefined ? edition : `${edition} in ${parts} parts`;
}

function checkTwice(parts: Part[]): void {
  const files = new Map<number | string, string>();
  for (const { part, survey } of parts) {
    const earlier = files.get(part);
    if (earlier !== undefined)
      throw new SourceError(`${earlier} and ${survey.file} are both part ${part}: name it once`);
    files.set(part, survey.file);
  }
}

function isWholeSet(parts: Part[]): boolean {
  return parts.length > 0 && parts.length === parts[0]?.parts;
}
