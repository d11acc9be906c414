import { expect, it } from "@jest/globals";
import { openTable } from "../../../api/http/csv.ts";
import type { SearchHit, SearchResult } from "../../../api/search/define-search.ts";

const table = { columns: ["name"], toRow: ({ id }: SearchHit) => ({ name: id }) };

/** Pages of two hits each, of so many. */
function findMany(count: number) {
  const hits = Array.from(
    { length: count },
    (_, i) => ({ id: `hit ${i}`, sort: [i] }) as unknown as SearchHit,
  );
  return (body: Record<string, unknown>): Promise<SearchResult[]> => {
    const [after = -1] = (body.search_after as number[] | undefined) ?? [];
    return Promise.resolve([{ total: count, hits: hits.slice(after + 1, after + 3) }]);
  };
}

it.each([
  [1, 0],
  [2, 1],
  [5, 2],
])("of %i rows in pages of two, %i further pages are told of beforehand", async (rows, further) => {
  let told = 0;
  const onFurther = () => Promise.resolve(void (told += 1));
  const stream = await openTable(
    table,
    (...bodies) => findMany(rows)(bodies[0] ?? {}),
    { size: 2 },
    onFurther,
  );
  const lines = (await stream.toArray()).join("").trim().split("\r\n");
  expect(lines).toHaveLength(rows + 1);
  expect(told).toBe(further);
});
