import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { etagOf } from "../../../api/shared/definitions/define-record.ts";
import { contentHash } from "../../../api/shared/values/identifiers.ts";
import { showOfficer } from "../../../api/resources/officer-appointment/persons.ts";
import {
  formatListName,
  formatPersonName,
  officerAppointment,
} from "../../../api/resources/officer-appointment/index.ts";
import { rankRole, registerTypeOf } from "../../../api/resources/officer-appointment/order.ts";
import {
  appointmentRecord,
  type Appointment,
  type StoredAppointment,
} from "../../../api/resources/officer-appointment/record.ts";
import { storeOne } from "../../support/incoming-samples.ts";
import { toStored } from "../../support/stored.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const ID = "a".repeat(27);
const DIRECTOR: Appointment = {
  appointment_id: ID,
  officer_id: "o".repeat(27),
  company_number: "99000001",
  person_number: "199028780001",
  officer_role: "director",
  is_corporate: false,
  name_elements: { title: "Mr", forename: "Horatio", other_forenames: "James", surname: "DE LA MUESTRA" },
  appointed_on: "2018-05-03",
  date_of_birth: { day: 9, month: 10, year: 1986 },
};
const BODY: Appointment = {
  appointment_id: ID,
  officer_id: "o".repeat(27),
  company_number: "99000001",
  officer_role: "corporate-secretary",
  is_corporate: true,
  name: "SAMPLE SECRETARIES LTD",
};

const [version1] = officerAppointment.versions;
const checkAnswer = compileCheck(version1.schema);
const stored = (data: Appointment) => toStored(appointmentRecord, data, 1);

function present(data: Appointment): Record<string, unknown> {
  return version1.present(stored(data), { today: "2026-11-01" });
}

describe("names", () => {
  const named = (title: string): Appointment => ({
    ...DIRECTOR,
    name_elements: { title, forename: "Fitzwilliam", surname: "Quillfeather" },
  });

  it.each(["Mr", "Mrs", "Miss", "Ms", "Master", "Mr.", "MR"])("leave out the title %s", (title) => {
    expect(formatListName(named(title))).toBe("QUILLFEATHER, Fitzwilliam");
  });

  it.each(["Sir", "Dr", "Lord"])("show the title %s after the forenames", (title) => {
    expect(formatListName(named(title))).toBe(`QUILLFEATHER, Fitzwilliam, ${title}`);
  });

  it("begin with the forenames in a person's own list", () => {
    expect(formatPersonName(DIRECTOR)).toBe("Horatio James DE LA MUESTRA");
    expect(formatPersonName({ ...DIRECTOR, name_elements: { surname: "MONONYM" } })).toBe("MONONYM");
  });

  it("of a corporate body are shown as they are", () => {
    expect(formatListName(BODY)).toBe("SAMPLE SECRETARIES LTD");
    expect(formatPersonName(BODY)).toBe("SAMPLE SECRETARIES LTD");
  });
});

describe("roles", () => {
  it.each([
    ["corporate-managing-officer", 2, 2],
    ["nominee-secretary", 10, 100],
    ["corporate-nominee-director", 20, 200],
    ["corporate-llp-designated-member", 10, 100],
    ["llp-member", 20, 200],
    ["member-of-a-supervisory-organ", 30, 300],
    ["general-partner-in-a-limited-partnership", 10, 100],
    ["corporate-limited-partner-in-a-limited-partnership", 40, 400],
    ["judicial-factor", 50, 500],
    ["person-authorised-to-represent-and-accept", 50, 500],
  ])("%s ranks %i, and %i once resigned", (role, serving, resigned) => {
    expect([rankRole(role, false), rankRole(role, true)]).toEqual([serving, resigned]);
  });

  it.each([
    ["corporate-nominee-director", "directors"],
    ["nominee-secretary", "secretaries"],
    ["llp-designated-member", "llp_members"],
    ["cic-manager", "none"],
  ])("%s is on the register of %s", (role, register) => {
    expect(registerTypeOf(role)).toBe(register);
  });
});

describe("the key of an appointment", () => {
  const keyOf = (officer_role: string) => appointmentRecord.identify({ ...DIRECTOR, officer_role });

  // Stored records are found by these keys.
  it.each([
    ["corporate-nominee-director", "AO3WBDa23-vA6t_nszQbrU7MXJo"],
    ["llp-designated-member", "L_qi5loLrZIDVFpu2Sk-Ba3azHU"],
    ["corporate-llp-member", "L_qi5loLrZIDVFpu2Sk-Ba3azHU"],
    ["member-of-a-supervisory-organ", "BCa8FyhYT0W8XJuGLCuty6Gj5sc"],
    ["corporate-member-of-an-administrative-organ", "a68Lkzn2wUzm739wd_zzxBf0-OA"],
  ])("of a %s stays the same", (role, key) => {
    expect(keyOf(role)).toBe(key);
  });
});

