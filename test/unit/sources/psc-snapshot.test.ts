import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import { exemptionsRecord } from "../../../api/resources/exemptions/index.ts";
import { pscRecord, type Psc } from "../../../api/resources/person-with-significant-control/record.ts";
import { type PscStatement, pscStatementRecord } from "../../../api/resources/psc-statement/index.ts";
import { recogniseSource } from "../../../ingest/load/open-file.ts";
import { findMergeRules, sources } from "../../../ingest/sources/index.ts";
import { pscSnapshot } from "../../../ingest/sources/psc-snapshot.ts";
import { mergeRecords } from "../../../ingest/statements/merge.ts";
import { SAMPLE } from "../../support/sample-register.ts";
import { countKinds, dataOf, faultsOf, readRowsOf, tallyOf } from "../../support/snapshot-files.ts";

interface Facts {
  psc: {
    persons_of_significant_control_count: number;
    statements_count: number;
    exemptions_count: number;
    by_kind: Record<string, number>;
    companies: number;
    ceased: number;
    ceased_statements: number;
    identity_verification: number;
    oddities_that_load: Record<string, string>;
  };
  files: Record<string, { lines: number }>;
}

const PARTS = ["psc/psc-snapshot-2026-11-01_1of2.txt", "psc/psc-snapshot-2026-11-01_2of2.txt"];
const EDGE_CASES = "psc/edge-cases/psc-edge-cases.txt";
const CUT = "psc/edge-cases/psc-no-totals-truncated.txt";

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const rowsOfParts = await Promise.all(PARTS.map((file) => readRowsOf(file)));
const outcomes = rowsOfParts.flatMap((rows) => pscSnapshot.mapRows(rows, {}));
const persons = dataOf<Psc>(outcomes, pscRecord);
const statements = dataOf<PscStatement>(outcomes, pscStatementRecord);

describe("the two parts", () => {
  it("have as many records of each kind as the facts count", () => {
    const counts: Record<string, number> = {};
    const kinds = [
      ...persons.map(({ kind }) => kind),
      ...statements.map(() => "persons-with-significant-control-statement"),
      ...dataOf(outcomes, exemptionsRecord).map(() => "exemptions"),
    ];
    for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
    expect(counts).toEqual(facts.psc.by_kind);
    expect(persons).toHaveLength(facts.psc.persons_of_significant_control_count);
    expect(statements).toHaveLength(facts.psc.statements_count);
  });

  it("give one outcome for each line, skip the totals, and match their schemas without a warning", () => {
    const lines = PARTS.reduce((sum, file) => sum + (facts.files[file]?.lines ?? 0), 0);
    expect(countKinds(outcomes)).toEqual({ record: lines - 1, refused: 0, skipped: 1 });
    expect(faultsOf(outcomes)).toEqual([]);
    expect(outcomes.filter((item) => item.kind === "record" && item.warnings)).toEqual([]);
  });

  it("have as many ceased and verified persons, ceased statements and companies as the facts count", () => {
    const keys = persons.map((psc) => pscRecord.keysOf(psc));
    expect(keys.filter(({ is_ceased }) => is_ceased)).toHaveLength(
      // The facts count days of cessation, and one super-secure person has none.
      facts.psc.ceased + persons.filter(({ ceased }) => ceased).length,
    );
    expect(statements.filter(({ ceased_on }) => ceased_on)).toHaveLength(facts.psc.ceased_statements);
    const verified = persons.filter((psc) => psc.identity_verification_details);
    expect(verified).toHaveLength(facts.psc.identity_verification);
    const all = [
      ...persons,
      ...statements,
      ...dataOf<{ company_number: string }>(outcomes, exemptionsRecord),
    ];
    expect(new Set(all.map(({ company_number }) => company_number)).size).toBe(facts.psc.companies);
  });

  it.each(Object.entries(facts.psc.oddities_that_load))("load: %s", (_what, link) => {
    const id = link.slice(link.lastIndexOf("/") + 1);
    expect(persons.map((psc) => psc.notification_id)).toContain(id);
  });

  it("keep the source's etag", () => {
    expect(persons.every(({ etag }) => /^[0-9a-f]{40}$/.test(etag ?? ""))).toBe(true);
  });

  it("trim the ends of names", () => {
    const texts = persons.flatMap(({ name = "", name_elements }) => [
      name,
      ...Object.values(name_elements ?? {}),
    ]);
    expect(texts.filter((text) => text !== text.trim())).toEqual([]);
  });

  it("have a merge rule for each member that their persons and statements have", () => {
    const lacking = outcomes.flatMap((item) => {
      if (item.kind !== "record" || item.record === exemptionsRecord) return [];
      const { rules = {} } = findMergeRules(item.tells ?? "") ?? {};
      return Object.keys(item.data as object).filter((member) => !(member in rules));
    });
    expect(new Set(lacking)).toEqual(new Set());
  });

  it.each([
    ["stays with the same month", { month: 1, year: 1970 }, 31],
    ["is removed with another month", { month: 2, year: 1970 }, undefined],
    ["is removed with another year", { month: 1, year: 1971 }, undefined],
    ["is removed without a month", undefined, undefined],
  ])("have no day of birth: that of another source %s", (_what, date_of_birth, birth_day) => {
    const { rules = {} } = findMergeRules("psc-snapshot") ?? {};
    const stored = { date_of_birth: { year: 1970, month: 1 }, birth_day: 31 };
    expect(mergeRecords(stored, { ...(date_of_birth && { date_of_birth }) }, rules)).toEqual({
      ...(date_of_birth && { date_of_birth }),
      ...(birth_day && { birth_day }),
    });
  });
});

