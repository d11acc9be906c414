/** The command `verify` on an equal register, its output, and the versions that it compares. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CommandContext } from "../../ingest/commands/define-command.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { findIndex, indices } from "../../index-mappings/index.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { withLeavingStores } from "../support/faults/leaving-mongo.ts";
import type { TestRegister } from "../support/register.ts";
import { toStored } from "../support/stored.ts";
import { fetchFirstIds, openFilled, verify } from "../support/verify.ts";

const AWAY_MS = 1_500;

// One register for all tests: each leaves both stores equal.
let register: TestRegister;
beforeAll(async () => {
  register = await openFilled();
});
afterAll(() => register.close());

describe("a register just loaded", () => {
  it("is equal in every index", async () => {
    const { exitCode, report } = await verify(register);
    expect(report).toMatchObject({ equal: true });
    expect(exitCode).toBe(0);
    expect(report.indices.map(({ index }) => index)).toEqual(indices.map(({ name }) => name));
    for (const { expected, found } of report.indices) expect([expected, found]).toEqual([found, expected]);
    expect(Math.min(...report.indices.map(({ expected }) => expected))).toBeGreaterThan(0);
  });

  it("is reported in text without --json", async () => {
    const { printed } = await register.run(verifyCommand, [], { index: "companies" });
    expect(printed).toEqual([
      expect.stringMatching(/^companies: equal: \d+ documents expected, \d+ found; 0 missing/),
    ]);
  });

  it("is equal though some records have no document by design", async () => {
    const { mongo } = register.stores;
    const [someone] = await mongo.records.fetchPage(appointmentRecord, {
      filter: {},
      sort: [["_id", 1]],
      skip: 0,
      limit: 1,
    });
    const unnamed = Object.entries(someone?.data ?? {}).filter(
      ([member]) => !/^(name|former_name)/.test(member),
    );
    const data = { ...Object.fromEntries(unnamed), officer_id: "nameless" };
    const nameless = { ...toStored(appointmentRecord, data, someone?.revision ?? 1), _id: "nameless" };
    await mongo.writer.insertMissing(appointmentRecord, [nameless]);
    expect((await verify(register, { index: "officers" })).exitCode).toBe(0);
  });
});

describe("while MongoDB is unavailable", () => {
  async function verifyOn(stores: Stores, settings: Partial<CommandContext["config"]> = {}) {
    const printed: string[] = [];
    const told: string[] = [];
    const context: CommandContext = {
      config: { ...register.config, ...settings },
      openStores: () => stores,
      print: (line) => printed.push(line),
      write: () => undefined,
      tell: (line) => told.push(line),
      ask: () => Promise.resolve(null),
      isTerminal: false,
      isStopping: () => false,
    };
    const exitCode = await verifyCommand.run(context, [], { json: "true" });
    return { exitCode, report: JSON.parse(printed.join("\n")) as { equal: boolean }, told };
  }

  const isAway = expect.stringMatching(
    /^mongodb is not available.*; the comparison waits for it, about \d+ (s|min)$/,
  );

  it("waits for it, with a message, and ends as if nothing had happened", async () => {
    const outage = { awayMs: AWAY_MS, chunksBefore: 1 };
    const { exitCode, report, told } = await withLeavingStores(register.config, outage, (stores) =>
      verifyOn(stores),
    );
    expect({ exitCode, equal: report.equal }).toEqual({ exitCode: 0, equal: true });
    expect(told).toContainEqual(isAway);
  });

  it("fails if it stays unavailable too long", async () => {
    const run = withLeavingStores(register.config, { chunksBefore: 1 }, (stores) =>
      verifyOn(stores, { STORE_TIMEOUT_MS: 100 }),
    );
    await expect(run).rejects.toThrow(/^mongodb is not available/);
  });
});

it("names at most as many of each kind as --show says, and counts all", async () => {
  const writes = ["a", "b", "c"].map((id) => ({ id: `planted-${id}`, version: 1, document: {} }));
  await register.stores.elasticsearch.write("companies", writes);
  const { report } = await verify(register, { index: "companies", show: "2", repair: "true" });
  expect(report.indices[0]).toMatchObject({ repaired: { extra: 3 } });
  expect(report.indices[0]?.named).toHaveLength(2);
});

it("repairs documents so that later writes of the worker apply", async () => {
  const [number = ""] = await fetchFirstIds(register, "companies", 1);
  const { elasticsearch, mongo } = register.stores;
  const version = Date.now() * 1000 + 3_600_000_000;
  await elasticsearch.write("companies", [{ id: number, version, document: {} }]);
  await verify(register, { index: "companies", repair: "true" });
  const [record] = await mongo.records.fetchByIds(companyRecord, [number]);
  const [stored] = await elasticsearch.fetchDocuments("companies", [number]);
  expect(stored?.version).toBe(record?.revision);
});

it("restores an index's setting for remembering deletions, even after an interrupted repair", async () => {
  const { ELASTICSEARCH_URL, INDEX_PREFIX } = register.config;
  const settings = `${ELASTICSEARCH_URL}/${INDEX_PREFIX}companies/_settings/index.gc_deletes`;
  const brokenOff = JSON.stringify({ "index.gc_deletes": "0ms" });
  const headers = { "content-type": "application/json" };
  await fetch(`${ELASTICSEARCH_URL}/${INDEX_PREFIX}companies/_settings`, {
    ...{ method: "PUT", headers, body: brokenOff },
  });
  const companies = findIndex("companies");
  await register.stores.elasticsearch.forget(companies, []);
  const stored = (await (await fetch(settings)).json()) as Record<string, unknown>;
  expect(Object.values(stored)).toMatchObject([
    { settings: { index: { gc_deletes: companies.settings.gc_deletes } } },
  ]);
});

describe("an index with versions from a counter, since its documents are made from many records", () => {
  it("is equal with any version up to the clock, and differs with one ahead of it", async () => {
    const { elasticsearch, redis } = register.stores;
    const [first = "", second = ""] = await fetchFirstIds(register, "officers", 2);
    const stored = await elasticsearch.fetchDocuments("officers", [first, second]);
    const version = await redis.nextRevision(0);
    const [document, other] = [first, second].map(
      (id) => stored.find((item) => item.id === id)?.source ?? {},
    );
    await elasticsearch.write("officers", [{ id: first, version, document: document ?? {} }]);
    expect((await verify(register, { index: "officers" })).exitCode).toBe(0);

    const ahead = { id: second, version: version + 3_600_000_000, document: other ?? {} };
    await elasticsearch.write("officers", [ahead]);
    expect((await verify(register, { index: "officers" })).report.indices[0]).toMatchObject({
      different: 1,
    });
    expect((await verify(register, { index: "officers", repair: "true" })).exitCode).toBe(0);
  });
});
