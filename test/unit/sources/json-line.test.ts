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

    it("is refused alone if a text has an escaped NUL, for which a store would refuse the whole batch", () => {
      expect(mapWith("A\\u0000B")).toMatchObject({
        kind: "refused",
        reason: "contains a NUL character (\\u0000)",
        field: expect.stringMatching(/^data\.(company_)?name$/) as unknown,
      });
    });

    it("is refused if a text has half a surrogate pair, which would be stored as another character", () => {
      expect(mapWith("A\\uD83D B")).toMatchObject({
        kind: "refused",
        reason: expect.stringMatching(/half a character/) as unknown,
      });
    });

    it("is refused if a text has an escaped replacement character", () => {
      expect(mapWith("A\\ufffd ")).toMatchObject({
        kind: "refused",
        reason: expect.stringMatching(/^contains U\+FFFD/) as unknown,
        field: expect.stringMatching(/^data\.(company_)?name$/) as unknown,
      });
    });

    it("is loaded if both halves are escaped, or the backslash itself is", () => {
      expect(mapWith("\\ud83d\\ude00 ")).toMatchObject({ kind: "record" });
      expect(mapWith("\\\\u0000 ")).toMatchObject({ kind: "record" });
    });

    it.each([
      ["before a null", '"n":null'],
      ["before half a character", '"h":"\\ud800"'],
    ])("is refused alone if a value is nested too deeply, %s", (_where, next) => {
      const text = line.replace('"data":{', `"data":{"x":${DEEP},${next},`);
      expect(source.mapRows([{ line: 1, text }], {})[0]).toMatchObject({ kind: "refused" });
    });
  },
);

it("an event whose data no store accepts is refused, but its stamp is read, so that its stream continues after it", () => {
  const [, event] = LINES[2];
  const text = event.replace('"company_name":"', '"company_name":"\\u0000');
  expect(streamingEvents.mapRows([{ line: 1, text }], {})[0]).toMatchObject({ kind: "refused" });
  expect(stampOf(text)).toEqual(stampOf(event));
});

it.each([
  ["after a null", `"n":null,"timepoint":${DEEP}`],
  ["without a null", `"timepoint":${DEEP}`],
])("an event with a value that is nested too deeply, %s, has no stamp, and is refused", (_where, members) => {
  const [, line] = LINES[2];
  const text = line.replace(/"timepoint":\s*\d+/, () => members);
  expect(text).not.toBe(line);
  expect(stampOf(text)).toBeNull();
  expect(streamingEvents.mapRows([{ line: 1, text }], {})[0]).toMatchObject({ kind: "refused" });
});

describe("an object that cannot become a text, because it has a member toString,", () => {
  const OBJECT = '{"toString":1}';
  const [[, person], , [, event]] = LINES;
  const withOfficer = (members: string) => {
    const id = "u".repeat(27);
    const address = `"resource_uri":"/company/99000064/appointments/${id}","resource_id":"${id}"`;
    return `{"resource_kind":"company-officers",${address},"data":{"officer_role":"director","name":"DOE, Jane",${members}}}`;
  };
  const establishments =
    '{"resource_kind":"uk-establishments","resource_uri":"/company/FC099001/uk-establishments","resource_id":"FC099001",' +
    `"data":{"items":[{"company_number":${OBJECT},"links":{"company":"/company/BR000001"}}]}}`;

  it.each([
    ["a day", apiJsonLines, withOfficer(`"person_number":"199900010001","appointed_on":${OBJECT}`)],
    ["a link", apiJsonLines, withOfficer(`"links":{"officer":{"appointments":${OBJECT}}}`)],
    ["the number of an establishment", apiJsonLines, establishments],
    ["a part of a name", pscSnapshot, person.replace('"forename":"Horatio"', `"forename":${OBJECT}`)],
    ["the type of an event", streamingEvents, event.replace('"type":"changed"', `"type":${OBJECT}`)],
    ["a timepoint", streamingEvents, event.replace(/"timepoint":\d+/, `"timepoint":${OBJECT}`)],
  ])("is refused alone as %s", (_what, source, text) => {
    expect(text).toContain(OBJECT);
    const [outcome] = source.mapRows(
      [{ line: 1, text: text.replace('"name":"Horatio James Dummington",', "") }],
      {},
    );
    expect(outcome).toMatchObject({ kind: "refused", reason: "has an object where a text belongs" });
  });

  it("leaves an event without a stamp as its timepoint", () => {
    expect(stampOf(event.replace(/"timepoint":\d+/, `"timepoint":${OBJECT}`))).toBeNull();
  });
});
