import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { records } from "../../../api/resources/index.ts";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/record.ts";
import type { Outcome } from "../../../ingest/define-source.ts";
import { apiJsonLines } from "../../../ingest/sources/api-json-lines.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { SAMPLE } from "../../support/sample-register.ts";

function mapTexts(texts: string[]): Outcome[] {
  return apiJsonLines.mapRows(
    texts.map((text, at) => ({ line: at + 1, text })),
    {},
  );
}

/** The resources of a stream as this format has them: without their `event`. */
function linesOfStream(name: string): string[] {
  const lines = readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8").split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    const { event, ...envelope } = JSON.parse(line) as { event: { type: string } };
    return event.type === "deleted" ? [] : [JSON.stringify(envelope)];
  });
}

/** The line of an officer with these members. */
function officerLine(members: object): string {
  return JSON.stringify({
    resource_kind: "company-officers",
    resource_uri: `/company/99000064/appointments/${"u".repeat(27)}`,
    resource_id: "u".repeat(27),
    data: { name: "DOE, Jane", person_number: "199900010001", ...members },
  });
}

/** The line of a disqualified person with one disqualification, which has this variation. */
function disqualifiedLine(last_variation: unknown): string {
  const disqualification = {
    address: {},
    disqualification_type: "court-order",
    disqualified_from: "2020-01-01",
    disqualified_until: "2030-01-01",
    last_variation,
    reason: {
      description_identifier: "participation-in-wrongful-trading",
      act: "company-directors-disqualification-act-1986",
      section: "10",
    },
  };
  return JSON.stringify({
    resource_kind: "disqualified-officer-natural",
    resource_uri: `/disqualified-officers/natural/${"g".repeat(27)}`,
    resource_id: "g".repeat(27),
    data: { kind: "natural-disqualification", surname: "ROE", disqualifications: [disqualification] },
  });
}

/** Data of the outcomes, all of which must be records that obey their schema. */
function recordsOf<Data>(outcomes: Outcome[]): Data[] {
  return outcomes.map((outcome) => {
    if (outcome.kind !== "record") throw new Error(JSON.stringify(outcome));
    expect(outcome.record.check(outcome.data)).toBeNull();
    return outcome.data as Data;
  });
}

describe("company profiles", () => {
  const lines = readFileSync(`${SAMPLE}/api-shaped/company-profile.jsonl`, "utf8")
    .split("\n")
    .filter(Boolean);

  it.each(lines.map((line) => [(JSON.parse(line) as { resource_id: string }).resource_id, line]))(
    "%s keeps its number and its ETag",
    (number, line) => {
      const { data } = JSON.parse(line) as { data: { etag: string; company_name: string } };
      const [company] = recordsOf(mapTexts([line]));
      expect(company).toMatchObject({
        company_number: number,
        etag: data.etag,
        company_name: data.company_name,
      });
    },
  );
});

describe("officers", () => {
  const appointments = recordsOf<Appointment>(mapTexts(linesOfStream("officers")));

  it("keep the ids that the API gives", () => {
    expect(appointments[0]).toMatchObject({
      appointment_id: "ZzhDZ7lUaJ_0W-V9wASyDOX5Hhk",
      officer_id: "uFfglr6z3EkO3IGxqaLiSCoWN1s",
      company_number: "99000003",
      name_elements: { surname: "APPOINTED-SAMPLE", forename: "Newly" },
    });
  });

  it("have the title that follows their name", () => {
    const sir = appointments.find(({ person_number }) => person_number === "199000010001");
    expect(sir?.name_elements).toEqual({ surname: "QUILLFEATHER", forename: "Fitzwilliam", title: "Sir" });
  });

  it("that are bodies have a name and no elements", () => {
    const body = appointments.find(({ is_corporate }) => is_corporate);
    expect(body).toMatchObject({ name: "FIDUCIAIRE EXEMPLE S.À R.L.", officer_role: "corporate-director" });
    expect(body).not.toHaveProperty("name_elements");
  });

  it.each(["secretary", "nominee-secretary", "corporate-secretary"])(
    "that are a %s lose birth and residence, which no answer shows of one",
    (officer_role) => {
      const birth = { date_of_birth: { month: "03", year: "1960" }, country_of_residence: "England" };
      const mapped = (role: string) => mapTexts([officerLine({ ...birth, officer_role: role })]);
      const [secretary] = recordsOf<Appointment>(mapped(officer_role));
      expect(secretary).not.toHaveProperty("date_of_birth");
      expect(secretary).not.toHaveProperty("country_of_residence");
      expect(mapped(officer_role)[0]).toHaveProperty("warnings", [
        "date_of_birth: is never shown of this role, left out",
        "country_of_residence: is never shown of this role, left out",
      ]);
      expect(recordsOf<Appointment>(mapped("director"))[0]).toMatchObject({
        date_of_birth: { month: 3, year: 1960 },
        country_of_residence: "England",
      });
    },
  );

  it("that are bodies lose a birth, and keep the country", () => {
    const birth = { date_of_birth: { month: 3, year: 1960 }, country_of_residence: "England" };
    const [body] = recordsOf(mapTexts([officerLine({ ...birth, officer_role: "corporate-director" })]));
    expect(body).not.toHaveProperty("date_of_birth");
    expect(body).toHaveProperty("country_of_residence", "England");
  });

  it("are the same records as in the officers file", () => {
    const file = readFileSync(`${SAMPLE}/officers/Prod195_4321_ew_1_01112026010001.dat`, "utf8");
    const rows = file
      .split("\n")
      .filter(Boolean)
      .map((text, at) => ({ line: at + 1, text }));
    const outcomes = officersSnapshot.mapRows(rows.slice(1), {});
    const keys = new Set(
      outcomes.flatMap((item) => (item.kind === "record" ? [item.record.identify(item.data)] : [])),
    );
    const appointmentRecord = records.find(({ collection }) => collection === "appointments");
    const changed = appointments.find(({ company_number }) => company_number === "99000001");
    expect(keys.has(appointmentRecord?.identify(changed) ?? "")).toBe(true);
  });
});

