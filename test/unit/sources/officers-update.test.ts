/** Rules of the officers' daily update for new, changed and resigned appointments. */
import { describe, expect, it } from "@jest/globals";
import { StoredAppointments, NUMBER } from "../../support/stored-appointments.ts";
import { aCompanyLine, anUpdateLine } from "../../support/officer-lines.ts";

/** Each rule, applied once or several times: the outcome must be the same. */
describe.each([1, 2, 3])("applied %i times", (times) => {
  it("an appointment that is not stored is new", () => {
    const stored = new StoredAppointments();
    const plan = stored.update(
      [aCompanyLine("99000500", "MOCK LTD"), anUpdateLine({ nationality: "IRISH" })],
      {
        times,
      },
    );
    expect(plan.effects).toEqual(["none", "created"]);
    expect(stored.appointments).toMatchObject([
      {
        ...{
          company_number: "99000500",
          person_number: NUMBER,
          officer_role: "director",
          nationality: "Irish",
        },
        ...{ appointed_on: "2020-01-01", company_name: "MOCK LTD", company_status: "active" },
      },
    ]);
    expect(plan.warnings).toEqual([]);
  });

  it("a resignation sets only type and day", () => {
    const stored = new StoredAppointments().add({ occupation: "BAKER" });
    stored.update([anUpdateLine({ newType: "03", resigned: "20261029", occupation: "KNIGHT" })], { times });
    expect(stored.appointments).toMatchObject([{ resigned_on: "2026-10-29", occupation: "Baker" }]);
    expect(stored.records.values().next().value).toMatchObject({ is_resigned: true });
  });

  it("a secretary who becomes a director gets the hidden members that the line gives", () => {
    const born = "197005";
    const stored = new StoredAppointments().add({ type: "00", occupation: "BAKER" });
    const fields = { oldType: "00", born, residence: "ENGLAND", nationality: "IRISH", occupation: "KNIGHT" };
    stored.update([anUpdateLine(fields)], { times });
    expect(stored.appointments).toMatchObject([
      {
        ...{ officer_role: "director", occupation: "Baker", country_of_residence: "England" },
        date_of_birth: { month: 5, year: 1970 },
      },
    ]);
    expect(stored.appointments[0]).not.toHaveProperty("nationality");
    stored.update([anUpdateLine({ newType: "00" })], { run: 4323, times });
    expect(stored.appointments).toMatchObject([{ officer_role: "secretary" }]);
    expect(stored.appointments[0]).not.toHaveProperty("date_of_birth");
  });

  it("a reinstatement clears the resignation of the appointment of that day", () => {
    const stored = new StoredAppointments()
      .add({ type: "03", appointed: "20160701", resigned: "20200131" })
      .add({ type: "03", appointed: "20100701", resigned: "20120131" });
    stored.update([anUpdateLine({ oldType: "03", appointed: "20160701" })], { times });
    expect(stored.appointments.map(({ appointed_on, resigned_on }) => [appointed_on, resigned_on])).toEqual([
      ["2010-07-01", "2012-01-31"],
      ["2016-07-01", undefined],
    ]);
  });

  it("a change affects this appointment, and nationality and residence of all with the number; blanks change nothing", () => {
    const stored = new StoredAppointments()
      .add({ occupation: "BAKER", nationality: "BRITISH", residence: "ENGLAND", born: "196205" })
      .add({ company: "99000501", occupation: "BAKER", nationality: "BRITISH", residence: "ENGLAND" })
      .add({ company: "99000502", type: "00", nationality: "BRITISH" })
      .add({ company: "99000503", number: "100000010002", nationality: "BRITISH" });
    stored.update(
      [
        anUpdateLine({
          address: "77 MOVED LANE",
          postcode: "BS1 7ZZ",
          nationality: "IRISH",
          residence: "IRELAND",
        }),
      ],
      {
        times,
      },
    );
    expect(stored.appointments).toMatchObject([
      {
        ...{ address: { address_line_1: "77 Moved Lane", postal_code: "BS1 7ZZ" }, occupation: "Baker" },
        ...{ nationality: "Irish", country_of_residence: "Ireland", date_of_birth: { month: 5, year: 1962 } },
      },
      { address: { address_line_1: "1 Mock Lane" }, nationality: "Irish", country_of_residence: "Ireland" },
      { officer_role: "secretary", nationality: "Irish" },
      { person_number: "100000010002", nationality: "British" },
    ]);
    expect(stored.appointments[2]).not.toHaveProperty("country_of_residence");
  });

  it("a correction removes blank members: all of this appointment, the person's own of others with the number", () => {
    const fields = { born: "197512", occupation: "BAKER", nationality: "BRITISH", residence: "ENGLAND" };
    const stored = new StoredAppointments()
      .add({ ...fields, forenames: "UNA MAY" })
      .add({ ...fields, forenames: "UNA MAY", company: "99000501" })
      .add({ company: "99000502", type: "00", forenames: "UNA MAY", nationality: "BRITISH" });
    const correction = {
      isCorrection: true,
      surname: "TESTERHOLM-REED",
      born: "197511",
      appointed: "20200201",
    };
    stored.update([anUpdateLine(correction)], { times });
    expect(stored.appointments).toHaveLength(3);
    const [own, other, secretary] = stored.appointments;
    const person = { name_elements: { forename: "Una", surname: "TESTERHOLM-REED" } };
    expect(own).toMatchObject({
      ...person,
      appointed_on: "2020-02-01",
      date_of_birth: { month: 11, year: 1975 },
    });
    for (const member of ["occupation", "nationality", "country_of_residence"]) {
      expect(own).not.toHaveProperty(member);
    }
    expect(own?.name_elements).not.toHaveProperty("other_forenames");
    expect(other).toMatchObject({ ...person, occupation: "Baker", date_of_birth: { month: 11, year: 1975 } });
    expect(other).not.toHaveProperty("nationality");
    expect(secretary).toMatchObject(person);
    expect(secretary).not.toHaveProperty("date_of_birth");
  });

  it("an increment moves the appointment to the new variant, under the same identity", () => {
    const stored = new StoredAppointments().add({ surname: "FIZZLEBECK" });
    const [id] = stored.records.keys();
    stored.update(
      [anUpdateLine({ oldNumber: NUMBER, number: "100000010002", surname: "WEDLOCK", occupation: "KNIGHT" })],
      { times },
    );
    expect([...stored.records.keys()]).toEqual([id]);
    expect(stored.appointments).toMatchObject([
      { person_number: "100000010002", name_elements: { surname: "WEDLOCK" }, occupation: "Knight" },
    ]);
  });
});
