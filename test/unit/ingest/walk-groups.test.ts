import { describe, expect, it } from "@jest/globals";
import type { Scan } from "../../../api/shared/stores/mongodb/scan.ts";
import type { MongoStore } from "../../../api/shared/stores/mongodb/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { readAhead, walkGroups, type Walk } from "../../../ingest/projection/groups.ts";

const record = { collection: "appointments" } as RecordDefinition;

/** Walks over records, given as `id:person` in these chunks. */
async function walk(chunks: string[][], groupBy: string, given: Walk = {}) {
  const scans: Scan[] = [];
  async function* scan(_record: RecordDefinition, asked: Scan): AsyncGenerator<StoredRecord[]> {
    scans.push(asked);
    for (const chunk of chunks) {
      yield await Promise.resolve(
        chunk.map((text) => {
          const [_id, officer_id] = text.split(":");
          return { _id, officer_id } as unknown as StoredRecord;
        }),
      );
    }
  }
  const patiently = <T>(read: () => Promise<T>) => read();
  const mongo = { scanner: { scan, patiently } } as unknown as MongoStore;
  const groups: string[] = [];
  for await (const some of walkGroups(mongo, { record, groupBy }, given))
    groups.push(...some.map(({ id, records }) => `${id}=${records.map(({ _id }) => _id).join("+")}`));
  return { groups, scans };
}

describe("the walk over groups", () => {
  it("joins groups that are divided over two or more chunks", async () => {
    const chunks = [["1:a", "2:a", "3:b"], ["4:b", "5:b"], ["6:b"], ["7:c"], ["8:d", "9:e"]];
    const { groups, scans } = await walk(chunks, "officer_id");
    expect(groups).toEqual(["a=1+2", "b=3+4+5+6", "c=7", "d=8", "e=9"]);
    expect(scans).toEqual([{ sortBy: "officer_id" }]);
  });

  it("returns a record once that comes twice in its group", async () => {
    const { groups } = await walk(
      [
        ["1:a", "2:a"],
        ["1:a", "3:b", "3:b"],
      ],
      "officer_id",
    );
    expect(groups).toEqual(["a=1+2", "b=3"]);
  });

  it("asks for groups of one record in the order of their ids", async () => {
    const chunks = [["1:a"], ["2:a"]];
    expect((await walk(chunks, "_id")).groups).toEqual(["1=1", "2=2"]);
    expect((await walk(chunks, "_id")).scans).toEqual([{ sortBy: "_id" }]);
    expect((await walk(chunks, "_id", { after: "1" })).scans).toEqual([{ sortBy: "_id", after: "1" }]);
  });

  it("returns nothing if there are no records", async () => {
    expect((await walk([], "officer_id")).groups).toEqual([]);
  });
});

describe("reading ahead", () => {
  it("throws an error after the groups before it, and closes its source", async () => {
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
