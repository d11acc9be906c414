import { describe, expect, it } from "@jest/globals";
import {
  openLoadedSources,
  sumUpLoads,
  type FinishedLoad,
} from "../../../api/shared/stores/collections/loaded-sources.ts";

const DAY = "2026-11-01";
const PSC = "psc-snapshot";

type Surveyed = NonNullable<FinishedLoad["surveyed"]>[number];

function aLoad(number: number, surveyed: Surveyed[], rest: Partial<FinishedLoad> = {}): FinishedLoad {
  const finished_at = `2026-11-${String(number).padStart(2, "0")}T06:00:00.000Z`;
  return { _id: `load-${number}`, state: "succeeded", finished_at, surveyed, ...rest };
}

const pscPart = (part: string, production_date = DAY): Surveyed => {
  const [number = 1, parts = 1] = part.split("of").map(Number);
  return { source: PSC, production_date, ...(parts > 1 && { part: { part: number, parts } }) };
};

describe("what loads have loaded", () => {
  it("is nothing before a load has succeeded", () => {
    const surveyed = [{ source: "company-csv" }];
    expect(sumUpLoads([])).toEqual([]);
    expect(
      sumUpLoads([
        aLoad(1, surveyed, { state: "failed" }),
        { _id: "load-2", state: "running", surveyed },
        aLoad(3, surveyed, { state: "running" }),
        aLoad(4, [{ source: "company-csv", mends: "companies.csv" }]),
      ]),
    ).toEqual([]);
  });

  it("has the latest day and the latest end of all loads of a source", () => {
    const csv = (production_date: string) => ({ source: "company-csv", production_date });
    const loads = [aLoad(9, [csv("2026-10-01")]), aLoad(3, [csv(DAY), { source: "company-csv" }])];
    expect(sumUpLoads(loads)).toEqual([
      { source: "company-csv", isWhole: true, loads: 2, as_of: DAY, loaded_at: "2026-11-09T06:00:00.000Z" },
    ]);
  });

  it("is listed separately for each region of a source", () => {
    const officers = (scope: string, part: string) => ({
      source: "officers-snapshot",
      scope,
      part: { part },
    });
    const loads = [aLoad(1, [officers("ew", "ew_1"), officers("ew", "ew_2"), officers("sc", "sc_1")])];
    expect(sumUpLoads(loads)).toMatchObject([
      { scope: "ew", isWhole: true, loads: 1, as_of: null },
      { scope: "sc", isWhole: true, loads: 1, as_of: null },
    ]);
  });

  it.each<[string, FinishedLoad[], object]>([
    ["a part alone", [aLoad(1, [pscPart("1of2")])], { isWhole: false, as_of: DAY }],
    ["all parts", [aLoad(1, [pscPart("1of2"), pscPart("2of2")])], { isWhole: true, as_of: DAY }],
    [
      "parts of two loads",
      [aLoad(1, [pscPart("1of2")]), aLoad(2, [pscPart("2of2")])],
      { isWhole: true, loads: 2 },
    ],
    ["one part twice", [aLoad(1, [pscPart("1of2")]), aLoad(2, [pscPart("1of2")])], { isWhole: false }],
    [
      "parts of two days",
      [aLoad(1, [pscPart("1of2")]), aLoad(2, [pscPart("2of2", "2026-11-02")])],
      { isWhole: false, as_of: "2026-11-02" },
    ],
    [
      "a later part beside a whole edition",
      [aLoad(1, [pscPart("1of2"), pscPart("2of2")]), aLoad(2, [pscPart("1of2", "2026-11-02")])],
      { isWhole: true, as_of: DAY },
    ],
    ["an extract", [aLoad(1, [{ ...pscPart("1of1"), isExtract: true }])], { isWhole: false, as_of: DAY }],
    [
      "a later extract beside a whole edition",
      [aLoad(1, [pscPart("1of1")]), aLoad(2, [{ ...pscPart("1of1", "2026-11-02"), isExtract: true }])],
      { isWhole: true, as_of: DAY, loads: 2 },
    ],
    [
      "parts of editions in two numbers of files",
      [aLoad(1, [pscPart("1of2")]), aLoad(2, [pscPart("2of3"), pscPart("3of3")])],
      { isWhole: false },
    ],
  ])("is whole only if an edition has all its parts: %s", (_title, loads, expected) => {
    expect(sumUpLoads(loads)).toMatchObject([{ source: PSC, ...expected }]);
  });
});

describe("the reader of loaded sources", () => {
  const loadsOf = (listLatest: () => Promise<FinishedLoad[]>) => ({
    listLatest: async () => (await listLatest()).map((load) => ({ ...load })),
    fetchAll: () => Promise.resolve([]),
  });

  it("reads a bounded number of loads, and only the members that it needs", async () => {
    const ids = Array.from({ length: 1_500 }, (_, at) => ({ _id: `load-${1_000 + at}` }));
    const asked: { count: number | undefined; members: readonly string[] | undefined }[] = [];
    const listLatest = (_collection: string, count: number, members?: readonly string[]) => {
      asked.push({ count, members });
      return Promise.resolve(ids.slice(-count));
    };
    const fetchAll = (_: string, filter: Record<string, readonly string[]>, members?: readonly string[]) => {
      asked.push({ count: filter._id?.length, members });
      return Promise.resolve(filter["surveyed.source"]?.[0] === PSC ? ids.slice(0, 400) : []);
    };
    await openLoadedSources({ listLatest, fetchAll }, () => 0)();
    const readsOfLoads = asked.filter(({ members }) => members?.[0] !== "_id");
    expect(readsOfLoads.map(({ count }) => count)).toEqual([1_000, 250]);
    for (const { members } of readsOfLoads) {
      expect(members).toContain("surveyed.production_date");
      expect(members).not.toContain("surveyed");
    }
  });

  it("asks the store every ten seconds at most, and once for all callers that ask together", async () => {
    let [asked, now] = [0, 0];
    const read = openLoadedSources(
      loadsOf(() => Promise.resolve([aLoad((asked += 1), [pscPart("1of1")])])),
      () => now,
    );
    await Promise.all([read(), read()]);
    now = 9_999;
    expect(await read()).toMatchObject([{ loaded_at: "2026-11-01T06:00:00.000Z" }]);
    now = 10_000;
    expect(await read()).toMatchObject([{ loaded_at: "2026-11-02T06:00:00.000Z" }]);
    expect(asked).toBe(2);
  });

  it("asks again after a fault; callers that cannot wait get the last answer meanwhile", async () => {
    const away = () => Promise.reject(new Error("away"));
    const silent = () => new Promise<never>(() => undefined);
    const answers = [away, () => Promise.resolve([]), away, silent];
    let now = 0;
    const read = openLoadedSources(
      loadsOf(() => (answers.shift() ?? silent)()),
      () => now,
    );
    await expect(read()).rejects.toThrow("away");
    for (let time = 1; time <= 3; time += 1) {
      expect(await read(100)).toEqual([]);
      now += 10_000;
    }
    expect(answers).toEqual([]);
  });

  it("gives a fresh answer to callers that wait, however long", async () => {
    let now = 0;
    const slow = () =>
      new Promise<FinishedLoad[]>((resolve) => setTimeout(resolve, 50, [aLoad(2, [pscPart("1of1")])]));
    const answers = [() => Promise.resolve([]), slow];
    const read = openLoadedSources(
      loadsOf(() => (answers.shift() ?? slow)()),
      () => now,
    );
    expect(await read()).toEqual([]);
    now = 10_000;
    expect(await Promise.all([read(10), read()])).toMatchObject([[], [{ source: PSC }]]);
  });
});
