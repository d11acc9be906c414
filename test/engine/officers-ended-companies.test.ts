/** A company known only from officers' files keeps its name and end when a stream states its officers' appointments. */
import { expect, it } from "@jest/globals";
import { batchRunner, event, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { aCompanyLine, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

const numberOf = (company: string) => `${company.slice(-1)}00000010001`;
const idOf = (word: string) => word.padEnd(27, "-");

/** An event of a company's director, who has no other company. */
function anEvent(company: string, day: number, type = "changed"): Rows {
  const id = idOf(`ended-${company}`);
  const data = {
    ...{ name: "TESTERHOLM, Una", officer_role: "director", appointed_on: "2020-01-01" },
    address: { premises: String(day), address_line_1: "Mock Lane" },
    person_number: numberOf(company),
    links: { officer: { appointments: `/officers/${idOf(`officer-${company}`)}/appointments` } },
  };
  const resource_uri = `/company/${company}/appointments/${id}`;
  const resource = { resource_kind: "company-officers", resource_uri, resource_id: id, data };
  return event(resource, day, `2026-11-0${day}`, type);
}

/** The same in a file whose name has no day, so that it counts as of its load. */
function aRow(company: string): Rows {
  const rows = anEvent(company, 2).rows.map((row) =>
    JSON.stringify({ ...JSON.parse(row), event: undefined }),
  );
  return { source: "api-json-lines", fileName: "officers.jsonl", rows };
}

const aSnapshot = (company: string, status: string): Rows => ({
  ...{ source: "officers-snapshot", fileName: "Prod195_4321_ew_1.dat", first: "DDDDSNAP432120261101" },
  rows: [aCompanyLine(company, "ENDED LTD", status), aPersonLine({ company, number: numberOf(company) })],
});

/** An update of 2 November. */
const anUpdate = (...rows: string[]): Rows => ({
  ...{ source: "officers-update", fileName: "Prod198_4322.dat", first: "DDDDUPDT432220261102", rows },
});
const ended = (company: string, name = "ENDED LTD") => aCompanyLine(company, name, "D");

let companies = 99_400_000;
it.each<[string, (company: string) => Rows[]]>([
  ["an event", (company) => [aSnapshot(company, "D"), anEvent(company, 2)]],
  ["an event that is loaded first", (company) => [anEvent(company, 2), aSnapshot(company, "D")]],
  ["a row of the API", (company) => [aSnapshot(company, "D"), aRow(company)]],
  ["two events", (company) => [aSnapshot(company, "D"), anEvent(company, 2), anEvent(company, 3)]],
  [
    "a deletion and the event after it",
    (company) => [anEvent(company, 3, "deleted"), aSnapshot(company, "D"), anEvent(company, 4)],
  ],
  [
    "an event after a company line without a name",
    (company) => [aSnapshot(company, " "), anUpdate(ended(company, "")), anEvent(company, 3)],
  ],
  [
    "an event after a company line that came after an event",
    (company) => [anEvent(company, 1), anUpdate(ended(company)), anEvent(company, 3)],
  ],
  [
    "an event that is loaded before the company line of the day before",
    (company) => [aSnapshot(company, " "), anEvent(company, 3), anUpdate(ended(company))],
  ],
  [
    "an event that is loaded before that line, without a snapshot",
    (company) => [anEvent(company, 3), anUpdate(ended(company))],
  ],
  [
    "two events, one before that line and one after it",
    (company) => [anEvent(company, 3), anUpdate(ended(company)), anEvent(company, 4)],
  ],
  [
    "an event and the company line of the day before, loaded twice",
    (company) => [anEvent(company, 3), anUpdate(ended(company)), anUpdate(ended(company))],
  ],
  [
    "an event after a corrected officer",
    (company) => [
      aSnapshot(company, "D"),
      anUpdate(anUpdateLine({ company, number: numberOf(company), isCorrection: true })),
      anEvent(company, 3),
    ],
  ],
])("an officer of an ended company is inactive after %s", async (_what, toFiles) => {
  const company = String((companies += 1));
  const files = toFiles(company);
  for (const file of files) expect(await run(file)).toMatchObject({ refused: 0 });
  const path = `/officers/${idOf(`officer-${company}`)}/appointments`;
  const appointed_to = { company_number: company, company_name: "ENDED LTD", company_status: "dissolved" };
  expect((await register.get(path)).body).toMatchObject({
    ...{ active_count: 0, inactive_count: 1, total_results: 1 },
    items: [{ appointed_to, address: { address_line_1: "Mock Lane" } }],
  });
  expect((await register.get(`${path}?filter=active`)).body).toMatchObject({ total_results: 0 });
  expect((await register.get(`/company/${company}/officers`)).body).toMatchObject({
    ...{ active_count: 0, inactive_count: 1 },
  });
  await expectStoresAgree(register.stores);
});
