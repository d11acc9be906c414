/** Stores how far each stream of another server has been followed. */
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { FOLLOWERS } from "../../api/shared/stores/collections/positions.ts";

/** A stream that is followed, or was. */
export interface FollowedStream {
  /** Its name, such as `companies`. */
  stream: string;
  /** The address of the server's streams. */
  from: string;
  /**
   * All events up to this timepoint are written. Absent: no event has come, and the server has not said where it began.
   * -1: the same for a stream that began with the oldest event.
   */
  timepoint?: number;
  /** When that event was published, and when it was written here: moments of UTC. */
  published_at?: string;
  written_at?: string;
  /** The highest timepoint of an event of this server that was written; absent or 0: none was. */
  written?: number;
  /** The highest timepoint that was written from other servers, which were followed before. */
  above?: number;
  /** When the server last sent anything, such as an empty line. */
  heard_at?: string;
  /** Why it is no longer followed, or not until the server accepts it again; absent if followed or stopped. */
  fault?: string;
}

/** The streams that are followed, or were, by name. */
export async function fetchFollowed(documents: DocumentStore): Promise<Map<string, FollowedStream>> {
  const all = await documents.fetchAll(FOLLOWERS, {});
  // The cast: documents with the name of a stream are written below.
  const followed = all.filter(({ stream }) => stream !== undefined) as unknown as FollowedStream[];
  return new Map(followed.map((one) => [one.stream, one]));
}

/** Milliseconds from the publication of the last event to its writing here; null when none was written. */
export function delayOf({ published_at, written_at }: FollowedStream): number | null {
  if (published_at === undefined || written_at === undefined) return null;
  return Math.max(0, Date.parse(written_at) - Date.parse(published_at));
}

export async function writeFollowed(documents: DocumentStore, followed: FollowedStream): Promise<void> {
  await documents.put(FOLLOWERS, { _id: `stream/${followed.stream}`, ...followed });
}
