/** Owns the question whether one more index fits on the disk. */
import { CommandError } from "../../api/core/errors.ts";
import { formatBytes } from "../../api/core/format-bytes.ts";
import type { ReindexRun } from "./define-reindex.ts";

type Asked = Pick<ReindexRun, "index"> & {
  stores: { elasticsearch: { builds: Pick<ReindexRun["stores"]["elasticsearch"]["builds"], "fetchRoom"> } };
};

// The new index and its merges, on top of the live one.
const ROOM_FACTOR = 1.2;

/**
 * What one more index of this size needs, and what there is, for people. Nodes that do not tell have room. `isAnew`: one
 * more is made. Throws CommandError when it would not fit.
 */
export async function lookAtRoom({ stores, index }: Asked, isAnew: boolean): Promise<string> {
  const { usedBytes, freeBytes = Infinity } = await stores.elasticsearch.builds.fetchRoom(index.name);
  const needed = Math.ceil(usedBytes * ROOM_FACTOR);
  const free = freeBytes === Infinity ? "free not known" : `${formatBytes(freeBytes)} free`;
  const told = `${formatBytes(needed)} of disk needed, ${free}`;
  if (!isAnew || needed <= freeBytes) return told;
  throw new CommandError(
    `the new index of ${index.name} does not fit: ${told}; make room, or delete from Elasticsearch the former ` +
      "index, which `npm run cli -- status` shows as reached by no alias",
  );
}
