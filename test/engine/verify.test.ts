/** The command `verify`: on an equal register, with differences planted by hand, and without MongoDB. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CommandContext } from "../../ingest/commands/define-command.ts";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { findIndex, indices } from "../../index-mappings/index.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { askElasticsearch } from "../support/doctor.ts";
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
    for (const { index, expected, found } of report.indices)
      expect([index, found]).toEqual([index, expected]);
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
    const messages: string[] = [];
    const context: CommandContext = {
      config: { ...register.config, ...settings },
      openStores: () => stores,
      print: (line) => printed.push(line),
      write: () => undefined,
      tell: (line) => messages.push(line),
      ask: () => Promise.resolve(null),
      isTerminal: false,
      isStopping: () => false,
    };
    const exitCode = await verifyCommand.run(context, [], { json: "true" });
    return { exitCode, report: JSON.parse(printed.join("\n")) as { equal: boolean }, messages };
  }

  const isAway = expect.stringMatching(
    /^mongodb is not available.*; the comparison waits for it, about \d+ (s|min)$/,
  );

  it("waits for it, with a message, and ends as if nothing had happened", async () => {
    const outage = { awayMs: AWAY_MS, chunksBefore: 1 };
    const { exitCode, report, messages } = await withLeavingStores(register.config, outage, (stores) =>
      verifyOn(stores),
    );
    expect({ exitCode, equal: report.equal }).toEqual({ exitCode: 0, equal: true });
    expect(messages).toContainEqual(isAway);
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

it("restores an index's setting for remembering deletions, even after an interrupted repair", async () => {
  const settings = `${register.config.INDEX_PREFIX}companies/_settings`;
  // As a repair leaves it that was interrupted.
  await askElasticsearch(register.config, "PUT", settings, { "index.gc_deletes": "0ms" });
  const companies = findIndex("companies");
  await register.stores.elasticsearch.forget(companies, []);
  const stored = await askElasticsearch(register.config, "GET", `${settings}/index.gc_deletes`);
  expect(Object.values(stored as object)).toMatchObject([
    { settings: { index: { gc_deletes: companies.settings.gc_deletes } } },
  ]);
});

it("accepts any version up to the clock, and any order of members, in documents of many records", async () => {
  const { elasticsearch, redis } = register.stores;
  const [id = ""] = await fetchFirstIds(register, "officers", 1);
  const [stored] = await elasticsearch.fetchDocuments("officers", [id]);
  const version = await redis.nextRevision(0);
  const reordered = Object.fromEntries(Object.entries(stored?.source ?? {}).toReversed());
  await elasticsearch.write("officers", [{ id, version, document: reordered }]);
  expect((await verify(register, { index: "officers" })).exitCode).toBe(0);
});

/** What was planted in an index, and what one run of the command after another reported. */
interface Seen {
  planted: { id: string; kind: string; what?: string }[];
  found: Run;
  dry: Run;
  mended: Run;
  after: Run;
}
type Run = Awaited<ReturnType<typeof verify>>;

describe("differences planted by hand", () => {
  const NAMES = [
    "companies",
    "officers",
    "disqualified-officers",
    "persons-with-significant-control",
  ] as const;
  const seen = new Map<string, Seen>();
  // All at once, since the runs mostly wait for batches that may be running.
  beforeAll(() => Promise.all(NAMES.map(async (name) => seen.set(name, await plantAndVerify(name)))));

  it.each(NAMES)("in %s are named by kind, and left alone until --repair repairs them", (name) => {
    const { planted, found, dry, mended, after } = seen.get(name) ?? ({} as Partial<Seen>);
    expect(found?.exitCode).toBe(2);
    expect(found?.report.indices[0]).toMatchObject({ missing: 1, extra: 2, different: 3 });
    const named = found?.report.indices.flatMap((one) => one.named) ?? [];
    expect(named.toSorted(byId)).toEqual(planted?.toSorted(byId));
    expect(dry?.exitCode).toBe(2);
    expect(mended?.exitCode).toBe(0);
    expect(mended?.report.indices[0]).toMatchObject({
      missing: 0,
      extra: 0,
      different: 0,
      repaired: { missing: 1, extra: 2, different: 3 },
    });
    // A version that stayed ahead would block later writes of the worker, and be a difference.
    expect(after?.exitCode).toBe(0);
  });

  async function plantAndVerify(index: IndexName): Promise<Seen> {
    const planted = await plant(index);
    const found = await verify(register, { index });
    const dry = await verify(register, { index, repair: "true", dryRun: "true" });
    const mended = await verify(register, { index, repair: "true" });
    return { planted, found, dry, mended, after: await verify(register, { index }) };
  }

  async function plant(name: IndexName): Promise<Seen["planted"]> {
    const [deleted = "", altered = "", ahead = "", added = ""] = await fetchFirstIds(register, name, 4);
    expect(added).not.toBe("");
    const { elasticsearch } = register.stores;
    const [stored] = await elasticsearch.fetchDocuments(name, [ahead]);
    // Sent directly, not through the service: Elasticsearch then increments versions itself.
    const tamper = (method: string, path: string, body?: object) =>
      askElasticsearch(register.config, method, `${register.config.INDEX_PREFIX}${name}/${path}`, body);
    await tamper("DELETE", `_doc/${deleted}`);
    await tamper("POST", `_update/${altered}`, { doc: { words: 77 } });
    await tamper("POST", `_update/${added}`, { doc: { shown: { planted: true } } });
    const future = Date.now() * 1000 + 3_600_000_000;
    await elasticsearch.write(name, [{ id: ahead, version: future, document: stored?.source ?? {} }]);
    await tamper("PUT", `_doc/planted-1`, { words: 1 });
    await elasticsearch.write(name, [{ id: "planted-2", version: future, document: {} }]);
    return [
      { id: deleted, kind: "missing" },
      { id: altered, kind: "different", what: "content" },
      { id: added, kind: "different", what: "content" },
      { id: ahead, kind: "different", what: "version" },
      { id: "planted-1", kind: "extra" },
      { id: "planted-2", kind: "extra" },
    ];
  }

  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
});
