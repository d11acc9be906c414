import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { apiJsonLines } from "../../../ingest/sources/api-json-lines.ts";
import { pscSnapshot } from "../../../ingest/sources/psc-snapshot.ts";
import { stampOf, streamingEvents } from "../../../ingest/sources/streaming-events.ts";
import { SAMPLE } from "../../support/sample-register.ts";

function firstLineOf(path: string): string {
  return readFileSync(`${SAMPLE}/${path}`, "utf8").split("\n")[0] ?? "";
}

const DEEP = "[".repeat(100_000) + "]".repeat(100_000);
const LINES = [
  [pscSnapshot, firstLineOf("psc/psc-snapshot-2026-11-01_1of2.txt"), '"name":"'],
  [apiJsonLines, firstLineOf("api-shaped/company-profile.jsonl"), '"company_name":"'],
  [streamingEvents, firstLineOf("streams/companies.ndjson"), '"company_name":"'],
] as const;

describe.each(LINES.map(([source, line, member]) => [source.name, source, line, member] as const))(
  "a line of %s",
  (_name, source, line, member) => {
    const mapWith = (escape: string) =>
      source.mapRows([{ line: 1, text: line.replace(member, member + escape) }], {})[0];

    it("is refused for itself where a text has the escape of a NUL, which a store would refuse the batch for", () => {
      expect(mapWith("A\\u0000B")).toMatchObject({
        kind: "refused",
        reason: "contains a NUL character (\\u0000)",
        field: expect.stringMatching(/^data\.(company_)?name$/) as unknown,
      });
    });

    it("is refused where a text has half a character, which would be stored as another one", () => {
      expect(mapWith("A\\uD83D B")).toMatchObject({
        kind: "refused",
        reason: expect.stringMatching(/half a character/) as unknown,
      });
    });

    it("is loaded where both halves are escaped, and where the backslash itself is", () => {
      expect(mapWith("\\ud83d\\ude00 ")).toMatchObject({ kind: "record" });
      expect(mapWith("\\\\u0000 ")).toMatchObject({ kind: "record" });
    });

    it.each([
      ["before a null", '"n":null'],
      ["before half a character", '"h":"\\ud800"'],
    ])("is refused for itself where a value is nested deeper than can be walked, %s", (_where, next) => {
      const text = line.replace('"data":{', `"data":{"x":${DEEP},${next},`);
      expect(source.mapRows([{ line: 1, text }], {})[0]).toMatchObject({ kind: "refused" });
    });
  },
);

it.each([`"n":null,"timepoint":${DEEP}`, `"timepoint":${DEEP}`])(
  "an event of which a value is nested deeper than can be walked has no stamp, and is refused",
  (members) => {
    const [, line] = LINES[2];
    const text = line.replace(/"timepoint":\s*\d+/, () => members);
    expect(text).not.toBe(line);
    expect(stampOf(text)).toBeNull();
    expect(streamingEvents.mapRows([{ line: 1, text }], {})[0]).toMatchObject({ kind: "refused" });
  },
);
