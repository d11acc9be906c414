/** Positions in the change log, and how far its followers have come. */
import type { DocumentStore } from "../mongodb/mongo.ts";

// Positions are numbers without gaps, padded so that they sort as text.
const DIGITS = 15;

export function toPosition(number: number): string {
  return String(number).padStart(DIGITS, "0");
}

/** The position before the first. */
export const BEGINNING = toPosition(0);

export function positionAfter(position: string): string {
  return toPosition(Number(position) + 1);
}

/** The positions between two, both excluded. */
export function positionsBetween(position: string, end: string): string[] {
  const length = Math.max(0, Number(end) - Number(position) - 1);
  return Array.from({ length }, (_none, at) => toPosition(Number(position) + 1 + at));
}

/** Collection of the log's followers. */
export const FOLLOWERS = "followers";
/** Id of the follower for the live indices. */
export const LIVE = "live";
/** Id of the follower that keeps the links of company profiles. */
export const LINKS = "links";

export interface Follower {
  _id: string;
  /** It has received all changes up to this position. */
  position: string;
}

export function fetchLive(documents: Pick<DocumentStore, "fetch">): Promise<Follower> {
  return fetchFollower(documents, LIVE);
}

export function fetchLinksFollower(documents: Pick<DocumentStore, "fetch">): Promise<Follower> {
  return fetchFollower(documents, LINKS);
}

/** A follower is stored with its first step; before that it is at the beginning. */
async function fetchFollower(documents: Pick<DocumentStore, "fetch">, _id: string): Promise<Follower> {
  const found = await documents.fetch(FOLLOWERS, _id);
  return { _id, position: found ? String(found.position) : BEGINNING };
}
