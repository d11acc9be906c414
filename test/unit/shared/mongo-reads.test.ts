/** Reads when MongoDB returns a record twice, as it may if the record is rewritten between two chunks of an answer. */
import { describe, expect, it } from "@jest/globals";
import type { Collection } from "mongodb";
import { fetchGroups, findAll } from "../../../api/shared/stores/mongodb/groups.ts";
import type { Named } from "../../../api/shared/stores/mongodb/writes.ts";

/** A collection whose every answer is these chunks. */
function collectionOf(chunks: object[][]): Collection<Named> {
  const find = () => {
    const left = [...chunks];
    return {
      toArray: () => Promise.resolve(chunks.flat()),
      hasNext: () => Promise.resolve(left.length > 0),
      readBufferedDocuments: () => left.shift(),
      close: () => Promise.resolve(),
    };
  };
  return { find } as unknown as Collection<Named>; // the reads use nothing else
}

const TWICE = [
  [
    { _id: "1", revision: 1, person: "a" },
    { _id: "2", revision: 1, person: "a" },
  ],
  [{ _id: "1", revision: 2, person: "a" }],
];

describe("a record that comes twice", () => {
  it("counts once in the results of a filter", async () => {
    const found = await findAll(collectionOf(TWICE), { person: "a" });
    expect(found.map(({ _id }) => _id)).toEqual(["1", "2"]);
  });

  it("counts once in its group, also if the group has a maximum size", async () => {
    const query = { field: "person", values: ["a"], most: 2 };
    const { records, large } = await fetchGroups(collectionOf(TWICE), query);
    expect(records.map(({ _id }) => _id)).toEqual(["1", "2"]);
    expect(large).toEqual([]);
  });
});
