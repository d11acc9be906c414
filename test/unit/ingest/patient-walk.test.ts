import { describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type { Scan } from "../../../api/shared/stores/mongodb/scan.ts";
import type { MongoStore } from "../../../api/shared/stores/mongodb/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { walkGroups } from "../../../ingest/projection/groups.ts";

const record = { collection: "appointments" } as RecordDefinition;
const AWAY = "AWAY";

/** Walks over scans with these chunks of `id:person`. Each scan ends, or fails because MongoDB is unavailable. */
async function walk(scans: string[][][], groupBy: string, tries = scans.length) {
  const asked: Scan[] = [];
  async function* scan(_record: RecordDefinition, how: Scan): AsyncGenerator<StoredRecord[]> {
    asked.push(how);
    for (const chunk of scans[asked.length - 1] ?? []) {
      if (chunk[0] === AWAY) throw new UnavailableError("mongodb", "away");
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
  const given: string[] = [];
  const reading = async () => {
    for await (const groups of walkGroups(mongo, { record, groupBy })) {
      given.push(...groups.map(({ id, records }) => `${id}=${records.map(({ _id }) => _id).join("+")}`));
    }
  };
  const fault = await reading().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { given, asked, fault };
}

describe("the walk during an outage", () => {
  it("continues after the last group that it has returned completely", async () => {
    const scans = [[["1:a", "2:b"], ["3:b", "4:c"], [AWAY]], [[AWAY]], [["4:c", "5:c"], ["6:d"]]];
    const { given, asked } = await walk(scans, "officer_id");
    expect(given).toEqual(["a=1", "b=2+3", "c=4+5", "d=6"]);
    const behind = { sortBy: "officer_id", after: "b" };
    expect(asked).toEqual([{ sortBy: "officer_id" }, behind, behind]);
  });

  it("continues after the last record if each is a group of its own", async () => {
    const scans = [[[AWAY]], [["1:x", "2:x"], [AWAY]], [["3:x"], [AWAY]], []];
    const { given, asked } = await walk(scans, "_id");
    expect(given).toEqual(["1=1", "2=2", "3=3"]);
    const behind = (after: string) => ({ sortBy: "_id", after });
    expect(asked).toEqual([{ sortBy: "_id" }, { sortBy: "_id" }, behind("2"), behind("3")]);
  });

  it("throws the fault if nobody waits, after the groups before it", async () => {
    const { given, fault } = await walk([[["1:x"], [AWAY]]], "_id");
    expect(given).toEqual(["1=1"]);
    expect(fault).toBeInstanceOf(UnavailableError);
  });
});
