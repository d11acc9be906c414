/** A company known only from officers' files keeps its name and end when a stream states its officers' appointments. */
import { expect, it } from "@jest/globals";
import { appointment, batchRunner, event, fillId, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { aCompanyLine, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { anUpdate, aSnapshot } from "../support/officers-update.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

const numberOf = (company: string) => `${company.slice(-1)}00000010001`;
const officerOf = (company: string) => `officer-${company}`;

/** An event of a company's director, who has no other company. */
function anEvent(company: string, day: number, type = "changed"): Rows {
  const resource = appointment(company, {
    ...{ id: `ended-${company}`, officer: officerOf(company), person_number: numberOf(company) },
    address: { premises: String(day), address_line_1: "Mock Lane" },
  });
  return event(resource, day, `2026-11-0${day}`, type);
}

/** The same in a file whose name has no day, so that it counts as of its load. */
function aRow(company: string): Rows {
  const rows = anEvent(company, 2).rows.map((row) =>
    JSON.stringify({ ...JSON.parse(row), event: undefined }),
  );
  return { source: "api-json-lines", fileName: "officers.jsonl", rows };
}

/** A snapshot of 1 November with the company, in this status, and its director. */
const snapshotOf = (company: string, status: string) =>
  aSnapshot([
    aCompanyLine(company, "ENDED LTD", status),
    aPersonLine({ company, number: numberOf(company) }),
  ]);

/** An update of 2 November with a line that says that the company has ended. */
const companyEnds = (company: string, name = "ENDED LTD") => anUpdate([aCompanyLine(company, name, "D")]);

let companies = 99_400_000;
it.each<[string, (company: string) => Rows[]]>([
  ["an event", (company) => [snapshotOf(company, "D"), anEvent(company, 2)]],
  ["an event that is loaded first", (company) => [anEvent(company, 2), snapshotOf(company, "D")]],
  ["a row of the API", (company) => [snapshotOf(company, "D"), aRow(company)]],
  ["two events", (company) => [snapshotOf(company, "D"), anEvent(company, 2), anEvent(company, 3)]],
  [
    "a deletion and the event after it",
    (company) => [anEvent(company, 3, "deleted"), snapshotOf(company, "D"), anEvent(company, 4)],
  ],
  [
    "an event after a company line without a name",
    (company) => [snapshotOf(company, " "), companyEnds(company, ""), anEvent(company, 3)],
  ],
  [
    "an event loaded after a company line, which was loaded after another event",
    (company) => [anEvent(company, 1), companyEnds(company), anEvent(company, 3)],
  ],
  [
    "an event that is loaded before the company line of the day before",
    (company) => [snapshotOf(company, " "), anEvent(company, 3), companyEnds(company)],
  ],
  [
    "an event that is loaded before the company line of the day before, without a snapshot",
    (company) => [anEvent(company, 3), companyEnds(company)],
  ],
  [
    "two events, one loaded before the company line of the day before, one after it",
    (company) => [anEvent(company, 3), companyEnds(company), anEvent(company, 4)],
  ],
  [
    "an event and the company line of the day before, loaded twice",
    (company) => [anEvent(company, 3), companyEnds(company), companyEnds(company)],
  ],
  [
    "an event after a corrected officer",
    (company) => [
      snapshotOf(company, "D"),
      anUpdate([anUpdateLine({ company, number: numberOf(company), isCorrection: true })]),
      anEvent(company, 3),
    ],
  ],
])("an officer of an ended company is inactive after %s", async (_what, toFiles) => {
  const company = String((companies += 1));
  const files = toFiles(company);
  for (const file of files) expect(await run(file)).toMatchObject({ refused: 0 });
  const path = `/officers/${fillId(officerOf(company))}/appointments`;
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
