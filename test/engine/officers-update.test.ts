/** The officers' daily update on the real engines: behind the snapshots, twice, killed, by many workers, and late. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { createLogger } from "../../api/core/logger.ts";
import { SourceError } from "../../api/core/errors.ts";
import { closeStores, openStores } from "../../api/core/stores/index.ts";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { deadLettersExportCommand } from "../../ingest/commands/dead-letters-export.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchDeadLetters } from "../../ingest/dead-letters.ts";
import { fetchLatestLoads } from "../../ingest/loads.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchJob } from "../../ingest/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { startWorker } from "../../ingest/worker.ts";
import { dyingAt, Killed } from "../support/dying-stores.ts";
import { aCompanyLine, aFile, anUpdateLine, type UpdateTold } from "../support/officer-lines.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { fetchState, projectState, type RegisterState } from "../support/register-state.ts";

interface Facts {
  officers: {
    after_update: Record<
      | "appointments_before"
      | "current_before"
      | "appointments_after"
      | "current_after"
      | "created"
      | "resigned"
      | "reinstated"
      | "deleted"
      | "changed"
      | "corrected"
      | "renumbered or retyped"
      | "nominee appointments touched"
      | "global 199012340001"
      | "global 199013710001",
      number
    >;
  };
  files: Record<string, { records: number }>;
}

const SAMPLE = "test/fixtures/register";
const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const expected = facts.officers.after_update;
const SNAPSHOTS = ["195_4321_ew", "195_4321_sc", "195_4321_ni", "216_4321_ew"].map(
  (name) => `officers/Prod${name}_1_01112026010001.dat`,
);
const UPDATE = "officers/Prod198_4322.dat";
const updateLines = readFileSync(`${SAMPLE}/${UPDATE}`, "utf8").trimEnd().split("\n");

// Hundreds of batches of one company each, on machines that have other things to do.
jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), "officers-update-"));
const open: TestRegister[] = [];
let undisturbed: RegisterState;

afterEach(async () => {
  for (const register of open.splice(0)) await register.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function withSnapshots(settings: Record<string, string> = {}): Promise<TestRegister> {
  const register = await openRegister({ settings });
  open.push(register);
  expect(await register.load(...SNAPSHOTS)).toMatchObject({ exitCode: 0 });
  return register;
}

/** A further worker of the register. */
function startHelper({ config }: TestRegister): () => Promise<void> {
  const stores = openStores(config, { forWorker: true });
  const stop = startWorker(config, stores, createLogger("silent", "worker"));
  return async () => {
    await stop();
    await closeStores(stores);
  };
}

const loadFile = (register: TestRegister, path: string, options: Record<string, string> = {}) =>
  register.run(loadCommand, [path], { encoding: "utf-8", ...options });

function file(run: number, lines: string[], name = `Prod198_${run}.dat`): string {
  const path = join(folder, name);
  const day = String(20_261_102 + run - 4322);
  writeFileSync(path, aFile(`DDDDUPDT${run}${day}`, lines));
  return path;
}

const count = (register: TestRegister, filter = {}) =>
  register.stores.mongo.records.count(appointmentRecord, filter);

const held = (register: TestRegister, field: string, value: string) =>
  register.stores.mongo.writer.fetchGroups(appointmentRecord, field, [value]) as Promise<StoredAppointment[]>;

async function expectIndexed(register: TestRegister): Promise<RegisterState> {
  const state = await fetchState(register.stores);
  expect(state.documents).toEqual(await projectState(register.stores));
  expect(state.notes).toBe(0);
  return state;
}

