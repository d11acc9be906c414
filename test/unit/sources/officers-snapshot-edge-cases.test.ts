import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import type { Appointment, StoredAppointment } from "../../../api/resources/officer-appointment/record.ts";
import { sortRows } from "../../../ingest/pipeline.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { SAMPLE } from "../../support/sample-register.ts";
import { aCompanyLine, aPersonLine } from "../../support/officer-lines.ts";
import { countKinds, dataOf, mapFile, readRowsOf, refusalsOf } from "../../support/snapshot-files.ts";

interface Facts {
  files: Record<string, { persons: number; expect?: { loaded?: number } }>;
}

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const WITH_RESIGNED = "officers/Prod216_4321_ew_1_01112026010001.dat";
const BAD = "officers/edge-cases/bad-records.dat";

const map = (file: string, encoding?: "latin1") => mapFile(officersSnapshot, file, encoding);

describe("the identity of an appointment", () => {
  const idOf = (fields: Parameters<typeof aPersonLine>[0]) => {
    const text = aPersonLine({ appointed: "20180503", ...fields });
    const [outcome] = officersSnapshot.mapRows([{ line: 2, text }], {});
    return outcome?.kind === "record" ? (outcome.data as Appointment).appointment_id : outcome;
  };
  const id = idOf({});

  it("stays the same after a resignation and with a new variant of the person number", () => {
    expect(id).toMatch(/^[A-Za-z0-9_-]{27}$/);
    expect(idOf({ type: "03", resigned: "20200101" })).toBe(id);
    expect(idOf({ number: "100000010002" })).toBe(id);
  });

  it("distinguishes a second appointment, another role and another person", () => {
    expect(idOf({ type: "03", appointed: "20100101", resigned: "20120101" })).not.toBe(id);
    expect(idOf({ type: "00" })).not.toBe(id);
    expect(idOf({ number: "100000020001" })).not.toBe(id);
  });

  it("stays the same when a member of an LLP becomes a designated one", () => {
    expect(idOf({ type: "05" })).toBe(idOf({ type: "04" }));
  });
});

describe("the role of a body", () => {
  it.each([
    ["01", "corporate-director"],
    ["11", "judicial-factor"],
    ["12", "receiver-and-manager"],
    ["13", "cic-manager"],
  ])("of type %s is %s", (type, role) => {
    const text = aPersonLine({ type, isCorporate: true, surname: "A BODY LTD" });
    const [outcome] = officersSnapshot.mapRows([{ line: 2, text }], {});
    expect(outcome).toMatchObject({ kind: "record", data: { officer_role: role, is_corporate: true } });
  });
});

