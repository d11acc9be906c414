/** Answers that Elasticsearch caches for frequent searches until the register changes. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "@jest/globals";
import { askElasticsearch } from "../support/doctor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, PARTS, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";

interface Page {
  items: { company_number: string; title: string }[];
}

const folder = makeOwnFolder();
const register = forAllTests(openRegister);
beforeAll(async () => {
  await load(register, PARTS);
});

async function countCached(): Promise<{ hits: number; misses: number }> {
  const path = `${register.config.INDEX_PREFIX}companies/_stats/request_cache`;
  const { _all } = (await askElasticsearch(register.config, "GET", path)) as {
    _all: { primaries: { request_cache: { hit_count: number; miss_count: number } } };
  };
  const { hit_count: hits, miss_count: misses } = _all.primaries.request_cache;
  return { hits, misses };
}

async function search(query: string): Promise<Page> {
  const { status, body } = await register.get(query);
  expect(status).toBe(200);
  return body as Page;
}

it.each(["/search/companies?q=a", "/suggest/companies?q=br", "/search?q=a", "/search/companies?q=+Bramble+"])(
  "caches the answer to %s",
  async (query) => {
    const before = await countCached();
    const first = await search(query);
    const { hits, misses } = await countCached();
    expect(hits).toBe(before.hits);
    expect(misses).toBeGreaterThan(before.misses);
    expect(await search(query)).toEqual(first);
    expect((await countCached()).hits).toBeGreaterThan(hits);
  },
);

it.each([
  "/search/companies?q=bramble+hill",
  "/search/companies?q=00000006",
  "/search/companies?q=a&start_index=20",
  "/search/companies?q=a&cursor=*",
  "/advanced-search/companies?company_status=active",
])("does not cache %s", async (query) => {
  const before = await countCached();
  await search(query);
  expect(await countCached()).toEqual(before);
});

const ASKED = "/search/companies?q=a";

it("answers with the changed register after a change", async () => {
  const [{ company_number, title } = { company_number: "", title: "" }] = (await search(ASKED)).items;
  const day = "BasicCompanyDataAsOneFile-2026-12-01.csv";
  const edition = readFileSync(
    writeEdition(folder, day, () => true),
    "utf8",
  );
  const changed = writeFile(folder, day, edition.replace(`"${title}"`, '"ZZYZX LIMITED"'));
  expect(await load(register, [changed])).toMatchObject({ exitCode: 0 });
  expect((await search(ASKED)).items.map((item) => item.company_number)).not.toContain(company_number);
});
