/** Rules of the officers' daily update that merge, retype, delete or reach many appointments. */
import { describe, expect, it } from "@jest/globals";
import { deriveOfficerId } from "../../../api/resources/officer-appointment/identity.ts";
import { StoredAppointments, NUMBER } from "../../support/stored-appointments.ts";
import { aCompanyLine, anUpdateLine } from "../../support/officer-lines.ts";

/** Each rule, applied once or several times: the outcome must be the same. */
describe.each([1, 2, 3])("applied %i times", (times) => {
  it("a merge moves the appointment to the other person, and keeps its API id if that is known", () => {
    const appointment_id = "real-appointment".padEnd(27, "-");
    const merged = "200000020001";
    const stored = new StoredAppointments()
      .add({}, { appointment_id, officer_id: "former-officer".padEnd(27, "-") })
      .add({ company: "99000501", number: merged });
    const [former] = stored.records.keys();
    const plan = stored.update([anUpdateLine({ oldNumber: NUMBER, number: merged, surname: "ONE" })], {
      times,
    });
    expect(plan.effects).toEqual(["changed"]);
    expect(stored.appointments).toMatchObject([
      {
        company_number: "99000500",
        person_number: merged,
        appointment_id,
        officer_id: deriveOfficerId(merged),
        name_elements: { surname: "ONE" },
      },
      { company_number: "99000501" },
    ]);
    expect(stored.tombstones).toEqual([former]);
  });

  it.each([
    ["a merge", { oldNumber: NUMBER, number: "200000020001" }],
    ["a new variant of the number", { oldNumber: NUMBER, number: "100000010002" }],
    ["a resignation", { newType: "03", resigned: "20240404" }],
  ])("%s changes no other appointment of the person", (_what, told) => {
    const stored = new StoredAppointments().add({}).add({ company: "99000501", nationality: "BRITISH" });
    const [, other] = stored.appointments;
    stored.update([anUpdateLine({ ...told, surname: "ONE", nationality: "IRISH" })], { times });
    expect(stored.appointments[1]).toEqual(other);
  });

  it("a merge whose old number is not stored adds the new data", () => {
    const stored = new StoredAppointments();
    const fields = {
      oldType: "03",
      newType: "03",
      oldNumber: NUMBER,
      number: "200000020001",
      resigned: "20240404",
    };
    const plan = stored.update([anUpdateLine(fields)], { times });
    expect(stored.appointments).toMatchObject([{ person_number: "200000020001", resigned_on: "2024-04-04" }]);
    expect(plan.warnings).toEqual([]);
  });

  it("a type change sets the type", () => {
    const stored = new StoredAppointments().add({ type: "04", occupation: "BAKER" });
    stored.update([anUpdateLine({ oldType: "04", newType: "05", occupation: "KNIGHT" })], { times });
    expect(stored.appointments).toMatchObject([
      { officer_role: "llp-designated-member", occupation: "Baker" },
    ]);
    const other = new StoredAppointments().add({ type: "00" });
    other.update([anUpdateLine({ oldType: "00", newType: "01" })], { times });
    expect(other.appointments).toMatchObject([{ officer_role: "director" }]);
    expect(other.appointments).toHaveLength(1);
    // Its id is the one from a snapshot, unless the API's is known.
    expect(other.appointments[0]?.appointment_id).toBe([...other.records.keys()][0]);
    const appointment_id = "real-appointment".padEnd(27, "-");
    const real = new StoredAppointments().add({ type: "00" }, { appointment_id });
    real.update([anUpdateLine({ oldType: "00", newType: "01" })], { times });
    expect(real.appointments).toMatchObject([{ officer_role: "director", appointment_id }]);
  });

  it("a director who becomes a secretary loses birth date and residence, and keeps the rest", () => {
    const fields = { born: "197001", residence: "ENGLAND", nationality: "BRITISH", occupation: "BAKER" };
    const stored = new StoredAppointments().add(fields);
    stored.update([anUpdateLine({ ...fields, newType: "00" })], { times });
    expect(stored.appointments).toMatchObject([
      { officer_role: "secretary", nationality: "British", occupation: "Baker" },
    ]);
    expect(stored.appointments[0]).not.toHaveProperty("date_of_birth");
    expect(stored.appointments[0]).not.toHaveProperty("country_of_residence");
  });

  it("an errored appointment is deleted, and no other of the person", () => {
    const stored = new StoredAppointments()
      .add({ appointed: "20160701" })
      .add({ appointed: "20200101" })
      .add({ type: "00" })
      .add({ company: "99000501" });
    const plan = stored.update([anUpdateLine({ newType: "99" })], { times });
    expect(plan.effects).toEqual(["removed"]);
    expect(
      stored.appointments.map(({ company_number, officer_role, appointed_on }) => [
        company_number,
        officer_role,
        appointed_on,
      ]),
    ).toEqual([
      ["99000500", "director", "2016-07-01"],
      ["99000500", "secretary", "2020-01-01"],
      ["99000501", "director", "2020-01-01"],
    ]);
  });

  it("an appointment that was errored and entered again on the same day exists, in any order of the lines", () => {
    const stored = new StoredAppointments().add({ occupation: "BAKER" });
    const again = anUpdateLine({ occupation: "KNIGHT" });
    stored.update([again, anUpdateLine({ newType: "99" })], { times });
    expect(stored.appointments).toMatchObject([{ occupation: "Knight" }]);
    expect(stored.tombstones).toEqual([]);
  });

  it("an appointment that was errored and entered again has nothing that the new line leaves blank", () => {
    const stored = new StoredAppointments().add({ occupation: "BAKER", nationality: "BRITISH" });
    stored.update([anUpdateLine({ newType: "99" }), anUpdateLine({ occupation: "KNIGHT" })], { times });
    expect(stored.appointments).toMatchObject([{ occupation: "Knight" }]);
    expect(stored.appointments[0]).not.toHaveProperty("nationality");
  });

  it("an appointment that was errored as resigned and entered again as serving serves, without a warning", () => {
    const appointment_id = "real-appointment".padEnd(27, "-");
    const stored = new StoredAppointments().add({ type: "03", resigned: "20240404" }, { appointment_id });
    const errored = anUpdateLine({ oldType: "03", newType: "99", resigned: "20240404" });
    const plan = stored.update([errored, anUpdateLine()], { times });
    expect(plan.warnings).toEqual([]);
    expect(stored.appointments).toMatchObject([{ appointment_id }]);
    expect(stored.appointments[0]).not.toHaveProperty("resigned_on");
  });

  it("a merge into the person of an errored appointment moves the other one there, with its own ids", () => {
    const [appointment_id, errored_id] = ["real", "errored"].map((word) => word.padEnd(27, "-"));
    const number = "200000020001";
    const stored = new StoredAppointments()
      .add({ occupation: "BAKER" }, { appointment_id })
      .add({ number, occupation: "CLERK" }, { appointment_id: errored_id });
    const lines = [anUpdateLine({ number, newType: "99" }), anUpdateLine({ oldNumber: NUMBER, number })];
    const plan = stored.update(lines, { times });
    expect(plan).toMatchObject({ effects: ["removed", "changed"], warnings: [] });
    expect(stored.appointments).toMatchObject([{ person_number: number, appointment_id }]);
    expect(stored.update(lines)).toMatchObject({ rewritten: [], warnings: [] });
  });

  it("the correction of a nominee reaches every appointment of the number", () => {
    const number = "900099010001";
    const nominee = { number, isCorporate: true, surname: "SHELF LIMITED", forenames: "" };
    const stored = new StoredAppointments()
      .add({ ...nominee, type: "00" })
      .add({ ...nominee, type: "02", company: "99000501", resigned: "20210101" })
      .add({ ...nominee, number: "900099010002", company: "99000502" });
    const line = { ...nominee, company: "", oldType: "  ", newType: "  ", appointed: "" };
    stored.update(
      [anUpdateLine({ ...line, surname: "NEW SHELF LIMITED", address: "2 NEW LANE", postcode: "CF10 2ZZ" })],
      { times },
    );
    const now = {
      name: "NEW SHELF LIMITED",
      address: { address_line_1: "2 New Lane", postal_code: "CF10 2ZZ" },
    };
    expect(stored.appointments).toMatchObject([
      { ...now, officer_role: "corporate-nominee-secretary" },
      { ...now, resigned_on: "2021-01-01" },
      { name: "SHELF LIMITED" },
    ]);
  });

  it("the correction of a nominee with a postcode alone keeps the rest of each address", () => {
    const kept = { address: { address_line_1: "1 Mock Lane", postal_code: "CF10 2ZZ" } };
    const number = "900099010001";
    const stored = new StoredAppointments().add({ number }).add({ number, company: "99000501" });
    const fields = { number, company: "", oldType: "  ", newType: "  ", appointed: "" };
    stored.update([anUpdateLine({ ...fields, address: "", postcode: "CF10 2ZZ" })], { times });
    expect(stored.appointments).toMatchObject([kept, kept]);
  });

  it("the correction of a nominee sets no birth date of a secretary", () => {
    const number = "900099010001";
    const stored = new StoredAppointments().add({ number, type: "00" }).add({ number, company: "99000501" });
    const fields = { number, company: "", oldType: "  ", newType: "  ", appointed: "", born: "197001" };
    stored.update([anUpdateLine(fields)], { times });
    const [secretary, director] = stored.appointments;
    expect(secretary).toMatchObject({ officer_role: "nominee-secretary" });
    expect(secretary).not.toHaveProperty("date_of_birth");
    expect(director).toMatchObject({ date_of_birth: { month: 1, year: 1970 } });
  });

  it("a company line without persons gives its name and status to the company's appointments", () => {
    const stored = new StoredAppointments().add({}).add({ company: "99000501" });
    stored.update([aCompanyLine("99000500", "RENAMED LTD", "D")], { times });
    expect(stored.appointments[0]).toMatchObject({
      company_name: "RENAMED LTD",
      company_status: "dissolved",
    });
    expect(stored.appointments[1]).not.toHaveProperty("company_name");
    expect([...stored.records.values()][0]).toMatchObject({ is_company_ended: true });
  });
});
