/** Has the live indices follow the change log where no worker does. */
import type { Stores } from "../../api/core/stores/index.ts";
import { closeAfter, listAfter } from "../../ingest/log/changes.ts";
import { Following } from "../../ingest/log/follow.ts";
import { fetchLive } from "../../ingest/log/followers.ts";
import { projectLive } from "../../ingest/log/project.ts";

/** Brings all changes to the live indices, those of batches that were broken off included. */
export async function followNow(stores: Stores): Promise<void> {
  const { documents } = stores.mongo;
  const following = new Following(
    documents,
    () => fetchLive(documents),
    (changes) => projectLive(stores, changes),
  );
  for (;;) {
    const position = await following.run();
    if ((await listAfter(documents, position)).length === 0) return;
    await closeAfter(documents, position);
  }
}
