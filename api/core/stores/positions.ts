/** Owns the positions of the change log, and up to which one the live search indices have followed it. */
import type { DocumentStore } from "./mongo.ts";

// A position is a number without gaps, as a text that sorts like it.
const DIGITS = 15;

/** The position of this number. */
export function toPosition(number: number): string {
  return String(number).padStart(DIGITS, "0");
}

/** The position before the first. */
export const BEGINNING = toPosition(0);

/** The one that follows. */
export function positionAfter(position: string): string {
  return toPosition(Number(position) + 1);
}

/** Those between two. */
export function positionsBetween(position: string, end: string): string[] {
  const length = Math.max(0, Number(end) - Number(position) - 1);
  return Array.from({ length }, (_none, at) => toPosition(Number(position) + 1 + at));
}

/** Collection of those who follow the log. */
export const FOLLOWERS = "followers";
/** Id of the one that stands for the live indices. */
export const LIVE = "live";

/** Who follows the log. */
export interface Follower {
  _id: string;
  /** All changes up to here, this one included, have reached it. */
  position: string;
}

/** The follower of the live indices. */
export async function fetchLive(documents: Pick<DocumentStore, "fetch">): Promise<Follower> {
  const found = await documents.fetch(FOLLOWERS, LIVE);
  return { _id: LIVE, position: found ? String(found.position) : BEGINNING };
}
