import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openRoutes, type TestRoutes } from "../../support/http.ts";
import { LANTERN_ETAG, lantern, lanternList, storedLantern } from "../../support/lantern.ts";

const records = [storedLantern];
let routes: TestRoutes;
beforeAll(async () => {
  routes = await openRoutes({ resources: [lantern, lanternList], records: { lanterns: records } });
});
afterAll(() => routes.close());

const TAG = `"${LANTERN_ETAG}-v2"`;
const ask = (path: string, headers: Record<string, string>, method = "GET") =>
  routes.request(path, { method, headers });

describe("a client that has the answer already", () => {
  it.each([
    ["its tag", TAG],
    ["its tag, weak", `W/${TAG}`],
    ["its tag among others", `"other", ${TAG}, W/"third"`],
    ["any tag", "*"],
  ])("is told so by 304 for %s", async (_what, tag) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask("/lanterns/one", { "if-none-match": tag }, method);
      expect([response.status, await response.text()]).toEqual([304, ""]);
      expect(response.headers.get("etag")).toBe(TAG);
      expect(response.headers.get("cache-control")).toBe("private, no-cache");
    }
  });

  it.each([
    ["another tag", { "if-none-match": '"other"' }],
    ["a tag without quotes", { "if-none-match": `${LANTERN_ETAG}-v2x` }],
  ])("gets the whole answer for %s", async (_what, headers) => {
    expect((await ask("/lanterns/one", headers)).status).toBe(200);
  });

  it("gets no 304 for a missing record", async () => {
    expect((await ask("/lanterns/none", { "if-none-match": "*" })).status).toBe(404);
  });
});

it("gives each version of one record an ETag of its own", async () => {
  const first = await ask("/lanterns/one", {
    accept: "application/vnd.company-register.lantern+json; version=1",
    "if-none-match": TAG,
  });
  expect([first.status, first.headers.get("etag")]).toEqual([200, `"${LANTERN_ETAG}"`]);
  expect(first.headers.get("vary")).toBe("Accept");
});

it("knows a list by all that it shows, not by its first item", async () => {
  const before = await ask("/lanterns", {});
  const tag = before.headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[0-9a-f]{40}"$/);
  expect((await ask("/lanterns", { "if-none-match": tag })).status).toBe(304);
  records.push({ ...storedLantern, _id: "two" });
  expect((await ask("/lanterns", { "if-none-match": tag })).status).toBe(200);
});

it("keeps errors out of every cache", async () => {
  const response = await ask("/lanterns/none", {});
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-type")).toBe("application/json");
});

it.each(["POST", "PUT", "PATCH", "DELETE", "REPORT", "PROPFIND"])("refuses %s by 405", async (method) => {
  const response = await ask("/lanterns/one", {}, method);
  expect([response.status, response.headers.get("allow")]).toEqual([405, "HEAD, GET"]);
});
