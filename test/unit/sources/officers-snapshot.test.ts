import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { appointmentRecord, type Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { SAMPLE } from "../../support/sample-register.ts";
import { countKinds, dataOf, faultsOf, mapFile } from "../../support/snapshot-files.ts";

interface Facts {
  files: Record<string, { records: number; companies: number; persons: number; resigned?: number }>;
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

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const SERVING = ["ew", "sc", "ni"].map((part) => `officers/Prod195_4321_${part}_1_01112026010001.dat`);
const WITH_RESIGNED = "officers/Prod216_4321_ew_1_01112026010001.dat";

const map = (file: string) => mapFile(officersSnapshot, file);
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

describe("the serving officers", () => {
  it("are as many as the facts count, each with its own identity", () => {
    expect(appointments).toHaveLength(facts.officers.appointments);
    expect(byId(appointments).size).toBe(facts.officers.appointments);
    expect(new Set(appointments.map((item) => item.person_number)).size).toBe(facts.officers.person_numbers);
    expect(new Set(appointments.map((item) => item.officer_id)).size).toBe(facts.officers.persons_by_first_8);
  });

  it("match the schema, and none is refused or has a warning", () => {
    const outcomes = serving.flatMap((file) => file.outcomes);
    expect(faultsOf(outcomes)).toEqual([]);
    expect(outcomes.filter((item) => item.kind === "refused")).toEqual([]);
    expect(outcomes.filter((item) => item.kind === "record" && item.warnings)).toEqual([]);
  });

  it.each(SERVING.map((file, index) => ({ file, index })))(
    "are all in person lines; company lines and the trailer are skipped: $file",
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

  it("have a name if they are bodies, and name elements if they are persons", () => {
    const corporate = appointments.filter((item) => item.is_corporate);
    expect(
      corporate.filter((item) => !item.name || "name_elements" in item || "date_of_birth" in item),
    ).toEqual([]);
    expect(appointments.filter((item) => !item.is_corporate && !item.name_elements)).toEqual([]);
  });

  it("have been appointed before their date if it comes from an annual return", () => {
    const older = appointments.filter((item) => item.is_pre_1992_appointment);
    expect(older).toHaveLength(facts.officers.by_date_origin["2"] ?? 0);
    expect(older.filter((item) => !item.appointed_before || item.appointed_on)).toEqual([]);
  });

  it("keep the day of birth if the file has it, and show no birth date of a secretary", () => {
    const withDay = appointments.filter((item) => item.date_of_birth?.day !== undefined);
    expect(withDay).toHaveLength(facts.officers.with_full_birth_date);
    expect(
      appointments.filter((item) => item.officer_role.includes("secretary") && item.date_of_birth),
    ).toEqual([]);
  });

  it("have one id for two variants of a person number", () => {
    const { most_appointments: most } = facts.officers;
    const ofVariant = (number: string) => appointments.filter((item) => item.person_number === number);
    const [first, second] = [ofVariant(most.person_number), ofVariant(most.same_person_other_number)];
    expect([first.length, second.length]).toEqual([most.appointments, most.its_appointments]);
    expect(new Set([...first, ...second].map((item) => item.officer_id)).size).toBe(1);
  });

  it("are converted to mixed case, except surnames", () => {
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

  it("have honours, a box and the person in whose care letters are, where a line has them", () => {
    expect(appointments.find((item) => item.person_number === "199000010001")).toMatchObject({
      name_elements: { title: "Sir", forename: "Fitzwilliam", surname: "QUILLFEATHER", honours: "O.B.E." },
    });
    expect(appointments.find((item) => item.person_number === "199008230001")).toMatchObject({
      address: {
        care_of: "Quillfeather & Co",
        po_box: "99",
        region: "West Midlands",
        country: "United Kingdom",
      },
    });
  });
});

describe("the officers with resigned ones", () => {
  it("are as many as the facts count", () => {
    const file = facts.files[WITH_RESIGNED];
    expect(resignedToo).toHaveLength(file?.persons ?? 0);
    expect(resignedToo.filter((item) => item.resigned_on)).toHaveLength(file?.resigned ?? 0);
    expect(faultsOf(withResigned.outcomes)).toEqual([]);
    expect(withResigned.close).not.toThrow();
  });

  it.each([
    ["after", () => [...appointments, ...resignedToo]],
    ["before", () => [...resignedToo, ...appointments]],
  ])("are the same appointments if loaded %s the serving ones", (_order, list) => {
    const stored = [...byId(list()).values()];
    const { after_update: after } = facts.officers;
    expect(stored).toHaveLength(after.appointments_before);
    expect(stored.filter((item) => !appointmentRecord.keysOf(item).is_resigned)).toHaveLength(
      after.current_before,
    );
  });

  it("include some of dissolved companies", () => {
    const statuses = resignedToo.map((item) => appointmentRecord.keysOf(item).is_company_ended);
    expect(statuses).toContain(true);
  });
});
