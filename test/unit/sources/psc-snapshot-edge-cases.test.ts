import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { exemptionsRecord } from "../../../api/resources/exemptions/index.ts";
import { pscRecord, type Psc } from "../../../api/resources/person-with-significant-control/record.ts";
import type { Outcome } from "../../../ingest/sources/define-source.ts";
import { pscSnapshot } from "../../../ingest/sources/psc-snapshot.ts";
import { SAMPLE } from "../../support/sample-register.ts";
import { countKinds, dataOf, faultsOf, readRowsOf, refusalsOf } from "../../support/snapshot-files.ts";

interface Facts {
  files: Record<string, { expect?: { line: number; what: string; outcome: string }[] }>;
}

const EDGE_CASES = "psc/edge-cases/psc-edge-cases.txt";

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const edgeRows = await readRowsOf(EDGE_CASES);
const edgeCases = pscSnapshot.mapRows(edgeRows, {});

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

describe("the edge cases", () => {
  // The facts leave these lines open, so this test decides.
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
      2: "is not a JSON object with data: cut or damaged",
      4: "kind is not known: quasi-person-with-significant-control",
      6: "links.self is of company 99000003, not of 99000099",
      12: "links.self has no link to the resource itself, so its id is unknown",
    });
  });

  it("match their schemas if they are loaded", () => {
    expect(faultsOf(edgeCases)).toEqual([]);
  });

  it("are corrected, with a warning of each member that is left out", () => {
    expect(personAt(5)).toMatchObject({
      kind: "legal-person-person-with-significant-control",
      identification: { legal_authority: "Crown", legal_form: "Body" },
    });
    expect(personAt(5)).not.toHaveProperty("nationality");
    expect(warningsAt(5)).toContain("nationality: is not a member of this kind, ignored");
    expect(personAt(7).company_number).toBe("00099061");
    expect(personAt(8).notified_on).toBe("1083-01-01");
    expect(personAt(9).ceased_on).toBe("9999-12-31");
    expect(personAt(10)).not.toHaveProperty("date_of_birth");
    expect(warningsAt(10)).toEqual([
      "date_of_birth.year left out: not a whole number from 1000 to 2099",
      "date_of_birth left out: has no year",
    ]);
    expect(personAt(11)).not.toHaveProperty("notified_on");
    expect(warningsAt(11)).toEqual(["notified_on left out: not a valid date"]);
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
    expect(warningsAt(17)).toEqual(["new_member_of_2031: is not a member of this kind, ignored"]);
    expect(personAt(19)).toEqual(personAt(18));
    expect(personAt(20).name).toBe(personAt(1).name);
  });
});

