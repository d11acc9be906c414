/** Whether one more index fits on the disk, and what is said where it does not. */
import { expect, test } from "@jest/globals";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { companiesIndex } from "../../../index-mappings/companies/index.ts";
import { lookAtRoom } from "../../../ingest/reindex/run-reindex.ts";

function asked(usedBytes: number, freeBytes: number | undefined, buildBytes = 0) {
  const builds = { fetchRoom: () => Promise.resolve({ usedBytes, freeBytes, buildBytes }) };
  return { index: companiesIndex, stores: { elasticsearch: { builds } } as unknown as Stores };
}

test("twice what the live index takes must be free, since its segments are merged, and a fifth more of it", async () => {
  await expect(lookAtRoom(asked(100_000_000, 220_000_000), true)).resolves.toMatch(/^210 MB of disk needed/);
  await expect(lookAtRoom(asked(100_000_000, 219_999_999), true)).rejects.toThrow(
    /^the new index of companies does not fit: 210 MB of disk needed, 210 MB free; free some space, or delete in Elasticsearch the index that .* status` shows as kept for reindex --back$/,
  );
});

test("room that an interrupted build takes is free for the one that replaces it", async () => {
  await expect(lookAtRoom(asked(100_000_000, 120_000_000, 100_000_000), true)).resolves.toMatch(
    /210 MB free$/,
  );
});

test("nodes that do not tell what is free are taken to have room", async () => {
  await expect(lookAtRoom(asked(5_000_000_000, undefined), true)).resolves.toBe(
    "10.2 GB of disk needed, free not known",
  );
});
