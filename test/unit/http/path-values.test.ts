import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { openRoutes, type TestRoutes } from "../../support/http.ts";
import { lantern, storedLantern } from "../../support/lantern.ts";

let routes: TestRoutes;
beforeAll(async () => {
  // Engines refuse some of these values with an error, so values that cannot name anything must not reach them.
  const read: typeof lantern.read = (_records, { lantern_id }) =>
    Promise.resolve(lantern_id === "one" ? storedLantern : Promise.reject(new Error("must not be read")));
  routes = await openRoutes({ resources: [{ ...lantern, read }], records: {} });
});
afterAll(() => routes.close());

it.each(["one%00", "%00", "a%1Fb", "%7F", "%C2%85", "%0A"])(
  "a value with a control character is 404, without a read: %s",
  async (value) => {
    expect((await routes.request(`/lanterns/${value}`, {})).status).toBe(404);
  },
);

it("any other value is looked up", async () => {
  expect((await routes.request("/lanterns/one", {})).status).toBe(200);
});