describe("disqualified officers", () => {
  it("keep the ids that the API gives, latest disqualification first", () => {
    const officers = recordsOf<DisqualifiedOfficer>(mapTexts(linesOfStream("disqualified-officers")));
    const several = officers.find(({ disqualifications }) => disqualifications.length > 1);
    expect(several?.officer_id).toBe("0rD2Z6U_8wQf9-r7oqVqlFVRldI");
    expect(several?.disqualifications.map(({ disqualified_from }) => disqualified_from)).toEqual([
      "2022-09-01",
      "2018-01-02",
    ]);
  });
});

describe("the last variation of a disqualification", () => {
  const OLD = { varied_on: "2021-01-01", case_identifier: "X1", court_name: "Leeds" };
  const NEW = { ...OLD, varied_on: "2022-01-01" };

  it.each([
    ["an object, as in live answers", NEW, NEW],
    ["a list, as in the published schema", [NEW], NEW],
    ["the latest of a longer list", [OLD, NEW], NEW],
    ["absent when the list is empty", [], undefined],
  ])("is taken as %s", (_what, given, stored) => {
    const [officer] = recordsOf<DisqualifiedOfficer>(mapTexts([disqualifiedLine(given)]));
    expect(officer?.disqualifications[0]?.last_variation).toEqual(stored);
  });

  it("without its day is a fault", () => {
    const [outcome] = mapTexts([disqualifiedLine([{ court_name: "Leeds" }])]);
    if (outcome?.kind !== "record") throw new Error("not mapped");
    expect(outcome.record.check(outcome.data)).toMatchObject({
      field: "disqualifications.0.last_variation",
      reason: "must have the member varied_on",
    });
  });
});

it("a disqualified person loses a member of bodies, with a warning", () => {
  const line = disqualifiedLine({ varied_on: "2022-01-01" }).replace(
    '"surname"',
    '"country_of_registration":"France","surname"',
  );
  const [officer] = mapTexts([line]);
  expect(officer).toHaveProperty("warnings", ["country_of_registration: is no member of this kind, ignored"]);
  expect(recordsOf(officer ? [officer] : [])).toEqual(
    recordsOf(mapTexts([disqualifiedLine({ varied_on: "2022-01-01" })])),
  );
});

describe("a line that cannot be loaded", () => {
  const envelope = {
    resource_kind: "company-profile",
    resource_uri: "/company/99000064",
    resource_id: "99000064",
  };
  const data = { company_number: "99000064", company_name: "A LTD", type: "ltd" };

  it.each([
    ["cut", '{"resource_kind":"comp', "", /is no JSON/],
    ["no object", "[]", "", /no JSON object/],
    [
      "without kind",
      JSON.stringify({ ...envelope, resource_kind: undefined, data }),
      "resource_kind",
      /missing/,
    ],
    [
      "of an unknown kind",
      JSON.stringify({ ...envelope, resource_kind: "company-cats", data }),
      "resource_kind",
      /company-cats/,
    ],
    ["without data", JSON.stringify(envelope), "data", /no JSON object/],
    [
      "a streaming event",
      JSON.stringify({ ...envelope, data, event: { timepoint: 1 } }),
      "event",
      /streaming event/,
    ],
  ])("%s is refused with its reason", (_what, text, field, reason) => {
    const [outcome] = mapTexts([text]);
    expect(outcome).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(reason),
      field,
    });
  });

  it("with an unknown member is kept without it, which is a warning", () => {
    const [plain, odd] = mapTexts([
      JSON.stringify({ ...envelope, data }),
      JSON.stringify({ ...envelope, data: { ...data, colour: "red", accounts: { hue: 1 } } }),
    ]);
    expect(recordsOf(odd ? [odd] : [])).toEqual(recordsOf(plain ? [plain] : []));
    expect(odd).toHaveProperty("warnings", [
      "colour: is no member of this kind, ignored",
      "accounts.hue: is no member of this kind, ignored",
    ]);
  });

  it("leaves null members out", () => {
    const [company] = recordsOf(
      mapTexts([JSON.stringify({ ...envelope, data: { ...data, subtype: null } })]),
    );
    expect(company).not.toHaveProperty("subtype");
  });

  it("gives an address without its slash one", () => {
    const text = JSON.stringify({ ...envelope, resource_uri: "company/99000064", data });
    expect(recordsOf(mapTexts([text]))).toHaveLength(1);
  });
});

describe("a file", () => {
  it("is recognised by its first line", () => {
    expect(apiJsonLines.recognises('{"data":{},"resource_kind":"company-profile"}')).toBe(true);
    expect(apiJsonLines.recognises('{"company_number":"99000064","data":{}}')).toBe(false);
  });
});
