/** How far and how much a caller may read: the paging window of the primary searches, and the cost of a large page. */
import { beforeAll, expect, it } from "@jest/globals";
import { openStores } from "../../api/shared/stores/index.ts";
import { batchRunner, company } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { addTestKey } from "../support/keys.ts";
import { basic, openRegister } from "../support/register.ts";

const PATHS = ["/search", "/search/companies", "/search/officers", "/search/disqualified-officers"];
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

it.each([
  [undefined, 1000],
  [30, 30],
  // The widest window: the last page that the engine answers, with the largest size.
  [9900, 9900],
])("with SEARCH_WINDOW %s, the first refused page starts at %i", async (setting, window) => {
  const config = { ...register.config, ...(setting && { SEARCH_WINDOW: setting }) };
  // The register belongs to all tests, so its end only closes these stores.
  const storage = { config, stores: openStores(config), end: () => Promise.resolve() };
  const { get, close } = await openRegister({ withWorker: false, storage });
  try {
    for (const path of PATHS) {
      const page = `${path}?q=anything&items_per_page=100`;
      expect(await get(`${page}&start_index=${window - 1}`)).toMatchObject({ status: 200 });
      // The body is empty like the original's, not even the word `null`.
      expect(await get(`${page}&start_index=${window}`)).toMatchObject({ status: 416, body: undefined });
      // With a cursor, start_index is ignored.
      expect(await get(`${page}&start_index=${window}&cursor=*`)).toMatchObject({ status: 200 });
      expect(await get(`${page}&start_index=${window}&cursor=`)).toMatchObject({ status: 416 });
    }
  } finally {
    await close();
  }
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
