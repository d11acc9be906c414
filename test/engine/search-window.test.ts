/** The paging window of the primary searches, over the API. */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { openRegister, openStorage, type Storage, type TestRegister } from "../support/register.ts";

const PATHS = ["/search", "/search/companies", "/search/officers", "/search/disqualified-officers"];

let storage: Storage;
let register: TestRegister;
beforeAll(async () => {
  storage = await openStorage();
});
afterEach(() => register.close());
afterAll(async () => {
  await storage.end();
  await closeStores(storage.stores);
});

test.each([
  [undefined, 1000],
  [30, 30],
  // The widest window: the last page that the engine answers, with the largest size.
  [9900, 9900],
])("with SEARCH_WINDOW %s, the first refused page starts at %i", async (setting, window) => {
  const config = { ...storage.config, ...(setting && { SEARCH_WINDOW: setting }) };
  const stores = openStores(config);
  const own = { config, stores, end: () => Promise.resolve() };
  register = await openRegister({ withWorker: false, storage: own });
  for (const path of PATHS) {
    const page = `${path}?q=anything&items_per_page=100`;
    expect(await register.get(`${page}&start_index=${window - 1}`)).toMatchObject({ status: 200 });
    // The body is empty like the original's, not even the word `null`.
    expect(await register.get(`${page}&start_index=${window}`)).toMatchObject({
      status: 416,
      body: undefined,
    });
    // With a cursor, start_index is ignored.
    expect(await register.get(`${page}&start_index=${window}&cursor=*`)).toMatchObject({ status: 200 });
    expect(await register.get(`${page}&start_index=${window}&cursor=`)).toMatchObject({ status: 416 });
  }
});
