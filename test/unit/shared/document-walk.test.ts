/** The walk through documents by their ids. */
import { describe, expect, it } from "@jest/globals";
import { idsOf, readBetween, type DocumentStore } from "../../../api/shared/stores/mongodb/documents.ts";

/** A store with these ids, which notes after which id each requested page begins. */
function storeOf(ids: readonly string[]) {
  const asked: string[] = [];
  const listBetween: DocumentStore["listBetween"] = (_collection, { after, before }, limit) => {
    asked.push(after);
    const found = ids.filter((id) => id > after && id < before).sort();
    return Promise.resolve(found.slice(0, limit).map((_id) => ({ _id })));
  };
  return { asked, listBetween };
}

async function read(ids: readonly string[], pageSize: number) {
  const store = storeOf(ids);
  const found: unknown[] = [];
  for await (const page of readBetween(store, "letters", idsOf("l1"), pageSize))
    found.push(...page.map(({ _id }) => String(_id)));
  return { found, asked: store.asked };
}

describe("a walk through the documents of one owner", () => {
  it("reads all of them, in the order of their ids, with any page size", async () => {
    for (const pageSize of [1, 2, 3, 4]) {
      const { found } = await read(["l1:c", "l1:a", "l1:b"], pageSize);
      expect(found).toEqual(["l1:a", "l1:b", "l1:c"]);
    }
  });

  it("continues after the last one of a page, and ends with a page that is not full", async () => {
    expect((await read(["l1:a", "l1:b", "l1:c"], 2)).asked).toEqual(["l1:", "l1:b"]);
  });

  it("leaves out documents of other owners, even if their ids begin the same", async () => {
    expect((await read(["l0:z", "l1", "l1:a", "l1-b:c", "l10:b", "l1;x", "l2:a"], 10)).found).toEqual([
      "l1:a",
    ]);
  });
});
