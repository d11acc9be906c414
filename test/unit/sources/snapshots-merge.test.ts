/** How a snapshot changes stored officers and disqualified persons. */
import { describe, expect, it } from "@jest/globals";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import type { Outcome } from "../../../ingest/sources/define-source.ts";
import { mergeRecords } from "../../../ingest/statements/merge.ts";
import { disqualifiedOfficersSnapshot } from "../../../ingest/sources/disqualified-officers-snapshot.ts";
import { findMergeRules } from "../../../ingest/sources/index.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { aCompanyLine, aPersonLine, type PersonFields } from "../../support/officer-lines.ts";
import { mapFile } from "../../support/snapshot-files.ts";

type Line = PersonFields & { type?: string };

function recordOf(outcome: Outcome | undefined): Extract<Outcome, { kind: "record" }> {
  if (outcome?.kind !== "record") throw new Error("the line makes no record");
  return outcome;
}

describe("a stored officer", () => {
  const recordOfLine = (fields: Line) => {
    const texts = [aCompanyLine("99000500", "SAMPLE LTD"), aPersonLine(fields)];
    const rows = texts.map((text, at) => ({ line: at + 2, text }));
    return recordOf(officersSnapshot.mapRows(rows, {})[1]);
  };
  /** The officer after a line, if the line `first` and these members were stored before. */
  const after = (members: Partial<Appointment>, fields: Line, first: Line = fields) => {
    const { data, tells } = recordOfLine(fields);
    const stored = { ...(recordOfLine(first).data as Appointment), ...members };
    return mergeRecords(stored, data, findMergeRules(tells ?? "")?.rules ?? {}) as Appointment;
  };

  it("keeps premises that are separate from the street, and members that the line leaves blank", () => {
    const stored: Partial<Appointment> = {
      address: { premises: "1", address_line_1: "Mock Lane", postal_code: "LS1 7ZZ" },
      occupation: "Clerk",
      nationality: "British",
      is_pre_1992_appointment: false,
    };
    expect(after(stored, { address: "1 MOCK LANE" })).toMatchObject(stored);
  });

  it("takes the members that the line gives", () => {
    const stored: Partial<Appointment> = {
      address: { premises: "1", address_line_1: "Mock Lane" },
      occupation: "Clerk",
    };
    expect(after(stored, { address: "2 MOCK LANE", occupation: "BAKER", surname: "NEWNAME" })).toMatchObject({
      address: { address_line_1: "2 Mock Lane" },
      occupation: "Baker",
      name_elements: { surname: "NEWNAME" },
    });
  });

  it("keeps the spelling of names that the line has in capitals, whatever other parts of the name it gives", () => {
    const name_elements = { forename: "DeShawn", other_forenames: "LeRoy", surname: "SMITH" };
    const line = { forenames: "DESHAWN LEROY", surname: "SMITH" };
    expect(after({ name_elements }, line).name_elements).toEqual(name_elements);
    const titled = { ...name_elements, title: "Mr" };
    expect(after({ name_elements }, { ...line, title: "MR" }).name_elements).toEqual(titled);
    expect(after({ name_elements: titled }, { ...line, forenames: "DESHAWN LUKE" }).name_elements).toEqual({
      ...name_elements,
      other_forenames: "Luke",
    });
  });

  it("is a body or a person as the line says", () => {
    const role = { type: "12" };
    expect(after({ is_corporate: false }, { ...role, isCorporate: true })).toMatchObject({
      is_corporate: true,
    });
    expect(after({ is_corporate: true }, role)).toMatchObject({ is_corporate: false });
  });

  it("has the members of a body or of a person, and none of the other", () => {
    const ofPerson = {
      ...{ nationality: "British", occupation: "Clerk", country_of_residence: "England" },
      date_of_birth: { month: 1, year: 1970 },
    };
    const ofBody = { identification: { registration_number: "01234567" } };
    for (const type of ["01", "12"]) {
      const body = after({ ...ofPerson, ...ofBody }, { type, isCorporate: true }, { type });
      for (const member of Object.keys(ofPerson)) expect(body).not.toHaveProperty(member);
      expect(body).toMatchObject(ofBody);
      const person = after({ ...ofPerson, ...ofBody }, { type }, { type, isCorporate: true });
      expect(person).toMatchObject(ofPerson);
      expect(person).not.toHaveProperty("identification");
    }
  });

  it("loses its resignation if the line is of a serving officer, and `appointed_before` if it has `appointed_on`", () => {
    const first = { type: "03", resigned: "20210101" };
    expect(after({}, { type: "01" }, first)).not.toHaveProperty("resigned_on");
    const stored = { appointed_before: "2020-01-01", is_pre_1992_appointment: true };
    expect(after(stored, {})).not.toHaveProperty("appointed_before");
    expect(after(stored, {})).not.toHaveProperty("is_pre_1992_appointment");
    expect(after(stored, { appointed: "" }, {})).toMatchObject(stored);
  });

  it("loses members that are hidden for a secretary", () => {
    const stored = { date_of_birth: { month: 1, year: 1970 }, country_of_residence: "England" };
    expect(after(stored, { type: "00" })).not.toHaveProperty("date_of_birth");
    expect(after(stored, { type: "00" })).not.toHaveProperty("country_of_residence");
    expect(after(stored, { type: "01" })).toMatchObject(stored);
  });
});