describe("the end of the file", () => {
  const [first = [], second = []] = rowsOfParts;
  const close = (name: string, rows: typeof first) => () => {
    const context = pscSnapshot.open(rows[0] ?? { line: 1, text: "" }, name);
    const carried = JSON.parse(JSON.stringify(context)) as typeof context;
    pscSnapshot.close?.(rows.at(-1), rows.length, carried, tallyOf(pscSnapshot, rows));
  };

  it("needs totals only in the last part", () => {
    expect(close("psc-snapshot-2026-11-01_1of2.txt", first)).not.toThrow();
    expect(close("psc-snapshot-2026-11-01_2of2.txt", second)).not.toThrow();
    expect(close("psc-snapshot-2026-11-01_1of2", first)).not.toThrow();
  });

  it("is missing from an incomplete download", async () => {
    const incomplete = /^no totals line: incomplete download; download it again/;
    expect(close("psc-snapshot-2026-11-01_2of2.txt", second.slice(0, -1))).toThrow(incomplete);
    expect(close("persons-with-significant-control-snapshot-2026-11-01.txt", first)).toThrow(incomplete);
    expect(close(CUT, await readRowsOf(CUT))).toThrow(incomplete);
  });

  it("is reported as wrong in the singular if it states one record", () => {
    const totals = JSON.stringify({
      data: { kind: "totals#persons-of-significant-control-snapshot", records_count: 1 },
    });
    expect(close("psc-snapshot-2026-11-01_1of1.txt", [{ line: 1, text: totals }])).toThrow(
      "the totals line says 1 record, the file has 0",
    );
  });

  it("is compared with the lines if one file has them all", async () => {
    const whole = [...first, ...second];
    expect(close("persons-with-significant-control-snapshot-2026-11-01.txt", whole)).not.toThrow();
    expect(close("psc-snapshot-2026-11-01_1of1.txt", whole.slice(1))).toThrow(
      "the totals line says 143 records, the file has 142",
    );
    expect(close("psc-snapshot-2026-11-01_1of1.txt", [...whole.slice(1), ...whole.slice(-1)])).toThrow(
      "the totals line says 120 persons, the file has 119",
    );
    const rows = await readRowsOf(EDGE_CASES);
    expect(close("psc-edge-cases.txt", rows)).toThrow(
      /^the totals line says 9,999 records, the file has 19; download it again, or/,
    );
  });
});

describe("the file", () => {
  it("is recognised by its first line, whatever its name", () => {
    const [row] = rowsOfParts.flat();
    expect(recogniseSource(sources, "download.txt", row?.text ?? "")).toBe(pscSnapshot);
  });

  it("is refused under the right name if it is something else", () => {
    const page = { line: 1, text: "<html><body>Not found</body></html>" };
    expect(recogniseSource(sources, "psc-snapshot-2026-11-01_1of2.txt", page.text)).toBe(pscSnapshot);
    expect(() => pscSnapshot.open(page, "psc-snapshot-2026-11-01_1of2.txt")).toThrow(SourceError);
  });

  it("is not mistaken for API-shaped lines, nor they for it", () => {
    const apiShaped = '{"resource_kind":"registers","data":{"company_number":"99000001"}}';
    expect(pscSnapshot.recognises(apiShaped)).toBe(false);
    expect(pscSnapshot.recognises('{"company_number":"99000001","type":"ltd"}')).toBe(false);
  });
});