describe("bad records", () => {
  it("are refused with their line, and the good ones kept", async () => {
    const { outcomes, close } = await map(BAD);
    expect(refusalsOf(outcomes)).toEqual({
      3: "text_length says 98, the text has 91 characters",
      4: "text has 13 delimiters instead of 14",
      6: "record_type is not known: X",
    });
    expect(dataOf<Appointment>(outcomes).map((item) => item.company_number)).toEqual([
      "00990062",
      "09900063",
    ]);
    expect(close).not.toThrow();
  });

  it("lose an impossible resignation of a serving officer, with a warning", async () => {
    const { outcomes } = await map(BAD);
    const outcome = outcomes.find((item) => item.row.line === 5);
    expect(outcome).toMatchObject({ warnings: ["resigned_on: given for a serving officer, dropped"] });
    expect(outcome?.kind === "record" && outcome.data).not.toHaveProperty("resigned_on");
  });

  it.each([
    ["a resigned officer without a day", { 10: "03" }, "resigned_on is not a valid date: (blank)"],
    [
      "a resigned officer with a day far away",
      { 10: "03", 40: "29990101" },
      "resigned_on is too far in the future: 29990101",
    ],
    ["an unknown appointment type", { 10: "42" }, "appointment_type is not known: 42"],
    ["a person number with a letter", { 12: "19902878000X" }, "person_number is not twelve digits"],
    ["a length with a letter", { 72: "12X4" }, "text_length is not four digits"],
  ])("are refused: %s", async (_what, changes, reason) => {
    const rows = await readRowsOf(WITH_RESIGNED);
    const good = rows.find((row) => row.text.startsWith("9900000123"))?.text ?? "";
    const text = Object.entries(changes).reduce(
      (line, [start, value]) =>
        line.slice(0, Number(start)) + value + line.slice(Number(start) + value.length),
      good,
    );
    expect(refusalsOf(officersSnapshot.mapRows([{ line: 9, text }], {}))).toEqual({ 9: reason });
  });

  it("with an unknown company status give only the company's name, with a warning", () => {
    const lines = [aCompanyLine("99000500", "MOCK LTD", "Q"), aPersonLine()];
    const rows = lines.map((text, at) => ({ line: at + 2, text }));
    const [company, person] = officersSnapshot.mapRows(rows, {});
    expect(company).toMatchObject({
      kind: "skipped",
      warnings: ['company_status left out: "Q" is not known'],
    });
    expect(person).toMatchObject({ kind: "record", data: { company_name: "MOCK LTD" } });
    expect(person?.kind === "record" && person.data).not.toHaveProperty("company_status");
  });

  it("lose impossible days of appointment and dates of birth, with a warning", () => {
    const rows = [
      { line: 2, text: aPersonLine({ appointed: "20180231", born: "198613" }) },
      { line: 3, text: aPersonLine({ appointed: "29990101", born: "210001" }) },
      { line: 4, text: aPersonLine({ appointed: "20991231", born: "209912" }) },
    ];
    const outcomes = officersSnapshot.mapRows(rows, {});
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        warnings: ["appointed_on left out: not a valid date", "date_of_birth left out: not a valid date"],
      },
      {
        kind: "record",
        warnings: [
          "appointed_on left out: too far in the future",
          "date_of_birth left out: too far in the future",
        ],
      },
      { kind: "record", data: { appointed_on: "2099-12-31", date_of_birth: { year: 2099 } } },
    ]);
    const [, farAway, near] = dataOf<Appointment>(outcomes);
    expect(farAway).not.toHaveProperty("appointed_on");
    expect(farAway).not.toHaveProperty("date_of_birth");
    expect(outcomes[2]).not.toHaveProperty("warnings");
    expect(near?.appointment_id).not.toBe(farAway?.appointment_id);
  });
});

describe("the number of officers that a company line states", () => {
  const warningsOf = (officers: string, types: string[]) => {
    const texts = [
      aCompanyLine("99000500", "MOCK LTD", " ", officers),
      ...types.map((type) => aPersonLine({ type, resigned: ["02", "03"].includes(type) ? "20240101" : "" })),
      aCompanyLine("99000501", "OTHER LTD", " ", "0001"),
      aPersonLine({ company: "99000501" }),
    ];
    const rows = texts.map((text, at) => ({ line: at + 2, text }));
    const of = { load: "x", file: "x", source: "officers-snapshot", revision: 1, context: {} };
    const { counts } = sortRows(officersSnapshot, { ...of, rows });
    expect([counts.unchanged > 0, counts.skipped]).toEqual([true, 2]);
    return Object.entries(counts.warnings);
  };
  const WARNING = "number_of_officers: the company line and the file differ; nothing is dropped";

  it.each([
    ["0002", ["00", "01"], []],
    ["0002", ["00", "01", "03"], []],
    ["0003", ["00", "01", "03"], []],
    ["0000", [], []],
    ["    ", ["01"], []],
    ["0009", ["00", "01"], [[WARNING, 1]]],
    ["0001", ["00", "01", "03"], [[WARNING, 1]]],
    ["0000", ["01"], [[WARNING, 1]]],
    ["0002", [], [[WARNING, 1]]],
  ])("is compared with the persons: %j with the types %j gives %j", (officers, types, warnings) => {
    expect(warningsOf(officers, types)).toEqual(warnings);
  });
});

