/** An index that rejects what a load has written to MongoDB: other loads go on, and doctor says what is missing. */
import { expect, it } from "@jest/globals";
import { askElasticsearch, examine, findingOf } from "../support/doctor.ts";
import { COMPANIES, load, OFFICERS } from "../support/load-command.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { SAMPLE } from "../support/sample-register.ts";

const TITLE = "Batches rejected by Elasticsearch";
const newRegister = registersPerTest();

it("a batch that Elasticsearch rejects keeps no other source from being loaded, and is mended once it takes it", async () => {
  const register = await newRegister();
  const block = (isBlocked: boolean | null) =>
    askElasticsearch(register.config, "PUT", `${register.config.INDEX_PREFIX}companies/_settings`, {
      "index.blocks.write": isBlocked,
    });
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await block(true);
  const failed = await load(register, [COMPANIES]);
  expect(failed.error?.message).toMatch(/index companies rejected \d+ documents, the first \S+: .*blocked/);

  const other = await load(register, [`${SAMPLE}/disqualified/Prod192_4287.txt`]);
  expect(other.exitCode).toBe(0);
  expect(other.told.join("\n")).toMatch(
    /Elasticsearch still rejects 1 batch of an earlier load: index companies rejected .* doctor says what to do/,
  );
  const finding = findingOf(await examine(register), TITLE);
  expect(finding).toMatchObject({
    verdict: "fail",
    found: expect.stringMatching(/^1 batch, stored in MongoDB but not searchable: index companies rejected/),
    hint: expect.stringMatching(/cli -- reindex.*cli -- verify/),
  });

  await block(null);
  const next = await load(register, [`${SAMPLE}/disqualified/Prod192_4287.txt`]);
  expect(next.told.join("\n")).toMatch(
    /Elasticsearch had rejected 1 batch of an earlier load, and has now accepted it/,
  );
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await register.stores.elasticsearch.refresh();
  expect(await register.stores.elasticsearch.count("companies")).toBe(200);
});

it("officers that Elasticsearch rejects when all their rows are written end the load with its reason", async () => {
  const register = await newRegister();
  const [first = "", second = ""] = OFFICERS;
  expect(await load(register, [first])).toMatchObject({ exitCode: 0 });
  const block = (isBlocked: boolean | null) =>
    askElasticsearch(register.config, "PUT", `${register.config.INDEX_PREFIX}officers/_settings`, {
      "index.blocks.write": isBlocked,
    });
  await block(true);
  const failed = await load(register, [second]);
  expect(failed.error?.message).toMatch(/index officers rejected \d+ documents, the first \S+: .*blocked/);
  expect(findingOf(await examine(register), TITLE).verdict).toBe("fail");

  await block(null);
  await load(register, [COMPANIES]);
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await expectStoresAgree(register.stores);
});
