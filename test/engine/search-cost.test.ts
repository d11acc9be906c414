/** How much of a caller's limit a large page of a search uses. */
import { beforeAll, expect, it } from "@jest/globals";
import { batchRunner, company } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { addTestKey } from "../support/keys.ts";
import { basic, openRegister } from "../support/register.ts";

const LIMITED_KEY = "a-key-with-a-limit";
const COMPANIES = 1_001;

const register = forAllTests(() => openRegister({ withWorker: false }));
beforeAll(async () => {
  await addTestKey(register.stores.mongo.documents, LIMITED_KEY, { name: "limited", limit: 1_000 });
  const rows = Array.from({ length: COMPANIES }, (_, at) =>
    company("A LTD", String(at + 1).padStart(8, "0")),
  );
  const run = batchRunner(() => register.stores);
  await run({ source: "api-json-lines", fileName: "a.jsonl", rows: rows.map((row) => JSON.stringify(row)) });
  await register.stores.elasticsearch.refresh(["companies"]);
});

/** Returns a page's number of companies, and the number of calls left after it. */
async function fetchPage(query: string): Promise<[items: number, remaining: number]> {
  const answer = await fetch(`${register.base}/advanced-search/companies?${query}`, {
    headers: basic(LIMITED_KEY),
  });
  const { items = [] } = (await answer.json()) as { items?: unknown[] };
  return [items.length, Number(answer.headers.get("x-ratelimit-remain"))];
}

it("counts each thousand companies of a page as one call, as in a download", async () => {
  expect(await fetchPage("size=1000")).toEqual([1_000, 999]);
  expect(await fetchPage("size=5000")).toEqual([1_001, 997]);
  expect(await fetchPage("size=5000&cursor=*")).toEqual([1_001, 995]);
  expect(await fetchPage("size=5000&company_status=dissolved")).toEqual([0, 994]);
});
