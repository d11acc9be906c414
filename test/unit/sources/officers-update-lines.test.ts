/** Reads lines of the officers' daily update: bad ones with field and reason, and the whole sample. */
import { describe, expect, it } from "@jest/globals";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
import { officersUpdate } from "../../../ingest/sources/officers-update.ts";
import { DAY, StoredAppointments, NUMBER } from "../../support/stored-appointments.ts";
import { aCompanyLine, anUpdateLine } from "../../support/officer-lines.ts";
import { mapFile, refusalsOf } from "../../support/snapshot-files.ts";

describe("a bad line is refused with field and reason:", () => {
  it.each([
    ["an unknown old type", anUpdateLine({ oldType: "42" }), "old_type is not known: 42"],
    ["an unknown new type", anUpdateLine({ newType: "98" }), "new_type is not known: 98"],
    [
      "an old number with a blank",
      anUpdateLine({ oldNumber: "10000001 001" }),
      "old_person_number is not twelve digits",
    ],
    [
      "a new number with a letter",
      anUpdateLine({ number: "X00000010001", oldNumber: NUMBER }),
      "person_number is not twelve digits",
    ],
    [
      "a resignation without its day",
      anUpdateLine({ newType: "03" }),
      "resigned_on is not a valid date: (blank)",
    ],
    ["no surname", anUpdateLine({ surname: "" }), "surname is empty"],
    [
      "a blank company number of a person who is no nominee",
      anUpdateLine({ company: "" }),
      /^company_number is blank/,
    ],
    [
      "a company number with a blank",
      anUpdateLine({ company: "9900 500" }),
      /^company_number is not a company number/,
    ],
    ["a length that does not fit", anUpdateLine().replace("UNA<", "UN<"), /^text_length says/],
    ["a cut text", anUpdateLine().replace(/<{13}$/, "<".repeat(12)), /^text_length says/],
    ["an unknown record type", `990005003${anUpdateLine().slice(9)}`, "record_type is not known: 3"],
    [
      "neither a name nor a known status",
      aCompanyLine("99000500", "", "Q"),
      "company_status is not known: Q",
    ],
  ])("%s", (_name, text, reason) => {
    const refused = refusalsOf(officersUpdate.mapRows([{ line: 9, text }], { run: "4322" }))[9];
    if (typeof reason === "string") expect(refused).toBe(reason);
    else expect(refused).toMatch(reason);
  });
});

it("a company line without a name gives its appointments only its status, with a warning", () => {
  const stored = new StoredAppointments().add({}, { company_name: "A LTD", company_status: "active" });
  const lines = [aCompanyLine("99000500", "", "D"), anUpdateLine()];
  const rows = lines.map((text, at) => ({ line: at + 2, text }));
  const outcomes = officersUpdate.mapRows(rows, { run: "4322" });
  expect(outcomes[0]).toMatchObject({ kind: "change", warnings: ["company_name: is empty, left out"] });
  stored.write(stored.plan(outcomes));
  expect(stored.appointments).toMatchObject([{ company_name: "A LTD", company_status: "dissolved" }]);
});

it("a company line with an unknown status gives its appointments only its name, with a warning", () => {
  const stored = new StoredAppointments().add({}, { company_name: "A LTD", company_status: "active" });
  const rows = [{ line: 2, text: aCompanyLine("99000500", "B LTD", "Q") }];
  const outcomes = officersUpdate.mapRows(rows, { run: "4322" });
  expect(outcomes).toMatchObject([
    { kind: "change", warnings: ['company_status left out: "Q" is not known'] },
  ]);
  stored.write(stored.plan(outcomes));
  expect(stored.appointments).toMatchObject([{ company_name: "B LTD", company_status: "active" }]);
});

describe("the sample", () => {
  it("is mapped completely, and its trailer has the right count", async () => {
    const { outcomes, close } = await mapFile(officersUpdate, "officers/Prod198_4322.dat");
    expect(outcomes.filter(({ kind }) => kind === "change")).toHaveLength(30);
    expect(outcomes.filter((outcome) => outcome.kind === "change" && outcome.warnings)).toEqual([]);
    const stated = outcomes.flatMap((outcome) => (outcome.kind === "change" ? (outcome.data ?? []) : []));
    expect(stated.map((data) => appointmentRecord.check(data)).filter(Boolean)).toEqual([]);
    expect(close).not.toThrow();
  });

  it("is distinguished from a snapshot, and a broken header is reported", () => {
    const openLine = (text: string) => () => officersUpdate.open({ line: 1, text }, "Prod198_1.dat");
    expect(openLine("DDDDSNAP432120261101")).toThrow(/it is a snapshot/);
    expect(openLine("DDDDUPDT43222026")).toThrow(/a run number and a date/);
    expect(openLine("DDDDUPDT432220261102")()).toEqual({ run: "4322", productionDate: DAY });
  });
});