describe("the appointments that an edition covers", () => {
  const isCovered = (officer_role: string, members: object = {}, product = "195") => {
    const record = { company_number: "FC077001", is_resigned: false, data: { officer_role }, ...members };
    return officersSnapshot.completeness?.covers(record as unknown as StoredAppointment, { product });
  };

  it.each([
    ["director", true],
    ["nominee-secretary", true],
    ["corporate-nominee-director", true],
    ["corporate-llp-designated-member", true],
    ["corporate-member-of-an-administrative-organ", true],
    ["receiver-and-manager", true],
    ["person-authorised-to-represent", false],
    ["person-authorised-to-accept", false],
    ["managing-officer", false],
    ["corporate-managing-officer", false],
    ["limited-partner-in-a-limited-partnership", false],
    ["manager-of-an-eeig", false],
  ])("include that of a %s: %s", (role, expected) => {
    expect(isCovered(role)).toBe(expected);
  });

  it("include resigned officers only in Prod216, and overseas entities in neither", () => {
    const resigned = { is_resigned: true };
    expect([isCovered("director", resigned), isCovered("director", resigned, "216")]).toEqual([false, true]);
    expect(isCovered("director", { company_number: "OE000001" })).toBe(false);
  });
});

describe("files of other kinds", () => {
  it("are read in the layout before 2015", async () => {
    const { outcomes, close } = await map("officers/legacy-2009-layout.dat");
    const file = facts.files["officers/legacy-2009-layout.dat"];
    const legacy = dataOf<Appointment>(outcomes);
    expect(countKinds(outcomes)).toMatchObject({ record: file?.persons, refused: 0 });
    expect(legacy[0]?.date_of_birth).toEqual({ day: 15, month: 5, year: 1955 });
    expect(close).not.toThrow();
  });

  it("are read with carriage returns and in Latin-1", async () => {
    const crlf = await map("officers/edge-cases/crlf.dat");
    const expected = facts.files["officers/edge-cases/crlf.dat"]?.expect?.loaded;
    expect(crlf.outcomes.filter((item) => item.kind !== "refused").length - 1).toBe(expected);
    expect(crlf.close).not.toThrow();
    const latin1 = await map("officers/edge-cases/latin1.dat", "latin1");
    expect(countKinds(latin1.outcomes)).toMatchObject({ refused: 0 });
  });

  it("are refused if cut off or miscounted", async () => {
    const cut = await map("officers/edge-cases/no-trailer.dat");
    expect(cut.close).toThrow(/^truncated/);
    const miscounted = await map("officers/edge-cases/wrong-trailer-count.dat");
    expect(miscounted.close).toThrow("the trailer says 9 records, the file has 8");
    expect(miscounted.close).toThrow(SourceError);
  });

  it("are refused by their header", () => {
    const open = (text: string) => () => officersSnapshot.open({ line: 1, text }, "Prod195_x.dat");
    expect(open("DDDDUPDT432220261102")).toThrow(/it is a daily update/);
    expect(open("<html>")).toThrow(
      "expected DDDDSNAP, a run number and a date in the first line, found <html>",
    );
    expect(open("DDDDSNAP432120261341")).toThrow(SourceError);
  });

  it("are recognised by name and by header", () => {
    expect(officersSnapshot.fileNames.test("Prod195_4321_ew_1_01112026010001.dat")).toBe(true);
    expect(officersSnapshot.fileNames.test("Prod198_4322.dat")).toBe(false);
    expect(officersSnapshot.recognises("DDDDSNAP432120261101")).toBe(true);
    expect(officersSnapshot.recognises("DISQUALS428720261031")).toBe(false);
  });

  it("keep the lines of a company together and the trailer separate", () => {
    expect(officersSnapshot.groupKey?.("990000011 x")).toBe("99000001");
    expect(officersSnapshot.groupKey?.("9999999900000006")).toBe("trailer");
  });
});
