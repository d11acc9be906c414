/** The walk over MongoDB's records in groups that make one search document each. */
import { describe, expect, it } from "@jest/globals";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { findIndex, indices } from "../../index-mappings/index.ts";
import { walkGroups } from "../../ingest/projection/groups.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";

const register = forAllTests(openLoadedSample);

describe("the walk over groups", () => {
  it("gives every group once and complete, in order, and continues after an id", async () => {
    const { mongo } = register.stores;
    const index = findIndex("officers");
    const all: { id: string; records: StoredRecord[] }[] = [];
    for await (const groups of walkGroups(mongo, index)) all.push(...groups);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(all.flatMap(({ records }) => records)).toHaveLength(
      await mongo.records.count(appointmentRecord, {}),
    );

    const middle = ids[Math.floor(ids.length / 2)] ?? "";
    const rest: string[] = [];
    for await (const groups of walkGroups(mongo, index, { after: middle }))
      rest.push(...groups.map(({ id }) => id));
    expect(rest).toEqual(ids.slice(ids.indexOf(middle) + 1));
  });

  it.each(indices.filter(({ groupBy }) => groupBy !== "_id").map((index) => [index.name, index] as const))(
    "uses an index of MongoDB: %s",
    (_name, { record, groupBy }) => {
      expect(record.indexes.map(({ fields }) => fields[0])).toContain(groupBy);
    },
  );
});
