import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openRoutes, type TestRoutes } from "../../support/http.ts";
import { lantern, lanternList, storedLantern } from "../../support/lantern.ts";

const records = [storedLantern];
let routes: TestRoutes;
beforeAll(async () => {
  routes = await openRoutes({ resources: [lantern, lanternList], records: { lanterns: records } });
});
afterAll(() => routes.close());

const ask = (path: string, headers: Record<string, string>, method = "GET") =>
  routes.request(path, { method, headers });
const tagOf = async (path: string) => (await ask(path, {})).headers.get("etag") ?? "";

describe("the header If-None-Match", () => {
  it.each([
    ["the tag of the answer", (tag: string) => tag],
    ["the tag in its weak form", (tag: string) => `W/${tag}`],
    ["the tag among others", (tag: string) => `"other", ${tag}, W/"third"`],
    ["any tag", () => "*"],
  ])("gets 304 with %s", async (_what, send) => {
    const tag = await tagOf("/lanterns/one");
    expect(tag).toMatch(/^"[0-9a-f]{40}"$/);
    for (const method of ["GET", "HEAD"]) {
      const response = await ask("/lanterns/one", { "if-none-match": send(tag) }, method);
      expect([response.status, await response.text()]).toEqual([304, ""]);
      expect(response.headers.get("etag")).toBe(tag);
      expect(response.headers.get("cache-control")).toBe("private, no-cache");
    }
  });

  it.each([
    ["another tag", () => '"other"'],
    ["the tag and one letter more", (tag: string) => `${tag}x`],
    ["the etag of the record", () => `"${storedLantern.etag}"`],
  ])("gets the whole answer with %s", async (_what, send) => {
    const headers = { "if-none-match": send(await tagOf("/lanterns/one")) };
    expect((await ask("/lanterns/one", headers)).status).toBe(200);
  });

  it("gets no 304 for a missing record", async () => {
    expect((await ask("/lanterns/none", { "if-none-match": "*" })).status).toBe(404);
  });
});

it("gives each version of one record an ETag of its own", async () => {
  const newest = await tagOf("/lanterns/one");
  const first = await ask("/lanterns/one", {
    accept: "application/vnd.company-register.lantern+json; version=1",
    "if-none-match": newest,
  });
  expect(first.status).toBe(200);
  expect(first.headers.get("etag")).not.toBe(newest);
  expect(first.headers.get("vary")).toBe("Accept");
});

it("derives the ETag of a record from all that it shows, not from the etag of its source", async () => {
  const tag = await tagOf("/lanterns/one");
  records[0] = { ...storedLantern, data: { name: "Corrected" } };
  const after = await ask("/lanterns/one", { "if-none-match": tag });
  records[0] = storedLantern;
  expect(await after.json()).toEqual({ etag: storedLantern.etag, lantern_name: "Corrected" });
});

it("derives the ETag of a list from all that it shows, not from its first item", async () => {
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

it.each(["POST", "PUT", "PATCH", "DELETE", "REPORT", "PROPFIND"])("refuses %s with 405", async (method) => {
  const response = await ask("/lanterns/one", {}, method);
  expect([response.status, response.headers.get("allow")]).toEqual([405, "HEAD, GET"]);
});
