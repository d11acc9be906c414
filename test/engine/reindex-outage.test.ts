/** MongoDB becomes unavailable during the full scans of a reindex, a comparison and a load of a whole edition. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { wordsIndex } from "../../index-mappings/words/index.ts";
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { IdSet } from "../../ingest/load/id-set.ts";
import type { LoadRun } from "../../ingest/load/open-file.ts";
import { findLacking } from "../../ingest/load/retire.ts";
import type { ReindexRun } from "../../ingest/reindex/index-set.ts";
import { compareIndex } from "../../ingest/verify/compare-index.ts";
import { whileLeaving } from "../support/faults/leaving-mongo.ts";
import { ID, listBegun, reindexOne, SILENT, SmallRegister } from "../support/reindex.ts";
import { aCompany, anOfficer } from "../support/search-records.ts";

const officersIndex = findIndex("officers");
// Several chunks of a scan; chunks end in the middle of a person.
const COMPANIES = 2_100;
const PEOPLE = 700;
const APPOINTMENTS_EACH = 3;
// So long that the first companies are written before all are read.
const ADDRESS = { address_line_1: "Invented Row ".repeat(150) };
const FOR_A_WHILE = { patienceMs: 20_000, awayMs: 2_000 };
const FOR_A_MOMENT = { ...FOR_A_WHILE, awayMs: 300 };
const FOR_GOOD = { patienceMs: 200 };
const RUNS_DEADLINE_MS = 90_000;

let register: SmallRegister;
let total: number;
let reindexed: { companies: Outcome; officers: Outcome };
let failed: { fault: unknown; before: Builds; after: Builds; differences: number };
let compared: { companies: Compared; officers: Compared };
let lacking: { messages: string[]; count: number };

type Outcome = Awaited<ReturnType<typeof reindex>>;
type Compared = Awaited<ReturnType<typeof compare>>;
type Builds = Awaited<ReturnType<typeof listBuilds>>;

// Runs as much at once as possible, since it mostly waits.
beforeAll(async () => {
  register = await SmallRegister.open();
  await fill();
  total = await register.stores.mongo.records.count(companyRecord, {});
  const [companies, officers] = await register.withRun(companiesIndex, (run) =>
    Promise.all([reindex(run, companiesIndex), reindex(run, officersIndex)]),
  );
  reindexed = { companies, officers };
  const all = await Promise.all([
    failToReindex(),
    compare(companiesIndex),
    compare(officersIndex),
    countLacking(),
  ]);
  failed = all[0];
  compared = { companies: all[1], officers: all[2] };
  lacking = all[3];
}, RUNS_DEADLINE_MS);
afterAll(() => register.close());

async function fill(): Promise<void> {
  const { mongo, elasticsearch } = register.stores;
  for (const index of [wordsIndex, officersIndex]) await elasticsearch.createIndex(index, new Date());
  const companies = Array.from({ length: COMPANIES }, (_, index) =>
    aCompany({
      company_number: String(index + 10_000_000),
      company_name: "FAR LIMITED",
      registered_office_address: ADDRESS,
    }),
  );
  const appointments = Array.from({ length: PEOPLE }, (_, index) =>
    anOfficer({ officer_id: `person-${index}`, surname: "Far", active_count: APPOINTMENTS_EACH }),
  ).flat();
  await mongo.writer.insertMissing(companyRecord, companies);
  await mongo.writer.insertMissing(appointmentRecord, appointments);
}

async function reindex(run: ReindexRun, index: IndexDefinition) {
  const progress: number[] = [];
  const watch = (what: string) => ({
    onProgress: (done: number) => void (what.startsWith("building") && progress.push(done)),
    end: () => undefined,
  });
  const observer = { ...run.observer, watch };
  const outage = { ...FOR_A_WHILE, isAfterWrite: index === companiesIndex };
  const { result, messages } = await whileLeaving(register.config, outage, (stores) =>
    reindexOne({ ...run, stores, index, observer }),
  );
  const { stores } = register;
  return {
    ...{ built: result.built, former: result.former, documents: result.documents, progress, messages },
    operations: await stores.elasticsearch.builds.countOperations(result.built),
    differences: await register.countDifferences(index),
    builds: await listBuilds(index),
    begun: (await listBegun(stores)).filter((build) => build.index === index.name),
  };
}

async function failToReindex() {
  const before = await listBuilds(companiesIndex);
  const fault = await whileLeaving(register.config, FOR_GOOD, (stores) =>
    register.withRun(companiesIndex, (run) => reindexOne(run), { stores }),
  ).catch((error: unknown) => error);
  const after = await listBuilds(companiesIndex);
  return { fault, before, after, differences: await register.countDifferences(companiesIndex) };
}

async function compare(index: IndexDefinition) {
  let last = 0;
  const watch = () => ({ onProgress: (done: number) => void (last = done), end: () => undefined });
  const options = { observer: { ...SILENT, watch }, what: index.name };
  const work = async (stores: Stores) => (await compareIndex(stores, index, options)).compared;
  return { ...(await whileLeaving(register.config, FOR_A_MOMENT, work)), last };
}

/** Counts the records that are missing from an edition with one company. */
async function countLacking() {
  const ids = new IdSet(1);
  ids.add(companyRecord.collection, ID);
  const completeness = { records: [companyRecord], members: [], covers: () => true };
  const edition = { completeness, context: {}, productionDate: undefined };
  // The cast: the rest of a load is not used.
  const run = {
    context: { config: register.config },
    record: { plan: { revision: Number.MAX_SAFE_INTEGER } },
    isForced: true,
    watch: SILENT.watch,
  } as unknown as LoadRun;
  const { result, messages } = await whileLeaving(register.config, FOR_A_MOMENT, (stores) =>
    findLacking({ ...run, stores }, edition, ids),
  );
  return { messages, count: result.lacking };
}

