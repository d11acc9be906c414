/**
 * Owns what is different about the first load of kinds of which several records make one search document, as all
 * appointments of a person do: nothing has to be read back, since the documents are made of what its batches have in hand.
 */
import { PERSONS } from "../../api/core/stores/persons.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { indices } from "../../index-mappings/index.ts";
import { bearsRevision } from "../projection/search-index.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import type { FileBatch } from "./cut-file.ts";
import { Gathering } from "./gathering.ts";
import type { Repeats } from "./repeats.ts";
import type { FileSurvey } from "./survey.ts";

/** True where no other file fills the kinds of those that tell which of their rows belong together. */
export function isScattered(surveys: readonly FileSurvey[]): boolean {
  const kinds = new Set(surveys.flatMap(({ source, fills }) => (source.scattered ? fills : [])));
  return surveys.every(
    ({ source, fills }) => source.scattered !== undefined || !fills.some((kind) => kinds.has(kind)),
  );
}

/** True where nothing is held of such kinds, and no real id is known, which would not be that of the document in hand. */
export async function isFirst(documents: DocumentStore): Promise<boolean> {
  const kinds = indices.filter((index) => !bearsRevision(index)).map((index) => index.record.collection);
  const areEmpty = await Promise.all([...kinds, PERSONS].map((kind) => documents.isEmpty(kind)));
  return areEmpty.every(Boolean);
}

/** What stands in several files is not brought together. */
export async function openGathering(
  surveys: readonly FileSurvey[],
  { source, rows }: FileSurvey,
  repeats: Repeats,
): Promise<Gathering | undefined> {
  const { scattered, groupKey } = source;
  const isAlone = surveys.filter((one) => one.source.scattered).length === 1;
  return scattered && groupKey && isAlone
    ? Gathering.open({ scattered, groupKey }, repeats, rows)
    : undefined;
}

/** Documents that rows outside of the batch may belong to, too; undefined where no rows make one together. */
export function apartOf(
  { scattered }: SourceDefinition,
  { rows }: FileBatch,
  repeats: Repeats,
): string[] | undefined {
  if (!scattered) return undefined;
  const keys = new Set(rows.map(({ text }) => scattered.keyOf(text)));
  return [...keys].flatMap((key) =>
    key !== undefined && repeats.isAgain(key) ? scattered.documentOf(key) : [],
  );
}
