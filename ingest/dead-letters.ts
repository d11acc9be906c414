/** Owns refused rows: where they are kept, with file, line, reason and the row as it came. */
import { idsOf, readBetween } from "../api/core/stores/document-walk.ts";
import type { DocumentStore } from "../api/core/stores/mongo.ts";

const COLLECTION = "dead_letters";
// Limit: letters read and held in memory at a time.
const PAGE = 1_000;
// Limit: characters kept of a row; of base64 they are whole groups of four, so that what is kept can be decoded.
const MAX_KEPT = 65_536;

/** A refused row. */
export interface DeadLetter {
  load: string;
  file: string;
  /** Line on which the row begins, from 1. */
  line: number;
  source: string;
  reason: string;
  /** Member or column at fault, where one is. */
  field?: string;
  /** The row as it came; absent when it is no text. */
  text?: string;
  /** The row's bytes in base64, when they are no text in the expected encoding. */
  bytes?: string;
  /** True when `text` or `bytes` is only the row's beginning; the rest stands in the file. */
  cut?: true;
  /** Revision of the batch that refused it; absent in letters of releases that did not keep it. */
  revision?: number;
  /** Line on which its group begins, where rows belong together. */
  group?: number;
}

/** How many rows a load refused for one reason. */
export interface ReasonCount {
  load: string;
  reason: string;
  count: number;
}

/** Keeps refused rows. A retried batch refuses the same rows under the same ids, so nothing is kept twice. */
export async function writeDeadLetters(documents: DocumentStore, letters: DeadLetter[]): Promise<void> {
  await documents.putMissing(COLLECTION, letters.map(toDocument));
}

/** Keeps a refused row over what was kept of it. */
export async function replaceDeadLetter(documents: DocumentStore, letter: DeadLetter): Promise<void> {
  await documents.put(COLLECTION, toDocument(letter));
}

/** Lets a row go that is refused no more. */
export async function removeDeadLetter(documents: DocumentStore, letter: DeadLetter): Promise<void> {
  await documents.remove(COLLECTION, letterId(letter));
}

/** Lets all refused rows of a load go. */
export async function removeDeadLetters(documents: DocumentStore, load: string): Promise<void> {
  await documents.removeBetween(COLLECTION, idsOf(load));
}

/** What is kept of one row, or null. */
export async function fetchDeadLetter(
  documents: DocumentStore,
  place: Pick<DeadLetter, "load" | "file" | "line">,
): Promise<DeadLetter | null> {
  return (await documents.fetch(COLLECTION, letterId(place))) as DeadLetter | null;
}

/** The refused rows of all loads, counted by load and reason. */
export async function countDeadLetters(documents: DocumentStore): Promise<ReasonCount[]> {
  const counts = await documents.countBy(COLLECTION, ["load", "reason"]);
  return counts.map(({ values: [load = "", reason = ""], count }) => ({ load, reason, count }));
}

/** Names of the sources of which a load holds refused rows. */
export async function fetchRefusedSources(documents: DocumentStore, load: string): Promise<string[]> {
  const counts = await documents.countBy(COLLECTION, ["load", "source"]);
  return counts.flatMap(({ values: [ofLoad, source] }) => (ofLoad === load && source ? [source] : []));
}

function toDocument(letter: DeadLetter): DeadLetter & { _id: string } {
  return { ...bounded(letter), _id: letterId(letter) };
}

function bounded(letter: DeadLetter): DeadLetter {
  const { text, bytes } = letter;
  if (Math.max(text?.length ?? 0, bytes?.length ?? 0) <= MAX_KEPT) return letter;
  const kept = {
    ...(text === undefined ? {} : { text: text.slice(0, MAX_KEPT) }),
    ...(bytes === undefined ? {} : { bytes: bytes.slice(0, MAX_KEPT) }),
  };
  return { ...letter, ...kept, cut: true };
}

/** The refused rows of a load, in file order. `limit`: most that are returned. */
export async function fetchDeadLetters(
  documents: DocumentStore,
  load: string,
  limit: number,
): Promise<DeadLetter[]> {
  return (await documents.listBetween(COLLECTION, idsOf(load), limit)) as unknown as DeadLetter[];
}

/** All refused rows of a load, in file order. */
export function readDeadLetters(documents: DocumentStore, load: string): AsyncGenerator<DeadLetter> {
  return readBetween(documents, COLLECTION, idsOf(load), PAGE) as unknown as AsyncGenerator<DeadLetter>;
}

/** Zeros before the line make the order of ids the order of lines. */
function letterId({ load, file, line }: Pick<DeadLetter, "load" | "file" | "line">): string {
  return `${load}:${file}:${String(line).padStart(10, "0")}`;
}
