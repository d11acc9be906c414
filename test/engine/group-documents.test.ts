/** Search documents made of several records, such as an officer's, while batches and followers overlap. */
import { describe, expect, it } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import { appointmentRecord, type Appointment } from "../../api/resources/officer-appointment/record.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { officerBounds } from "../../index-mappings/officers/index.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { toStored } from "../support/stored.ts";
import { writeStatements, type Replaced } from "../../ingest/statements/write.ts";
import { followNow } from "../support/follow.ts";
import { openRegister } from "../support/register.ts";
import { anAppointment } from "../support/search-records.ts";
import { removeRecords } from "../support/statements.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));

let run = 0;
/** An officer that no other test uses. */
function anId(): string {
  run += 1;
  return `group-documents-officer-${String(run).padStart(3, "0")}`;
}

/** Data of the officer's appointment with this index. */
function post(officer_id: string, index: number, changes: Partial<Appointment> = {}): Appointment {
  return anAppointment({ officer_id, forename: "Odile", surname: "TARN" }, index, changes).data;
}

/**
 * Writes a batch of appointments as a worker does, under its own revision; the search follows it later. `shared`: in a
 * first load, the officers of whom other batches have rows, too.
 */
async function write(posts: Appointment[], shared?: string[]): Promise<void> {
  const { stores } = register;
  const revision = await stores.redis.nextRevision(0);
  const rows = posts.map((data) => ({
    id: appointmentRecord.identify(data),
    statements: [{ at: "", place: revision, data: { ...data } }],
    isUndated: true,
  }));
  const batch = { load: "a-load", job: `job-${revision}`, revision };
  const ids = { [appointmentRecord.collection]: rows.map(({ id }) => id) };
  await BatchChange.make(stores, { ...batch, ids }, async (change) => {
    const onReplace = (replaced: readonly Replaced[]) => change.noteReplaced(appointmentRecord, replaced);
    const outcome = await writeStatements(stores.mongo, appointmentRecord, rows, { revision, onReplace });
    await change.index(appointmentRecord, outcome, shared);
    return undefined;
  });
}

/** Stores of a follower: `meanwhile` runs once, after it read a document's records and before it writes the document. */
function interruptedBy(meanwhile: () => Promise<unknown>): Stores {
  const { stores } = register;
  let isDone = false;
  const writeIndex: Stores["elasticsearch"]["write"] = async (...given) => {
    if (!isDone) {
      isDone = true;
      await meanwhile();
    }
    return stores.elasticsearch.write(...given);
  };
  return { ...stores, elasticsearch: { ...stores.elasticsearch, write: writeIndex } };
}

/** The document in the index, and the one that the projection makes of all records in MongoDB. */
async function fetchBoth(officer: string): Promise<[indexed: unknown, right: unknown]> {
  const { mongo, elasticsearch } = register.stores;
  const [stored] = await elasticsearch.fetchDocuments("officers", [officer]);
  const { records } = await mongo.records.fetchGroups(appointmentRecord, {
    field: "officer_id",
    values: [officer],
  });
  const right = records.length > 0 ? findIndex("officers").document(records) : undefined;
  return [stored?.source, right && JSON.parse(JSON.stringify(right))];
}

async function expectRight(officer: string, count: number | undefined): Promise<void> {
  const [stored, right] = await fetchBoth(officer);
  expect(stored).toEqual(right);
  expect((stored as { shown: { appointment_count: number } } | undefined)?.shown.appointment_count).toBe(
    count,
  );
}

/** Notes the fields by which groups are fetched, and counts the records read. */
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
  const fetchStored: typeof records.fetchStored = async (record, ids) => {
    const found = await records.fetchStored(record, ids);
    if (ids.length > 0) asked.push("_id");
    read += found.length;
    return found;
  };
  return {
    stores: { ...stores, mongo: { ...stores.mongo, records: { ...records, fetchGroups, fetchStored } } },
    asked,
    read: () => read,
  };
}