async function listBuilds(index: IndexDefinition) {
  const builds = await register.stores.elasticsearch.builds.list(index.name);
  return builds.map(({ name, isLive }) => ({ name, isLive }));
}

const away = expect.stringMatching(/^mongodb is not available/);

describe("a reindex that loses MongoDB for a while", () => {
  it.each(["companies", "officers"] as const)(
    "continues after the last of the %s, and writes each once",
    (name) => {
      const count = name === "companies" ? total : PEOPLE;
      const { messages, documents, operations, progress } = reindexed[name];
      expect({ messages, documents, operations }).toEqual({
        messages: [away],
        documents: count,
        operations: count,
      });
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(progress.at(-1)).toBe(count);
    },
  );

  it.each(["companies", "officers"] as const)("ends with equal stores and nothing left to do: %s", (name) => {
    const { differences, builds, begun, built, former } = reindexed[name];
    expect(differences).toBe(0);
    expect(begun).toEqual([]);
    expect(builds).toEqual([
      { name: former, isLive: false },
      { name: built, isLive: true },
    ]);
  });
});

it("a reindex fails if MongoDB stays unavailable too long, and leaves the live index untouched", () => {
  const { fault, before, after, differences } = failed;
  expect((fault as Error).message).toMatch(
    /^mongodb is not available.*; the live index is untouched; `npm run cli -- reindex --resume` continues/,
  );
  expect(after).toEqual([...before, { name: expect.any(String), isLive: false }]);
  expect(differences).toBe(0);
});

it.each(["companies", "officers"] as const)(
  "a comparison continues when MongoDB is back, and counts each document once: %s",
  (name) => {
    const { messages, result, last } = compared[name];
    const { documents } = reindexed[name];
    expect(messages).toContainEqual(away);
    expect(result).toEqual({ expected: documents, found: documents, missing: 0, extra: 0, different: 0 });
    expect(last).toBe(documents);
  },
);

it("records that an edition lacks are counted once, even if MongoDB was unavailable meanwhile", () => {
  expect(lacking).toEqual({ messages: [away], count: total - 1 });
});
