import { describe, expect, it } from "@jest/globals";
import { readRows, type Encoding, type ReadRow } from "../../../ingest/readers/read-rows.ts";

/** Rows of a text given in chunks of `size` bytes. */
async function rowsOf(
  content: string | Buffer,
  reader: "csv" | "lines",
  size = 7,
  encoding: Encoding = "utf-8",
) {
  const bytes = Buffer.from(content as string);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const rows: ReadRow[] = [];
  for await (const some of readRows(stream(chunks), reader, encoding)) rows.push(...some);
  return rows;
}

// An async generator is what a stream is to its reader.
async function* stream(chunks: Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

describe("lines", () => {
  it.each([1, 3, 1000])("numbers the lines and drops blank ones, in chunks of %d bytes", async (size) => {
    expect(await rowsOf("first\r\n\r\n  \nsecond\nÜnlü", "lines", size)).toEqual([
      { line: 1, text: "first" },
      { line: 4, text: "second" },
      { line: 5, text: "Ünlü" },
    ]);
  });

  it("takes a quote for an ordinary character", async () => {
    expect(await rowsOf('a"b\nc\n', "lines")).toEqual([
      { line: 1, text: 'a"b' },
      { line: 2, text: "c" },
    ]);
  });

  it("leaves a byte order mark out, at the beginning only", async () => {
    const rows = await rowsOf("\uFEFFone\n\uFEFFtwo\n", "lines", 2);
    expect(rows).toEqual([
      { line: 1, text: "one" },
      { line: 2, text: "\uFEFFtwo" },
    ]);
  });

  it("says which line is no UTF-8 and keeps its bytes, and reads its neighbours", async () => {
    const rows = await rowsOf(
      Buffer.concat([Buffer.from("good\nCAF"), Buffer.from([0xc9]), Buffer.from("\nalso good\n")]),
      "lines",
    );
    expect(rows).toEqual([
      { line: 1, text: "good" },
      {
        line: 2,
        bytes: Buffer.from([0x43, 0x41, 0x46, 0xc9]).toString("base64"),
        reason: expect.stringContaining("not UTF-8"),
      },
      { line: 3, text: "also good" },
    ]);
  });

  it("reads Latin-1 when told so", async () => {
    expect(await rowsOf(Buffer.from([0x43, 0x41, 0x46, 0xc9]), "lines", 7, "latin1")).toEqual([
      { line: 1, text: "CAFÉ" },
    ]);
  });
});

describe("csv", () => {
  it.each([1, 5, 1000])(
    "keeps a line break inside quotes in its row, in chunks of %d bytes",
    async (size) => {
      expect(await rowsOf('"a","b\nc"\n"d","e ""f"" g"\n', "csv", size)).toEqual([
        { line: 1, text: '"a","b\nc"' },
        { line: 3, text: '"d","e ""f"" g"' },
      ]);
    },
  );

  it("takes a backslash before a quote for data", async () => {
    expect(await rowsOf('"a\\","b"\n"c"\n', "csv")).toHaveLength(2);
  });

  it("gives a last row that ends inside quotes as it is", async () => {
    expect(await rowsOf('"a","b"\n"c","d', "csv")).toEqual([
      { line: 1, text: '"a","b"' },
      { line: 2, text: '"c","d' },
    ]);
  });

  it("gives up on a quote that is never closed after its own line, so that no good row is lost", async () => {
    const good = Array.from({ length: 5 }, (_, at) => `"good ${at}"`);
    const rows = await rowsOf(`"bad\n${good.join("\n")}\n`, "csv", 1000);
    expect(rows.map((row) => ("text" in row ? row.text : ""))).toEqual(['"bad', ...good]);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("does not wait for the end of a large file to give up on an open quote", async () => {
    const good = Array.from({ length: 10_000 }, (_, at) => `"a good row with some text in it ${at}"`);
    const rows = await rowsOf(`"bad\n${good.join("\n")}\n`, "csv", 4096);
    expect(rows).toHaveLength(10_001);
    expect(rows.at(-1)).toEqual({ line: 10_001, text: good.at(-1) });
  });
});