describe("the document of an officer", () => {
  it("is read once for all batches with rows of its officer", async () => {
    const [alone, shared] = [anId(), anId()];
    await write([post(shared, 0)]);
    await write([post(alone, 0), post(alone, 1), post(shared, 1)]);
    const { stores, asked, read } = countReads(register.stores);
    await followNow(stores);
    expect(asked).toEqual(["officer_id"]);
    expect(read()).toBe(4);
    await expectRight(alone, 2);
    await expectRight(shared, 2);
  });

  it("is made from a first load's own rows, and read only for officers that come again in its file", async () => {
    const [alone, again] = [anId(), anId()];
    await write([post(alone, 0), post(alone, 1), post(again, 0)], [again]);
    await write([post(again, 1)], [again]);
    await expectRight(alone, 2);
    const { stores, read } = countReads(register.stores);
    await followNow(stores);
    expect(read()).toBe(2);
    await expectRight(alone, 2);
    await expectRight(again, 2);
  });

  it("contains what another batch stated since the read, whichever is written last", async () => {
    const officer = anId();
    await write([post(officer, 0)]);
    const renamed = post(officer, 0, { name_elements: { forename: "Odette", surname: "VANE" } });
    const other = async () => {
      await write([renamed]);
      await followNow(register.stores);
    };
    await followNow(interruptedBy(other));
    await expectRight(officer, 1);
    expect((await fetchBoth(officer))[0]).toMatchObject({ shown: { title: "Odette VANE" } });
  });

  it("loses an appointment that has moved to another officer", async () => {
    const [officer, real] = [anId(), anId()];
    const numbered = { person_number: "123456780001", company_number: `9700${String(run).padStart(4, "0")}` };
    await write([post(officer, 0, numbered), post(officer, 1)]);
    await followNow(register.stores);
    await write([post(real, 0, numbered)]);
    await followNow(register.stores);
    await expectRight(officer, 1);
    await expectRight(real, 1);
  });

  it("loses an appointment that was removed since the read", async () => {
    const officer = anId();
    const { mongo } = register.stores;
    await write([post(officer, 0), post(officer, 1)]);
    const remove = async () => {
      const ids = [toStored(appointmentRecord, post(officer, 0), 0)._id];
      const find = () => mongo.records.fetchByIds(appointmentRecord, ids);
      await removeRecords(register.stores, appointmentRecord, "job-meanwhile", find);
      await followNow(register.stores);
    };
    await followNow(interruptedBy(remove));
    await expectRight(officer, 1);
  });
});

const { most } = officerBounds;
const large = "group-documents-officer-large";

describe("an officer with very many appointments", () => {
  it("has a document of all appointments, though only the first ones are read", async () => {
    const posts = Array.from({ length: most + 50 }, (_, index) =>
      post(large, index, {
        appointed_on: `${2000 + Math.floor(index / 300)}-01-01`,
        ...(index % 3 === 0 && { resigned_on: "2021-02-03" }),
        ...(index === 7 && { former_names: [{ surname: "VANE" }] }),
      }),
    );
    await write(posts.slice(0, most - 20));
    await write(posts.slice(most - 20, most + 20));
    await followNow(register.stores);
    await expectRight(large, most + 20);
    const { stores, read } = countReads(register.stores);
    const other = anId();
    await write([...posts.slice(most + 20), post(other, 0)]);
    await followNow(stores);
    expect(read()).toBe(1);
    await expectRight(large, most + 50);
    await expectRight(other, 1);
    expect((await fetchBoth(large))[0]).toMatchObject({
      posts: posts.filter(({ resigned_on }) => resigned_on === undefined).length,
    });
  }, 60_000);

  it("has a correct document after some appointments are removed", async () => {
    const { mongo } = register.stores;
    const query = { field: "officer_id", values: [large] };
    const find = async () => (await mongo.records.fetchGroups(appointmentRecord, query)).records.slice(0, 60);
    await removeRecords(register.stores, appointmentRecord, "job-removal", find);
    await followNow(register.stores);
    await expectRight(large, most - 10);
  }, 60_000);
});
