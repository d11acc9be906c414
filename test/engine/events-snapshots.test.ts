import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { deriveAppointmentKey } from "../../api/resources/officer-appointment/identity.ts";
import { removeFromBoth } from "../../ingest/both-stores.ts";
import { mendIndexes } from "../../ingest/mend.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchCounts } from "../../ingest/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { fetchState, projectState } from "../support/register-state.ts";

const CSV = readFileSync("test/fixtures/register/companies/edge-cases/no-final-newline-lf.csv", "utf8");
const [header = "", firstRow = ""] = CSV.split("\n");
const NUMBER = /"(\d{8})"/.exec(firstRow)?.[1] ?? "";
const APPOINTMENT = `/company/${NUMBER}/appointments/`;

let register: TestRegister;
let jobs = 0;

beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

interface Rows {
  source: string;
  rows: string[];
  fileName: string;
}

function run(rows: Rows, stores: Stores = register.stores): Promise<BatchCounts> {
  const source = findSource(rows.source);
  jobs += 1;
  const texts = rows.rows.map((text, at) => ({ line: at + 2, text }));
  const first = source.hasHeader ? header : (rows.rows[0] ?? "");
  const job = {
    ...{ load: "a-load", file: rows.fileName, source: source.name, unreadable: [], revision: jobs },
    ...{ context: source.open({ line: 1, text: first }, rows.fileName), rows: texts },
  };
  return processBatch(stores, source, job, `job-${jobs}`);
}

/** A snapshot of one company; null: a file whose name tells no day. */
function snapshot(day: string | null, name: string, number = NUMBER): Rows {
  const row = firstRow.replace(/^"[^"]*"/, `"${name}"`).replace(NUMBER, number);
  return { source: "company-csv", fileName: day ? `BasicCompanyData-${day}.csv` : "again.csv", rows: [row] };
}

function event(resource: object, timepoint: number, day: string, type = "changed"): Rows {
  const told = { timepoint, published_at: `${day}T09:00:00`, type };
  const row = JSON.stringify({ data: {}, ...resource, event: told });
  return { source: "streaming-events", fileName: "companies.ndjson", rows: [row] };
}

function company(name: string, number = NUMBER): object {
  const data = { company_number: number, company_name: name, type: "ltd" };
  const envelope = {
    resource_kind: "company-profile",
    resource_uri: `/company/${number}`,
    resource_id: number,
  };
  return { ...envelope, data };
}

async function heldName(number = NUMBER): Promise<string | undefined> {
  const { mongo } = register.stores;
  return (await mongo.records.fetchOne(companyRecord, { _id: number }))?.data.company_name;
}

async function expectStoresAgree(): Promise<void> {
  const { documents, notes } = await fetchState(register.stores);
  expect(documents).toEqual(await projectState(register.stores));
  expect(notes).toBe(0);
}

describe("a snapshot", () => {
  it("of a day before the event leaves what the event told", async () => {
    await run(snapshot("2026-11-01", "FIRST EDITION LIMITED"));
    await run(event(company("TOLD BY THE STREAM LIMITED"), 10, "2026-11-02"));
    expect(await run(snapshot("2026-11-01", "LATE EDITION LIMITED"))).toMatchObject({
      written: 0,
      unchanged: 1,
    });
    expect(await heldName()).toBe("TOLD BY THE STREAM LIMITED");
  });

  it("of the event's day or a later one takes it over, and older events still count as older", async () => {
    expect(await run(snapshot("2026-11-02", "SECOND EDITION LIMITED"))).toMatchObject({ written: 1 });
    expect(await heldName()).toBe("SECOND EDITION LIMITED");
    const older = await run(event(company("OLDER LIMITED"), 9, "2026-11-02"));
    const repeat = await run(event(company("TOLD BY THE STREAM LIMITED"), 10, "2026-11-02"));
    expect([older, repeat]).toMatchObject([
      { written: 0, unchanged: 1 },
      { written: 0, unchanged: 1 },
    ]);
    expect(await run(snapshot("2026-11-01", "LATE EDITION LIMITED"))).toMatchObject({ written: 0 });
    expect(await heldName()).toBe("SECOND EDITION LIMITED");
    await expectStoresAgree();
  });

  it("of a day before does not bring back what an event deleted; of a later day it does, and a repeat changes nothing", async () => {
    const deletion = event({ ...company(""), data: undefined }, 11, "2026-11-03", "deleted");
    expect(await run(deletion)).toMatchObject({ removed: 1, written: 0 });
    expect(await run(snapshot("2026-11-02", "LATE EDITION LIMITED"))).toMatchObject({
      written: 0,
      unchanged: 1,
    });
    expect(await heldName()).toBeUndefined();
    await expectStoresAgree();

    expect(await run(snapshot("2026-12-01", "THIRD EDITION LIMITED"))).toMatchObject({ written: 1 });
    expect(await run(deletion)).toMatchObject({ removed: 0, unchanged: 1 });
    expect(await heldName()).toBe("THIRD EDITION LIMITED");
    await expectStoresAgree();
  });

  it("whose name tells no day counts as later than everything", async () => {
    expect(await run(snapshot(null, "NO DAY LIMITED"))).toMatchObject({ written: 1 });
    expect(await heldName()).toBe("NO DAY LIMITED");
  });
});

