/** New words in events: code lists grow, so a row with a word outside its list is loaded and answered all the same. */
import { expect, it } from "@jest/globals";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommand } from "../../ingest/commands/load.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";

const NUMBER = "FC099064";
const BRANCH = "BR099064";
const [OFFICER, PERSON, CHARGE, BANNED] = ["a", "p", "c", "d"].map((letter) => letter.repeat(27)) as [
  string,
  string,
  string,
  string,
];
const COMPANY = `/company/${NUMBER}`;
const folder = makeOwnFolder();

const register = forAllTests(() => openRegister({ settings: { PAGES: "open" } }));

let timepoint = 0;

function event(resource_kind: string, resource_uri: string, data: object): string {
  timepoint += 1;
  const published_at = `2026-11-02T09:00:${String(timepoint).padStart(2, "0")}`;
  const resource_id = resource_uri.split("/").at(-1);
  return JSON.stringify({
    ...{ resource_kind, resource_uri, resource_id, data },
    event: { timepoint, published_at, type: "changed" },
  });
}

const company = (members: object) =>
  event("company-profile", COMPANY, {
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
  event("company-officers", `${COMPANY}/appointments/${OFFICER}`, {
    name: "QUILLBRIGHT, Jane",
    person_number: "199900010001",
    officer_role: "director",
    appointed_on: "2020-01-01",
    links: { officer: { appointments: `/officers/${PERSON}/appointments` } },
    ...members,
  });
const charge = (status: string) =>
  event("company-charges", `${COMPANY}/charges/${CHARGE}`, { charge_number: 1, status });
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
  const load = async (name: string, lines: string[]) => {
    const file = join(folder, name);
    writeFileSync(file, lines.join("\n"));
    return register.run(loadCommand, [file], { as: "streaming-events", encoding: "utf-8" });
  };
  expect(await load("before.ndjson", before)).toMatchObject({ exitCode: 0 });
  const run = await load("after.ndjson", after);
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
  expect(await bodyOf(COMPANY)).toMatchObject({
    ...{ company_status: "constructor", type: "constructor", subtype: "new-subtype", can_file: false },
    links: { "uk-establishments": `${COMPANY}/uk-establishments` },
  });
  const left = { officer_role: "managing-director", resigned_on: "2026-10-01" };
  expect(await bodyOf(`${COMPANY}/officers`)).toMatchObject({
    ...{ active_count: 0, resigned_count: 1, items: [left] },
  });
  expect(await bodyOf(`/officers/${PERSON}/appointments`)).toMatchObject({
    items: [{ ...left, appointed_to: { company_status: "constructor" } }],
  });
  expect(await bodyOf(`${COMPANY}/charges?filter=outstanding`)).toMatchObject({
    ...{ total_count: 1, unfiltered_count: 1, satisfied_count: 0, items: [{ status: "in-doubt" }] },
  });
  expect(await bodyOf(`${COMPANY}/uk-establishments`)).toMatchObject({
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
      (section) => `/pages${COMPANY}${section}`,
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
