/** A reindex that finds what hands have changed: somebody's index, an alias on two indices, an alias on none. */
import { expect, it } from "@jest/globals";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { planBack } from "../../ingest/reindex/standing.ts";
import { planReindex, runReindex } from "../../ingest/reindex/run-reindex.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { SmallRegister } from "../support/reindex.ts";

// The tests stand in their order: the last one takes everything away.
const register = SmallRegister.forAllTests();

const reindex = () => register.withRun(companiesIndex, (run) => runReindex(run, false));
const alias = () => `${register.config.INDEX_PREFIX}companies`;
const listNames = async () =>
  (await register.stores.elasticsearch.builds.list("companies")).map(({ name }) => name);

it("leaves alone an index of somebody else that is named alike", async () => {
  const foreign = `${alias()}-vault`;
  await askElasticsearch(register.config, "PUT", foreign);
  expect((await reindex()).pruned).toEqual([]);
  const { former, pruned } = await reindex();
  expect(pruned).toHaveLength(1);
  expect(pruned).not.toContain(foreign);
  expect(await listNames()).toContain(foreign);
  // Nor is it what --back would return to.
  const plan = await planBack({ stores: register.stores, index: companiesIndex });
  expect(plan.live).toBe(former);
});

it("is refused, as is its plan and the way back, while the alias leads to two indices", async () => {
  const { former } = await reindex();
  const actions = [{ add: { index: former, alias: alias() } }];
  await askElasticsearch(register.config, "POST", "_aliases", { actions });
  const asked = { stores: register.stores, index: companiesIndex };
  const names = await listNames();
  const sentence = /^the alias of companies points to several indices: \S+, \S+; remove it from all but one/;
  await expect(reindex()).rejects.toThrow(sentence);
  await expect(planReindex(asked, true)).rejects.toThrow(sentence);
  await expect(planBack(asked)).rejects.toThrow(sentence);
  expect(await listNames()).toEqual(names);
});

it("builds from MongoDB where the alias leads to none", async () => {
  await register.stores.elasticsearch.deleteIndices();
  const { documents, former } = await reindex();
  expect([documents, former]).toEqual([5, null]);
  expect(await register.nameIn("companies")).toBe("COMPANY 1 LIMITED");
});
