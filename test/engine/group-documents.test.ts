import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Stores } from "../../api/core/stores/index.ts";
import { appointmentRecord, type Appointment } from "../../api/resources/officer-appointment/record.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { officerBounds } from "../../index-mappings/officers/document.ts";
import { writeRows } from "../../ingest/write-rows.ts";
import { toStored } from "../../ingest/writers/stored.ts";
import { markShared } from "../../ingest/writers/versions.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { anAppointment } from "../support/search-records.ts";
import { removeRecords } from "../support/told.ts";

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

let run = 0;
/** An officer that no other case knows. */
function anId(): string {
  run += 1;
  return `group-documents-officer-${String(run).padStart(3, "0")}`;
}

/** Data of the officer's appointment of this number. */
function post(officer_id: string, index: number, changes: Partial<Appointment> = {}): Appointment {
  return anAppointment({ officer_id, forename: "Odile", surname: "TARN" }, index, changes).data;
}

/** Writes a batch of appointments as a worker does, under a revision that is its own. */
function write(stores: Stores, revision: number, posts: Appointment[], jobId = `job-${revision}`) {
  const rows = posts.map((data) => ({
    id: appointmentRecord.identify(data),
    statements: [{ at: "", place: revision, data: { ...data } }],
    isUndated: true,
  }));
  return writeRows(stores, appointmentRecord, rows, { jobId, revision, ownRevision: revision });
}

const nextRevision = () => register.stores.redis.nextRevision();

/** Stores in which something happens between the batch's write to MongoDB and the draw of its version. */
function withMeanwhile(happen: () => Promise<unknown>): Stores {
  const { stores } = register;
  return {
    ...stores,
    redis: { ...stores.redis, nextRevision: async () => (await happen(), stores.redis.nextRevision()) },
  };
}

/** The document that the index holds, and the one that the projection makes of everything that MongoDB holds. */
async function fetchBoth(officer: string): Promise<[held: unknown, right: unknown]> {
  const { mongo, elasticsearch } = register.stores;
  const [held] = await elasticsearch.fetchDocuments("officers", [officer]);
  const { records } = await mongo.records.fetchGroups(appointmentRecord, {
    field: "officer_id",
    values: [officer],
  });
  const right = records.length > 0 ? findIndex("officers").document(records) : undefined;
  return [held?.source, right && JSON.parse(JSON.stringify(right))];
}

async function expectRight(officer: string, count: number | undefined): Promise<void> {
  const [held, right] = await fetchBoth(officer);
  expect(held).toEqual(right);
  expect((held as { shown: { appointment_count: number } } | undefined)?.shown.appointment_count).toBe(count);
}

/** Notes by which fields groups are asked for, and counts their records that are read. */
function countReads(stores: Stores): { stores: Stores; asked: string[]; read: () => number } {
  let read = 0;
  const asked: string[] = [];
  const { records } = stores.mongo;
  const fetchGroups: typeof records.fetchGroups = async (record, query) => {
    if (query.values.length > 0) asked.push(query.field);
    const found = await records.fetchGroups(record, query);
    read += found.records.length;
    return found;
  };
  const fetchHeld: typeof records.fetchHeld = async (record, ids, ...except) => {
    const found = await records.fetchHeld(record, ids, ...except);
    if (ids.length > 0) asked.push("_id");
    read += found.length;
    return found;
  };
  return {
    stores: { ...stores, mongo: { ...stores.mongo, records: { ...records, fetchGroups, fetchHeld } } },
    asked,
    read: () => read,
  };
}

