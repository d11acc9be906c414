/**
 * The search documents of several records in a first load. Each is made from one batch alone, and nothing is read back,
 * unless other batches may have rows of it, too: rows of one person may be anywhere in a file.
 */
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import type { Batch } from "../queue/batches.ts";
import type { BatchJob } from "../queue/queue.ts";
import type { FileSurvey } from "./open-file.ts";
import type { Repeats } from "./repeats.ts";

/**
 * True if nothing is stored where scattered rows go, nor any person's real id, and other files of the load do not fill
 * these kinds. `empty`: collections without documents.
 */
export function isFirst(surveys: readonly FileSurvey[], empty: ReadonlySet<string>): boolean {
  const kinds = surveys.flatMap(({ source, fills }) => (source.scattered ? fills : []));
  const others = surveys.flatMap(({ source, fills }) => (source.scattered ? [] : fills));
  return [...kinds, PERSONS].every((kind) => empty.has(kind)) && !others.some((kind) => kinds.includes(kind));
}

/** Names the documents of a batch of which other batches may have rows, too. `repeats`: the keys of all rows. */
export function apartOf({ source: { scattered } }: FileSurvey, repeats: Repeats) {
  return ({ rows }: Batch): Pick<BatchJob, "apart"> => {
    if (!scattered) return {};
    const keys = new Set(rows.map(({ text }) => scattered.keyOf(text)));
    return {
      apart: [...keys].flatMap((key) =>
        key !== undefined && repeats.isAgain(key) ? scattered.documentOf(key) : [],
      ),
    };
  };
}