describe("the sample, loaded behind the snapshots", () => {
  let register: TestRegister;
  let before: Map<string, StoredAppointment>;
  let after: Map<string, StoredAppointment>;
  const all = async () => {
    const records = new Map<string, StoredAppointment>();
    for await (const chunk of register.stores.mongo.scanner.scan(appointmentRecord, {})) {
      for (const item of chunk as StoredAppointment[]) records.set(item._id, item);
    }
    return records;
  };
  beforeAll(async () => {
    register = await withSnapshots();
    open.splice(0);
    before = await all();
    const run = await register.load(UPDATE);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.told.join("\n")).not.toMatch(/run/);
    expect(run.printed.join("\n")).not.toMatch(/warning/);
    after = await all();
    undisturbed = await fetchState(register.stores);
  });
  afterAll(() => register.close());

  it("ends with the totals of the facts, in both stores", async () => {
    const current = [...before.values()].filter(({ is_resigned }) => !is_resigned).length;
    expect([before.size, current]).toEqual([expected.appointments_before, expected.current_before]);
    expect(await count(register)).toBe(expected.appointments_after);
    expect(await count(register, { is_resigned: false })).toBe(expected.current_after);
    const { documents } = await expectIndexed(register);
    const shown = Object.entries(documents).filter(([id]) => id.startsWith("officers/"));
    const counts = shown.map(([, document]) => (document as Shown).shown.appointment_count);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(expected.appointments_after);
  });

  interface Shown {
    shown: { appointment_count: number };
  }

  it("followed each rule as often as the facts say", () => {
    const pairs = [...after].flatMap(([id, now]) => {
      const was = before.get(id);
      return was ? [{ was, now }] : [];
    });
    const resigned = pairs.filter(({ was, now }) => !was.is_resigned && now.is_resigned);
    const reinstated = pairs.filter(({ was, now }) => was.is_resigned && !now.is_resigned);
    expect(resigned).toHaveLength(expected.resigned);
    expect(reinstated).toHaveLength(expected.reinstated);
    // The identity of a merge and of a corrected day changes; that of what is entered again the same day does not.
    const gone = [...before.keys()].filter((id) => !after.has(id)).length;
    const fresh = [...after.keys()].filter((id) => !before.has(id)).length;
    const moved = 2;
    const again = 1;
    expect(gone).toBe(expected.deleted + moved - again);
    expect(fresh).toBe(expected.created + moved - again);
    const ofPerson = pairs.filter(({ now }) => now.person_number === "199012340001");
    expect(ofPerson.filter(({ now }) => now.data.nationality === "Irish")).toHaveLength(
      expected["global 199012340001"],
    );
    const movedAddress = ofPerson.filter(({ now }) => now.data.address?.address_line_1 === "77 Moved Lane");
    expect(movedAddress).toHaveLength(expected.changed);
    const corrected = [...after.values()].filter(({ person_number }) => person_number === "199013710001");
    expect(corrected.map(({ data }) => data.name_elements?.surname)).toEqual(
      Array<string>(expected["global 199013710001"]).fill("O'PLACEHOLDER-REED"),
    );
    expect(corrected.filter(({ data }) => data.appointed_on === "2009-11-01")).toHaveLength(
      expected.corrected,
    );
    const nominee = [...after.values()].filter(({ person_number }) => person_number === "900099010001");
    expect(nominee.filter(({ data }) => data.address?.address_line_1 === "New Shelf House")).toHaveLength(
      expected["nominee appointments touched"],
    );
  });

  it("moved both persons' search documents with a merge", async () => {
    const { documents } = await fetchState(register.stores);
    expect(documents).not.toHaveProperty([`officers/${deriveOfficerId("199016450001")}`]);
    expect(documents[`officers/${deriveOfficerId("199990010001")}`]).toMatchObject({
      shown: { appointment_count: 2 },
    });
  });

  it("renamed a company whose line stands alone", async () => {
    const names = (await held(register, "company_number", "99000033")).map(({ data }) => data.company_name);
    expect(new Set(names)).toEqual(new Set(["STRIKE OFF SAMPLE (RENAMED) LIMITED"]));
  });

  it("changes nothing when it is loaded again, and is said to have been applied", async () => {
    const dry = await register.run(loadCommand, [`${SAMPLE}/${UPDATE}`], {
      encoding: "utf-8",
      dryRun: "true",
    });
    expect(dry.printed).toEqual(expect.arrayContaining(["created   0", "changed   0", "removed   0"]));
    const again = await register.load(UPDATE);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.told[0]).toMatch(/run 4322 has been applied, the last one was 4322/);
    expect(again.printed.slice(1, 2)).toEqual(["written   0"]);
    expect(await expectIndexed(register)).toEqual(undisturbed);
  });

  it("is not undone by the snapshots before it", async () => {
    expect(await register.load(...SNAPSHOTS)).toMatchObject({ exitCode: 0 });
    expect(await expectIndexed(register)).toEqual(undisturbed);
    expect(
      await register.run(
        loadCommand,
        SNAPSHOTS.slice(0, 3).map((path) => `${SAMPLE}/${path}`),
        {
          ...{ encoding: "utf-8", complete: "true", force: "true" },
        },
      ),
    ).toMatchObject({ exitCode: 0 });
    // Of what the update told nothing is taken for lacking.
    const now = await all();
    expect([...after.values()].filter(({ _id, update }) => update && !now.has(_id))).toEqual([]);
  });
});

