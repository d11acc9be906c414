/** Gives out revisions, which order all writes: by Redis, and above those of loads where it has lost its data. */
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { fetchKnownLoads, reachedBy, type LoadFacts } from "./loads.ts";

// Limit: places for loads that mend one load.
const MOST_MENDS = 1_000;

/** The highest revision that loads can have used. */
async function fetchHighestRevision(documents: DocumentStore, known?: readonly LoadFacts[]): Promise<number> {
  // Not only the last few: one that began long ago may have waited for the kinds that it writes.
  const loads = known ?? (await fetchKnownLoads(documents));
  return Math.max(0, ...loads.map((load) => reachedBy(load) + MOST_MENDS));
}

// Limit: revisions given out since the last load began, to followers and commands, that are ahead of the clock.
const MOST_AHEAD = 1_000_000;

/** Those that give out revisions. */
interface RevisionStores {
  redis: Pick<Stores["redis"], "nextRevision" | "nextRevisionIfKnown">;
  mongo: Pick<Stores["mongo"], "documents">;
}

/** A revision higher than all before, also where Redis has lost its data, and than `above`. */
export async function drawRevision({ redis, mongo }: RevisionStores, above = 0): Promise<number> {
  const drawn =
    (await redis.nextRevisionIfKnown()) ??
    (await redis.nextRevision(MOST_AHEAD + (await fetchHighestRevision(mongo.documents))));
  return drawn > above ? drawn : redis.nextRevision(above);
}

/** The first revision of a load: also higher than all that other loads, by default those stored now, can use yet. */
export async function drawRevisionOfLoad(stores: RevisionStores, known?: readonly LoadFacts[]) {
  return drawRevision(stores, await fetchHighestRevision(stores.mongo.documents, known));
}
