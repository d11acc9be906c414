import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCasesFolder, readCases } from "../../../scripts/commands/contract.ts";
import type { ContractCase } from "../../../scripts/contract/case-file.ts";
import { buildReport, runCase } from "../../../scripts/contract/run-case.ts";
import { listen, type Listening } from "../../support/serve.ts";

let server: Listening;
beforeAll(async () => {
  // Answers with what it receives.
  const echo = createServer((request, response) => {
    const { authorization = null, accept } = request.headers;
    response.setHeader("content-type", "application/json");
    response.statusCode = request.url === "/gone" ? 410 : 200;
    response.end(JSON.stringify({ url: request.url, authorization, accept, "a/b": ["/item/27"] }));
  });
  server = await listen(echo);
});
afterAll(() => server.close());

const run = (given: ContractCase) => runCase({ base: server.base, key: "k", vendor: "acme" }, given);

describe("a case", () => {
  it("sends the key unless it says otherwise", async () => {
    expect(
      await run({ request: { path: "/" }, status: 200, body: { authorization: "Basic azo=" } }),
    ).toBeNull();
    expect(
      await run({ request: { path: "/", key: false }, status: 200, body: { authorization: null } }),
    ).toBeNull();
  });

  it("uses values of earlier answers, and the vendor word, in path, headers and body", async () => {
    const from = {
      item: { path: "/list", pointer: "/a~1b/0", take: "(\\d+)$" },
      again: { path: "/list/{item}", pointer: "/url" },
    };
    expect(
      await run({
        from,
        request: { path: "{again}/x", headers: { accept: "application/vnd.{vendor}.x+json" } },
        status: 200,
        body: { url: "/list/{item}/x", accept: "application/vnd.acme.x+json" },
      }),
    ).toBeNull();
  });

  it.each<[string, ContractCase, string]>([
    ["its status", { request: { path: "/gone" }, status: 200 }, "status is 410, expected 200"],
    ["a header", { request: { path: "/" }, status: 200, headers: { etag: "1" } }, "header/etag is absent"],
    ["its body", { request: { path: "/" }, status: 200, body: { url: "/x" } }, 'body/url is "/", expected'],
    [
      "an earlier answer",
      { from: { id: { path: "/gone", pointer: "/url" } }, request: { path: "/{id}" }, status: 200 },
      "id: /gone (410) has nothing at /url",
    ],
  ])("fails because of %s", async (_what, given, mismatch) => {
    expect(await run(given)).toContain(mismatch);
  });

  it("fails, and does not throw, when no server answers", async () => {
    const nowhere = { base: "http://127.0.0.1:9", key: "k", vendor: "acme" };
    expect(await runCase(nowhere, { request: { path: "/" }, status: 200 })).toMatch(/ECONNREFUSED|bad port/);
  });
});

describe("the report", () => {
  const given = { request: { path: "/a" }, status: 200, endpoint: "lantern", name: "found" };

  it("counts endpoints and cases, and reports what failed", () => {
    const lines = buildReport([
      { given, mismatch: null },
      { given: { ...given, name: "lost", why: "Shows it." }, mismatch: "status is 500" },
      { given: { ...given, endpoint: "lantern-list" }, mismatch: null },
    ]);
    expect(lines).toEqual([
      "lantern       fails  1 of 2 cases",
      "lantern-list  holds  1 of 1 cases",
      "",
      "lantern/lost: GET /a",
      "  Shows it.",
      "  status is 500",
      "",
      "1 of 2 endpoints, 2 of 3 cases",
    ]);
  });

  it("shows the beginning of a long path", () => {
    const long = { ...given, request: { path: `/a?q=${"q".repeat(300)}` }, name: "long" };
    const lines = buildReport([{ given: long, mismatch: "x" }]);
    expect(lines).toContain(`lantern/long: GET /a?q=${"q".repeat(195)}…`);
  });
});

describe("the files of cases", () => {
  const folder = mkdtempSync(join(tmpdir(), "cases-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (...lines: string[]) => writeFileSync(join(folder, "charge-list.yaml"), lines.join("\n"));
  const HEAD = ["endpoint: charge-list", "request: /company/99000050/charges"];

  it("are found beside the sources", () => {
    expect(findCasesFolder()).toBe(join(process.cwd(), "test", "contract"));
  });

  it("may contain several documents", () => {
    write(
      ...HEAD,
      "cases: { found: {} }",
      "---",
      "endpoint: coverage",
      "request: /coverage",
      "cases: { found: {} }",
    );
    const names = readCases(folder).map(({ endpoint, name }) => `${endpoint}/${name}`);
    expect(names).toContain("charge-list/found");
    expect(names).toContain("coverage/version-1");
  });

  it.each([
    ["text that is not YAML", ["cases: {"], "charge-list.yaml: "],
    ["two cases of one name", [...HEAD, "cases:", "  a: {}", "  a: {}"], "Map keys must be unique"],
    ["no request", ["endpoint: charge-list", "cases: {}"], "must have the member request"],
    ["a misspelt member", [...HEAD, "cases: { a: { bodi: {} } }"], "cases.a must not have the member bodi"],
    [
      "two documents of one endpoint",
      [...HEAD, "cases: {}", "---", ...HEAD, "cases: {}"],
      "two documents are about charge-list",
    ],
    [
      "shared cases of no endpoint",
      ["each: { charge: {} }", "cases: {}"],
      "charge shares cases but has no document",
    ],
  ])("are refused for %s", (_what, lines, message) => {
    write(...lines);
    expect(() => readCases(folder)).toThrow(message);
  });
});
