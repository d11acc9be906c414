import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import type { SourceDefinition } from "../../../ingest/sources/define-source.ts";
import {
  isBlank,
  readRows,
  toBytes,
  toText,
  type Encoding,
  type ReadRow,
} from "../../../ingest/readers/read-rows.ts";

/** The rows of a content that comes in chunks of `size` bytes. */
async function rowsOf(
  content: string | Buffer,
  reader: SourceDefinition["reader"],
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

describe("the reader of lines", () => {
  it.each([1, 3, 1000])(
    "numbers the lines and passes on blank ones without text, in chunks of %d bytes",
    async (size) => {
      expect(await rowsOf("first\r\n\r\n \t\nsecond\nÜnlü", "lines", size)).toEqual([
        { line: 1, text: "first" },
        { line: 2, text: "" },
        { line: 3, text: "" },
        { line: 4, text: "second" },
        { line: 5, text: "Ünlü" },
      ]);
    },
  );

  it.each([1, 3, 1000])(
    "gives no blank line after the last line feed, in chunks of %d bytes",
    async (size) => {
      for (const reader of ["lines", "csv"] as const) {
        const rows = await rowsOf("\nfirst\r\n\r\n", reader, size);
        expect(rows.map(isBlank)).toEqual([true, false, true]);
        expect((await rowsOf("first\r\n", reader, size)).map(isBlank)).toEqual([false]);
      }
    },
  );

  it.each(["lines", "csv"] as const)(
    "drops all carriage returns at the ends of rows (%s)",
    async (reader) => {
      expect(await rowsOf('"a","b"\r\r\n\r\r\n"c\r"\r\r\r\n', reader)).toEqual([
        { line: 1, text: '"a","b"' },
        { line: 2, text: "" },
        { line: 3, text: '"c\r"' },
      ]);
    },
  );

  it("treats a quote as an ordinary character", async () => {
    expect(await rowsOf('a"b\nc\n', "lines")).toEqual([
      { line: 1, text: 'a"b' },
      { line: 2, text: "c" },
    ]);
  });

  it("drops a byte order mark before any line, since files may have been concatenated", async () => {
    const rows = await rowsOf("\uFEFFone\n\uFEFFtwo \uFEFF\n", "lines", 2);
    expect(rows).toEqual([
      { line: 1, text: "one" },
      { line: 2, text: "two \uFEFF" },
    ]);
  });

  it("keeps the bytes of a line that is not UTF-8 with the reason, and reads its neighbours", async () => {
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

  it.each(["utf-8", "latin1"] as const)("refuses a row with a NUL character, in %s", async (encoding) => {
    expect(await rowsOf("good\nb\0d\n", "lines", 7, encoding)).toEqual([
      { line: 1, text: "good" },
      {
        line: 2,
        bytes: Buffer.from("b\0d").toString("base64"),
        reason: expect.stringContaining("contains a NUL character"),
      },
    ]);
  });

  it("recognises a file of UTF-16, although its first bytes are not UTF-8", async () => {
    const [first] = await rowsOf(Buffer.from("\ufeffCustomer\n", "utf16le"), "csv");
    expect(first).toMatchObject({ line: 1, reason: expect.stringContaining("the file is UTF-16") });
  });

  it("reads Latin-1 if asked to, with the further characters of Windows-1252, and can restore every byte", async () => {
    const [row] = await rowsOf(Buffer.from("CAFÉ\x92S \x96 \x80\x81", "latin1"), "lines", 7, "latin1");
    expect(row).toEqual({ line: 1, text: "CAFÉ’S – €\x81" });
    const bytes = Buffer.from(Array.from({ length: 0x100 }, (_none, byte) => byte));
    expect(new Set(toText(bytes, "latin1")).size).toBe(0x100);
    expect(toBytes(toText(bytes, "latin1"), "latin1")).toEqual(bytes);
    // As an earlier release stored it.
    expect(toBytes("\x92", "latin1")).toEqual(Buffer.from([0x92]));
  });
});

describe("the reader of CSV", () => {
  it.each([1, 5, 1000])(
    "keeps a line break inside quotes in its row, in chunks of %d bytes",
    async (size) => {
      expect(await rowsOf('"a","b\nc"\n"d","e ""f"" g"\n', "csv", size)).toEqual([
        { line: 1, text: '"a","b\nc"' },
        { line: 3, text: '"d","e ""f"" g"' },
      ]);
    },
  );

  it("treats a backslash before a quote as data", async () => {
    expect(await rowsOf('"a\\","b"\n"c"\n', "csv")).toHaveLength(2);
  });

  it("gives a last row with an unclosed quote as it is", async () => {
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

describe("the reader of CSV with stray quotes", () => {
  const quoted = (at: number) => `"good ${at}","","a ""b"" c ${at}"`;
  const bare = (at: number) => `good ${at},,x`;

  /** Reads good rows with bad ones among them; returns the good rows that were lost. */
  async function lostOf(good: (at: number) => string, bad: Record<number, string>, count = 30) {
    const lines = Array.from({ length: count }, (_, at) => bad[at] ?? good(at));
    const rows = await rowsOf(`${lines.join("\r\n")}\r\n`, "csv", 100);
    const read = new Map(rows.map((row) => [row.line, "text" in row ? row.text : ""]));
    return lines.flatMap((text, at) => (bad[at] || read.get(at + 1) === text ? [] : [at]));
  }

  it.each([
    '"bad',
    '"a"b","c","d"',
    '"a",b","c"',
    '"a","b"c"',
    '"a","b","c',
    '"a",""b","c"',
    '"a","b""',
    '"',
  ])("loses no row between two rows %s where every field is quoted", async (bad) => {
    for (const second of [4, 5, 15, 20]) expect(await lostOf(quoted, { 3: bad, [second]: bad })).toEqual([]);
  });

  it("treats a quote inside an unquoted field as data", async () => {
    expect(await lostOf(bare, { 3: 'a 6" nail,b,c', 7: 'a,b,7" nail' })).toEqual([]);
  });

  it("loses no unquoted row when the quotes are more than ten lines apart", async () => {
    expect(await lostOf(bare, { 3: 'a,"b,c', 14: 'a,b,c"' })).toEqual([]);
  });

  it("loses the at most nine unquoted rows before a row that seems to close the quote", async () => {
    expect(await lostOf(bare, { 3: 'a,"b,c', 13: 'a,b,c"' })).toHaveLength(9);
  });

  it("keeps a row of several lines at the end of the file whole, without a line end", async () => {
    expect(await rowsOf('"a"\n"b\r\nc"', "csv", 4)).toEqual([
      { line: 1, text: '"a"' },
      { line: 2, text: '"b\r\nc"' },
    ]);
  });

  it.each(['"a"|"b\nc"', '\uFEFF"a\nb","c"', '"a ""\n"" b",c', '"\n","\n"'])(
    "keeps %j in one row, however it is cut into chunks",
    async (text) => {
      for (const size of [1, 2, 3, 100]) {
        const rows = await rowsOf(`${text}\n"next"\n`, "csv", size);
        expect(rows.map((row) => "text" in row && row.text)).toEqual([text.replace("\uFEFF", ""), '"next"']);
      }
    },
  );
});

describe.each(["csv", "lines"] as const)("a very long line, %s,", (reader) => {
  const long = "x".repeat(1_100_000);

  it.each([1000, 65_536, 4_000_000])(
    "is refused with its number above 1 MB, in chunks of %d bytes",
    async (size) => {
      for (const content of [`a\n${long}\nb\n`, `a\n${long}`]) {
        const reading = rowsOf(content, reader, size);
        await expect(reading).rejects.toThrow(SourceError);
        await expect(reading).rejects.toThrow(
          /^line 2 is longer than 1048576 bytes: this is not a bulk file/,
        );
      }
    },
  );

  it("is read below 1 MB", async () => {
    expect(await rowsOf(`${long.slice(0, 1_000_000)}\nb`, reader, 1000)).toHaveLength(2);
  });
});
