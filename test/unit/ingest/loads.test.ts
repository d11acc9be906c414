import { describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../../api/shared/stores/mongodb/mongo.ts";
import { addCounts, noCounts } from "../../../ingest/history/counts.ts";
import {
  beginLoad,
  reachedBy,
  resumeCommand,
  REVISIONS_PER_BATCH,
  writeLoad,
} from "../../../ingest/history/loads.ts";

const withWarnings = (warnings: Record<string, number>) => ({ ...noCounts(), warnings });

it("a load that follows streams has reached the revision of its last event, however many there were", () => {
  const plan = { encoding: "utf-8", isComplete: false, isFollowing: true } as const;
  const load = beginLoad(["https://stream.example.org/companies"], { BATCH_ROWS: 1, BATCH_BYTES: 1 }, plan);
  load.surveyed = [{ file: "companies", name: "companies", source: "streaming-events", rows: 1_000_000 }];
  expect(reachedBy(load) - load.plan.revision).toBeLessThanOrEqual(REVISIONS_PER_BATCH);
});

const BEGUN = beginLoad(
  ["a.csv"],
  { BATCH_ROWS: 1, BATCH_BYTES: 1 },
  { encoding: "utf-8", isComplete: false },
);

it.each([
  ["of standard input", { files: ["-"] }],
  ["whose files have changed", { isChanged: true as const }],
  ["of another release", { plan: { ...BEGUN.plan, cut: 0 } }],
])("a load %s cannot be continued by any command, forced or not", (_which, members) => {
  expect(resumeCommand(BEGUN)).toBeUndefined();
  const load = { ...BEGUN, surveyed: [] };
  expect(resumeCommand(load)).toBe(`npm run cli -- load --resume ${load._id}`);
  expect(resumeCommand({ ...load, ...members })).toBeUndefined();
  expect(resumeCommand({ ...load, ...members }, true)).toBeUndefined();
});

describe("the warnings of a load", () => {
  it("name the first row, in whatever order the batches of its file end", () => {
    const at = (line: number) => ({
      ...withWarnings({ a: 1 }),
      warnedRows: { a: { file: "some.csv", line } },
    });
    const sum = [at(12), at(3), at(40)].reduce(addCounts, noCounts());
    expect(sum).toMatchObject({ warnings: { a: 3 }, warnedRows: { a: { file: "some.csv", line: 3 } } });
  });

  it("add up by reason", () => {
    const sum = addCounts(withWarnings({ a: 1, b: 2 }), withWarnings({ b: 3, c: 4 }));
    expect(sum.warnings).toEqual({ a: 1, b: 5, c: 4 });
  });

  it("are counted by reason up to a hundred reasons, and none is lost", () => {
    const reasons = Array.from({ length: 250 }, (_, at) => [`status "${at}" is unknown`, 2] as const);
    let counts = noCounts();
    for (const reason of reasons) counts = addCounts(counts, withWarnings(Object.fromEntries([reason])));
    expect(Object.keys(counts.warnings)).toHaveLength(101);
    expect(counts.warnings).toMatchObject({ 'status "99" is unknown': 2, "other warnings": 300 });

    const again = addCounts(counts, withWarnings({ 'status "7" is unknown': 1, "one more": 1 }));
    expect(again.warnings).toMatchObject({ 'status "7" is unknown': 3, "other warnings": 301 });
    expect(addCounts(noCounts(), again).warnings).toEqual(again.warnings);
  });

  it("are stored as text, never as names of members", async () => {
    const stored: unknown[] = [];
    const put: DocumentStore["put"] = (_collection, document) => Promise.resolve(void stored.push(document));
    await writeLoad({ put } as DocumentStore, {
      _id: "one",
      state: "running",
      files: [],
      started_at: "2026-11-21T06:12:00.000Z",
      counts: withWarnings({ "$odd.status": 2 }),
      plan: { encoding: "utf-8", limits: { rows: 1, bytes: 1 }, revision: 1, isComplete: false },
    });
    const [{ counts = "" } = {}] = stored as { counts?: string }[];
    expect(JSON.parse(counts)).toMatchObject({ read: 0, warnings: { "$odd.status": 2 } });
  });
});