describe("an appointment that a stream deletes", () => {
  const officer = { officer: { appointments: `/officers/${"officer".padEnd(27, "-")}/appointments` } };
  function appointment(id: string, person: string): object {
    const uri = APPOINTMENT + id.padEnd(27, "-");
    const data = {
      ...{ name: "GONESUCH, Una", officer_role: "director", appointed_on: "2020-01-01" },
      ...{ person_number: person, links: officer },
    };
    return { resource_kind: "company-officers", resource_uri: uri, resource_id: id.padEnd(27, "-"), data };
  }

  async function appointmentCount(): Promise<number | undefined> {
    await register.stores.elasticsearch.refresh();
    const { body } = await register.get("/search/officers?q=una+gonesuch");
    return (body as { items: { appointment_count: number }[] }).items[0]?.appointment_count;
  }

  it("leaves its officer's document with the rest, and takes it away with the last", async () => {
    const [first, second] = [appointment("first", "111111110001"), appointment("second", "111111120001")];
    await run(event(first, 1, "2026-11-02"));
    await run(event(second, 2, "2026-11-02"));
    expect(await appointmentCount()).toBe(2);
    await run(event({ ...first, data: {} }, 3, "2026-11-02", "deleted"));
    expect(await appointmentCount()).toBe(1);
    await run(event({ ...second, data: {} }, 4, "2026-11-02", "deleted"));
    expect(await appointmentCount()).toBeUndefined();
    await expectStoresAgree();
  });

  it("and whose day of appointment an event had corrected was one record, in either order", async () => {
    const told = appointment("corrected", "111111140001") as { data: object };
    const corrected = { ...told, data: { ...told.data, appointed_on: "2020-01-02" } };
    const held = () =>
      register.stores.mongo.writer.fetchGroups(appointmentRecord, "company_number", [NUMBER]);
    let timepoint = 100;
    for (const [day, later] of [
      [told, corrected],
      [corrected, told],
    ] as const) {
      timepoint += 2;
      await run(event(day, timepoint, "2026-11-02"));
      await run(event(later, timepoint + 1, "2026-11-02"));
      await run(event(day, timepoint, "2026-11-02"));
      expect((await held()).map(({ data }) => data)).toMatchObject([{ appointed_on: dayOf(later) }]);
      expect(await appointmentCount()).toBe(1);
    }
    await run(event({ ...told, data: {} }, timepoint + 2, "2026-11-02", "deleted"));
    expect(await held()).toEqual([]);
    await expectStoresAgree();
  });

  it("and that a file told before is found by what older events of its batch tell", async () => {
    const person_number = "111111150001";
    const told = appointment("named-later", person_number) as { data: object };
    const identity = { company_number: NUMBER, person_number, officer_role: "director" };
    const derived = deriveAppointmentKey({ ...identity, appointed_on: "2020-01-01" });
    const inFile = { ...told, resource_uri: APPOINTMENT + derived, resource_id: derived };
    await run({ source: "api-json-lines", fileName: "file.jsonl", rows: [JSON.stringify(inFile)] });
    const corrected = { ...told, data: { ...told.data, appointed_on: "2020-01-02" } };
    const events = [event(told, 200, "2026-11-02"), event(corrected, 201, "2026-11-02")];
    await run({ ...event(told, 0, "2026-11-02"), rows: events.flatMap(({ rows }) => rows) });
    const held = await register.stores.mongo.writer.fetchGroups(appointmentRecord, "company_number", [
      NUMBER,
    ]);
    expect(held.map(({ data }) => data)).toMatchObject([{ appointed_on: "2020-01-02" }]);
    await run(event({ ...told, data: {} }, 202, "2026-11-02", "deleted"));
    await expectStoresAgree();
  });

  function dayOf({ data }: { data: object }): unknown {
    return (data as { appointed_on?: unknown }).appointed_on;
  }

  it("while Elasticsearch is away is gone from the search once the next load has mended it", async () => {
    const third = appointment("third", "111111130001");
    await run(event(third, 5, "2026-11-02"));
    const write = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
    const stores = { ...register.stores, elasticsearch: { ...register.stores.elasticsearch, write } };
    const deletion = event({ ...third, data: {} }, 6, "2026-11-02", "deleted");
    await expect(run(deletion, stores)).rejects.toThrow("away");
    expect(await register.stores.mongo.records.count(appointmentRecord, {})).toBe(0);
    expect(await appointmentCount()).toBe(1);
    expect(await mendIndexes(register.stores, () => Promise.resolve(false))).toBe(1);
    expect(await appointmentCount()).toBeUndefined();
  });
});

