/** Makes the live indices follow the change log in tests without a worker. */
import type { Stores } from "../../api/shared/stores/index.ts";
import { fetchAfter } from "../../ingest/log/changes.ts";
import { openLinks, openLive } from "../../ingest/log/log-follower.ts";

/** Brings all changes to the live indices and links, including those of interrupted batches. */
export async function followNow(stores: Stores): Promise<void> {
  const patience = { gapMs: 0, writingMs: 0 };
  for (const following of [openLive(stores, patience), openLinks(stores, patience)])
    while ((await fetchAfter(stores, await following.run())).length > 0);
}
