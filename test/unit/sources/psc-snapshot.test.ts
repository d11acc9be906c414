import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { SourceError } from "../../../api/core/errors.ts";
import { exemptionsRecord } from "../../../api/resources/exemptions/record.ts";
import { pscRecord, type Psc } from "../../../api/resources/person-with-significant-control/record.ts";
import { pscStatementRecord, type PscStatement } from "../../../api/resources/psc-statement/record.ts";
import type { Outcome } from "../../../ingest/define-source.ts";
import { recogniseSource } from "../../../ingest/recognise.ts";
import { sources } from "../../../ingest/sources/index.ts";
import { pscSnapshot } from "../../../ingest/sources/psc-snapshot.ts";
import { countKinds, readRowsOf, refusalsOf } from "../../support/snapshot-files.ts";

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
  files: Record<string, { lines: number; expect?: { line: number; what: string; outcome: string }[] }>;
}

const PARTS = ["psc/psc-snapshot-2026-11-01_1of2.txt", "psc/psc-snapshot-2026-11-01_2of2.txt"];
const EDGE_CASES = "psc/edge-cases/psc-edge-cases.txt";
const CUT = "psc/edge-cases/psc-no-totals-truncated.txt";

const facts = JSON.parse(readFileSync("test/fixtures/register/facts.json", "utf8")) as Facts;
const rowsOfParts = await Promise.all(PARTS.map((file) => readRowsOf(file)));
const outcomes = rowsOfParts.flatMap((rows) => pscSnapshot.mapRows(rows, {}));
const persons = dataOf<Psc>(outcomes, pscRecord);
const statements = dataOf<PscStatement>(outcomes, pscStatementRecord);
const edgeCases = pscSnapshot.mapRows(await readRowsOf(EDGE_CASES), {});

function dataOf<Data>(from: Outcome[], record: unknown): Data[] {
  return from.flatMap((item) =>
    item.kind === "record" && item.record === record ? [item.data as Data] : [],
  );
}

function faultsOf(from: Outcome[]): unknown[] {
  return from.flatMap((item) => (item.kind === "record" ? (item.record.check(item.data) ?? []) : []));
}

function atLine(line: number): Outcome | undefined {
  return edgeCases.find(({ row }) => row.line === line);
}

function personAt(line: number): Psc {
  const found = atLine(line);
  if (found?.kind !== "record") throw new Error(`line ${line} is no record`);
  return found.data as Psc;
}

function warningsAt(line: number): string[] | undefined {
  const found = atLine(line);
  return found?.kind === "record" ? found.warnings : undefined;
}

