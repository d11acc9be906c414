/** Batches killed while they write records that their rows do not name: records they look up, or a nominee's. */
import { expect, it, jest } from "@jest/globals";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { amendChange, closeUnfinishedChanges, enterChange } from "../../ingest/log/changes.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchJob } from "../../ingest/queue/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { ALL_MEMBERS, appointmentSource } from "../support/day-sources.ts";
import { deathOf, dyingAt } from "../support/dying-stores.ts";
import { batchRunner, event, type Rows } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { aCompanyLine, anUpdateLine } from "../support/officer-lines.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

// One batch for each write at which a worker may die.
jest.setTimeout(300_000);

const register = forAllTests(() => openRegister({ withWorker: false }));
let companies = 98_600_000;
let revisions = 1_000;
const run = batchRunner(() => register.stores);

const nomineeOf = (company: string) => `9${company}001`;
const appointment = (company: string) => {
  // The cast: a resource of this source has data.
  const resource = appointmentSource.resource(company, "KNOWN", ALL_MEMBERS) as { data: object };
  return { ...resource, data: { ...resource.data, person_number: nomineeOf(company) } };
};
const changed = (company: string) => event(appointment(company), 1, "2026-11-02");
const deleted = (company: string) =>
  event({ ...appointment(company), data: undefined }, 2, "2026-11-03", "deleted");
const companyLine = (company: string): Rows => ({
  source: "officers-update",
  fileName: "Prod198_4322.dat",
  first: "DDDDUPDT432220261105",
  rows: [aCompanyLine(company, "RENAMED LTD")],
});

/** Corrects the nominee twice; the second time raises the revision above the batch's. */
const corrections = (company: string): Rows => ({
  ...companyLine(company),
  rows: ["FIRST", "LAST"].map((surname) =>
    anUpdateLine({ company: "", number: nomineeOf(company), surname, isCorrection: true }),
  ),
});

function toJob({ source: name, rows, fileName, first = rows[0] ?? "" }: Rows): BatchJob {
  const source = findSource(name);
  const job = { load: "killed", file: fileName, source: name, revision: (revisions += 10) };
  const context = source.open({ line: 1, text: first }, fileName);
  return { ...job, context, rows: rows.map((text, at) => ({ line: at + 2, text })) };
}

/** The company's one appointment. */
async function fetchAppointment(company: string): Promise<StoredRecord> {
  const query = { field: "company_number", values: [company] };
  const { records } = await register.stores.mongo.records.fetchGroups(appointmentRecord, query);
  const [stored] = records;
  if (!stored) throw new Error(`${company} has no appointment`);
  return stored;
}

/** Counts the events that name this record. */
async function countEvents(id: string): Promise<number> {
  const events = await register.stores.mongo.documents.fetchAll("events", {});
  return events.filter((one) => JSON.stringify(one).includes(id)).length;
}

it.each([
  ["a deletion that gives only an address", deleted],
  ["a daily update with a company line", companyLine],
  ["the correction of a nominee", corrections],
])("%s gets its event, at whichever write its worker is killed", async (_title, second) => {
  const { stores } = register;
  const lost: string[] = [];
  const deaths = new Set<string | null>();
  for (const isDone of [false, true]) {
    for (let write = 1, death: string | null = ""; death !== null; write += 1) {
      const company = String((companies += 1));
      await run(changed(company));
      const { _id } = await fetchAppointment(company);
      const before = await countEvents(_id);
      const job = toJob(second(company));
      const [source, id] = [findSource(job.source), `killed-${job.revision}`];
      death = await deathOf(processBatch(dyingAt(stores, write, isDone), source, job, id));
      deaths.add(death);
      await closeUnfinishedChanges(stores.mongo.documents, { job: id });
      await processBatch(stores, source, job, id);
      await followNow(stores);
      if ((await countEvents(_id)) === before) lost.push(`${write} ${death} ${isDone}`);
    }
  }
  expect(lost).toEqual([]);
  expect([...deaths]).toEqual(expect.arrayContaining(["replaceUnchanged", "amendIf"]));
  await expectStoresAgree(stores);
});

it("a daily update gets its event, although another batch made it write its records again", async () => {
  const { stores } = register;
  const company = String((companies += 1));
  await run(changed(company));
  const { _id } = await fetchAppointment(company);
  const before = await countEvents(_id);
  const { writer } = stores.mongo;
  let isFirst = true;
  // Writes all, but counts one as written by another batch meanwhile.
  const replaceUnchanged: typeof writer.replaceUnchanged = async (...args) => {
    const replaced = await writer.replaceUnchanged(...args);
    const isInterfered = isFirst && replaced > 0;
    if (isInterfered) isFirst = false;
    return isInterfered ? replaced - 1 : replaced;
  };
  const job = toJob(companyLine(company));
  const interfered = { ...stores, mongo: { ...stores.mongo, writer: { ...writer, replaceUnchanged } } };
  await processBatch(interfered, findSource(job.source), job, `interfered-${job.revision}`);
  await followNow(stores);
  expect(isFirst).toBe(false);
  expect(await countEvents(_id)).toBe(before + 1);
});

it("an interrupted change gets its event, although its batch named the records in an earlier change", async () => {
  const { stores } = register;
  const company = String((companies += 1));
  await run(changed(company));
  const { _id, revision } = await fetchAppointment(company);
  await followNow(stores);
  const before = await countEvents(_id);
  const ids = { [appointmentRecord.collection]: [_id] };
  const enter = () => enterChange(stores, { load: "killed", job: "twice", ids, revision });
  const first = await enter();
  await amendChange(stores.mongo.documents, first, { state: "written", changed: ids });
  await enter();
  await closeUnfinishedChanges(stores.mongo.documents, { job: "twice" });
  await followNow(stores);
  expect(await countEvents(_id)).toBe(before + 2);
});
