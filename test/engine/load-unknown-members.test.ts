/** Unknown members and impossible days in API-shaped lines cost no row. */
import { expect, it } from "@jest/globals";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommand } from "../../ingest/commands/load.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";

const COMPANY = "99000064";
const folder = makeOwnFolder();

const register = forAllTests(openRegister);

function lineOf(kind: string, uri: string, id: string, data: object): string {
  return JSON.stringify({ resource_kind: kind, resource_uri: uri, resource_id: id, data });
}

const charge = "c".repeat(27);
const secretary = "s".repeat(27);
const disqualified = "g".repeat(27);

const lines = [
  lineOf("company-profile", `/company/${COMPANY}`, COMPANY, {
    company_name: "A LTD",
    company_number: COMPANY,
    type: "ltd",
    accounts: { new_member: 1, next_due: "2027-01-01" },
  }),
  lineOf("company-charges", `/company/${COMPANY}/charges/${charge}`, charge, {
    charge_number: 1,
    classification: [{ type: "charge-description", description: "x", new_member: 1 }],
    status: "outstanding",
    covering_instrument_date: "2016-02-30",
    links: { self: "/", new_member: "/" },
  }),
  lineOf("company-officers", `/company/${COMPANY}/appointments/${secretary}`, secretary, {
    name: "DOE, Jane",
    officer_role: "secretary",
    appointed_on: "2020-01-01",
    date_of_birth: { month: 3, year: 1960 },
    country_of_residence: "England",
    person_number: "199900010001",
    new_member: 1,
  }),
  lineOf("disqualified-officer-natural", `/disqualified-officers/natural/${disqualified}`, disqualified, {
    surname: "ROE",
    date_of_birth: "1961-02-30",
    disqualifications: [
      {
        address: {},
        disqualification_type: "court-order",
        disqualified_from: "2020-01-01",
        disqualified_until: "2030-01-01",
        last_variation: [{ varied_on: "2021-01-01", case_identifier: "X1", new_member: 1 }],
        reason: {
          description_identifier: "participation-in-wrongful-trading",
          act: "company-directors-disqualification-act-1986",
          new_member: 1,
        },
      },
    ],
  }),
];

it("unknown members and impossible days cost no row, are counted as warnings and are not answered", async () => {
  const file = join(folder, "unknown.jsonl");
  writeFileSync(file, lines.join("\n"));
  const run = await register.run(loadCommand, [file], { as: "api-json-lines", encoding: "utf-8" });
  expect(run).toMatchObject({ exitCode: 0 });
  const printed = run.printed.join("\n");
  for (const path of [
    "accounts.new_member",
    "classification.new_member",
    "links.new_member",
    "new_member",
    "disqualifications.last_variation.new_member",
    "disqualifications.reason.new_member",
  ]) {
    expect(printed).toMatch(new RegExp(`^warning +1 × ${path}: is not a member of this kind, ignored`, "m"));
  }
  for (const day of ["covering_instrument_date", "date_of_birth"])
    expect(printed).toMatch(new RegExp(`^warning +1 × ${day} left out: not a valid date`, "m"));

  const paths = [
    `/company/${COMPANY}`,
    `/company/${COMPANY}/charges/${charge}`,
    `/company/${COMPANY}/officers`,
    `/disqualified-officers/natural/${disqualified}`,
  ];
  const answers = await Promise.all(paths.map((path) => register.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(JSON.stringify(answers)).not.toMatch(/new_member|02-30/);
  expect(answers[3]?.body).toHaveProperty("disqualifications.0.last_variation", {
    varied_on: "2021-01-01",
    case_identifier: "X1",
  });
  expect(answers[2]?.body).toHaveProperty("items.0.officer_role", "secretary");
  expect(answers[2]?.body).not.toHaveProperty("items.0.date_of_birth");
  expect(answers[2]?.body).not.toHaveProperty("items.0.country_of_residence");
});
