/** The names of the merge rules that statements of snapshots store. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { findMergeRules, sources } from "../../../ingest/sources/index.ts";
import { companyCsv } from "../../../ingest/sources/company-csv.ts";
import { sortRows } from "../../../ingest/pipeline.ts";
import { SAMPLE } from "../../support/sample-register.ts";

describe("the name of merge rules", () => {
  it("belongs to one source, and finds its rules", () => {
    const named = sources.flatMap(({ mergeRules = {} }) => Object.entries(mergeRules));
    expect(new Set(named.map(([name]) => name)).size).toBe(named.length);
    for (const [name, rules] of named) expect(findMergeRules(name)).toBe(rules);
    expect(findMergeRules("of another release")).toBeUndefined();
  });

  it.each([
    ["companies/BasicCompanyData-2026-11-01-part1_2.csv", "company-csv"],
    ["officers/Prod195_4321_sc_1_01112026010001.dat", "officers-snapshot"],
    ["disqualified/Prod192_4287.txt", "disqualified-officers-snapshot"],
    ["psc/psc-snapshot-2026-11-01_1of2.txt", "psc-snapshot"],
  ])("is stored with the day for each record of %s that is merged with the stored one", (path, name) => {
    const source = sources.find((one) => one.name === name) ?? companyCsv;
    const [first = "", ...rest] = readFileSync(`${SAMPLE}/${path}`, "utf8").split(/\r?\n/);
    const rows = (source.hasHeader ? rest : [first, ...rest]).filter(Boolean);
    const { kinds } = sortRows(source, {
      ...{ load: "a-load", file: path, source: name, revision: 1 },
      context: source.open({ line: 1, text: first }, path.replace(/^.*\//, "")),
      rows: rows.map((text, at) => ({ line: at + 2, text })),
    });
    const pending = [...kinds.values()].flatMap(({ rows: ofKind }) => [...ofKind.values()]);
    expect(pending.length).toBeGreaterThan(3);
    for (const [statement] of pending.map(({ statements }) => statements)) {
      expect(statement?.at).toMatch(/^2026-\d\d-\d\d$/);
      expect(Object.keys(source.mergeRules ?? {})).toContain(statement?.tells);
    }
  });
});
