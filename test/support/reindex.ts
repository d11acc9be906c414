/** Owns what tests of reindexes look at and do. */
import type { Stores } from "../../api/core/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { fetchAnnouncement, type Announcement } from "../../ingest/announcements.ts";

/** The builds that are announced, of all indices. */
export async function listAnnouncements({ mongo }: Stores): Promise<Announcement[]> {
  const found = await Promise.all(indices.map(({ name }) => fetchAnnouncement(mongo.documents, name)));
  return found.filter((one) => one !== null);
}