const disqualified = await mapFile(disqualifiedOfficersSnapshot, "disqualified/Prod192_4287.txt");

describe("a stored disqualified person", () => {
  const number = "199026040001";
  const isPerson = ({ data }: { data: unknown }) => (data as DisqualifiedOfficer).person_number === number;
  const record = recordOf(
    disqualified.outcomes.find((outcome) => outcome.kind === "record" && isPerson(outcome)),
  );
  const person = record.data as DisqualifiedOfficer;
  const after = (stored: DisqualifiedOfficer) =>
    mergeRecords(stored, record.data, findMergeRules(record.tells ?? "")?.rules ?? {}) as DisqualifiedOfficer;

  it("keeps honours, premises and the court of a permission, which the file does not have", () => {
    const stored: DisqualifiedOfficer = {
      ...person,
      honours: "OBE",
      disqualifications: person.disqualifications.map((item) => ({
        ...item,
        address: { ...item.address, premises: "27", address_line_1: "Placeholder Place" },
      })),
      permissions_to_act: (person.permissions_to_act ?? []).map((item) => ({ ...item, court_name: "Leeds" })),
    };
    expect(after(stored)).toEqual(stored);
  });

  it("loses disqualifications that are no longer in force, while each of the others keeps its members", () => {
    const [first] = person.disqualifications;
    if (!first) throw new Error("the person has no disqualification");
    const ended = { ...first, case_identifier: "ENDED-1" };
    const rich = {
      ...first,
      address: { ...first.address, premises: "27", address_line_1: "Placeholder Place" },
    };
    const permission = { granted_on: "2001-01-01", expires_on: "2002-01-01" };
    const stored = { ...person, disqualifications: [ended, rich], permissions_to_act: [permission] };
    expect(after(stored).disqualifications).toEqual([rich]);
    expect(after(stored).permissions_to_act).toEqual(person.permissions_to_act);
  });

  it("gets another name if it is a body, too", () => {
    const isBody = ({ data }: { data: unknown }) =>
      (data as DisqualifiedOfficer).kind.startsWith("corporate");
    const { outcomes } = disqualified;
    const body = recordOf(outcomes.find((outcome) => outcome.kind === "record" && isBody(outcome)));
    const stored = { ...(body.data as object), name: "FORMER BODY LTD" };
    expect(mergeRecords(stored, body.data, findMergeRules(body.tells ?? "")?.rules ?? {})).toEqual(body.data);
  });

  it("loses its permissions if a whole edition has none", () => {
    const { permissions_to_act: permissions, ...others } = person;
    expect(permissions).not.toHaveLength(0);
    const merged = mergeRecords(person, others, findMergeRules(record.tells ?? "")?.rules ?? {});
    expect(merged).not.toHaveProperty("permissions_to_act");
  });

  it("loses further forenames if the forename changes", () => {
    const stored = { ...person, forename: "Hermione", other_forenames: "Una" };
    expect(after(stored)).toMatchObject({ forename: "Hermia" });
    expect(after(stored)).not.toHaveProperty("other_forenames");
  });
});
