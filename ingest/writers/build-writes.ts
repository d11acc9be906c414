/**
 * Owns the writes to an index that is being built. They go before those to the live index: a writer that finds the new
 * one gone knows that the live alias leads to it by now, or that it was given up. A write that cannot reach the new
 * index spoils the build and no batch.
 */
import { BuildGoneError, UnavailableError } from "../../api/core/errors.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { nextOf, type IndexDefinition } from "../../index-mappings/define-index.ts";
import {
  fetchAnnouncement,
  fetchBuild,
  isFitting,
  REINDEX_LOCK,
  spoil,
  withdraw,
  type Announcement,
} from "../announcements.ts";

// Limit: builds that may follow each other while one batch is written.
const MOST_BUILDS = 5;

/** Writes to the index that is being built, if there is one. MongoDB must have been written before. */
export async function writeBuild(
  stores: Stores,
  index: IndexDefinition,
  writes: IndexWrite[],
): Promise<void> {
  for (let look = 1; look <= MOST_BUILDS; look += 1) {
    const build = await fetchAnnouncement(stores.mongo.documents, index.name);
    if (!build) return;
    const outcome = build.spoiled === undefined ? await tryWrite(stores, index, build, writes) : "spoiled";
    if (outcome === "written") return;
    if (outcome === "spoiled") return requireNoMove(stores, build);
  }
  throw new UnavailableError("elasticsearch", `index ${index.name} is being built again and again`);
}

/** `again`: the build is over, and another one may have begun. */
async function tryWrite(
  stores: Stores,
  index: IndexDefinition,
  build: Announcement,
  writes: IndexWrite[],
): Promise<"written" | "spoiled" | "again"> {
  const { documents } = stores.mongo;
  const note = async (reason: string) => {
    await spoil(documents, build._id, reason);
    return "spoiled" as const;
  };
  if (!isFitting(build, index)) return note(describeUnfit(build, index));
  try {
    const [refused] = await stores.elasticsearch.write(nextOf(index).name, writes);
    return refused ? await note(`it refused document ${refused.id}: ${refused.reason}`) : "written";
  } catch (error) {
    if (!(error instanceof BuildGoneError)) throw error;
  }
  if (!(await fetchBuild(documents, build._id))) return "again";
  const live = await stores.elasticsearch.fetchLiveIndices([index.name]);
  // An engine that starts knows no index yet.
  if (live.length === 0) throw new UnavailableError("elasticsearch", `there is no index ${index.name}`);
  if (live.every(({ name }) => name !== build._id)) return note("it was deleted");
  // Whoever moved the alias has died, or is about to withdraw it.
  await withdraw(documents, build._id);
  return "again";
}

function describeUnfit({ version, names_version }: Announcement, index: IndexDefinition): string {
  const difference =
    version === index.version ? `name rules other than version ${names_version}` : `version ${index.version}`;
  return `a worker with ${difference} of ${index.name} writes; restart all workers with this release`;
}

/**
 * Who moves the alias looks for a spoiled build after it has said that it moves; so either it sees that, or the
 * move is seen here. Throws UnavailableError in the second case: the batch is tried again when the move has ended.
 */
async function requireNoMove({ mongo, redis }: Stores, { _id, index }: Announcement): Promise<void> {
  const now = await fetchBuild(mongo.documents, _id);
  if (now?.state !== "moving") return;
  const isMoverAlive = (await redis.locks.list()).includes(REINDEX_LOCK);
  if (isMoverAlive)
    throw new UnavailableError("elasticsearch", `the new index of ${index} is being taken into use`);
}