describe("the document of an officer", () => {
  it("is made without reading back what the batch has written, and with what others have", async () => {
    const [alone, shared] = [anId(), anId()];
    await write(register.stores, await nextRevision(), [post(shared, 0)]);
    const { stores, asked, read } = countReads(register.stores);
    await write(stores, await nextRevision(), [post(alone, 0), post(alone, 1), post(shared, 1)]);
    expect(asked).toEqual(["officer_id"]);
    expect(read()).toBe(1);
    await expectRight(alone, 2);
    await expectRight(shared, 2);
  });

  it("has what another worker has written to it since the batch was", async () => {
    const officer = anId();
    const other = await nextRevision();
    const stores = withMeanwhile(() => write(register.stores, other, [post(officer, 0)]));
    await write(stores, await nextRevision(), [post(officer, 1)]);
    await expectRight(officer, 2);
  });

  it("has what another worker has made of the batch's own records since", async () => {
    const officer = anId();
    const other = await nextRevision();
    const renamed = post(officer, 0, { name_elements: { forename: "Odette", surname: "VANE" } });
    // Its own version is lower than that of the batch, which must therefore have seen it.
    const stores = withMeanwhile(() => write(register.stores, other + 5, [renamed]));
    await write(stores, other, [post(officer, 0)]);
    await expectRight(officer, 1);
    expect((await fetchBoth(officer))[0]).toMatchObject({ shown: { title: "Odette VANE" } });
  });

  it("is made with a look for what has been replaced of the batch's own, once records of the kind have been", async () => {
    const { stores, asked, read } = countReads(register.stores);
    await write(stores, await nextRevision(), [post(anId(), 0)]);
    expect(asked).toEqual(["officer_id", "_id"]);
    expect(read()).toBe(0);
  });

  it("has left what another worker has moved to another officer since", async () => {
    const [officer, real] = [anId(), anId()];
    const revision = await nextRevision();
    const numbered = { person_number: "123456780001", company_number: `9700${String(run).padStart(4, "0")}` };
    const stores = withMeanwhile(() => write(register.stores, revision + 5, [post(real, 0, numbered)]));
    await write(stores, revision, [post(officer, 0, numbered), post(officer, 1)]);
    await expectRight(officer, 1);
    await expectRight(real, 1);
  });

  it("has what a replay has written under the batch's own revision", async () => {
    const officer = anId();
    const revision = await nextRevision();
    const stores = withMeanwhile(async () => {
      await markShared(register.stores.mongo.documents, revision);
      await write(register.stores, revision, [post(officer, 0)], `job-${revision}-replay`);
    });
    await write(stores, revision, [post(officer, 1)]);
    await expectRight(officer, 2);
  });

  it("has what an earlier run of the batch has written that this one no longer holds", async () => {
    const officer = anId();
    const revision = await nextRevision();
    await write(register.stores, revision, [post(officer, 0), post(officer, 1)]);
    await write(register.stores, revision, [post(officer, 1)]);
    await expectRight(officer, 2);
  });
});

const { most } = officerBounds;
const large = "group-documents-officer-large";

describe("an officer of very many appointments", () => {
  it("has a document of all of them, though only the first are read", async () => {
    const posts = Array.from({ length: most + 50 }, (_, index) =>
      post(large, index, {
        appointed_on: `${2000 + Math.floor(index / 300)}-01-01`,
        ...(index % 3 === 0 && { resigned_on: "2021-02-03" }),
        ...(index === 7 && { former_names: [{ surname: "VANE" }] }),
      }),
    );
    await write(register.stores, await nextRevision(), posts.slice(0, most - 20));
    await write(register.stores, await nextRevision(), posts.slice(most - 20, most + 20));
    await expectRight(large, most + 20);
    const { stores, read } = countReads(register.stores);
    const other = anId();
    await write(stores, await nextRevision(), [...posts.slice(most + 20), post(other, 0)]);
    expect(read()).toBe(0);
    await expectRight(large, most + 50);
    await expectRight(other, 1);
    expect((await fetchBoth(large))[0]).toMatchObject({
      posts: posts.filter(({ resigned_on }) => resigned_on === undefined).length,
    });
  }, 60_000);
});

describe("once records are removed", () => {
  // First: from here on the collection counts as one from which records are removed.
  it("the document of an officer has left what was removed since the batch was written", async () => {
    const officer = anId();
    const { mongo } = register.stores;
    const stores = withMeanwhile(async () => {
      const ids = [toStored(appointmentRecord, post(officer, 0), 0)._id];
      const find = () => mongo.records.fetchByIds(appointmentRecord, ids);
      await removeRecords(register.stores, appointmentRecord, "job-meanwhile", find);
    });
    await write(stores, await nextRevision(), [post(officer, 0), post(officer, 1)]);
    await expectRight(officer, 1);
  });

  it("that of an officer of very many appointments stays right", async () => {
    const { mongo } = register.stores;
    const find = async () =>
      (
        await mongo.records.fetchGroups(appointmentRecord, { field: "officer_id", values: [large] })
      ).records.slice(0, 60);
    let found: Awaited<ReturnType<typeof find>> | undefined;
    const findOnce = async () => {
      const ids = (found ??= await find()).map(({ _id }) => _id);
      return mongo.records.fetchByIds(appointmentRecord, ids);
    };
    await removeRecords(register.stores, appointmentRecord, "job-removal", findOnce);
    await expectRight(large, most - 10);
  }, 60_000);
});
