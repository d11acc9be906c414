import { Readable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import { EncodingSigns } from "../../../ingest/load/read-files.ts";
import { readRows, type Encoding } from "../../../ingest/readers/read-rows.ts";

/** The check of a file that is read in this encoding; each line was written in an encoding of its own. */
async function checkOf(encoding: Encoding, lines: [text: string, written: BufferEncoding][]) {
  const signs = new EncodingSigns(encoding);
  const bytes = lines.map(([text, written]) => Buffer.from(`${text}\n`, written));
  for await (const rows of readRows(Readable.from(bytes), "lines", encoding))
    for (const row of rows) signs.add(row);
  return () => signs.check();
}

describe("a file read as UTF-8", () => {
  it("is in another encoding if several rows are not UTF-8 and no row with non-ASCII characters is", async () => {
    const check = await checkOf("utf-8", [
      ["PLAIN", "utf8"],
      ["CAFÉ", "latin1"],
      ["ÜNLÜ", "latin1"],
    ]);
    expect(check).toThrow(SourceError);
    expect(check).toThrow(
      /^expected UTF-8, found other bytes in 2 rows \(the first on line 2\) .*--encoding latin1/,
    );
  });

  it.each<[string, [string, BufferEncoding][]]>([
    ["one damaged row", [["PLAIN", "utf8"], ["CAFÉ", "latin1"]]], // oxfmt-ignore
    ["damaged rows beside good ones beyond ASCII", [["CAFÉ", "latin1"], ["ÜNLÜ", "latin1"], ["CAFÉ", "utf8"]]], // oxfmt-ignore
    ["rows with a NUL", [["A\0B", "utf8"], ["C\0D", "utf8"]]], // oxfmt-ignore
    ["nothing beyond ASCII", [["PLAIN", "utf8"]]], // oxfmt-ignore
  ])("is UTF-8 with %s", async (_name, lines) => {
    expect(await checkOf("utf-8", lines)).not.toThrow();
  });
});

describe("a file read as Latin-1", () => {
  it("is UTF-8 if all non-ASCII bytes form UTF-8; otherwise wrong names would be stored", async () => {
    const check = await checkOf("latin1", [
      ["PLAIN", "utf8"],
      ["CAFÉ", "utf8"],
    ]);
    expect(check).toThrow(
      /^expected Latin-1, as --encoding says, found UTF-8 in 1 row \(the first on line 2\)/,
    );
  });

  it.each<[string, [string, BufferEncoding][]]>([
    ["with a row that is not valid UTF-8", [["CAFÉ", "latin1"], ["Ã©", "latin1"]]], // oxfmt-ignore
    ["with nothing beyond ASCII", [["PLAIN", "latin1"]]], // oxfmt-ignore
  ])("is Latin-1 %s", async (_name, lines) => {
    expect(await checkOf("latin1", lines)).not.toThrow();
  });
});
