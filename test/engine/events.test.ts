/** The sample's event streams, loaded in order, shuffled, repeated and cut off. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Statement } from "../../api/shared/definitions/define-record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import facts from "../fixtures/register/facts.json" with { type: "json" };
import { createRandom, shuffle } from "../../scripts/bench/random.ts";
import { addWorker } from "../support/further-worker.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, runCommand, type CommandRun, type TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { fetchState, projectState, type RegisterState } from "../support/register-state.ts";
import { SAMPLE } from "../support/sample-register.ts";

const BASE = [
  "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
  "companies/dissolved-extract.csv",
  "officers/Prod195_4321_ew_1_01112026010001.dat",
  "disqualified/Prod192_4287.txt",
  "psc/psc-snapshot-2026-11-01_1of2.txt",
  "psc/psc-snapshot-2026-11-01_2of2.txt",
  "api-shaped/filing-history.jsonl",
  "api-shaped/charges.jsonl",
  "api-shaped/insolvency.jsonl",
  "api-shaped/exemptions.jsonl",
];
const STREAMS = Object.keys(facts.streams.by_stream);
const folder = makeOwnFolder();
const newRegister = registersPerTest();

let ordered: TestRegister;
let loads: CommandRun[];
let expected: RegisterState;

beforeAll(async () => {
  ordered = await openRegister();
  expect(await ordered.load(...BASE)).toMatchObject({ exitCode: 0 });
  loads = [];
  for (const name of STREAMS) loads.push(await ordered.load(`streams/${name}.ndjson`));
  expected = await fetchState(ordered.stores);
});
afterAll(() => ordered.close());

/** All events of all streams, in file order. */
function readEvents(): string[] {
  const lines = STREAMS.flatMap((name) =>
    readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8").split("\n"),
  );
  return lines.filter(Boolean);
}

let files = 0;
/** Loads the lines in batches of seven. */
async function loadLines({ config, stores }: TestRegister, lines: string[]): Promise<void> {
  const path = join(folder, `events-${(files += 1)}.ndjson`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  const sevens = { config: { ...config, BATCH_ROWS: 7 }, stores };
  const { exitCode, error } = await runCommand(sevens, loadCommand, [path], { encoding: "utf-8" });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: undefined });
}

function totalOf({ printed }: CommandRun, word: string): number {
  const line = printed.find((text) => text.startsWith(word));
  return Number(/([\d,]+)/.exec(line ?? "")?.[1]?.replaceAll(",", "") ?? 0);
}

async function get<Body>(path: string): Promise<Body> {
  const { status, body } = await ordered.get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body as Body;
}

async function expectGone(path: string): Promise<void> {
  expect({ path, status: (await ordered.get(path)).status }).toEqual({ path, status: 404 });
}