describe("an update that is disturbed ends as if it had not been", () => {
  it("with a worker that is killed at any of its writes, before or after", async () => {
    const register = await withSnapshots();
    const [header = "", ...rest] = updateLines;
    const source = findSource("officers-update");
    const first = { line: 1, text: header };
    const rows = rest.map((text, at) => ({ line: at + 2, text }));
    // In batches of one company, as the smallest limits would cut them.
    const numbers = [...new Set(rows.map(({ text }) => text.slice(0, 8)))];
    let n = 0;
    for (const number of numbers) {
      const group = rows.filter(({ text }) => text.startsWith(number));
      const job: BatchJob = {
        ...{ load: "a-load", file: "Prod198_4322.dat", source: source.name, unreadable: [], rows: group },
        ...{ context: source.open(first, "Prod198_4322.dat") },
        revision: await register.stores.redis.nextRevision(),
      };
      const jobId = `a-load-${job.revision}`;
      for (const isDone of [false, true]) {
        for (let write = 1 + (n % 3); write < 14; write += 3) {
          const dying = dyingAt(register.stores, write, isDone);
          await processBatch(dying, source, job, jobId).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
        }
      }
      n += 1;
      await processBatch(register.stores, source, job, jobId);
    }
    expect(await expectIndexed(register)).toEqual(undisturbed);
  });

  it("in small batches by several workers", async () => {
    const register = await withSnapshots({ BATCH_ROWS: "1", WORKER_CONCURRENCY: "4" });
    const stops = [startHelper(register), startHelper(register)];
    expect(await register.load(UPDATE)).toMatchObject({ exitCode: 0 });
    for (const stop of stops) await stop();
    expect(await expectIndexed(register)).toEqual(undisturbed);
  });

  it("by a load that is broken off, and gone on with or begun anew", async () => {
    const register = await withSnapshots({ BATCH_ROWS: "1", WORKER_CONCURRENCY: "1" });
    let asked = 0;
    const path = `${SAMPLE}/${UPDATE}`;
    const broken = await register.run(loadCommand, [path], { encoding: "utf-8" }, () => (asked += 1) > 1);
    expect(broken.error).toBeDefined();
    expect(await register.load(UPDATE)).toMatchObject({ exitCode: 0 });
    expect(await expectIndexed(register)).toEqual(undisturbed);
    const [, begun] = await fetchLatestLoads(register.stores.mongo.documents, 2);
    const resumed = await register.run(loadCommand, [], { encoding: "utf-8", resume: begun?._id ?? "" });
    expect(resumed).toMatchObject({ exitCode: 0 });
    expect(await expectIndexed(register)).toEqual(undisturbed);
  });

  it("by the same batch in many hands at once", async () => {
    const register = await withSnapshots();
    const [header = "", ...rest] = updateLines;
    const source = findSource("officers-update");
    const jobs = await Promise.all(
      [1, 2, 3, 4].map(async (number) => ({
        ...{ load: `load-${number}`, file: "Prod198_4322.dat", source: source.name, unreadable: [] },
        ...{ context: source.open({ line: 1, text: header }, "Prod198_4322.dat") },
        rows: rest.map((text, at) => ({ line: at + 2, text })),
        revision: await register.stores.redis.nextRevision(),
      })),
    );
    await Promise.all(jobs.map((job) => processBatch(register.stores, source, job, `${job.load}-1`)));
    expect(await expectIndexed(register)).toEqual(undisturbed);
  });
});