describe("the stored record", () => {
  it("must have a name, of either kind", () => {
    const nameless = { ...DIRECTOR, name_elements: undefined };
    expect(appointmentRecord.check(DIRECTOR)).toBeNull();
    expect(appointmentRecord.check(BODY)).toBeNull();
    expect(appointmentRecord.check(JSON.parse(JSON.stringify(nameless)))).not.toBeNull();
  });

  it.each([
    ["no role", { officer_role: "" }, "officer_role"],
    ["an unknown member", { shoe_size: 44 }, ""],
    ["an impossible day", { appointed_on: "2026-02-30" }, "appointed_on"],
  ])("is refused with %s", (_what, change, field) => {
    expect(appointmentRecord.check({ ...DIRECTOR, ...change })).toMatchObject({ field });
  });

  it("sorts accented surnames with the plain ones, and a shorter one first", () => {
    const order = (surname: string) =>
      appointmentRecord.keysOf({ ...DIRECTOR, name_elements: { surname } }).name_order;
    expect(order("ÜNLÜ") < order("VEX")).toBe(true);
    expect(order("DE") < order("DE LA MUESTRA")).toBe(true);
  });
});

describe("the order of a list", () => {
  it("has the latest appointment first among those with the same surname and forename, whatever their other names", () => {
    const orderOf = (other_forenames: string, appointed_on: string) =>
      appointmentRecord.keysOf({
        ...DIRECTOR,
        name_elements: { surname: "SMITH", forename: "John", other_forenames },
        appointed_on,
      }).name_order;
    expect(orderOf("Zed", "2020-01-01") < orderOf("Adam", "2010-01-01")).toBe(true);
  });
});

describe("the name in an API-shaped line", () => {
  const read = (name: string) => {
    const links = { officer: { appointments: `/officers/${"o".repeat(27)}/appointments` } };
    const data = { name, officer_role: "director", appointed_on: "2018-05-03", links };
    const uri = `/company/99000001/appointments/${ID}`;
    return storeOne(appointmentRecord, { kind: "company-officers", uri, id: ID, data }).data.name_elements;
  };

  it.each<[NonNullable<Appointment["name_elements"]>]>([
    [{ surname: "WELLINGTON", title: "Lord" }],
    [{ surname: "WELLINGTON", title: "Dr.", forename: "Una", other_forenames: "Lord" }],
    [{ surname: "WELLINGTON", forename: "Lord", other_forenames: "Una" }],
    [{ surname: "WELLINGTON" }],
  ])("is read as the parts that it was made of: %j", (name_elements) => {
    expect(read(formatListName({ ...DIRECTOR, name_elements }))).toEqual(name_elements);
  });
});

describe("the answer", () => {
  it("shows an officer without the day of birth", () => {
    const body = present(DIRECTOR);
    expect(checkAnswer(body)).toBeNull();
    expect(body).toEqual({
      name: "DE LA MUESTRA, Horatio James",
      officer_role: "director",
      appointed_on: "2018-05-03",
      date_of_birth: { month: 10, year: 1986 },
      person_number: "199028780001",
      etag: contentHash({ ...DIRECTOR, date_of_birth: { month: 10, year: 1986 } }),
      links: {
        self: `/company/99000001/appointments/${ID}`,
        officer: { appointments: `/officers/${DIRECTOR.officer_id}/appointments` },
      },
    });
  });

  it("has an etag that does not depend on the day of birth", () => {
    const born = (day?: number): Appointment => ({
      ...DIRECTOR,
      date_of_birth: { ...(day && { day }), month: 10, year: 1986 },
    });
    const realId = "r".repeat(27);
    // With the stored id, and with the real one in its place.
    const shown = [DIRECTOR.officer_id, realId].flatMap((id) =>
      // The cast: a stored record of this kind.
      [born(), born(9), born(10)].map((one) => etagOf(showOfficer(stored(one) as StoredAppointment, id))),
    );
    expect(new Set(shown.slice(0, 3)).size).toBe(1);
    expect(new Set(shown.slice(3)).size).toBe(1);
    expect(shown[0]).not.toBe(shown[3]);
    // The stored etag depends on it, because a load must still see the change.
    expect(stored(born(9)).etag).not.toBe(stored(born(10)).etag);
  });

  it("shows a corporate body by its name", () => {
    expect(checkAnswer(present(BODY))).toBeNull();
    expect(present(BODY)).toMatchObject({
      name: "SAMPLE SECRETARIES LTD",
      officer_role: "corporate-secretary",
    });
  });
});

describe("the read", () => {
  const { records } = createMemoryReader({ appointments: [stored(DIRECTOR)] });
  const read = (company_number: string, appointment_id: string) =>
    officerAppointment.read(records, { company_number, appointment_id }, {});

  it("finds an appointment of the company", async () => {
    expect(await read("99000001", ID)).toMatchObject({ etag: stored(DIRECTOR).etag });
  });

  it("shows the officer under the real id, if it is known, and nothing else of it changes but the ETag", async () => {
    const real = "r".repeat(27);
    const known = createMemoryReader({ appointments: [stored(DIRECTOR)] }, [], {
      [DIRECTOR.officer_id]: real,
    });
    const path = { company_number: "99000001", appointment_id: ID };
    const read = await officerAppointment.read(known.records, path, {});
    const { etag, links, ...members } = present(DIRECTOR);
    expect(officerAppointment.versions[0].present(read, { today: "2026-11-01" })).toEqual({
      ...members,
      etag: contentHash([etag, real]),
      links: { ...(links as object), officer: { appointments: `/officers/${real}/appointments` } },
    });
  });

  it("does not find another company's appointment, or an unknown one", async () => {
    expect(await read("99000002", ID)).toBeNull();
    expect(await read("99000001", "b".repeat(27))).toBeNull();
  });
});
