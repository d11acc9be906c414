import { describe, expect, it } from "@jest/globals";
import { deriveOfficerId } from "../../../api/resources/officer-appointment/identity.ts";
import { PERSONS } from "../../../api/shared/stores/collections/persons.ts";
import type { FileSurvey } from "../../../ingest/load/open-file.ts";
import { apartOf, isFirst, Repeats } from "../../../ingest/load/repeats.ts";
import { findSource } from "../../../ingest/sources/index.ts";
import { aCompanyLine, aPersonLine } from "../../support/officer-lines.ts";

const keys = Array.from({ length: 50_000 }, (_, at) => `99${at}`);

describe("repeated keys", () => {
  it("are all found, with hardly any others", () => {
    const repeats = new Repeats();
    const again = keys.filter((_, at) => at % 10 === 0);
    for (const key of [...keys, ...again]) repeats.see(key);
    expect(again.filter((key) => !repeats.isRepeated(key))).toEqual([]);
    expect(keys.filter((key) => repeats.isRepeated(key)).length).toBeLessThan(again.length + 100);
  });

  it("of a small file take little memory", () => {
    const before = process.memoryUsage().arrayBuffers;
    const repeats = new Repeats();
    for (const key of keys.slice(0, 10)) repeats.see(key);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(repeats.isRepeated("991")).toBe(false);
  });
});

// The cast: nothing else is read.
const survey = (name: string, fills: string[]) =>
  ({ source: findSource(name), fills }) as unknown as FileSurvey;
const officers = survey("officers-snapshot", ["appointments"]);

it("the documents that need rows of other batches are those of persons whose numbers repeat in the file", () => {
  const [twice, once] = ["100000010001", "100000020001"].map((number) => aPersonLine({ number }));
  const lines = [aCompanyLine("99000500", "SAMPLE LTD"), twice, twice, once];
  const rows = lines.map((text = "", line) => ({ line, text }));
  const repeats = new Repeats();
  for (const { text } of rows) {
    const key = officers.source.scattered?.keyOf(text);
    if (key !== undefined) repeats.see(key);
  }
  expect(apartOf(officers, repeats)(rows)).toEqual({ apart: [deriveOfficerId("100000010001")] });
  expect(apartOf(survey("company-csv", ["companies"]), repeats)(rows)).toEqual({});
});

it.each<[string, FileSurvey[], string[], boolean]>([
  ["beside companies", [survey("company-csv", ["companies"])], ["appointments", PERSONS], true],
  ["after other officers", [], [PERSONS], false],
  ["after updates of nominees", [], ["appointments"], false],
  ["beside lines of the API", [survey("api-json-lines", ["appointments"])], ["appointments", PERSONS], false],
])("officers are loaded first only into an empty register: %s", (_what, others, empty, expected) => {
  expect(isFirst([officers, ...others], new Set(empty))).toBe(expected);
});
