import { expect, it } from "@jest/globals";
import { openTable } from "../../../api/http/downloads.ts";
import type { SearchHit, SearchResult } from "../../../api/shared/definitions/search-result.ts";

const table = { columns: ["name"], toRow: ({ id }: SearchHit) => ({ name: id }) };

/** Makes a search that finds a hit for each of these names, and pages through them. */
function searchOver(names: readonly string[]) {
  const hits = names.map((id, i) => ({ id, sort: [i] }) as unknown as SearchHit);
  return ({ size, search_after }: Record<string, unknown> = {}): Promise<SearchResult[]> => {
    const [after = -1] = (search_after as number[] | undefined) ?? [];
    return Promise.resolve([{ total: hits.length, hits: hits.slice(after + 1, after + 1 + Number(size)) }]);
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `hit ${i}`);

async function write(names: readonly string[], { size = 250, isRaw = false, hasMark = false } = {}) {
  let charged = 0;
  const stream = await openTable(table, {
    ask: (...bodies) => searchOver(names)(bodies[0]),
    body: { size },
    ...{ isRaw, hasMark },
    charge: (calls) => Promise.resolve(void (charged += calls)),
  });
  const text = (await stream.toArray()).join("");
  return { text, lines: text.trimEnd().split("\r\n").slice(1), charged };
}

it.each([
  [1, 0],
  [1_000, 0],
  [1_001, 1],
  [2_000, 1],
  [3_500, 3],
])("%i rows cost %i calls beyond the request itself", async (rows, calls) => {
  const { lines, charged } = await write(numbered(rows));
  expect(lines).toEqual(numbered(rows));
  // A page is paid for before the number of its rows is known.
  expect(charged - calls).toBeLessThanOrEqual(rows % 1_000 === 0 ? 1 : 0);
  expect(charged).toBeGreaterThanOrEqual(calls);
});

it("puts an apostrophe before formulas of spreadsheets, unless raw cells are asked for", async () => {
  const names = ['=HYPERLINK("http://a.example")', "+44 LTD", "-1", "@HOME LIMITED", "\tTAB", "A=B LTD"];
  const { text } = await write(names);
  expect(text).toContain(`"'=HYPERLINK(""http://a.example"")"`);
  for (const name of ["+44 LTD", "-1", "@HOME LIMITED", "\tTAB"]) expect(text).toContain(`'${name}`);
  expect(text).not.toContain("'A=B");
  const { lines } = await write(["+44 LTD", "@HOME LIMITED"], { isRaw: true });
  expect(lines).toEqual(["+44 LTD", "@HOME LIMITED"]);
});

it("begins with a byte order mark if one is asked for", async () => {
  expect((await write(["CAFÉ"], { hasMark: true })).text).toBe("\uFEFFname\r\nCAFÉ\r\n");
  expect((await write(["CAFÉ"])).text).toBe("name\r\nCAFÉ\r\n");
});

it("quotes cells that a spreadsheet with another separator could split, and marks formulas after such a separator", async () => {
  const names = ["A;=1+1", "A\t@A1", 'A; "=1+1"', "A; B-C", "A B"];
  expect((await write(names)).lines).toEqual([`"A;'=1+1"`, `"A\t'@A1"`, `"A; ""'=1+1"""`, '"A; B-C"', "A B"]);
  expect((await write(["A;=1+1", "A\t=1+1", "A B"], { isRaw: true })).lines).toEqual([
    '"A;=1+1"',
    '"A\t=1+1"',
    "A B",
  ]);
});
