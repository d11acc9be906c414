import { describe, expect, it } from "@jest/globals";
import {
  toRates,
  toRows as toLoadRows,
  type FileMeasurement,
} from "../../../../scripts/bench/load/report.ts";
import { compareLoads, formatCompared } from "../../../../scripts/bench/load/compare-loads.ts";
import type { LoadResult } from "../../../../scripts/bench/load/pipeline.ts";
import { noCounts } from "../../../../ingest/history/counts.ts";
import { summarise, toRows } from "../../../../scripts/bench/search/measure.ts";
import { RecordGroups, partOf } from "../../../../scripts/bench/register/record-groups.ts";
import type { StoredRecord } from "../../../../api/shared/definitions/define-record.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../../support/own-folder.ts";

describe("the result of a kind of query", () => {
  const measurements = [
    { kind: "a", api: 3, floor: 2, took: 1, requests: 1, bare: 0.3 },
    { kind: "a", api: 9, floor: 4, took: 3, requests: 2, bare: 0.3 },
    { kind: "b", api: 50, floor: 20, took: 20, requests: 2, bare: 0.3 },
    { kind: "a", api: 4, floor: 3.5, took: 2, requests: 1, bare: 0.3 },
  ];
  const [b, a, together] = summarise(measurements, ["b", "a"]);

  it("comes in the requested order, with all of them together last", () => {
    expect([b?.kind, a?.kind]).toEqual(["b", "a"]);
    expect(together).toMatchObject({ kind: "every query", queries: 4, apiMedian: 6.5, pairedDifference: 3 });
  });

  it("reports the medians and the differences query by query separately", () => {
    expect(a).toMatchObject({
      queries: 3,
      apiMedian: 4,
      floorMedian: 3.5,
      difference: 0.5,
      pairedDifference: 1,
    });
  });

  it("reports the ratio of the medians, the engine's own time and the requests", () => {
    expect(a).toMatchObject({ ratio: 1.143, tookMedian: 2, requests: 1.33 });
    expect(b).toMatchObject({ ratio: 2.5, tookMedian: 20, requests: 2 });
  });

  it("is a row as wide as the head", () => {
    const rows = toRows(summarise(measurements, ["a", "b"]));
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
  });
});

/** The result of a load of this many rows. */
function loadOf(read: number, ms: number, peakBytes = 1): LoadResult {
  const peaks = {
    commandPeakBytes: peakBytes,
    workerPeakBytes: 2 * peakBytes,
    commandCpuMs: 0,
    workerCpuMs: 0,
  };
  return { ms, counts: { ...noCounts(), read }, ...peaks };
}

describe("the rates of a load", () => {
  const measured = (title: string, rows: number, loadMs: number, floorMs: number): FileMeasurement => ({
    title,
    load: loadOf(rows, loadMs),
    floor: { rows, records: rows, documents: 0, ms: floorMs, mongoMs: floorMs, elasticsearchMs: 0 },
  });

  it("are rows by time, and the load's over the floor's", () => {
    expect(toRates("one", [measured("one", 1_000, 2_000, 1_500)])).toMatchObject({
      loadRowsPerSecond: 500,
      floorRowsPerSecond: 667,
      ratio: 0.75,
    });
  });

  it("are computed from sums for several loads, not as means of rates", () => {
    const together = toRates("both", [
      measured("a", 1_000, 1_000, 1_000),
      measured("b", 9_000, 3_000, 1_000),
    ]);
    expect(together).toMatchObject({ rows: 10_000, loadRowsPerSecond: 2_500, ratio: 0.5 });
  });

  it("are rows as wide as the head", () => {
    const rows = toLoadRows([toRates("one", [measured("one", 1, 1, 1)])]);
    expect(rows[1]).toHaveLength(rows[0]?.length ?? 0);
  });
});

describe("loads compared with each other", () => {
  const firsts = [loadOf(1_000, 1_000, 5), loadOf(9_000, 3_000, 3)];
  const again = compareLoads("again", [loadOf(1_000, 500), loadOf(9_000, 500, 7)], firsts);

  it("are the rates of their sums, with the most memory of each process", () => {
    expect(again).toMatchObject({ rows: 10_000, seconds: 1, rowsPerSecond: 10_000, ratio: 4 });
    expect(again).toMatchObject({ commandPeakBytes: 7, workerPeakBytes: 14 });
  });

  it("compare by the rate, also with another number of rows", () => {
    expect(compareLoads("half", [loadOf(500, 500)], [loadOf(1_000, 500)]).ratio).toBe(0.5);
  });

  it("are rows below a head, in which the base of the comparison has the ratio 1", () => {
    const lines = formatCompared("file", [compareLoads("first", firsts), again]);
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ["file", "rows", "seconds", "rows/s", "ratio"],
      ["first", "10000", "4.0", "2500", "1.00"],
      ["again", "10000", "1.0", "10000", "4.00"],
    ]);
  });
});

describe("records grouped by person on disk", () => {
  const folder = makeOwnFolder();
  const recordOf = (id: number, person: string) =>
    ({
      _id: String(id),
      etag: "",
      revision: 1,
      data: { text: "é\u2028" },
      officer_id: person,
    }) as StoredRecord;

  it("come back complete, all records of a person in one part", () => {
    const groups = new RecordGroups(join(folder, "own"), "officer_id", 3);
    const records = Array.from({ length: 300 }, (_none, number) => recordOf(number, `p${number % 40}`));
    groups.add(records.slice(0, 100));
    groups.add(records.slice(100));
    const people = [...groups.read()].flatMap((part) => [...part]);
    expect(people.map(([person]) => person).toSorted()).toEqual(
      [...new Set(Array.from({ length: 40 }, (_none, number) => `p${number}`))].toSorted(),
    );
    const back = people.flatMap(([, group]) => group).toSorted((a, b) => Number(a._id) - Number(b._id));
    expect(back).toEqual(records);
    expect(existsSync(join(folder, "own"))).toBe(false);
  });

  it("spread over the parts", () => {
    const counts = [0, 0, 0, 0];
    for (let number = 0; number < 4_000; number += 1) {
      const part = partOf(`AbCd${number}`, 4);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
  });
});
