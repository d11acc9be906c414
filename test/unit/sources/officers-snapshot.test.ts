import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { SourceError } from "../../../api/core/errors.ts";
import { appointmentRecord, type Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { countKinds, dataOf, mapFile, readRowsOf, refusalsOf } from "../../support/snapshot-files.ts";

interface Facts {
  files: Record<
    string,
    { records: number; companies: number; persons: number; resigned?: number; expect?: { loaded?: number } }
  >;
  officers: {
    companies: number;
    appointments: number;
    person_numbers: number;
    persons_by_first_8: number;
    by_type: Record<string, number>;
    by_date_origin: Record<string, number>;
    corporate: number;
    nominees: number;
    with_full_birth_date: number;
    most_appointments: {
      person_number: string;
      appointments: number;
      same_person_other_number: string;
      its_appointments: number;
    };
    after_update: { appointments_before: number; current_before: number };
  };
}

const facts = JSON.parse(readFileSync("test/fixtures/register/facts.json", "utf8")) as Facts;
const SERVING = ["ew", "sc", "ni"].map((part) => `officers/Prod195_4321_${part}_1_01112026010001.dat`);
const WITH_RESIGNED = "officers/Prod216_4321_ew_1_01112026010001.dat";
const BAD = "officers/edge-cases/bad-records.dat";

const map = (file: string, encoding?: "latin1") => mapFile(officersSnapshot, file, encoding);
const serving = await Promise.all(SERVING.map((file) => map(file)));
const withResigned = await map(WITH_RESIGNED);
const appointments = serving.flatMap(({ outcomes }) => dataOf<Appointment>(outcomes));
const resignedToo = dataOf<Appointment>(withResigned.outcomes);

function byId(list: Appointment[]): Map<string, Appointment> {
  return new Map(list.map((appointment) => [appointment.appointment_id, appointment]));
}

function countRoles(list: Appointment[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { officer_role } of list) counts[officer_role] = (counts[officer_role] ?? 0) + 1;
  return counts;
}

/** A person line of company 99000001 with the fewest texts. */
function aLine({ type = "01", dates = "", person = "199028780001", birth = "198610" }): string {
  const text = "<HORATIO<NOTREAL<<<<<<<<<<<<";
  const fixed = `9900000123${type}${person}        ${dates}ST1 2ZZ ${birth}          `;
  return `${fixed}${String(text.length).padStart(4, "0")}${text}`;
}

describe("the serving officers", () => {
  it("are as many as the facts count, and each is its own", () => {
    expect(appointments).toHaveLength(facts.officers.appointments);
    expect(byId(appointments).size).toBe(facts.officers.appointments);
    expect(new Set(appointments.map((item) => item.person_number)).size).toBe(facts.officers.person_numbers);
    expect(new Set(appointments.map((item) => item.officer_id)).size).toBe(facts.officers.persons_by_first_8);
  });

  it("obey the schema, and nothing of them is refused or dropped", () => {
    const faults = appointments.map((item) => appointmentRecord.check(item));
    const outcomes = serving.flatMap((file) => file.outcomes);
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
    expect(outcomes.filter((item) => item.kind === "refused")).toEqual([]);
    expect(outcomes.filter((item) => item.kind === "record" && item.warnings)).toEqual([]);
  });

  it.each(SERVING.map((file, index) => ({ file, index })))(
    "leave company lines and trailer skipped: $file",
    ({ file, index }) => {
      const { companies, persons } = facts.files[file] ?? { companies: 0, persons: 0 };
      const counts = countKinds(serving[index]?.outcomes ?? []);
      expect(counts).toEqual({ record: persons, refused: 0, skipped: companies + 1 });
      expect(serving[index]?.close).not.toThrow();
    },
  );

  it("have the roles of their types", () => {
    const roles = countRoles(appointments);
    const sum = (pattern: RegExp) =>
      Object.entries(roles).reduce((total, [role, count]) => total + (pattern.test(role) ? count : 0), 0);
    const { by_type: types } = facts.officers;
    expect({
      "00": sum(/secretary$/),
      "01": sum(/director$/),
      "04": sum(/llp-member$/),
      "05": sum(/llp-designated-member$/),
      "11": sum(/^judicial-factor$/),
      "12": sum(/^receiver-and-manager$/),
      "13": sum(/^cic-manager$/),
      "17": sum(/administrative-organ$/),
      "18": sum(/supervisory-organ$/),
      "19": sum(/management-organ$/),
    }).toEqual(types);
    expect(sum(/nominee/)).toBe(facts.officers.nominees);
    expect(appointments.filter((item) => item.is_corporate)).toHaveLength(facts.officers.corporate);
  });

  it("name bodies by their name and persons by its elements", () => {
    const corporate = appointments.filter((item) => item.is_corporate);
    expect(
      corporate.filter((item) => !item.name || "name_elements" in item || "date_of_birth" in item),
    ).toEqual([]);
    expect(appointments.filter((item) => !item.is_corporate && !item.name_elements)).toEqual([]);
  });

  it("say that an appointment is older where an annual return dates it", () => {
    const older = appointments.filter((item) => item.is_pre_1992_appointment);
    expect(older).toHaveLength(facts.officers.by_date_origin["2"] ?? 0);
    expect(older.filter((item) => !item.appointed_before || item.appointed_on)).toEqual([]);
  });

  it("keep the day of birth where the file has it, and show no birth date of a secretary", () => {
    const withDay = appointments.filter((item) => item.date_of_birth?.day !== undefined);
    expect(withDay).toHaveLength(facts.officers.with_full_birth_date);
    expect(
      appointments.filter((item) => item.officer_role.includes("secretary") && item.date_of_birth),
    ).toEqual([]);
  });

  it("are one person under two variants of a number", () => {
    const { most_appointments: most } = facts.officers;
    const ofVariant = (number: string) => appointments.filter((item) => item.person_number === number);
    const [first, second] = [ofVariant(most.person_number), ofVariant(most.same_person_other_number)];
    expect([first.length, second.length]).toEqual([most.appointments, most.its_appointments]);
    expect(new Set([...first, ...second].map((item) => item.officer_id)).size).toBe(1);
  });

  it("are read in mixed case, surnames excepted", () => {
    expect(appointments.find((item) => item.person_number === "199028780001")).toMatchObject({
      company_number: "99000001",
      company_name: "!NVENTED PUNCTUATION LTD",
      company_status: "active",
      officer_role: "director",
      name_elements: { title: "Mr", forename: "Horatio", other_forenames: "James", surname: "DE LA MUESTRA" },
      address: {
        address_line_1: "69 Madeup Way",
        address_line_2: "Fake Business Park",
        locality: "Stoke-on-Trent",
        region: "Staffordshire",
        postal_code: "ST1 2ZZ",
      },
      appointed_on: "2018-05-03",
      nationality: "Welsh",
      occupation: "Accountant",
      country_of_residence: "England",
      date_of_birth: { month: 10, year: 1986 },
    });
  });
});

describe("the officers with resigned ones", () => {
  it("are as many as the facts count", () => {
    const file = facts.files[WITH_RESIGNED];
    expect(resignedToo).toHaveLength(file?.persons ?? 0);
    expect(resignedToo.filter((item) => item.resigned_on)).toHaveLength(file?.resigned ?? 0);
    expect(resignedToo.filter((item) => appointmentRecord.check(item))).toEqual([]);
    expect(withResigned.close).not.toThrow();
  });

  it.each([
    ["after", () => [...appointments, ...resignedToo]],
    ["before", () => [...resignedToo, ...appointments]],
  ])("are the same appointments when loaded %s the serving ones", (_order, list) => {
    const held = [...byId(list()).values()];
    const { after_update: after } = facts.officers;
    expect(held).toHaveLength(after.appointments_before);
    expect(held.filter((item) => !appointmentRecord.keysOf(item).is_resigned)).toHaveLength(
      after.current_before,
    );
  });

  it("tell that a company is dissolved", () => {
    const statuses = resignedToo.map((item) => appointmentRecord.keysOf(item).is_company_ended);
    expect(statuses).toContain(true);
  });
});

describe("the identity of an appointment", () => {
  const line = (type: string, dates: string, person = "199028780001") => aLine({ type, dates, person });
  const idOf = (text: string) => {
    const [outcome] = officersSnapshot.mapRows([{ line: 2, text }], {});
    return outcome?.kind === "record" ? (outcome.data as Appointment).appointment_id : outcome;
  };
  const held = line("01", "20180503        ");

  it("is kept over a resignation and a new variant of the person number", () => {
    expect(idOf(held)).toMatch(/^[A-Za-z0-9_-]{27}$/);
    expect(idOf(line("03", "2018050320200101"))).toBe(idOf(held));
    expect(idOf(line("01", "20180503        ", "199028780002"))).toBe(idOf(held));
  });

  it("tells a second appointment, another role and another person apart", () => {
    expect(idOf(line("03", "2010010120120101"))).not.toBe(idOf(held));
    expect(idOf(line("00", "20180503        "))).not.toBe(idOf(held));
    expect(idOf(line("01", "20180503        ", "199028790001"))).not.toBe(idOf(held));
  });

  it("is kept when a member of an LLP becomes a designated one", () => {
    expect(idOf(line("05", "20180503        "))).toBe(idOf(line("04", "20180503        ")));
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
    ["a resigned officer without a day", { 10: "03" }, "resigned_on is no date: (blank)"],
    ["an unknown appointment type", { 10: "42" }, "appointment_type is not known: 42"],
    ["a person number that is none", { 12: "19902878000X" }, "person_number is not twelve digits"],
    ["a length that is no number", { 72: "12X4" }, "text_length is not four digits"],
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

  it("do not take the dates of appointment and birth for granted", () => {
    const text = aLine({ type: "01", dates: "20180231        ", birth: "198613" });
    const [outcome] = officersSnapshot.mapRows([{ line: 2, text }], {});
    expect(outcome).toMatchObject({
      kind: "record",
      warnings: [
        "appointed_on: no day of the calendar, dropped",
        "date_of_birth: no day of the calendar, dropped",
      ],
    });
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

  it("are refused when cut off or miscounted", async () => {
    const cut = await map("officers/edge-cases/no-trailer.dat");
    expect(cut.close).toThrow(/^truncated/);
    const miscounted = await map("officers/edge-cases/wrong-trailer-count.dat");
    expect(miscounted.close).toThrow("the trailer says 9 records, the file has 8");
    expect(miscounted.close).toThrow(SourceError);
  });

  it("are refused by their header", () => {
    const open = (text: string) => () => officersSnapshot.open({ line: 1, text }, "Prod195_x.dat");
    expect(open("DDDDUPDT432220261102")).toThrow(/daily updates/);
    expect(open("<html>")).toThrow(
      "expected DDDDSNAP, a run number and a date in the first line, found <html>",
    );
    expect(open("DDDDSNAP432120261341")).toThrow(SourceError);
  });

  it("are known by name and by header", () => {
    expect(officersSnapshot.fileNames.test("Prod195_4321_ew_1_01112026010001.dat")).toBe(true);
    expect(officersSnapshot.fileNames.test("Prod198_4322.dat")).toBe(false);
    expect(officersSnapshot.recognises("DDDDSNAP432120261101")).toBe(true);
    expect(officersSnapshot.recognises("DISQUALS428720261031")).toBe(false);
  });

  it("keep the lines of a company together and the trailer apart", () => {
    expect(officersSnapshot.groupKey?.("990000011 x")).toBe("99000001");
    expect(officersSnapshot.groupKey?.("9999999900000006")).toBe("trailer");
  });
});
