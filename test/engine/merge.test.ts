/** Records stated by a bulk file and by the API: which source wins, and how real officer ids replace derived ones. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommand } from "../../ingest/commands/load.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { deathOf, dyingAt } from "../support/dying-stores.ts";
import { followNow } from "../support/follow.ts";
import { openRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const ZIP = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";
const OFFICERS = "officers/Prod195_4321_ew_1_01112026010001.dat";
const folder = makeOwnFolder();

const register = forAllTests(openRegister);
beforeAll(async () => {
  expect(await register.load(ZIP, OFFICERS)).toMatchObject({ exitCode: 0 });
});

/** Loads lines as a file of API-shaped JSON lines. */
async function loadLines(lines: object[]): Promise<void> {
  const path = join(folder, "lines.jsonl");
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(await register.run(loadCommand, [path], { encoding: "utf-8" })).toMatchObject({ exitCode: 0 });
}

async function get<Body>(path: string): Promise<Body> {
  const { status, body } = await register.get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body as Body;
}

/** The first resource in a stream file whose URI begins so, without its `event`. */
function fromStream(name: string, uri: string): object {
  const lines = readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8").split("\n").filter(Boolean);
  const line = lines
    .map((text) => JSON.parse(text) as { resource_uri: string; event?: unknown })
    .find(({ resource_uri }) => resource_uri.startsWith(uri));
  delete line?.event;
  return line ?? {};
}

describe("a company with two sources", () => {
  const number = "99000064";

  it("takes the API's richer profile over the bulk file's", async () => {
    const before = await get<{ registered_office_address: object }>(`/company/${number}`);
    expect(before.registered_office_address).toMatchObject({ address_line_1: "62 PRETEND AVENUE" });
    const run = await register.load("api-shaped/company-profile.jsonl");
    expect(run).toMatchObject({ exitCode: 0 });
    const after = await get<object>(`/company/${number}`);
    expect(after).toMatchObject({
      etag: "f6b0270335b6f6f02322ae4457bf7f1cebe71e3b",
      registered_office_address: { address_line_1: "62 Pretend Avenue" },
      registered_office_is_in_dispute: false,
    });
  });

  it("keeps what the next bulk file does not state", async () => {
    // In the bulk file the company is active and at 1 FICTION STREET.
    const data = {
      ...{ company_name: "!NVENTED PUNCTUATION LTD", company_number: "99000001", type: "ltd" },
      ...{
        company_status: "active",
        company_status_detail: "transferred-from-uk",
        date_of_creation: "1901-01-01",
      },
      registered_office_address: { premises: "1", address_line_1: "Fiction Street", locality: "London" },
    };
    const [resource_uri, resource_id] = ["/company/99000001", "99000001"];
    await loadLines([{ resource_kind: "company-profile", resource_uri, resource_id, data }]);
    expect(await register.load(ZIP)).toMatchObject({ exitCode: 0 });
    expect(await get<object>(`/company/${number}`)).toMatchObject({
      registered_office_address: { address_line_1: "62 Pretend Avenue" },
      registered_office_is_in_dispute: false,
    });
    expect(await get<object>(resource_uri)).toMatchObject({
      company_status_detail: "transferred-from-uk",
      date_of_creation: "2018-05-03",
      registered_office_address: { premises: "1", address_line_1: "Fiction Street", postal_code: "EC1V 1ZZ" },
    });
    const again = await register.load(ZIP);
    expect(again.printed.join("\n")).toMatch(/^written\s+0$/m);
  });
});

describe("an officer whose real ids become known in a batch that dies", () => {
  it("leaves no extra appointment in the search once the batch is closed", async () => {
    const uri = "/company/OC399001/appointments/";
    const line = fromStream("officers", uri) as { data: { name: string } };
    const words = "Mockingbury Horatio";
    const before = await appointmentCount(words);
    const job = {
      ...{ load: "dead", file: "lines.jsonl", source: "api-json-lines", context: {} },
      revision: await register.stores.redis.nextRevision(0),
      rows: [{ line: 1, text: JSON.stringify(line) }],
    };
    // The batch dies at each write in turn; the follower of the log must find what it had done until then.
    let deaths = 0;
    const run = (n: number) =>
      processBatch(dyingAt(register.stores, n, true), findSource("api-json-lines"), job, `dead-job-${n}`);
    while (await deathOf(run(deaths + 1))) deaths += 1;
    expect(deaths).toBeGreaterThan(2);
    await followNow(register.stores);
    // Otherwise the search would show the state before, or half of what was written.
    await register.stores.elasticsearch.refresh();
    expect(await appointmentCount(words)).toBe(before);
  });

  async function appointmentCount(words: string): Promise<number> {
    type Found = { items: { appointment_count: number }[] };
    const { items } = await get<Found>(`/search/officers?q=${encodeURIComponent(words)}&items_per_page=100`);
    return items.reduce((sum, item) => sum + item.appointment_count, 0);
  }
});

describe("an officer whose real ids become known", () => {
  const company = "99000001";
  const uri = `/company/${company}/appointments/`;
  type List = { items: { name: string; links: { self: string; officer: { appointments: string } } }[] };

  it("keeps its appointments, now under the real ids, in the list and in the search", async () => {
    const before = await get<List>(`/company/${company}/officers`);
    const line = fromStream("officers", uri) as {
      resource_id: string;
      data: { links: { officer: { appointments: string } } };
    };
    await loadLines([line]);
    const after = await get<List>(`/company/${company}/officers`);
    expect(after.items).toHaveLength(before.items.length);
    const ids = after.items.map(({ links }) => links.self);
    expect(ids).toContain(uri + line.resource_id);
    expect(await get<object>(uri + line.resource_id)).toMatchObject({ name: "QUILLFEATHER, Barnaby" });

    const found = await get<List>("/search/officers?q=Barnaby+Quillfeather&items_per_page=100");
    expect(found.items.map(({ links }) => links.self)).toContain(line.data.links.officer.appointments);
  });

  it("keeps the real ids when the bulk file is loaded again", async () => {
    expect(await register.load(OFFICERS)).toMatchObject({ exitCode: 0 });
    const line = fromStream("officers", uri) as { resource_id: string };
    expect(await get<object>(uri + line.resource_id)).toMatchObject({ name: "QUILLFEATHER, Barnaby" });
  });
});