describe("the sample streams", () => {
  it("are loaded whole: every row is an event, none is refused, and heartbeats are not rows", () => {
    const stored = new Map(Object.entries(facts.files));
    const stated = STREAMS.map((name) => {
      // The cast: facts of all files share one list; those of stream files have these members.
      const { events } = stored.get(`streams/${name}.ndjson`) as { events: number };
      return { exitCode: 0, read: events, skipped: 0 };
    });
    const read = loads.map((run) => {
      return { exitCode: run.exitCode, read: totalOf(run, "read"), skipped: totalOf(run, "skipped") };
    });
    expect(read).toEqual(stated);
  });

  it("remove stored records, and count them", () => {
    const removed = loads.map((run, at) => [STREAMS[at], totalOf(run, "removed")]);
    // No file contains that filing or those exemptions, or uses that id of the disqualified body.
    const notStored = ["filings", "company-exemptions", "disqualified-officers"];
    expect(removed).toEqual(STREAMS.map((name) => [name, notStored.includes(name) ? 0 : 1]));
  });

  it("leave both stores in agreement, with no change left to follow", async () => {
    expect(expected.documents).toEqual(await projectState(ordered.stores));
    expect(expected.notFollowed).toBe(0);
  });

  it("leave a tombstone of everything deleted", () => {
    const deleted = readEvents().filter((line) => line.includes('"type":"deleted"'));
    const uris = deleted.map((line) => (JSON.parse(line) as { resource_uri: string }).resource_uri);
    // The cast: a tombstone is a list of statements. Those without an event come from files, about a company.
    const known = Object.values(expected.gone).flatMap((statements) =>
      (statements as Statement[]).flatMap(({ event }) => event?.uri ?? []),
    );
    expect([...new Set(known)].sort()).toEqual(uris.sort());
  });

  it("bring new and changed records", async () => {
    expect(await get("/company/99000999")).toMatchObject({ company_name: "STREAMED INTO BEING LTD" });
    expect(await get("/company/99000064")).toMatchObject({
      registered_office_address: { address_line_1: "99 Streamed Lane" },
    });
    expect(await get("/company/99000033")).toMatchObject({ company_status: "dissolved" });
    const filing = "/company/99000064/filing-history/OTkwMDAwMDEwMmFkaXF6a2N4";
    expect(await get(filing)).toMatchObject({
      links: { document_metadata: expect.stringMatching(/^https/) },
    });
    const found = await get<{ items: { title: string }[] }>("/search/companies?q=streamed+into+being");
    expect(found.items[0]?.title).toBe("STREAMED INTO BEING LTD");
  });

  it("remove deleted records, also from the searches", async () => {
    await expectGone("/company/99090007");
    await expectGone("/company/99000052/exemptions");
    await expectGone("/company/99000041/insolvency");
    await expectGone("/company/99000025/charges/5zglVr7JB1GYZoeSIIyOn5W-zJM");
    const { items } = await get<{ items: { company_number: string }[] }>(
      "/search/companies?q=snickerbutton+cafe",
    );
    expect(items.map(({ company_number }) => company_number)).not.toContain("99090007");
  });

  it("leave counts and links that agree with the stored records", async () => {
    const charges = await get<{ total_count: number }>("/company/99000025/charges");
    const before = Object.values(facts.api_shaped.charges_by_company["99000025"]);
    expect(charges.total_count).toBe(before.reduce((sum, count) => sum + count) - 1);
    const { links } = await get<{ links: Record<string, string> }>("/company/99000041");
    expect(links).not.toHaveProperty("insolvency");
    const officers = await get<{ items: { name: string }[]; total_results: number }>(
      "/company/99000024/officers",
    );
    expect(officers.items.map(({ name }) => name)).not.toContain("MADEUPSON, Horatio James");
    expect(officers.total_results).toBe(officers.items.length);
  });

  it("change nothing when loaded again", async () => {
    const run = await ordered.load(...STREAMS.map((name) => `streams/${name}.ndjson`));
    expect([run.exitCode, totalOf(run, "written"), totalOf(run, "removed")]).toEqual([0, 0, 0]);
    expect(await fetchState(ordered.stores)).toEqual(expected);
  });
});

describe("the sample streams in another order", () => {
  const random = createRandom(20_261_102);
  const events = readEvents();

  it("give the same result shuffled and doubled, in four loads at once over two workers", async () => {
    const register = await newRegister();
    expect(await register.load(...BASE)).toMatchObject({ exitCode: 0 });
    const stop = addWorker(register);
    const lines = shuffle([...events, ...events], random);
    const quarter = Math.ceil(lines.length / 4);
    const parts = [0, 1, 2, 3].map((at) => lines.slice(at * quarter, (at + 1) * quarter));
    await Promise.all(parts.map((part) => loadLines(register, part)));
    await stop();
    expect(await fetchState(register.stores)).toEqual(expected);
  });
});

describe("a file of events that is cut off and out of order", () => {
  it("loads the whole lines, keeps the newer event, and refuses the rest by line", async () => {
    const register = await newRegister();
    const run = await register.load("streams/edge-cases/filings-cut-and-out-of-order.ndjson");
    expect(run.exitCode).toBe(2);
    expect(
      run.messages.filter((line) => line.startsWith("refused")).map((line) => /line \d/.exec(line)?.[0]),
    ).toEqual(["line 3", "line 4"]);
    const { body } = await register.get("/company/99000064/filing-history/OTkwMDAwMDEwMmFkaXF6a2N4");
    expect(body).toMatchObject({ pages: 4 });
  });
});
