/** Lines of the API's JSON: company profiles, officers, lines that cannot be loaded, and how a file is recognised. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { records } from "../../../api/resources/index.ts";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { apiJsonLines } from "../../../ingest/sources/api-json-lines.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { streamingEvents } from "../../../ingest/sources/streaming-events.ts";
import { linesOfStream, mapTexts, recordsOf } from "../../support/api-json-lines.ts";
import { SAMPLE } from "../../support/sample-register.ts";

/** The line of an officer with these members. */
function officerLine(members: object): string {
  return JSON.stringify({
    resource_kind: "company-officers",
    resource_uri: `/company/99000064/appointments/${"u".repeat(27)}`,
    resource_id: "u".repeat(27),
    data: { name: "DOE, Jane", person_number: "199900010001", ...members },
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

it("a company's empty list in place of an object is left out with a warning, an empty object without one", () => {
  const [line = ""] = linesOfStream("companies").filter((one) => one.includes("company-profile"));
  const { data, ...resource } = JSON.parse(line) as { data: object };
  const warningsOf = (members: object) =>
    mapTexts([JSON.stringify({ ...resource, data: { ...data, ...members } })]).flatMap((mapped) =>
      mapped.kind === "record" ? (mapped.warnings ?? []) : [],
    );
  expect(
    warningsOf({ registered_office_address: [], accounts: { last_accounts: [] }, sic_codes: [] }),
  ).toEqual([
    "accounts.last_accounts left out: not an object",
    "registered_office_address left out: not an object",
  ]);
  expect(warningsOf({ registered_office_address: {}, accounts: {}, sic_codes: null })).toEqual([]);
});

it("a part of a charge may be an empty list if the published schema has a list there, without a warning", () => {
  const [line = ""] = linesOfStream("charges");
  const resource = JSON.parse(line) as { data: object };
  const data = { ...resource.data, particulars: [], scottish_alterations: [] };
  const [charge] = mapTexts([JSON.stringify({ ...resource, data })]);
  expect(charge?.kind).toBe("record");
  expect(charge).not.toHaveProperty("warnings");
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

  it("that are corporate bodies have a name and no name elements", () => {
    const body = appointments.find(({ is_corporate }) => is_corporate);
    expect(body).toMatchObject({ name: "FIDUCIAIRE EXEMPLE S.À R.L.", officer_role: "corporate-director" });
    expect(body).not.toHaveProperty("name_elements");
  });

  it("with an older type of identification get the type of the specification", () => {
    const identification = { identification_type: "uk-limited", registration_number: "99000064" };
    const body = { name: "SAMPLE LTD", officer_role: "corporate-director", identification };
    const [mapped] = mapTexts([officerLine(body)]);
    expect(mapped).toMatchObject({
      data: { identification: { ...identification, identification_type: "uk-limited-company" } },
    });
  });

  it("keep words that are in no list", () => {
    const identification = { identification_type: "uk-llp", registration_number: "OC399001" };
    const body = { name: "SAMPLE LLP", officer_role: "corporate-chair", resigned_on: "2026-10-29" };
    const contribution_sub_types = [{ sub_type: "money" }, { sub_type: "crypto-assets" }];
    const [mapped] = mapTexts([officerLine({ ...body, identification, contribution_sub_types })]);
    expect(mapped).toMatchObject({
      kind: "record",
      data: { officer_role: "corporate-chair", is_corporate: true, identification, contribution_sub_types },
      warnings: [
        'officer_role: "corporate-chair" is not on the list',
        'identification.identification_type: "uk-llp" is not on the list',
        'contribution_sub_types.sub_type: "crypto-assets" is not on the list',
      ],
    });
  });

  it.each([
    ["money", undefined, ["contribution_sub_types left out: not an object"]],
    [[{ sub_type: "money" }, "services"], ["money"], ["contribution_sub_types left out: not an object"]],
    [
      [{ sub_type: "money", amount: 1 }],
      ["money"],
      ["contribution_sub_types.amount: is not a member of this kind, ignored"],
    ],
    [[{ amount: 1 }], undefined, ["contribution_sub_types.amount: is not a member of this kind, ignored"]],
  ])(
    "whose contribution sub-types are %j are loaded, with a warning about the parts left out",
    (given, left, warnings) => {
      const body = { name: "SAMPLE LLP", officer_role: "corporate-director" };
      const [mapped] = mapTexts([officerLine({ ...body, contribution_sub_types: given })]);
      const [officer] = recordsOf<Appointment>([mapped].flatMap((one) => one ?? []));
      expect(officer?.contribution_sub_types?.map(({ sub_type }) => sub_type)).toEqual(left);
      expect(mapped).toMatchObject({ warnings });
    },
  );

  it.each([
    ["address", "1 High Street", "address left out: not an object"],
    ["address", ["x"], "address left out: not an object"],
    ["address", [], "address left out: not an object"],
    ["address", { premises: { number: 1 } }, "address.premises left out: not a text"],
    ["principal_office_address", "1 High Street", "principal_office_address left out: not an object"],
  ])("whose %s is %j are loaded without it, with a warning", (member, given, warning) => {
    const [mapped] = mapTexts([officerLine({ officer_role: "director", [member]: given })]);
    const [officer] = recordsOf<Appointment>([mapped].flatMap((one) => one ?? []));
    expect(officer).not.toHaveProperty(member);
    expect(mapped).toMatchObject({ warnings: [warning] });
  });

  it("whose address is empty have none, without a warning", () => {
    const [mapped] = mapTexts([officerLine({ officer_role: "director", address: {} })]);
    expect(mapped?.kind).toBe("record");
    expect(mapped).not.toHaveProperty("warnings");
  });

  it("whose person number is a number are the same as with it as a text, unless it is too short", () => {
    const line = { officer_role: "director", appointed_on: "2020-01-01" };
    const lines = ["199900010001", 199900010001].map((number) =>
      officerLine({ ...line, person_number: number }),
    );
    const [text, number] = recordsOf<Appointment>(mapTexts(lines));
    expect(number).toEqual(text);
    const links = { officer: { appointments: `/officers/${"o".repeat(27)}/appointments` } };
    const [odd] = mapTexts([officerLine({ ...line, links, person_number: 1999 })]);
    const fault = odd?.kind === "record" && odd.record.check(odd.data);
    expect(fault).toMatchObject({ field: "person_number" });
  });

  it.each(["secretary", "nominee-secretary", "corporate-secretary"])(
    "that are a %s lose birth date and residence, which no answer shows for them",
    (officer_role) => {
      const birth = { date_of_birth: { month: "03", year: "1960" }, country_of_residence: "England" };
      const mapped = (role: string) => mapTexts([officerLine({ ...birth, officer_role: role })]);
      const [secretary] = recordsOf<Appointment>(mapped(officer_role));
      expect(secretary).not.toHaveProperty("date_of_birth");
      expect(secretary).not.toHaveProperty("country_of_residence");
      expect(mapped(officer_role)[0]).toHaveProperty("warnings", [
        "date_of_birth: not shown for this role, left out",
        "country_of_residence: not shown for this role, left out",
      ]);
      expect(recordsOf<Appointment>(mapped("director"))[0]).toMatchObject({
        date_of_birth: { month: 3, year: 1960 },
        country_of_residence: "England",
      });
    },
  );

  it("that are corporate bodies lose a birth date, and keep the country", () => {
    const birth = { date_of_birth: { month: 3, year: 1960 }, country_of_residence: "England" };
    const [body] = recordsOf(mapTexts([officerLine({ ...birth, officer_role: "corporate-director" })]));
    expect(body).not.toHaveProperty("date_of_birth");
    expect(body).toHaveProperty("country_of_residence", "England");
  });

  it("lose impossible values, and are loaded", () => {
    const verification = {
      appointment_verification_end_on: "9999-12-31",
      identity_verified_on: "2026-02-30",
    };
    const odd = {
      officer_role: "director",
      person_number: "",
      links: { officer: { appointments: `/officers/${"o".repeat(27)}/appointments` } },
      appointed_on: "2020-02-30",
      occupation: "",
      former_names: [],
      date_of_birth: { month: 1, year: 0 },
      identity_verification_details: verification,
    };
    const [outcome] = mapTexts([officerLine(odd)]);
    const [officer] = recordsOf<Appointment>(outcome ? [outcome] : []);
    for (const member of ["appointed_on", "occupation", "former_names", "date_of_birth"])
      expect(officer).not.toHaveProperty(member);
    expect(officer?.identity_verification_details).toEqual({ appointment_verification_end_on: "9999-12-31" });
    expect(outcome).toHaveProperty("warnings", [
      "date_of_birth.year left out: not a whole number from 1000 to 2099",
      "date_of_birth left out: has no year",
      "identity_verification_details.identity_verified_on left out: not a valid date",
      "appointed_on left out: not a valid date",
    ]);
  });

  it("lack members with only escaped blanks", () => {
    const line = officerLine({ officer_role: "director", occupation: "BLANK", nationality: "British" });
    const [officer] = recordsOf<Appointment>(mapTexts([line.replace("BLANK", "\\u00A0\\f")]));
    expect(officer).not.toHaveProperty("occupation");
  });

  it.each(["   ", "", "\t", "\n \u00a0"])("lack members with only blanks, %j, also in lists", (blank) => {
    const line = officerLine({
      ...{ officer_role: "director", occupation: blank, nationality: "British" },
      former_names: [{ forenames: blank, surname: "ROE" }, blank],
    });
    const [officer] = recordsOf<Appointment>(mapTexts([line]));
    expect(officer).not.toHaveProperty("occupation");
    expect(officer).toMatchObject({ nationality: "British", former_names: [{ surname: "ROE" }] });
    expect(officer?.former_names).toHaveLength(1);
  });

  it.each(["2020-02-30", "2999-01-01"])(
    "are refused with %s as day of resignation, because they would be shown as serving without it",
    (resigned_on) => {
      const links = { officer: { appointments: `/officers/${"o".repeat(27)}/appointments` } };
      for (const identity of [{}, { person_number: "", links }]) {
        const line = officerLine({ officer_role: "director", resigned_on, ...identity });
        expect(mapTexts([line])).toMatchObject([{ kind: "refused", field: "resigned_on" }]);
      }
    },
  );

  it("are refused with an impossible day of appointment if that day identifies the appointment", () => {
    for (const field of ["appointed_on", "appointed_before"]) {
      const line = officerLine({ officer_role: "director", [field]: "2020-02-30" });
      expect(mapTexts([line])).toMatchObject([{ kind: "refused", field }]);
    }
  });

  it("keep the honours after their title", () => {
    const nameOf = (name: string) => {
      const line = officerLine({ officer_role: "director", name });
      return recordsOf<Appointment>(mapTexts([line]))[0]?.name_elements;
    };
    expect(nameOf("SMITH, Ann, Dr,")).toEqual({ title: "Dr", forename: "Ann", surname: "SMITH" });
    expect(nameOf("SMITH, John Paul, Sir, Kt, , CBE")).toEqual({
      ...{ title: "Sir", forename: "John", other_forenames: "Paul", surname: "SMITH", honours: "Kt, CBE" },
    });
  });

  it("have the identity that the officers file gives them", () => {
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

it.each(["charges", "filings", "officers", "persons-with-significant-control", "disqualified-officers"])(
  "a line or an event of %s is refused if its id and its address belong to two resources",
  (stream) => {
    const other = "another".padEnd(27, "-");
    const [line = ""] = linesOfStream(stream);
    const envelope = { ...(JSON.parse(line) as object), resource_id: other };
    const refused = [
      { kind: "refused", field: "resource_id", reason: "differs from the id in the address of the resource" },
    ];
    expect(mapTexts([JSON.stringify(envelope)])).toMatchObject(refused);
    for (const type of ["changed", "deleted"]) {
      const event = { type, timepoint: 1, published_at: "2026-11-02T09:00:00" };
      const text = JSON.stringify({ ...envelope, event });
      expect(streamingEvents.mapRows([{ line: 1, text }], {})).toMatchObject(refused);
    }
  },
);

describe("a line", () => {
  const envelope = {
    resource_kind: "company-profile",
    resource_uri: "/company/99000064",
    resource_id: "99000064",
  };
  const data = { company_number: "99000064", company_name: "A LTD", type: "ltd" };

  it.each([
    ["that is cut", '{"resource_kind":"comp', "", /is not JSON/],
    ["that is no object", "[]", "", /not a JSON object/],
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
    ["without data", JSON.stringify(envelope), "data", /not a JSON object/],
    [
      "that is a streaming event",
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

  it("with an unknown member is loaded without it, with a warning", () => {
    const [plain, odd] = mapTexts([
      JSON.stringify({ ...envelope, data }),
      JSON.stringify({ ...envelope, data: { ...data, colour: "red", accounts: { hue: 1 } } }),
    ]);
    expect(recordsOf(odd ? [odd] : [])).toEqual(recordsOf(plain ? [plain] : []));
    expect(odd).toHaveProperty("warnings", [
      "colour: is not a member of this kind, ignored",
      "accounts.hue: is not a member of this kind, ignored",
    ]);
  });

  it.each([null, ""])("is loaded without members that are %j, also in lists", (nothing) => {
    const odd = { ...data, subtype: nothing, sic_codes: [nothing, "62020"], etag: nothing };
    const [company] = recordsOf(mapTexts([JSON.stringify({ ...envelope, data: odd })]));
    expect(company).not.toHaveProperty("subtype");
    expect(company).not.toHaveProperty("etag");
    expect(company).toHaveProperty("sic_codes", ["62020"]);
  });

  it.each(["F6B0270335", "8f6e92b5-c6c7-66d8-571d-451c92f73de2", 7])(
    "with the etag %j in another form is loaded without it, with a warning",
    (etag) => {
      const [odd] = mapTexts([JSON.stringify({ ...envelope, data: { ...data, etag } })]);
      expect(recordsOf(odd ? [odd] : [])[0]).not.toHaveProperty("etag");
      expect(odd).toHaveProperty("warnings", ["etag: is not 40 hexadecimal digits, dropped"]);
    },
  );

  it("may have an address without its first slash", () => {
    const text = JSON.stringify({ ...envelope, resource_uri: "company/99000064", data });
    expect(recordsOf(mapTexts([text]))).toHaveLength(1);
  });
});

describe("a file of the API's JSON lines", () => {
  it("may begin with the end of a cut line", () => {
    const end = { line: 1, text: '"etag":"x"}}' };
    expect(apiJsonLines.open(end, "profiles.jsonl")).toEqual({});
    expect(() => apiJsonLines.open(end, "notes.txt")).toThrow(/expected a JSON object/);
    expect(() => apiJsonLines.open({ line: 1, text: "" }, "a.jsonl")).toThrow(/, found only blank lines$/);
    expect(() => apiJsonLines.open({ line: 1, text: '{"a":{}}' }, "a.jsonl")).toThrow(
      /expected a JSON object/,
    );
  });

  it("is recognised by its first line", () => {
    expect(apiJsonLines.recognises('{"data":{},"resource_kind":"company-profile"}')).toBe(true);
    expect(apiJsonLines.recognises('{"company_number":"99000064","data":{}}')).toBe(false);
  });
});
