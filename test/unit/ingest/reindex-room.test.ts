/** Whether new indices fit on the disk, and the message if they do not. */
import { expect, test } from "@jest/globals";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { companiesIndex } from "../../../index-mappings/companies/index.ts";
import { requireDiskSpace } from "../../../ingest/reindex/run-reindex.ts";

/** An index to build whose live one takes `usedBytes`. `freeBytes`: of each node; `buildBytes`: of an earlier build. */
function newIndex(usedBytes: number, freeBytes: number | number[], buildBytes = 0) {
  const builds = {
    fetchRoom: () => Promise.resolve({ usedBytes, freeBytes: [freeBytes].flat(), buildBytes }),
  };
  return [{ index: companiesIndex, stores: { elasticsearch: { builds } } as unknown as Stores }];
}

test("a reindex needs 2.2 times the room of the live index: once for the new one, and 1.2 times to merge its segments", async () => {
  await expect(requireDiskSpace(newIndex(100_000_000, 220_000_000))).resolves.toMatch(
    /^210 MB of disk needed/,
  );
  await expect(requireDiskSpace(newIndex(100_000_000, 219_999_999))).rejects.toThrow(
    /^no room to build companies: 210 MB of disk needed, 210 MB free; free some space, delete in Elasticsearch the indices that .* status` shows as kept for reindex --back, or name fewer indices$/,
  );
});

test("the room of an interrupted build counts as free, since the new build replaces it", async () => {
  await expect(requireDiskSpace(newIndex(100_000_000, 120_000_000, 100_000_000))).resolves.toMatch(
    /210 MB free$/,
  );
});

test("several new indices need room together, and the largest also to merge its segments", async () => {
  const both = [...newIndex(100_000_000, 339_999_999), ...newIndex(20_000_000, 339_999_999, 99_000_000)];
  await expect(requireDiskSpace(both.slice(0, 1))).resolves.toMatch(/ free$/);
  await expect(requireDiskSpace(both)).resolves.toMatch(/^229 MB of disk needed, 419 MB free$/);
  await expect(requireDiskSpace([...both, ...newIndex(200_000_000, 339_999_999)])).rejects.toThrow(
    /^no room to build companies, companies, companies: 534 MB of disk needed, 419 MB free/,
  );
});

test("all nodes of a cluster together need room for all new indices, and one node for the largest", async () => {
  const both = (...free: number[]) => [...newIndex(100_000_000, free), ...newIndex(90_000_000, free)];
  await expect(requireDiskSpace(both(220_000_000, 90_000_000))).resolves.toBe(
    "296 MB of disk needed, 296 MB free",
  );
  await expect(requireDiskSpace(both(220_000_000, 89_999_999))).rejects.toThrow(
    /^no room to build companies, companies: 296 MB of disk needed, 296 MB free;/,
  );
  await expect(requireDiskSpace(both(219_999_999, 200_000_000))).rejects.toThrow(
    /^no room to build companies, companies: 210 MB of disk needed on one node, 210 MB free;/,
  );
});

test("nodes that do not report their free space count as having room", async () => {
  await expect(requireDiskSpace(newIndex(5_000_000_000, []))).resolves.toBe(
    "10.2 GB of disk needed, free not known",
  );
});
