/**
 * Rows with something unexpected are loaded with a warning: unknown members, impossible days, and words that are not on
 * a code list, since these lists grow. An edition without a known column is loaded with a note.
 */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const THREE_ROWS = `${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`;
const folder = makeOwnFolder();
const register = forAllTests(() => openRegister({ settings: { PAGES: "open" } }));

it("a warning may quote any text of a row", async () => {
  const text = readFileSync(THREE_ROWS, "utf8").replaceAll('"Active"', '"$odd.status"');
  const file = writeFile(folder, "BasicCompanyData-odd.csv", text);
  const run = await load(register, [file], { as: "company-csv" });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.printed.join("\n")).toMatch(/^warning +3 × company_status left out: .*\$odd\.status/m);

  const [kept] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  const [[reason, count] = []] = Object.entries(kept?.counts.warnings ?? {});
  expect([kept?.state, kept?.counts.read, count]).toEqual(["succeeded", 3, 3]);
  expect(reason).toContain("$odd.status");
});

it("an edition without a known column loads with a note, which a file under another name does not get", async () => {
  const text = readFileSync(THREE_ROWS, "utf8").replace("ConfStmtNextDueDate", "Renamed");
  const loadAs = (name: string) => load(register, [writeFile(folder, name, text)], { as: "company-csv" });
  const note = "header has no column ConfStmtNextDueDate";
  const edition = await loadAs("BasicCompanyDataAsOneFile-2026-12-01.csv");
  expect(edition).toMatchObject({ exitCode: 0 });
  expect(edition.messages.filter((line) => line.includes(note))).toHaveLength(1);
  expect((await loadAs("ours.csv")).messages.join("\n")).not.toContain(note);
});

/** A line for the resource at this address; `event` is given in a stream. */
function lineOf(resource_kind: string, resource_uri: string, data: object, event?: object): string {
  const resource_id = resource_uri.split("/").at(-1);
  return JSON.stringify({ resource_kind, resource_uri, resource_id, data, event });
}

const COMPANY = "99000064";
const chargeId = "c".repeat(27);
const secretaryId = "s".repeat(27);
const disqualifiedId = "g".repeat(27);

