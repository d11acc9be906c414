/**
 * Finds the keys that occur more than once in a file, in constant memory. A first load uses this for search documents
 * that combine several records, since the rows of one person may be anywhere in a file. A document whose key occurs
 * once is made from its batch alone, without reading records back.
 */
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import type { BatchJob } from "../queue/queue.ts";
import { textOf, type ReadRow } from "../readers/read-rows.ts";
import type { FileSurvey } from "./open-file.ts";

// 2 × 16 MB at most. Of 23 million unique keys one in six counts as repeated, which costs one read of its document.
const BITS = 1 << 27;

/** The keys seen so far. A repeated key is always recognised; a unique key may count as repeated. */
export class Repeats {
  private readonly once = new Bits();
  private readonly again = new Bits();

  see(key: string): void {
    const place = placeOf(key);
    (this.once.has(place) ? this.again : this.once).add(place);
  }

  isRepeated(key: string): boolean {
    return this.again.has(placeOf(key));
  }
}

const PAGE_SHIFT = 16;

/**
 * Bits in pages of 8 kB, each allocated when its first bit is set. Allocating all at once would make V8 collect the
 * garbage of its whole heap for each small load, since V8 counts memory outside its heap whether used or not.
 */
class Bits {
  private readonly pages: (Uint8Array | undefined)[] = [];

  has(place: number): boolean {
    const page = this.pages[place >>> PAGE_SHIFT];
    return page !== undefined && ((page[byteOf(place)] ?? 0) & bitOf(place)) !== 0;
  }

  add(place: number): void {
    const page = (this.pages[place >>> PAGE_SHIFT] ??= new Uint8Array(1 << (PAGE_SHIFT - 3)));
    page[byteOf(place)] = (page[byteOf(place)] ?? 0) | bitOf(place);
  }
}

function byteOf(place: number): number {
  return (place & ((1 << PAGE_SHIFT) - 1)) >>> 3;
}

function bitOf(place: number): number {
  return 1 << (place & 7);
}

/** A place from 0 to `BITS - 1`, by the hash FNV-1a, which spreads similar keys evenly. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % BITS;
}

/**
 * True if the collections that scattered rows fill are empty, no facts about persons are stored, and no other files of
 * the load fill these collections. `empty`: collections without documents.
 */
export function isFirst(surveys: readonly FileSurvey[], empty: ReadonlySet<string>): boolean {
  const kinds = surveys.flatMap(({ source, fills }) => (source.scattered ? fills : []));
  const others = surveys.flatMap(({ source, fills }) => (source.scattered ? [] : fills));
  return [...kinds, PERSONS].every((kind) => empty.has(kind)) && !others.some((kind) => kinds.includes(kind));
}

/** Returns a function that names the documents of a batch that other batches have rows of, too. `repeats`: all keys. */
export function apartOf({ source: { scattered } }: FileSurvey, repeats: Repeats) {
  return (rows: readonly ReadRow[]): Pick<BatchJob, "apart"> => {
    if (!scattered) return {};
    const keys = new Set(rows.map((row) => scattered.keyOf(textOf(row))));
    return {
      apart: [...keys].flatMap((key) =>
        key !== undefined && repeats.isRepeated(key) ? scattered.documentOf(key) : [],
      ),
    };
  };
}
