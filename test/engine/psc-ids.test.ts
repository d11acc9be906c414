/** A person's notifications form one list, whichever sources they come from. */
import { expect, it } from "@jest/globals";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { batchRunner, event, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";

const COMPANIES = ["99000001", "99000002"];
const [KNOWN] = COMPANIES as [string];
const STATED = "r".repeat(27);

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

const idOf = (company: string) => `notification-${company}`.padEnd(27, "-");
const pathOf = (company: string) =>
  `/company/${company}/persons-with-significant-control/individual/${idOf(company)}`;

function notification(company: string, links: object = {}) {
  return {
    kind: "individual-person-with-significant-control",
    links: { self: pathOf(company), ...links },
    name: "Mrs Una Tarn",
    name_elements: { title: "Mrs", forename: "Una", surname: "Tarn" },
    date_of_birth: { month: 4, year: 1978 },
    natures_of_control: ["ownership-of-shares-75-to-100-percent"],
    notified_on: "2016-04-06",
  };
}

const snapshot = (day: string): Rows => ({
  ...{ source: "psc-snapshot", fileName: `psc-snapshot-${day}.txt` },
  rows: COMPANIES.map((company) => JSON.stringify({ company_number: company, data: notification(company) })),
});

/** For each company's person, the number of notifications in the linked list. */
async function countLinked(): Promise<unknown[]> {
  const counts = COMPANIES.map(async (company) => {
    const { body } = await register.get(pathOf(company));
    const { links } = body as { links: { persons_with_significant_control: { notifications: string } } };
    const list = await register.get(links.persons_with_significant_control.notifications);
    return (list.body as { total_results?: number }).total_results;
  });
  return Promise.all(counts);
}

it("a person has all notifications even if a source states an id for one of them", async () => {
  await run(snapshot("2026-11-01"));
  const notifications = `/persons-with-significant-control/${STATED}/notifications`;
  const data = notification(KNOWN, { persons_with_significant_control: { notifications } });
  const resource = {
    resource_kind: "company-psc-individual",
    resource_uri: pathOf(KNOWN),
    resource_id: idOf(KNOWN),
    data,
  };
  expect(await run(event(resource, 1, "2026-11-02"))).toMatchObject({ written: 1, refused: 0, warnings: {} });
  expect(await countLinked()).toEqual([2, 2]);
});

it("an id stored by a former release is replaced when the notification is loaded again", async () => {
  const [stored] = await register.stores.mongo.records.fetchByIds(pscRecord, [idOf(KNOWN)]);
  const former = { _id: idOf(KNOWN), psc_id: STATED, data: { ...stored?.data, psc_id: STATED } };
  await register.stores.mongo.documents.amend(pscRecord.collection, [former]);
  expect(await countLinked()).toEqual([1, 1]);
  await run(snapshot("2026-11-01"));
  expect(await countLinked()).toEqual([2, 2]);
});