describe("the two parts", () => {
  it("hold as many records of each kind as the facts count", () => {
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

  it("become one outcome a line, the totals skipped, and obey their schemas without a warning", () => {
    const lines = PARTS.reduce((sum, file) => sum + (facts.files[file]?.lines ?? 0), 0);
    expect(countKinds(outcomes)).toEqual({ record: lines - 1, refused: 0, skipped: 1 });
    expect(faultsOf(outcomes)).toEqual([]);
    expect(outcomes.filter((item) => item.kind === "record" && item.warnings)).toEqual([]);
  });

  it("know who has ceased, who is verified, and in which companies", () => {
    const keys = persons.map((psc) => pscRecord.keysOf(psc));
    expect(keys.filter(({ is_ceased }) => is_ceased)).toHaveLength(
      // The facts count days of cessation; one of the super-secure has none to show.
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

  it("leave to other sources what they do not tell", () => {
    const [first] = outcomes;
    expect(first?.kind === "record" && first.tells).toEqual(
      expect.arrayContaining(["name", "date_of_birth", "ceased_on", "etag"]),
    );
    for (const item of outcomes) {
      const tells = item.kind === "record" ? (item.tells ?? []) : [];
      expect(tells.filter((member) => ["psc_id", "birth_day"].includes(member))).toEqual([]);
    }
  });
});

describe("the edge cases", () => {
  // What the facts leave open is decided here.
  const DECIDED: Record<number, "record" | "refused"> = {
    4: "refused",
    6: "refused",
    10: "record",
    11: "record",
  };
  const expected = facts.files[EDGE_CASES]?.expect ?? [];

  it.each(expected.map(({ line, what, outcome }) => [line, what, outcome] as const))(
    "line %i: %s",
    (line, what, outcome) => {
      const found = atLine(line)?.kind;
      if (what === "blank line") expect(found).toBeUndefined();
      else if (what.startsWith("totals")) expect(found).toBe("skipped");
      else expect(found).toBe(DECIDED[line] ?? (outcome.startsWith("loaded") ? "record" : "refused"));
    },
  );

  it("are refused with their reasons", () => {
    expect(refusalsOf(edgeCases)).toEqual({
      2: "is no JSON object with data: cut or damaged",
      4: "kind is not known: quasi-person-with-significant-control",
      6: "links.self is of another company than 99000099: 99000003",
      12: "links.self has no link to the resource itself: no identity",
    });
  });

  it("obey their schemas where they are loaded", () => {
    expect(faultsOf(edgeCases)).toEqual([]);
  });

  it("are mended, and the loss is counted", () => {
    expect(personAt(5)).toMatchObject({
      kind: "legal-person-person-with-significant-control",
      identification: { legal_authority: "Crown", legal_form: "Body" },
    });
    expect(personAt(5)).not.toHaveProperty("nationality");
    expect(warningsAt(5)).toContain("nationality: is no member of this kind, ignored");
    expect(personAt(7).company_number).toBe("00099061");
    expect(personAt(8).notified_on).toBe("1083-01-01");
    expect(personAt(9).ceased_on).toBe("9999-12-31");
    expect(personAt(10)).not.toHaveProperty("date_of_birth");
    expect(warningsAt(10)).toEqual(["date_of_birth: the year 0 stands for unknown, dropped"]);
    expect(personAt(11)).not.toHaveProperty("notified_on");
    expect(warningsAt(11)).toEqual(["notified_on: no day of the calendar, dropped"]);
    expect(personAt(13)).toMatchObject({
      ceased: true,
      description: "super-secure-persons-with-significant-control",
    });
    expect(personAt(13)).not.toHaveProperty("ceased_on");
    expect(personAt(14)).not.toHaveProperty("name_elements");
    expect(personAt(15).name_elements).toEqual({
      title: "Mr",
      forename: "Barnaby",
      middle_name: "Sample Second",
      surname: "Quillfeather",
    });
    expect(personAt(16).name).toBe("Mr Barnaby Quillfeather");
    expect(warningsAt(17)).toEqual(["new_member_of_2031: is no member of this kind, ignored"]);
    expect(personAt(19)).toEqual(personAt(18));
    expect(personAt(20).name).toBe(personAt(1).name);
  });
});

describe("lines that the samples do not have", () => {
  const [line] = rowsOfParts.flat();
  const plain = JSON.parse(line?.text ?? "") as { company_number: string; data: Record<string, unknown> };
  const map = (data: Record<string, unknown>, company_number: unknown = plain.company_number) =>
    pscSnapshot.mapRows([{ line: 1, text: JSON.stringify({ company_number, data }) }], {});

  it("are refused when someone who ceased would be shown as active", () => {
    expect(refusalsOf(map({ ...plain.data, ceased_on: "2019-02-30" }))).toEqual({
      1: "ceased_on is no day of the calendar: 2019-02-30",
    });
  });

  it("may hold days of the first millennium", () => {
    const outcome = map({ ...plain.data, ceased_on: "0224-02-29" });
    expect(dataOf<Psc>(outcome, pscRecord)).toMatchObject([{ ceased_on: "0224-02-29" }]);
    expect(faultsOf(outcome)).toEqual([]);
    expect(refusalsOf(map({ ...plain.data, ceased_on: "0223-02-29" }))).toHaveProperty("1");
  });

  it("are refused without a company number, or with one of nothing", () => {
    expect(refusalsOf(map(plain.data, null))).toEqual({ 1: "company_number is no company number" });
    expect(refusalsOf(map(plain.data, {}))).toEqual({ 1: "company_number is no company number" });
  });

  it.each([
    "null",
    "[]",
    '{"company_number":"99000001","data":null}',
    '{"company_number":"99000001","data":[]}',
  ])("are refused when they are %s", (text) => {
    expect(countKinds(pscSnapshot.mapRows([{ line: 1, text }], {})).refused).toBe(1);
  });

  it("have null for absent and names of Object's own members for unknown", () => {
    const outcome = map({ ...plain.data, nationality: null, constructor: "x", toString: 1 });
    expect(faultsOf(outcome)).toEqual([]);
    const [psc] = dataOf<Psc>(outcome, pscRecord);
    expect(psc).not.toHaveProperty("nationality");
    expect(Object.keys(psc ?? {})).not.toContain("constructor");
  });

  it("are refused by the schema for a nature of control that is not listed", () => {
    const [outcome] = map({ ...plain.data, natures_of_control: ["ownership-of-everything"] });
    expect(outcome?.kind === "record" && outcome.record.check(outcome.data)).toMatchObject({
      field: "natures_of_control.0",
    });
  });

  it("are refused where exemptions name another company", () => {
    const data = { kind: "exemptions", exemptions: {}, links: { self: "/company/99000002/exemptions" } };
    expect(refusalsOf(map(data, "99000001"))).toHaveProperty("1");
  });
});

describe("the end of the file", () => {
  const [first = [], second = []] = rowsOfParts;
  const close = (name: string, rows: typeof first) => () => {
    const context = pscSnapshot.open(rows[0] ?? { line: 1, text: "" }, name);
    pscSnapshot.close?.(rows.at(-1), rows.length, JSON.parse(JSON.stringify(context)) as typeof context);
  };

  it("needs totals only in the last part", () => {
    expect(close("psc-snapshot-2026-11-01_1of2.txt", first)).not.toThrow();
    expect(close("psc-snapshot-2026-11-01_2of2.txt", second)).not.toThrow();
    expect(close("psc-snapshot-2026-11-01_1of2", first)).not.toThrow();
  });

  it("is missing from an incomplete download", async () => {
    const incomplete = new SourceError("no totals line: incomplete download");
    expect(close("psc-snapshot-2026-11-01_2of2.txt", second.slice(0, -1))).toThrow(incomplete);
    expect(close("persons-with-significant-control-snapshot-2026-11-01.txt", first)).toThrow(incomplete);
    expect(close(CUT, await readRowsOf(CUT))).toThrow(incomplete);
  });

  it("is compared with the lines where one file holds them all", async () => {
    const whole = [...first, ...second];
    expect(close("persons-with-significant-control-snapshot-2026-11-01.txt", whole)).not.toThrow();
    expect(close("psc-snapshot-2026-11-01_1of1.txt", whole.slice(1))).toThrow(
      "the totals line says 143 records, the file has 142",
    );
    const rows = await readRowsOf(EDGE_CASES);
    expect(close("psc-edge-cases.txt", rows)).toThrow(/^the totals line says 9999 records, the file has 19$/);
  });
});

describe("the file", () => {
  it("is recognised by its first line, whatever its name", () => {
    const [row] = rowsOfParts.flat();
    expect(recogniseSource(sources, "download.txt", row?.text ?? "")).toBe(pscSnapshot);
  });

  it("is refused when it is something else under the right name", () => {
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
