import { describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../../api/core/errors.ts";
import type { Scan } from "../../../api/core/stores/mongo-scan.ts";
import type { MongoStore } from "../../../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../../../api/resources/define-record.ts";
import { walkPatiently } from "../../../ingest/patient-walk.ts";

const record = { collection: "appointments" } as RecordDefinition;
const AWAY = "AWAY";

/** Walks by scans that give these chunks of `id:person`, one scan after the other, each to its end or until MongoDB is away. */
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
    for await (const { groups, isAnew } of walkPatiently(mongo, { record, groupBy })) {
      if (isAnew) given.push("ANEW");
      given.push(...groups.map(({ id, records }) => `${id}=${records.map(({ _id }) => _id).join("+")}`));
    }
  };
  const fault = await reading().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { given, asked, fault };
}

describe("the walk that outlasts an outage", () => {
  it("goes on behind the last group that was given whole", async () => {
    const scans = [[["1:a", "2:b"], ["3:b", "4:c"], [AWAY]], [[AWAY]], [["4:c", "5:c"], ["6:d"]]];
    const { given, asked } = await walk(scans, "officer_id");
    expect(given).toEqual(["a=1", "b=2+3", "c=4+5", "d=6"]);
    const behind = { sortBy: "officer_id", after: "b" };
    expect(asked).toEqual([{ sortBy: "officer_id" }, behind, behind]);
  });

  it("begins anew once where there was no order, and from then on has one", async () => {
    const scans = [[["3:x"], ["1:x"], [AWAY]], [[AWAY]], [["1:x", "2:x"], [AWAY]], [["3:x"]]];
    const { given, asked } = await walk(scans, "_id");
    expect(given).toEqual(["3=3", "1=1", "ANEW", "1=1", "2=2", "3=3"]);
    expect(asked).toEqual([{}, { sortBy: "_id" }, { sortBy: "_id" }, { sortBy: "_id", after: "2" }]);
  });

  it("tells that it began anew also where nothing is left", async () => {
    expect((await walk([[["3:x"], [AWAY]], []], "_id")).given).toEqual(["3=3", "ANEW"]);
  });

  it("ends with the fault when nobody waits, behind what came before it", async () => {
    const { given, fault } = await walk([[["3:x"], [AWAY]]], "_id");
    expect(given).toEqual(["3=3"]);
    expect(fault).toBeInstanceOf(UnavailableError);
  });
});
