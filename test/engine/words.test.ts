/** The index of words, which makes searches forgive misspellings: it follows loads, and is restored when lost. */
import { beforeAll, expect, it } from "@jest/globals";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { prepareStores } from "../../ingest/prepare.ts";
import { requireIndices } from "../../index-mappings/readiness.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { verify } from "../support/verify.ts";

const register = forAllTests(openRegister);
beforeAll(async () => {
  expect(await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip")).toMatchObject({
    exitCode: 0,
  });
});

/** A sample company. The text below is three edits away from the whole name, so only the single words lead to it. */
const MEANT = '"ZEPHYRDALE" QUOTED NAME LIMITED';
const TYPED = "zephirdole quotd name";

const search = (q: string) => register.get(`/search/companies?q=${encodeURIComponent(q)}`);

async function titlesOf(q: string): Promise<string[]> {
  const { body } = await search(q);
  return (body as { items: { title: string }[] }).items.map(({ title }) => title);
}

it("finds a misspelt name as soon as its company is loaded", async () => {
  expect(await titlesOf(TYPED)).toContain(MEANT);
});

it("is refilled by verify --repair when it was lost", async () => {
  const { config } = register;
  const found = await askElasticsearch(config, "GET", `${config.INDEX_PREFIX}words`);
  await askElasticsearch(config, "DELETE", Object.keys(found as object).join());
  // Only misspelt queries need the index.
  expect(await titlesOf(MEANT)).toContain(MEANT);
  expect((await search(TYPED)).status).toBe(503);
  await expect(requireIndices(register.stores.elasticsearch, () => Promise.resolve(null))).rejects.toThrow(
    /^missing: words; run `npm run cli -- prepare`, then `npm run cli -- verify --repair`$/,
  );

  expect(await prepareStores(register.stores, new Date())).toEqual([expect.stringContaining("words-v1")]);
  await register.stores.elasticsearch.refresh();
  expect(await titlesOf(TYPED)).not.toContain(MEANT);

  expect(await verify(register)).toMatchObject({ exitCode: 2, report: { equal: false } });
  const { printed } = await register.run(verifyCommand, []);
  expect(printed.join("\n")).toMatch(/companies: .*\n {2}words of its names are missing/);
  expect(await verify(register, { repair: "true" })).toMatchObject({ exitCode: 0, report: { equal: true } });
  await register.stores.elasticsearch.refresh();
  expect(await titlesOf(TYPED)).toContain(MEANT);
  expect(await verify(register)).toMatchObject({ exitCode: 0, report: { equal: true } });
});

it("gets back a single word that was deleted just before", async () => {
  const path = `${register.config.INDEX_PREFIX}words/_doc/ZEPHYRDALE?refresh=true`;
  await askElasticsearch(register.config, "DELETE", path);
  expect(await verify(register)).toMatchObject({ exitCode: 2, report: { equal: false } });
  expect(await verify(register, { repair: "true" })).toMatchObject({ exitCode: 0, report: { equal: true } });
  await register.stores.elasticsearch.refresh();
  expect(await titlesOf(TYPED)).toContain(MEANT);
});
