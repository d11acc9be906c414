/** Whether new indices fit on the disk, and what is said where it does not. */
import { expect, test } from "@jest/globals";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { companiesIndex } from "../../../index-mappings/companies/index.ts";
import { lookAtRoom } from "../../../ingest/reindex/run-reindex.ts";

function asked(usedBytes: number, freeBytes: number | undefined, buildBytes = 0) {
  const builds = { fetchRoom: () => Promise.resolve({ usedBytes, freeBytes, buildBytes }) };
  return [{ index: companiesIndex, stores: { elasticsearch: { builds } } as unknown as Stores }];
}

test("twice what the live index takes must be free, since its segments are merged, and a fifth more of it", async () => {
  await expect(lookAtRoom(asked(100_000_000, 220_000_000), true)).resolves.toMatch(/^210 MB of disk needed/);
  await expect(lookAtRoom(asked(100_000_000, 219_999_999), true)).rejects.toThrow(
    /^no room to build companies: 210 MB of disk needed, 210 MB free; free some space, delete in Elasticsearch the indices that .* status` shows as kept for reindex --back, or name fewer indices$/,
  );
});

test("room that an interrupted build takes is free for the one that replaces it", async () => {
  await expect(lookAtRoom(asked(100_000_000, 120_000_000, 100_000_000), true)).resolves.toMatch(
    /210 MB free$/,
  );
});

test("several new indices stand beside each other before the first goes live, and the largest is merged meanwhile", async () => {
  const both = [...asked(100_000_000, 339_999_999), ...asked(20_000_000, 339_999_999, 99_000_000)];
  await expect(lookAtRoom(both.slice(0, 1), true)).resolves.toMatch(/ free$/);
  await expect(lookAtRoom(both, true)).resolves.toMatch(/^229 MB of disk needed, 419 MB free$/);
  await expect(lookAtRoom([...both, ...asked(200_000_000, 339_999_999)], true)).rejects.toThrow(
    /^no room to build companies, companies, companies: 534 MB of disk needed, 419 MB free/,
  );
});

test("nodes that do not tell what is free are taken to have room", async () => {
  await expect(lookAtRoom(asked(5_000_000_000, undefined), true)).resolves.toBe(
    "10.2 GB of disk needed, free not known",
  );
});