const linesWithUnknown = [
  lineOf("company-profile", `/company/${COMPANY}`, {
    company_name: "A LTD",
    company_number: COMPANY,
    type: "ltd",
    accounts: { new_member: 1, next_due: "2027-01-01" },
  }),
  lineOf("company-charges", `/company/${COMPANY}/charges/${chargeId}`, {
    charge_number: 1,
    classification: [{ type: "charge-description", description: "x", new_member: 1 }],
    status: "outstanding",
    covering_instrument_date: "2016-02-30",
    links: { self: "/", new_member: "/" },
  }),
  lineOf("company-officers", `/company/${COMPANY}/appointments/${secretaryId}`, {
    name: "DOE, Jane",
    officer_role: "secretary",
    appointed_on: "2020-01-01",
    date_of_birth: { month: 3, year: 1960 },
    country_of_residence: "England",
    person_number: "199900010001",
    new_member: 1,
  }),
  lineOf("disqualified-officer-natural", `/disqualified-officers/natural/${disqualifiedId}`, {
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
  const file = writeFile(folder, "unknown.jsonl", linesWithUnknown.join("\n"));
  const run = await load(register, [file], { as: "api-json-lines" });
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
    `/company/${COMPANY}/charges/${chargeId}`,
    `/company/${COMPANY}/officers`,
    `/disqualified-officers/natural/${disqualifiedId}`,
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

const NUMBER = "FC099064";
const BRANCH = "BR099064";
const [OFFICER = "", PERSON = "", CHARGE = "", BANNED = ""] = ["a", "p", "e", "d"].map((letter) =>
  letter.repeat(27),
);
const PROFILE = `/company/${NUMBER}`;

let timepoint = 0;

function event(kind: string, uri: string, data: object): string {
  timepoint += 1;
  const published_at = `2026-11-02T09:00:${String(timepoint).padStart(2, "0")}`;
  return lineOf(kind, uri, data, { timepoint, published_at, type: "changed" });
}

const company = (members: object) =>
  event("company-profile", PROFILE, {
    company_name: "QUILLBRIGHT HOLDINGS",
    company_number: NUMBER,
    type: "ltd",
    company_status: "active",
    date_of_creation: "2001-01-01",
    accounts: {
      accounting_reference_date: { day: 31, month: 3 },
      next_accounts: { due_on: "2026-12-31" },
    },
    ...members,
  });
const branch = (company_status: string) =>
  event("company-profile", `/company/${BRANCH}`, {
    company_name: "QUILLBRIGHT BRANCH",
    company_number: BRANCH,
    type: "uk-establishment",
    company_status,
    branch_company_details: { parent_company_number: NUMBER },
  });
const officer = (members: object) =>
  event("company-officers", `${PROFILE}/appointments/${OFFICER}`, {
    name: "QUILLBRIGHT, Jane",
    person_number: "199900020001",
    officer_role: "director",
    appointed_on: "2020-01-01",
    links: { officer: { appointments: `/officers/${PERSON}/appointments` } },
    ...members,
  });
const charge = (status: string) =>
  event("company-charges", `${PROFILE}/charges/${CHARGE}`, { charge_number: 1, status });
const banned = (disqualification_type: string, description_identifier: string, act: string) =>
  event("disqualified-officer-natural", `/disqualified-officers/natural/${BANNED}`, {
    surname: "QUILLBRIGHT",
    forename: "John",
    disqualifications: [
      {
        address: {},
        disqualification_type,
        disqualified_from: "2020-01-01",
        disqualified_until: "2030-01-01",
        reason: { description_identifier, act, section: "7" },
      },
    ],
  });

const before = [company({}), branch("open"), officer({}), charge("satisfied")];
// Names that every JavaScript object has must work as words too.
const after = [
  company({ company_status: "constructor", type: "constructor", subtype: "new-subtype" }),
  branch("paused"),
  officer({ officer_role: "managing-director", resigned_on: "2026-10-01" }),
  charge("in-doubt"),
  banned("new-order", "new-reason", "new-act-2027"),
];

it("rows with new words are loaded, counted as warnings, answered and shown", async () => {
  const loadEvents = (name: string, lines: string[]) =>
    load(register, [writeFile(folder, name, lines.join("\n"))], { as: "streaming-events" });
  expect(await loadEvents("before.ndjson", before)).toMatchObject({ exitCode: 0 });
  const run = await loadEvents("after.ndjson", after);
  expect(run).toMatchObject({ exitCode: 0 });
  const printed = run.printed.join("\n");
  for (const [member, word] of [
    ["company_status", "constructor"],
    ["company_status", "paused"],
    ["type", "constructor"],
    ["subtype", "new-subtype"],
    ["officer_role", "managing-director"],
    ["status", "in-doubt"],
    ["disqualifications.disqualification_type", "new-order"],
    ["disqualifications.reason.description_identifier", "new-reason"],
    ["disqualifications.reason.act", "new-act-2027"],
  ])
    expect(printed).toMatch(new RegExp(`^warning +1 × ${member}: "${word}" is not on the list`, "m"));

  const bodyOf = async (path: string) => {
    const { status, body } = await register.get(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  expect(await bodyOf(PROFILE)).toMatchObject({
    ...{ company_status: "constructor", type: "constructor", subtype: "new-subtype", can_file: false },
    links: { "uk-establishments": `${PROFILE}/uk-establishments` },
  });
  const left = { officer_role: "managing-director", resigned_on: "2026-10-01" };
  expect(await bodyOf(`${PROFILE}/officers`)).toMatchObject({
    ...{ active_count: 0, resigned_count: 1, items: [left] },
  });
  expect(await bodyOf(`/officers/${PERSON}/appointments`)).toMatchObject({
    items: [{ ...left, appointed_to: { company_status: "constructor" } }],
  });
  expect(await bodyOf(`${PROFILE}/charges?filter=outstanding`)).toMatchObject({
    ...{ total_count: 1, unfiltered_count: 1, satisfied_count: 0, items: [{ status: "in-doubt" }] },
  });
  expect(await bodyOf(`${PROFILE}/uk-establishments`)).toMatchObject({
    items: [{ company_number: BRANCH, company_status: "paused" }],
  });
  expect(await bodyOf(`/disqualified-officers/natural/${BANNED}`)).toMatchObject({
    disqualifications: [
      {
        disqualification_type: "new-order",
        reason: { description_identifier: "new-reason", act: "new-act-2027" },
      },
    ],
  });
  const found = { company_status: "constructor", company_type: "constructor" };
  for (const path of [
    "/search/companies?q=quillbright&facets=status,type",
    "/search?q=quillbright+holdings",
    "/advanced-search/companies?company_name_includes=holdings&facets=status",
    "/alphabetical-search/companies?q=quillbright+holdings",
  ])
    expect(await bodyOf(path)).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining(found)]),
    });

  const pages = [
    ...["", "/people", "/charges", "/establishments", "/timeline"].map(
      (section) => `/pages${PROFILE}${section}`,
    ),
    ...[`/pages/officer/${PERSON}`, `/pages/disqualified/natural/${BANNED}`],
    ...["/pages/search?q=quillbright", "/pages/advanced?company_name_includes=quillbright"],
  ];
  const answers = await Promise.all(pages.map((page) => fetch(register.base + page)));
  expect(answers.map(({ status }, at) => [pages[at], status])).toEqual(pages.map((page) => [page, 200]));
  // The facet has a filter link only for words of the list.
  const [narrowing = ""] =
    /<aside class="facets".*<\/aside>/s.exec((await answers.at(-1)?.text()) ?? "") ?? [];
  expect(narrowing).toContain("Constructor");
  expect(narrowing).not.toContain("=constructor");
});
