import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { UnknownFormatError } from "../../../api/shared/runtime/errors.ts";
import { peekFile, recogniseSource, requireLineFeeds } from "../../../ingest/load/open-file.ts";
import { sources } from "../../../ingest/sources/index.ts";
import { writeFile } from "../../support/load-command.ts";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();

const HEADER = "CompanyName, CompanyNumber,RegAddress.CareOf,CompanyCategory,CompanyStatus";

function recognise(bytes: Buffer, name = "BasicCompanyDataAsOneFile-2026-11-01.csv") {
  return () => recogniseSource(sources, name, bytes.toString("utf8"));
}

describe("a file of no known format", () => {
  it.each([
    ["a gzip in a zip", gzipSync("some text"), /^expected the text of a bulk file, found a gzip inside/],
    ["a zip in a zip", Buffer.from("PK\u0003\u0004"), /found a zip inside the file; unpack it/],
    ["bzip2", Buffer.from("BZh91AY&SY"), /found a compressed file; unpack it/],
    ["xz", Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /found a compressed file; unpack it/],
    ["7z", Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), /found a compressed file; unpack it/],
    ["UTF-16", Buffer.from(`\uFEFF${HEADER}`, "utf16le"), /found UTF-16; convert it to UTF-8/],
    ["UTF-16 without a mark", Buffer.from(HEADER, "utf16le"), /found UTF-16; convert it to UTF-8/],
  ])("is described by its content, even under a known file name: %s", (_kind, bytes, reason) => {
    expect(recognise(bytes)).toThrow(reason);
  });

  it.each([
    ["xz", Buffer.from("\xfd7zXZ\0\r1", "latin1"), /found a compressed file; unpack it/],
    ["zstd", Buffer.from("(\xb5/\xfd\r1", "latin1"), /found a compressed file; unpack it/],
    ["bzip2", Buffer.from("BZh91AY&SY\r1"), /found a compressed file; unpack it/],
    ["a zip in a gzip", gzipSync("PK\u0003\u0004\r1"), /found a zip inside the file; unpack it/],
    ["UTF-16", Buffer.from("\uFEFFCompanyName\r\n", "utf16le"), /found UTF-16; convert it to UTF-8/],
  ])(
    "is described by its content, even with a carriage return among its bytes: %s",
    async (kind, bytes, reason) => {
      await expect(peekFile(writeFile(folder, kind, bytes))).rejects.toThrow(reason);
    },
  );

  it("is reported as empty if it has only spaces", () => {
    expect(recognise(Buffer.from("  "), "x.bin")).toThrow(/^it has no rows; download it again/);
  });

  it("is reported with its beginning and the page that describes the formats", () => {
    expect(recognise(Buffer.from("a;b;c"), "x.csv")).toThrow(
      /^unknown format: it begins with "a;b;c"; see scripts\/docs\/loading\.md#formats, and .* run load FILE --as FORMAT$/,
    );
    expect(recognise(Buffer.from("a;b;c"), "x.csv")).toThrow(UnknownFormatError);
  });
});

it("a file of XML is reported as such, under any name", () => {
  const xml = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>');
  for (const name of ["99000064.xml", "BasicCompanyDataAsOneFile-2026-11-01.csv"])
    expect(recognise(xml, name)).toThrow(/found XML, which is not read/);
});

describe("a header of the company CSV", () => {
  it("without one of the columns is recognised under any name, so that the column can be named", () => {
    const header = HEADER.replace(" CompanyNumber,", "");
    const source = recognise(Buffer.from(header), "other.csv")();
    expect(() => source.open({ line: 1, text: header }, "other.csv")).toThrow(
      /the header has no column CompanyNumber/,
    );
  });

  it.each(["\n", "\r\n"])(
    "with quotes around all names is recognised, whatever ends its lines: %j",
    async (end) => {
      const lines = [
        '"CompanyName";"CompanyNumber";"CompanyCategory";"CompanyStatus"',
        '"A LTD";"98000101";"";""',
      ];
      const { source } = await peekFile(writeFile(folder, "quoted.csv", lines.join(end)));
      expect(source.name).toBe("company-csv");
    },
  );

  it.each(["\uFEFF", "\n \r\n", "\uFEFF\n"])(
    "is recognised under any name after a byte order mark or blank lines: %j",
    async (before) => {
      const text = `${before}${HEADER}\n"A LTD","98000101","","",""\n`;
      const { source } = await peekFile(writeFile(folder, "marked.csv", text));
      expect(source.name).toBe("company-csv");
    },
  );
});

describe("lines that end with carriage returns alone", () => {
  it.each([
    ["a CSV", `${HEADER}\r"ONE LTD","1"\r"TWO LTD","2"`],
    ["lines of JSON", '{"resource_kind":"x"}\r{"resource_kind":"y"}\r'],
    ["fixed width", "DDDDSNAP432120261101\r000000001"],
  ])("are reported: %s", (_kind, text) => {
    expect(() => requireLineFeeds(text)).toThrow(
      /^expected lines that end with a line feed, found carriage returns alone \(CR\): convert them/,
    );
  });

  it.each([
    ["a line with one at its end", `${HEADER}\r`],
    ["JSON with one between its members", '{"resource_kind":"x",\r"data":{}}'],
    [
      "JSON before a million of them, where a pattern that tries each would take hours",
      `{}${"\r".repeat(1_000_000)}x`,
    ],
  ])("are not seen in %s", (_kind, text) => {
    expect(() => requireLineFeeds(text)).not.toThrow();
  });
});
