/** Which disqualified people may be an officer, by name, month of birth and place; no match is called certain. */
import { describe, expect, it } from "@jest/globals";
import type { Address } from "../../../api/shared/values/address.ts";
import { deriveLikeness } from "../../../api/resources/disqualified-officer/likeness.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { disqualifiedOfficerRecord } from "../../../api/resources/disqualified-officer/record.ts";
import { fetchLikelyDisqualifications } from "../../../api/resources/officer-appointment-list/likely-disqualifications.ts";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { createMemoryReader } from "../../support/record-reader.ts";
import {
  aDisqualifiedOfficer,
  anAppointment,
  toStored,
  type OfficerLine,
} from "../../support/search-records.ts";

const HERMIA = { officer_id: "o".repeat(27), forename: "Hermia", surname: "Wrongdale" };
const BORN = { month: 2, year: 1973 };
const LEEDS = { address_line_1: "1 Quill Lane", locality: "Leeds", postal_code: "LS1 1ZZ" };

const disqualified = (changes: Partial<DisqualifiedOfficer> = {}, address: Address = LEEDS, id = "d") => {
  const { data } = aDisqualifiedOfficer({ ...HERMIA, officer_id: id.repeat(27) });
  const disqualifications = data.disqualifications.map((one) => ({ ...one, address }));
  const officer = { ...data, date_of_birth: "1973-02-19", disqualifications, ...changes };
  return toStored(disqualifiedOfficerRecord, officer);
};
const appointment = (line: Partial<OfficerLine> = {}, changes: Partial<Appointment> = {}) =>
  anAppointment({ ...HERMIA, date_of_birth: BORN, ...line }, 0, { address: LEEDS, ...changes });

function find(stored: ReturnType<typeof disqualified>[], ...appointments: ReturnType<typeof appointment>[]) {
  const { records } = createMemoryReader({ disqualified_officers: stored });
  return fetchLikelyDisqualifications(records, appointments);
}

describe("a disqualified person of the same name and month of birth", () => {
  it("is likely to be the officer if the place agrees", async () => {
    expect(await find([disqualified()], appointment())).toEqual([
      {
        link: `/disqualified-officers/natural/${"d".repeat(27)}`,
        name: "Hermia WRONGDALE",
        disqualified_until: "2099-01-01",
        likelihood: "likely",
        matched: ["name", "date_of_birth", "postcode", "locality"],
      },
    ]);
  });

  it.each([
    ["postcode alone", { postal_code: "ls11zz" }, ["name", "date_of_birth", "postcode"]],
    ["town alone", { locality: "LEEDS" }, ["name", "date_of_birth", "locality"]],
  ])("is likely by the %s", async (_what, address, matched) => {
    expect(await find([disqualified()], appointment({}, { address }))).toMatchObject([
      { likelihood: "likely", matched },
    ]);
  });

  it("is likely by the register's number of the person", async () => {
    const stored = disqualified({ person_number: "199026040001" }, { locality: "York" });
    expect(await find([stored], appointment({}, { person_number: "199026040002" }))).toMatchObject([
      { likelihood: "likely", matched: ["name", "date_of_birth", "person_number"] },
    ]);
  });

  it("is only possible if the place differs", async () => {
    expect(await find([disqualified({}, { locality: "York" })], appointment())).toMatchObject([
      { likelihood: "possible", matched: ["name", "date_of_birth"] },
    ]);
  });

  it("comes after likely ones", async () => {
    const stored = [disqualified({}, { locality: "York" }, "a"), disqualified({}, LEEDS, "b")];
    const found = await find(stored, appointment());
    expect(found.map(({ likelihood }) => likelihood)).toEqual(["likely", "possible"]);
  });

  it("is found despite surplus forenames, accents and signs in either name", async () => {
    for (const [one, other] of [
      [{ other_forenames: "Jane Ann" }, {}],
      [{}, { other_forenames: "Jane" }],
      [{ forename: "HERMÍA", surname: "WRONG-DALE" }, {}],
      [{ forename: "Hermia Jane" }, {}],
    ] as const)
      expect(await find([disqualified(other)], appointment(one))).toHaveLength(1);
  });

  it("is found by the month of birth in another appointment, because secretaries show none", async () => {
    const secretary = appointment({ surname: "Rightdale" });
    delete secretary.data.date_of_birth;
    const stored = disqualified({ surname: "RIGHTDALE" });
    expect(await find([stored], secretary, appointment())).toHaveLength(1);
    expect(await find([stored], secretary)).toEqual([]);
  });

  it.each([
    ["surname", { surname: "WRONGDAL" }],
    ["first forename", { forename: "Jane", other_forenames: "Hermia" }],
    ["month of birth", { date_of_birth: "1973-03-19" }],
    ["year of birth", { date_of_birth: "1974-02-19" }],
  ])("is not found with another %s", async (_what, changes) => {
    expect(await find([disqualified(changes)], appointment())).toEqual([]);
  });

  it("is found whatever the officer's day of birth, which no answer may reveal", async () => {
    const [one, other] = [
      { ...BORN, day: 19 },
      { ...BORN, day: 20 },
    ];
    const same = await find([disqualified()], appointment({}, { date_of_birth: one }));
    expect(await find([disqualified()], appointment({}, { date_of_birth: other }))).toEqual(same);
  });
});

