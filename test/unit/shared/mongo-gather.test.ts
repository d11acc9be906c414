import { describe, expect, it } from "@jest/globals";
import type { Document } from "mongodb";
import { gatherReads } from "../../../api/shared/stores/mongodb/gather.ts";

/** A store whose requests are answered when the test says so. */
function openStore() {
  const requests: { collection: string; ids: readonly string[]; answer: () => void; fail: () => void }[] = [];
  const read = gatherReads(
    (collection, ids) =>
      new Promise<Document[]>((resolve, reject) => {
        const answer = () =>
          resolve(ids.filter((id) => id !== "none").map((id) => ({ _id: id, data: `of ${id}` })));
        requests.push({ collection, ids, answer, fail: () => reject(new Error("away")) });
      }),
  );
  return { requests, read };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("reads by id", () => {
  it("begin at once if none is in progress, and otherwise go together", async () => {
    const { requests, read } = openStore();
    const asked = ["a", "b", "c", "d", "c"].map((id) => read("companies", [id]));
    await settled();
    expect(requests.map(({ ids }) => ids)).toEqual([["a"]]);
    requests[0]?.answer();
    await settled();
    expect(requests.map(({ ids }) => ids)).toEqual([["a"], ["b", "c", "d"]]);
    for (const { answer } of requests) answer();
    const found = await Promise.all(asked);
    expect(found.flat().map(({ _id }) => _id as string)).toEqual(["a", "b", "c", "d", "c"]);
  });

  it("of another collection do not wait", async () => {
    const { requests, read } = openStore();
    for (const id of ["a", "b", "c"]) void read("companies", [id]);
    void read("charges", ["d"]);
    await settled();
    expect(requests.map(({ collection }) => collection)).toEqual(["companies", "charges"]);
  });

  it("give each caller its own document, and nothing if there is none", async () => {
    const { requests, read } = openStore();
    const asked = [read("companies", ["x"]), read("companies", ["a", "none"]), read("companies", ["a"])];
    await settled();
    requests[0]?.answer();
    await settled();
    for (const { answer } of requests) answer();
    const [, first, second] = await Promise.all(asked);
    expect(first).toEqual([{ _id: "a", data: "of a" }]);
    expect(second).toEqual(first);
    expect(second?.[0]).not.toBe(first?.[0]);
  });

  it("fail together if their request fails, and no other read does", async () => {
    const { requests, read } = openStore();
    const asked = ["a", "b", "c", "d"].map((id) => read("companies", [id]).catch(() => "failed"));
    await settled();
    requests[0]?.fail();
    await settled();
    requests[1]?.answer();
    expect(await Promise.all(asked)).toEqual([
      "failed",
      [expect.anything()],
      [expect.anything()],
      [expect.anything()],
    ]);
  });
});
