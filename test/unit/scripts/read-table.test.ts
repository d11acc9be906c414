/** A user's table for `match`: its separator, and line breaks and separators inside quotes. */
import { describe, expect, it } from "@jest/globals";
import { Readable } from "node:stream";
import { readTable, type TableRow } from "../../../scripts/match/read-table.ts";

async function read(text: string) {
  const table = await readTable(Readable.from([Buffer.from(text)]), "table", "utf-8");
  const rows: TableRow[] = [];
  for await (const some of table.rows) rows.push(...some);
  return { ...table, rows };
}

describe.each([",", ";", "\t", "|"])("a table with the separator %j", (separator) => {
  it("keeps line breaks in quoted cells, and counts them in the line numbers", async () => {
    const lines = [
      ["name", "note"],
      ['"A\nLTD"', '"one\n\ntwo"'],
      ["B LTD", "x"],
      ["C LTD", '"y\nz"'],
    ];
    const { rows, ...table } = await read(lines.map((cells) => cells.join(separator)).join("\n"));
    expect(table).toMatchObject({ columns: ["name", "note"], separator });
    expect(rows).toEqual([
      { line: 2, cells: ["A\nLTD", "one\n\ntwo"] },
      { line: 6, cells: ["B LTD", "x"] },
      { line: 7, cells: ["C LTD", "y\nz"] },
    ]);
  });

  it("keeps other separators in quoted column names", async () => {
    const others = ",;\t|".replace(separator, "");
    const { columns, separator: found } = await read(`name${separator}"a ""${others}${others}"" b"\n`);
    expect({ columns, found }).toEqual({
      columns: ["name", `a "${others}${others}" b`],
      found: separator,
    });
  });
});

describe("a table whose lines end with carriage returns alone", () => {
  it.each(["Id,Customer\r1,A Ltd\r", '"Customer"\r"A Ltd"\r'])(
    "is refused, not read as one long header: %j",
    async (text) => {
      await expect(read(text)).rejects.toThrow(
        /^expected lines that end with a line feed, found carriage returns/,
      );
    },
  );

  it("is not assumed because a column name has a carriage return", async () => {
    const { columns, rows } = await read('Customer,"Post\r\ncode","a\rb"\r\nA Ltd,,\r\n');
    expect(columns).toEqual(["Customer", "Post\r\ncode", "a\rb"]);
    expect(rows).toHaveLength(1);
  });
});
