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
    const statusAt = async (start: number) =>
      (await register.get(`${path}?q=anything&items_per_page=100&start_index=${start}`)).status;
    expect([path, await statusAt(window - 1), await statusAt(window)]).toEqual([path, 200, 416]);
  }
});