describe("two workers on one company", () => {
  const number = "99000077";

  /** Stores of a worker between whose read and write, or write and index, something else happens once. */
  function interrupted(method: "insertMissing" | "write", first: () => Promise<unknown>): Stores {
    const { mongo, elasticsearch } = register.stores;
    let isFirst = true;
    const once = async () => {
      if (isFirst) {
        isFirst = false;
        await first();
      }
    };
    const insertMissing: typeof mongo.writer.insertMissing = async (record, documents) => {
      if (method === "insertMissing") await once();
      return mongo.writer.insertMissing(record, documents);
    };
    const write: typeof elasticsearch.write = async (index, writes) => {
      if (method === "write") await once();
      return elasticsearch.write(index, writes);
    };
    return {
      ...register.stores,
      mongo: { ...mongo, writer: { ...mongo.writer, insertMissing } },
      elasticsearch: { ...elasticsearch, write },
    };
  }

  const deletion = (timepoint: number) =>
    event({ ...company("", number), data: undefined }, timepoint, "2026-11-02", "deleted");

  it("a snapshot does not bring back what is deleted just before it writes", async () => {
    const stores = interrupted("insertMissing", () => run(deletion(20)));
    await run(snapshot("2026-11-01", "BACK AGAIN LIMITED", number), stores);
    expect(await heldName(number)).toBeUndefined();
    await expectStoresAgree();
  });

  it("an older change does not come back either", async () => {
    const stores = interrupted("insertMissing", () => run(deletion(22)));
    await run(event(company("OLDER LIMITED", number), 21, "2026-11-02"), stores);
    expect(await heldName(number)).toBeUndefined();
    await expectStoresAgree();
  });

  it("a document on its way does not come back after the deletion", async () => {
    const own = "99000078";
    const gone = event({ ...company("", own), data: undefined }, 30, "2026-11-02", "deleted");
    const stores = interrupted("write", () => run(gone));
    await run(snapshot("2026-11-01", "ON ITS WAY LIMITED", own), stores);
    expect(await heldName(own)).toBeUndefined();
    await expectStoresAgree();
  });

  it("a newer change is held, though the record is removed while it is written", async () => {
    await run(event(company("TO BE REMOVED LIMITED", number), 40, "2026-11-02"));
    const { mongo } = register.stores;
    let isFirst = true;
    const fetchByIds = (async (record, ids) => {
      if (isFirst) {
        isFirst = false;
        await run(deletion(41));
      }
      return mongo.records.fetchByIds(record, ids);
    }) as typeof mongo.records.fetchByIds;
    const stores = { ...register.stores, mongo: { ...mongo, records: { ...mongo.records, fetchByIds } } };
    await run(event(company("NEWER LIMITED", number), 42, "2026-11-02"), stores);
    expect(await heldName(number)).toBe("NEWER LIMITED");
    await expectStoresAgree();
  });
});

describe("records removed without an event", () => {
  it("leave both stores, and come back with an early batch that is written late", async () => {
    const number = "99000079";
    const late = snapshot("2026-11-01", "COME AND GONE LIMITED", number);
    await run(late);
    const find = () => register.stores.mongo.records.fetchByIds(companyRecord, [number]);
    expect(await removeFromBoth(register.stores, companyRecord, "retire-1", find)).toBe(1);
    expect(await heldName(number)).toBeUndefined();
    await expectStoresAgree();
    await run(late);
    expect(await heldName(number)).toBe("COME AND GONE LIMITED");
    await expectStoresAgree();
  });
});
