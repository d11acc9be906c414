/** The paging window of the primary searches, through the API and on the real engine. */
import { afterEach, expect, test } from "@jest/globals";
import { openRegister, type TestRegister } from "../support/register.ts";

const PATHS = ["/search", "/search/companies", "/search/officers", "/search/disqualified-officers"];

let register: TestRegister;
afterEach(() => register.close());

test.each([
  [undefined, 1000],
  ["30", 30],
  // The widest: the engine answers the last page there is, of the largest size.
  ["9900", 9900],
])("with SEARCH_WINDOW %s the first page that is refused starts at %i", async (setting, window) => {
  register = await openRegister({
    withWorker: false,
    ...(setting && { settings: { SEARCH_WINDOW: setting } }),
  });
  for (const path of PATHS) {
    const page = `${path}?q=anything&items_per_page=100`;
    expect(await register.get(`${page}&start_index=${window - 1}`)).toMatchObject({ status: 200 });
    // The body is empty, as the original's: not even the word `null`.
    expect(await register.get(`${page}&start_index=${window}`)).toMatchObject({
      status: 416,
      body: undefined,
    });
    // A cursor is looked at instead.
    expect(await register.get(`${page}&start_index=${window}&cursor=*`)).toMatchObject({ status: 200 });
    expect(await register.get(`${page}&start_index=${window}&cursor=`)).toMatchObject({ status: 416 });
  }
});
