/** An index restored under another name, behind the usual alias. */
import { beforeAll, expect, it } from "@jest/globals";
import { askElasticsearch } from "../support/doctor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";

const SEARCHES = [
  "/search?q=leading%20zeros%20sample",
  "/search/companies?q=leading%20zeros%20sample&explain=true",
];

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip");
});

const fetchAnswers = () => Promise.all(SEARCHES.map(async (path) => await register.get(path)));

it("an index restored under another name is searched as before", async () => {
  const { stores, config } = register;
  const before = await fetchAnswers();
  const [live] = await stores.elasticsearch.fetchLiveIndices(["companies"]);
  const [name, copy] = [live?.name ?? "", `${config.INDEX_PREFIX}restored`];
  await askElasticsearch(config, "PUT", `${name}/_settings`, { "index.blocks.write": true });
  await askElasticsearch(config, "POST", `${name}/_clone/${copy}`, {});
  const alias = `${config.INDEX_PREFIX}companies`;
  const add = { index: copy, alias, is_write_index: true };
  const actions = [{ remove_index: { index: name } }, { add }];
  await askElasticsearch(config, "POST", "_aliases", { actions });
  const after = await fetchAnswers();
  expect(after.map(({ status }) => status)).toEqual([200, 200]);
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
});
