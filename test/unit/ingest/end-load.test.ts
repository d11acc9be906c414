/** How the end of a load is stored. */
import { expect, it } from "@jest/globals";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { beginLoad } from "../../../ingest/history/loads.ts";
import { endLoad } from "../../../ingest/load/run-load.ts";

it("a load that fails while Elasticsearch is away is stored as failed, with the reason", async () => {
  const stored: unknown[] = [];
  const put = (_collection: string, load: object) => Promise.resolve(void stored.push(load));
  const refresh = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
  // The cast: nothing else is used.
  const stores = { elasticsearch: { refresh }, mongo: { documents: { put } } } as unknown as Stores;
  const limits = { BATCH_ROWS: 1, BATCH_BYTES: 1 };
  const record = beginLoad(["a.csv"], limits, { encoding: "utf-8", isComplete: false });
  await endLoad({ stores, record }, new UnavailableError("elasticsearch", "away"));
  expect(stored).toMatchObject([{ state: "failed", reason: "elasticsearch is not available: away" }]);
});
