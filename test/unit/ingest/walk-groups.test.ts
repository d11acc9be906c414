import { describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type { Scan } from "../../../api/shared/stores/mongodb/scan.ts";
import type { MongoStore } from "../../../api/shared/stores/mongodb/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { readAhead, walkGroups, type Walk } from "../../../ingest/projection/groups.ts";

const record = { collection: "appointments" } as RecordDefinition;
/** A chunk in whose place the scan fails, because MongoDB is unavailable. */
const AWAY = ["AWAY"];

/** Walks over groups. Each scan gives chunks of records, written `id:person`; after a failed scan comes the next. */
async function walk(scans: string[][][], groupBy: string, given: Walk = {}, tries = scans.length) {
  const asked: Scan[] = [];
  async function* scan(_record: RecordDefinition, how: Scan): AsyncGenerator<StoredRecord[]> {
    asked.push(how);
    for (const chunk of scans[asked.length - 1] ?? []) {
      if (chunk === AWAY) throw new UnavailableError("mongodb", "away");
      yield await Promise.resolve(
        chunk.map((text) => {
          const [_id, officer_id] = text.split(":");
          return { _id, officer_id } as unknown as StoredRecord;
        }),
      );
    }
  }
  const patiently = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if ((tries -= 1) <= 0) throw error;
      }
    }
  };
  const mongo = { scanner: { scan, patiently } } as unknown as MongoStore;
  const groups: string[] = [];
  let fault: unknown;
  try {
    for await (const some of walkGroups(mongo, { record, groupBy }, given))
      groups.push(...some.map(({ id, records }) => `${id}=${records.map(({ _id }) => _id).join("+")}`));
  } catch (error) {
    fault = error;
  }
  return { groups, asked, fault };
}

describe("the walk over groups", () => {
  it("joins groups that are divided over two or more chunks", async () => {
    const chunks = [["1:a", "2:a", "3:b"], ["4:b", "5:b"], ["6:b"], ["7:c"], ["8:d", "9:e"]];
    const { groups, asked } = await walk([chunks], "officer_id");
    expect(groups).toEqual(["a=1+2", "b=3+4+5+6", "c=7", "d=8", "e=9"]);
    expect(asked).toEqual([{ sortBy: "officer_id" }]);
  });

  it("returns a record once that comes twice in its group", async () => {
    const chunks = [
      ["1:a", "2:a"],
      ["1:a", "3:b", "3:b"],
    ];
    expect((await walk([chunks], "officer_id")).groups).toEqual(["a=1+2", "b=3"]);
  });

  it("asks for groups of one record in the order of their ids", async () => {
    const scans = [[["1:a"], ["2:a"]]];
    expect(await walk(scans, "_id")).toMatchObject({ groups: ["1=1", "2=2"], asked: [{ sortBy: "_id" }] });
    expect((await walk(scans, "_id", { after: "1" })).asked).toEqual([{ sortBy: "_id", after: "1" }]);
  });

  it("returns nothing if there are no records", async () => {
    expect(await walk([[]], "officer_id")).toMatchObject({ groups: [], fault: undefined });
  });
});

describe("the walk during an outage", () => {
  it("continues after the last group that it has returned completely", async () => {
    const scans = [[["1:a", "2:b"], ["3:b", "4:c"], AWAY], [AWAY], [["4:c", "5:c"], ["6:d"]]];
    const { groups, asked } = await walk(scans, "officer_id");
    expect(groups).toEqual(["a=1", "b=2+3", "c=4+5", "d=6"]);
    const continued = { sortBy: "officer_id", after: "b" };
    expect(asked).toEqual([{ sortBy: "officer_id" }, continued, continued]);
  });

  it("continues after the last record if each is a group of its own", async () => {
    const scans = [[AWAY], [["1:x", "2:x"], AWAY], [["3:x"], AWAY], []];
    const { groups, asked } = await walk(scans, "_id");
    expect(groups).toEqual(["1=1", "2=2", "3=3"]);
    const continued = (after: string) => ({ sortBy: "_id", after });
    expect(asked).toEqual([{ sortBy: "_id" }, { sortBy: "_id" }, continued("2"), continued("3")]);
  });

  it("throws the fault after the groups before it, once the scanner waits no longer", async () => {
    const { groups, fault } = await walk([[["1:x"], AWAY]], "_id");
    expect(groups).toEqual(["1=1"]);
    expect(fault).toBeInstanceOf(UnavailableError);
  });
});

describe("reading ahead", () => {
  it("throws an error after the items before it, and closes its source", async () => {
    let isClosed = false;
    async function* items() {
      try {
        yield await Promise.resolve(1);
        throw new Error("gone");
      } finally {
        isClosed = true;
      }
    }
    const seen: number[] = [];
    const reading = async () => {
      for await (const item of readAhead(items())) seen.push(item);
    };
    await expect(reading()).rejects.toThrow("gone");
    expect({ seen, isClosed }).toEqual({ seen: [1], isClosed: true });
  });
});