describe("a disqualified person with the officer's number in the register", () => {
  const person_number = "199026040002";
  const numbered = disqualified({ person_number: "199026040001", surname: "MARRIED" }, { locality: "York" });

  const byNumber = { name: "Hermia MARRIED", likelihood: "likely", matched: ["person_number"] };
  const namesake = disqualified({}, { locality: "York" }, "e");

  it("is likely whatever the name, and comes before a person of the same name", async () => {
    const officer = appointment({}, { person_number });
    expect(await find([numbered, namesake], officer)).toMatchObject([byNumber, { likelihood: "possible" }]);
  });

  it("is likely without a birth date on either side", async () => {
    const unborn = { ...numbered.data };
    delete unborn.date_of_birth;
    const secretary = appointment({}, { person_number });
    delete secretary.data.date_of_birth;
    const stored = [toStored(disqualifiedOfficerRecord, unborn), namesake];
    expect(await find(stored, secretary)).toMatchObject([byNumber]);
  });

  it("is not found with another number, or without one", async () => {
    expect(await find([numbered], appointment({}, { person_number: "199026050001" }))).toEqual([]);
    expect(await find([numbered], appointment())).toEqual([]);
  });

  it("is a corporate body if the officer is", async () => {
    const { data } = numbered;
    const body = toStored(disqualifiedOfficerRecord, {
      ...{ officer_id: data.officer_id, person_number: data.person_number ?? "" },
      ...{ kind: "corporate-disqualification" as const, name: "SHELF LIMITED" },
      disqualifications: data.disqualifications,
    });
    const officer = anAppointment({ officer_id: HERMIA.officer_id, corporate_name: "SHELF LIMITED" }, 0, {
      person_number,
    });
    const link = `/disqualified-officers/corporate/${data.officer_id}`;
    expect(await find([body], officer)).toMatchObject([{ link, name: "SHELF LIMITED" }]);
  });
});

it("nothing is read for an officer with neither a birth date nor a number", async () => {
  const unborn = appointment();
  delete unborn.data.date_of_birth;
  const body = anAppointment({ officer_id: HERMIA.officer_id, corporate_name: "WRONGDALE LTD" });
  for (const officer of [unborn, body]) {
    const { records, pages } = createMemoryReader({ disqualified_officers: [disqualified()] });
    expect(await fetchLikelyDisqualifications(records, [officer])).toEqual([]);
    expect(pages).toEqual([]);
  }
});

it.each([
  [{ surname: "Wrongdale" }, BORN],
  [{ forename: "Hermia" }, BORN],
  [{ forename: "-", surname: "Wrongdale" }, BORN],
  [{ forename: "Hermia", surname: "Wrongdale" }, undefined],
])("no likeness is derived from the name %j with the birth date %j", (name, birth) => {
  expect(deriveLikeness(name, birth)).toBe("");
});