describe("lines that are not in the samples", () => {
  const [line] = edgeRows;
  const plain = JSON.parse(line?.text ?? "") as { company_number: string; data: Record<string, unknown> };
  const map = (data: Record<string, unknown>, company_number: unknown = plain.company_number) =>
    pscSnapshot.mapRows([{ line: 1, text: JSON.stringify({ company_number, data }) }], {});

  it("are refused if a person who ceased would be shown as active", () => {
    expect(faultsOf(map({ ...plain.data, ceased_on: "2019-02-30" }))).toEqual([
      { field: "ceased_on", reason: "must be a day such as 2026-11-01" },
    ]);
  });

  it("may have days in the first millennium", () => {
    const outcome = map({ ...plain.data, ceased_on: "0224-02-29" });
    expect(dataOf<Psc>(outcome, pscRecord)).toMatchObject([{ ceased_on: "0224-02-29" }]);
    expect(faultsOf(outcome)).toEqual([]);
    expect(faultsOf(map({ ...plain.data, ceased_on: "0223-02-29" }))).toHaveLength(1);
  });

  it("may have their company number as a number, without its zeros", () => {
    const { links, ...unlinked } = plain.data;
    const self = (links as { self: string }).self.replace(plain.company_number, "00000123");
    const [psc] = dataOf<Psc>(map({ ...unlinked, links: { self } }, 123), pscRecord);
    expect(psc).toHaveProperty("company_number", "00000123");
  });

  it("are refused with a number as a name", () => {
    expect(faultsOf(map({ ...plain.data, name: 0 }))).toMatchObject([{ field: "name" }]);
    const elements = { ...(plain.data.name_elements as object), surname: 0 };
    const fault = { field: "name_elements.surname" };
    expect(faultsOf(map({ ...plain.data, name_elements: elements }))).toMatchObject([fault]);
  });

  it("may have the number of a body as a number", () => {
    const kind = "corporate-entity-person-with-significant-control";
    const { name, links, address, notified_on } = plain.data;
    const body = { name, links, address, notified_on, kind, identification: { registration_number: 912345 } };
    expect(dataOf<Psc>(map(body), pscRecord)).toMatchObject([
      { identification: { registration_number: "912345" } },
    ]);
  });

  it("may have a link to themselves without the zeros of the company number and the first slash", () => {
    const { links, ...unlinked } = plain.data;
    const self = (links as { self: string }).self.replace(`/company/${plain.company_number}`, "company/123");
    expect(refusalsOf(map({ ...unlinked, links: { self } }, "123"))).toEqual({});
    for (const uri of ["/company/99061/exemptions", "company/00099061/exemptions"]) {
      const outcome = map({ kind: "exemptions", exemptions: {}, links: { self: uri } }, "99061");
      expect(refusalsOf(outcome)).toEqual({});
      expect(dataOf(outcome, exemptionsRecord)).toEqual([{ company_number: "00099061", exemptions: {} }]);
    }
  });

  it("are refused without a company number, or with an empty one", () => {
    expect(refusalsOf(map(plain.data, null))).toEqual({ 1: "company_number is not a company number" });
    expect(refusalsOf(map(plain.data, {}))).toEqual({ 1: "company_number is not a company number" });
  });

  it.each([
    "null",
    "[]",
    '{"company_number":"99000001","data":null}',
    '{"company_number":"99000001","data":[]}',
  ])("are refused if they are %s", (text) => {
    expect(countKinds(pscSnapshot.mapRows([{ line: 1, text }], {})).refused).toBe(1);
  });

  it("treat null as absent, and names of Object's own members as unknown", () => {
    const outcome = map({ ...plain.data, nationality: null, constructor: "x", toString: 1 });
    expect(faultsOf(outcome)).toEqual([]);
    const [psc] = dataOf<Psc>(outcome, pscRecord);
    expect(psc).not.toHaveProperty("nationality");
    expect(Object.keys(psc ?? {})).not.toContain("constructor");
  });

  it("treat null as absent in exemptions too", () => {
    const items = [{ exempt_from: "2020-01-01", exempt_to: null }];
    const exemptions = {
      psc_exempt_as_trading_on_uk_regulated_market: {
        exemption_type: "psc-exempt-as-trading-on-uk-regulated-market",
        items,
      },
      disclosure_transparency_rules_chapter_five_applies: null,
    };
    const outcome = map({ kind: "exemptions", exemptions, links: null, etag: null }, "99000001");
    expect(refusalsOf(outcome)).toEqual({});
    const [stored] = dataOf<object>(outcome, exemptionsRecord);
    expect(JSON.stringify(stored)).not.toContain("null");
  });

  it("may have a nature of control that is in no list, with a warning", () => {
    const natures_of_control = ["ownership-of-everything", "ownership-of-shares-75-to-100-percent"];
    const outcome = map({ ...plain.data, natures_of_control });
    expect(faultsOf(outcome)).toEqual([]);
    expect(outcome[0]?.warnings).toEqual([
      'natures_of_control: "ownership-of-everything" is not on the list',
    ]);
    expect(dataOf<Psc>(outcome, pscRecord)).toMatchObject([{ natures_of_control }]);
  });

  it("are refused if exemptions name another company", () => {
    const data = { kind: "exemptions", exemptions: {}, links: { self: "/company/99000002/exemptions" } };
    expect(refusalsOf(map(data, "99000001"))).toHaveProperty("1");
  });
});
