/**
 * Compares how many rows an edition has with the one loaded before it, where nothing in its files states their number: a
 * file that was cut at the end of a row looks whole.
 */
import { basename } from "node:path";
import { SourceError } from "../../api/core/errors.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import { fetchLatestLoads, LOADS_LOOKED_AT, type LoadRecord, type SurveyedFile } from "../history/loads.ts";
import { formatCount } from "../progress.ts";
import { toSurveyed } from "./survey-files.ts";
import type { FileSurvey } from "./survey.ts";

/** Files of one edition, of one load or of several. */
interface Edition {
  /** The latest load that brought a file of it, and that file. */
  load: string;
  file: string;
  /** How many files it has. */
  parts: number;
  /** Rows of each, by its part. */
  rows: Map<number | string, number>;
}

/**
 * Throws SourceError for an edition that holds fewer rows than `minimumPercent` of the same files of the last edition
 * that was loaded. Only files named as their publisher names them, with a day, count as editions: extracts may be
 * of any size.
 */
export async function checkSize(
  documents: DocumentStore,
  surveys: readonly FileSurvey[],
  minimumPercent: number,
): Promise<void> {
  const uncounted = [...new Set(surveys.map(({ source }) => source))].filter((source) => source.isUncounted);
  if (uncounted.length === 0 || minimumPercent === 0) return;
  const loads = await fetchLatestLoads(documents, LOADS_LOOKED_AT);
  const files = surveys.map(toSurveyed);
  for (const source of uncounted) {
    const before = editionsIn(loads.filter(isDone), source);
    for (const own of editionsIn([{ _id: "", surveyed: files }], source)) {
      const earlier = findEarlier(own, before);
      if (earlier) guardSize(own, earlier, minimumPercent);
    }
  }
}

function isDone({ state }: LoadRecord): boolean {
  return state === "succeeded";
}

/** Editions of a source, of the latest load first. */
function editionsIn(
  loads: readonly { _id: string; surveyed?: readonly SurveyedFile[] }[],
  { name, fileNames }: SourceDefinition,
): Edition[] {
  const editions = new Map<string, Edition>();
  for (const { _id: load, surveyed = [] } of loads) {
    for (const { file, source, rows, production_date: day, part, mends } of surveyed) {
      const isEdition = day !== undefined && fileNames.test(basename(file)) && mends === undefined;
      if (source !== name || !isEdition) continue;
      const { part: place = 1, parts = 1 } = part ?? {};
      const key = `${day} in ${parts}`;
      const edition = editions.get(key) ?? { load, file, parts, rows: new Map() };
      editions.set(key, edition);
      // Of a file that was loaded again the latest load counts.
      if (!edition.rows.has(place)) edition.rows.set(place, rows);
    }
  }
  return [...editions.values()];
}

/** The last edition that has all that this one has: the same parts, or all of both. */
function findEarlier(own: Edition, editions: readonly Edition[]): { load: string; rows: number } | undefined {
  for (const { load, parts, rows } of editions) {
    if (isWhole(own) && isWhole({ parts, rows })) return { load, rows: sum(rows.values()) };
    const same = [...own.rows.keys()].map((part) => rows.get(part));
    if (parts === own.parts && !same.includes(undefined))
      return { load, rows: sum(same.map((count) => count ?? 0)) };
  }
  return undefined;
}

function isWhole({ parts, rows }: Pick<Edition, "parts" | "rows">): boolean {
  return rows.size === parts;
}

function guardSize(
  { file, parts, rows }: Edition,
  earlier: { load: string; rows: number },
  minimumPercent: number,
): void {
  const count = sum(rows.values());
  if (count * 100 >= earlier.rows * minimumPercent) return;
  const percent = ((100 * count) / earlier.rows).toFixed(1);
  const has = parts === 1 ? `${file} has` : `the files of the edition have`;
  throw new SourceError(
    `${has} ${formatCount(count)} rows, only ${percent} % of the ${formatCount(earlier.rows)} that were loaded before ` +
      `(${earlier.load}), and ${minimumPercent} % is the least (COMPLETE_MIN_PERCENT): most likely an incomplete ` +
      "download. Get it again, or, when it is as it should be, load it with --force",
  );
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}
