/** Revisions follow the clock, however many loads begin, and make up for what Redis has lost. */
import { expect, it, jest } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { drawRevision, drawRevisionOfLoad } from "../../ingest/history/revisions.ts";
import { batchRunner, company, event, fetchNameOnRecord } from "../support/event-batches.ts";
import { load, writeEdition, writeFile } from "../support/load-command.ts";
import { aCompanyLine, aFile, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { fetchStored } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

jest.setTimeout(120_000);

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const LOADS = 4;
const NUMBER = "77000020";
// Revisions count microseconds.
const SECOND_US = 1_000_000;
const HOUR_US = 3_600 * SECOND_US;
const YEAR_US = 365 * 24 * HOUR_US;

function lineOf(timepoint: number, name: string, type?: string): string {
  return event(company(name, NUMBER), timepoint, "2026-11-20", type).rows.join("");
}

it("many short loads do not set revisions ahead, and emptying Redis loses no change and no deletion", async () => {
  const register = await newRegister();
  const { redis, mongo } = register.stores;
  const lines = (timepoint: number, name: string, type?: string) =>
    writeFile(folder, `companies-${timepoint}.ndjson`, `${lineOf(timepoint, name, type)}\n`);
  for (let at = 1; at <= LOADS; at += 1)
    expect(await load(register, [lines(at, `NAME ${at} LTD`)])).toMatchObject({ exitCode: 0 });
  const drawn = await redis.nextRevision(0);
  const [seconds = 0, microseconds = 0] = (await redis.connection.time()).map(Number);
  expect(drawn).toBeLessThan((seconds + 0.1) * SECOND_US + microseconds);
  const before = (await mongo.documents.listLatest("loads", 1))[0] as unknown as {
    plan: { revision: number };
  };

  const keys = await redis.connection.keys(`${register.config.QUEUE_PREFIX}:*`);
  await redis.connection.del(...keys);
  expect(await load(register, [lines(LOADS + 1, "NEWS LTD")])).toMatchObject({ exitCode: 0 });
  const after = (await mongo.documents.listLatest("loads", 1))[0] as unknown as {
    plan: { revision: number };
  };
  expect(after.plan.revision).toBeGreaterThan(before.plan.revision);
  expect(await fetchNameOnRecord(register.stores, NUMBER)).toBe("NEWS LTD");
  await expectStoresAgree(register.stores);
  expect(await load(register, [lines(LOADS + 2, "", "deleted")])).toMatchObject({ exitCode: 0 });
  expect(await fetchNameOnRecord(register.stores, NUMBER)).toBeUndefined();
  await expectStoresAgree(register.stores);
});

it("a load repeats no revision of the latest loads after the clock was set back", async () => {
  const register = await newRegister();
  const isFirst = (_row: string, index: number) => index === 0;
  const file = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-11-01.csv", isFirst);
  expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
  const ahead = 60 * SECOND_US + (await register.stores.redis.nextRevision(0));
  const { documents } = register.stores.mongo;
  const [latest] = await documents.listLatest("loads", 1);
  if (!latest) throw new Error("nothing was loaded");
  const plan = { ...(latest.plan as object), revision: ahead };
  await documents.amend("loads", [{ _id: String(latest._id), plan }]);
  const next = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-12-01.csv", isFirst);
  expect(await load(register, [next])).toMatchObject({ exitCode: 0 });
  const [after] = await documents.listLatest("loads", 1);
  expect((after?.plan as { revision: number } | undefined)?.revision).toBeGreaterThan(ahead);
});

it("neither a follower nor a load repeats a revision after Redis was emptied while the clock is behind", async () => {
  const register = await newRegister();
  const { config, stores } = register;
  const { connection, nextRevision } = stores.redis;
  const key = `${config.QUEUE_PREFIX}:revision`;
  await connection.set(key, String(HOUR_US + (await nextRevision(0))));
  const file = writeFile(folder, "ahead.ndjson", `${lineOf(1, "AHEAD LTD")}\n`);
  expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
  const last = await nextRevision(0);
  await connection.del(key);
  expect(await drawRevision(stores)).toBeGreaterThan(last);
  expect(await drawRevisionOfLoad(stores)).toBeGreaterThan(last);
});

it("Redis gives out no revision far ahead of the clock, which would outrank all loads of a year", async () => {
  const { config, stores } = await newRegister();
  const { connection, nextRevision } = stores.redis;
  const key = `${config.QUEUE_PREFIX}:revision`;
  const last = await nextRevision(0);
  await expect(nextRevision(last + YEAR_US)).rejects.toThrow(/redis is not available: .* ahead of .* clock/);
  expect(await connection.get(key)).toBe(String(last));
  for (const ahead of [String(last + YEAR_US), "9007199254740993", "1e300", "inf"]) {
    await connection.set(key, ahead);
    await expect(drawRevisionOfLoad(stores)).rejects.toThrow(UnavailableError);
    expect(await connection.get(key)).toBe(ahead);
  }
});

it("text in place of Redis' numbers counts as lost numbers", async () => {
  const register = await newRegister();
  const { config, stores } = register;
  const { connection, nextRevision, nextPosition } = stores.redis;
  const file = writeFile(folder, "text.ndjson", `${lineOf(1, "TEXT LTD")}\n`);
  expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
  const [last, position] = [await nextRevision(0), Number(await nextPosition())];
  for (const name of ["revision", "position"]) await connection.set(`${config.QUEUE_PREFIX}:${name}`, "text");
  expect(await drawRevision(stores)).toBeGreaterThan(last);
  expect(await nextPosition()).toBeNull();
  expect(await nextPosition(position)).toBe(position + 1);
});

it("a Redis that lost its last minutes gives out no position that the search has passed", async () => {
  const register = await newRegister();
  const { connection } = register.stores.redis;
  const position = `${register.config.QUEUE_PREFIX}:position`;
  const id = "known-again".padEnd(27, "-");
  const [resource_uri, officer] = [`/company/${NUMBER}/appointments/${id}`, "officer".padEnd(27, "-")];
  const loadNamed = async (timepoint: number, name: string) => {
    const data = {
      ...{ name, officer_role: "director", appointed_on: "2020-01-01", person_number: "111111110001" },
      links: { officer: { appointments: `/officers/${officer}/appointments` } },
    };
    const resource = { resource_kind: "company-officers", resource_uri, resource_id: id, data };
    const lines = event(resource, timepoint, "2026-11-20").rows.join("");
    const file = writeFile(folder, `officers-${timepoint}.ndjson`, `${lines}\n`);
    expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
  };
  await loadNamed(1, "BEFORE, Una");
  const before = String(await connection.get(position));
  for (const timepoint of [2, 3, 4]) await loadNamed(timepoint, `LOST ${timepoint}, Una`);

  await connection.set(position, before);
  await loadNamed(5, "AFTERWARDS, Una");
  await expectStoresAgree(register.stores);
});

it("officers' documents of a first load do not outrank later changes after the clock was set back", async () => {
  const register = await newRegister({ BATCH_ROWS: "1" });
  const { config, stores } = register;
  const { connection, nextRevision } = stores.redis;
  await connection.set(`${config.QUEUE_PREFIX}:revision`, String(HOUR_US + (await nextRevision(0))));
  const people = Array.from({ length: 12 }, (_, at) => {
    return { company: String(96_000_000 + at), number: `1000${String(at).padStart(4, "0")}0001` };
  });
  const lines = people.flatMap((one) => [aCompanyLine(one.company, "MOCK LTD"), aPersonLine(one)]);
  const snapshot = aFile("DDDDSNAP432120261101", lines);
  const file = writeFile(folder, "Prod195_4321_ew_1_01112026010001.dat", snapshot);
  expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
  const revisionOf = async ({ company }: (typeof people)[number]) =>
    (await fetchStored(register, "company_number", company))[0]?.revision ?? 0;
  const revisions = await Promise.all(people.map(revisionOf));
  const last = people[revisions.indexOf(Math.max(...revisions))];
  const update = {
    ...{ source: "officers-update", fileName: "Prod198_4322.dat", first: "DDDDUPDT432220261102" },
    rows: [anUpdateLine({ ...last, newType: "99" })],
  };
  const run = batchRunner(() => stores);
  expect(await run({ ...update, revision: await drawRevision(stores) })).toMatchObject({ removed: 1 });
  await expectStoresAgree(stores);
});
