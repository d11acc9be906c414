/**
 * Draws revisions, which order all writes, from Redis. If Redis has lost its data, it continues above those of all
 * loads.
 */
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { fetchKnownLoads, reachedBy, type LoadFacts } from "./loads.ts";

// Limit: how many loads may mend one load; each of them takes a place after its revisions.
const MOST_MENDS = 1_000;

/** The highest revision that loads can have used. */
async function fetchHighestRevision(documents: DocumentStore, known?: readonly LoadFacts[]): Promise<number> {
  // Reads not only the last few: a load that began long ago may have waited for its locks.
  const loads = known ?? (await fetchKnownLoads(documents));
  return Math.max(0, ...loads.map((load) => reachedBy(load) + MOST_MENDS));
}

// Limit: how far ahead of the clock the revisions are that followers and commands have drawn since the last load began.
const MOST_AHEAD = 1_000_000;

/** The stores that revisions are drawn from. */
interface RevisionStores {
  redis: Pick<Stores["redis"], "nextRevision" | "nextRevisionIfKnown">;
  mongo: Pick<Stores["mongo"], "documents">;
}

/** Draws a revision higher than `above` and than all before, even if Redis has lost its data. */
export async function drawRevision({ redis, mongo }: RevisionStores, above = 0): Promise<number> {
  const drawn =
    (await redis.nextRevisionIfKnown()) ??
    (await redis.nextRevision(MOST_AHEAD + (await fetchHighestRevision(mongo.documents))));
  return drawn > above ? drawn : redis.nextRevision(above);
}

/** Draws the first revision of a load: higher than all that the loads `known` (default: all stored) can still use. */
export async function drawRevisionOfLoad(stores: RevisionStores, known?: readonly LoadFacts[]) {
  return drawRevision(stores, await fetchHighestRevision(stores.mongo.documents, known));
}