describe("runs", () => {
  const resignation = (day: string, told: UpdateTold = {}) =>
    anUpdateLine({
      company: "99000001",
      number: "199028780001",
      newType: "03",
      appointed: "20180503",
      resigned: day,
      ...told,
    });
  const statusOf = async (register: TestRegister) => {
    const appointments = await held(register, "person_number", "199028780001");
    return appointments.map(({ data }) => data.resigned_on);
  };

  it("are applied in their order; a gap is refused until a person insists; an older run undoes nothing", async () => {
    const register = await withSnapshots();
    const before = await fetchState(register.stores);
    const late = file(4324, [resignation("20261103")]);
    const early = file(4322, [resignation("20261101")]);
    const gap = await loadFile(register, late);
    expect(gap.error).toBeInstanceOf(SourceError);
    expect(gap.error?.message).toMatch(/expected was run 4322: runs 4322 to 4323 are missing.*--force/);
    const reversed = await register.run(loadCommand, [late, early], { encoding: "utf-8" });
    expect(reversed.error?.message).toMatch(/ascending order/);
    expect((await loadFile(register, late, { dryRun: "true" })).error?.message).toMatch(/are missing/);
    expect(await fetchState(register.stores)).toEqual(before);

    const forced = await loadFile(register, late, { force: "true" });
    expect(forced).toMatchObject({ exitCode: 0 });
    expect(forced.told[0]).toMatch(/runs 4322 to 4323 are missing, and what they told stays missing/);
    expect(await loadFile(register, early)).toMatchObject({ exitCode: 0 });
    expect(await statusOf(register)).toEqual(["2026-11-03"]);
    await expectIndexed(register);
  });

  it("that a newer snapshot shows change nothing", async () => {
    const register = await withSnapshots();
    const newer = SNAPSHOTS.slice(0, 3).map((path) => {
      const target = join(folder, path.replace("officers/", "").replace("4321", "4400"));
      const text = readFileSync(`${SAMPLE}/${path}`, "utf8");
      writeFileSync(target, text.replace("DDDDSNAP432120261101", "DDDDSNAP440020270101"));
      return target;
    });
    expect(await register.run(loadCommand, newer, { encoding: "utf-8" })).toMatchObject({ exitCode: 0 });
    const before = await fetchState(register.stores);
    const run = await register.load(UPDATE);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.told[0]).toMatch(/run 4322 is not newer than the snapshot of run 4400/);
    expect(await fetchState(register.stores)).toEqual(before);
  });

  it("a newer snapshot takes over what an update told, and brings back what it deleted", async () => {
    const register = await withSnapshots();
    await register.load(UPDATE);
    const target = join(folder, "Prod195_4400_ew_1_01012027010001.dat");
    const text = readFileSync(`${SAMPLE}/${SNAPSHOTS[0]}`, "utf8");
    writeFileSync(target, text.replace("DDDDSNAP432120261101", "DDDDSNAP440020270101"));
    expect(await register.run(loadCommand, [target], { encoding: "utf-8" })).toMatchObject({ exitCode: 0 });
    const appointments = await held(register, "person_number", "199035630001");
    expect(appointments.map(({ is_resigned }) => is_resigned)).toEqual([false]);
    const deleted = await held(register, "person_number", "199078100001");
    expect(deleted.map(({ company_number }) => company_number)).toContain("99000024");
    await expectIndexed(register);
  });
});

describe("bad lines", () => {
  it("are refused with field and reason; exported, mended and loaded again they are applied", async () => {
    const register = await withSnapshots();
    const told = { company: "99000500", number: "100000010001" };
    const bad = anUpdateLine({ ...told, newType: "42" });
    const lines = [
      aCompanyLine("99000500", "MOCK LTD"),
      bad,
      anUpdateLine({ ...told, number: "200000020001" }),
    ];
    const run = await loadFile(register, file(4322, lines));
    expect(run).toMatchObject({ exitCode: 2 });
    const [load] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    const letters = await fetchDeadLetters(register.stores.mongo.documents, load?._id ?? "", 10);
    expect(letters).toMatchObject([{ line: 3, field: "new_type", reason: "is not known: 42" }]);

    expect(await held(register, "company_number", "99000500")).toHaveLength(1);
    const path = join(folder, "Prod198_4322-refused.dat");
    await register.run(deadLettersExportCommand, [load?._id ?? ""], { out: path });
    const text = readFileSync(path, "utf8");
    expect(text.split("\n").slice(0, 2)).toEqual(["DDDDUPDT432220261102", lines[0]]);
    writeFileSync(path, text.replace(bad, anUpdateLine(told)));
    expect(await loadFile(register, path)).toMatchObject({ exitCode: 0 });
    const appointments = await held(register, "company_number", "99000500");
    expect(appointments.map(({ person_number }) => person_number).sort()).toEqual([
      "100000010001",
      "200000020001",
    ]);
    await expectIndexed(register);
  });

  it.each([
    [
      "a trailer that does not add up",
      updateLines.with(-1, "9999999900000031"),
      /the trailer says 31 records, the file has 30/,
    ],
    ["no trailer", updateLines.slice(0, -1), /truncated/],
    ["a header without its run", updateLines.with(0, "DDDDUPDT 20261102"), /a run number and a date/],
  ])("%s fails the load before anything is changed", async (_name, lines, reason) => {
    const register = await openRegister();
    open.push(register);
    const path = join(folder, "Prod198_4322.dat");
    writeFileSync(path, lines.join("\n"));
    expect((await loadFile(register, path)).error?.message).toMatch(reason);
    expect(await count(register)).toBe(0);
  });
});
