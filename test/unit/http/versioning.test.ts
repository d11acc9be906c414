import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { QueryParameters } from "../../../api/shared/schemas/query-parameters.ts";
import { createNegotiation, requireAccepted } from "../../../api/http/versioning.ts";
import type { SearchDefinition } from "../../../api/search/define-search.ts";
import { openRoutes, type TestRoutes } from "../../support/http.ts";
import { lantern, storedLantern } from "../../support/lantern.ts";

const V2 = "application/vnd.company-register.lantern+json; version=2";
const V1 = "application/vnd.company-register.lantern+json; version=1";
const V0 = "application/vnd.company-register.lantern+json; version=0";
const TYPE = "application/vnd.company-register.lantern+json";
const ALIAS = "application/vnd.company-register.lamp+json";
const JSON_TYPE = "application/json";

const object = { type: "object" };
const seek: SearchDefinition<QueryParameters> = {
  name: "seek-lanterns",
  path: "/seek",
  summary: "Searches lanterns, for tests.",
  parameters: {},
  indices: ["companies"],
  phases: () => ({ build: () => ({}) }),
  mapResponse: () => ({ found: 0 }),
  schema: object,
  version: 2,
  olderVersions: [
    {
      version: 1,
      deprecation: { expiresOn: "2027-02-21" },
      schema: object,
      mapResponse: () => ({ hits: 0 }),
    },
  ],
};

let routes: TestRoutes;
beforeAll(async () => {
  routes = await openRoutes({
    resources: [lantern],
    searches: [seek],
    records: { lanterns: [storedLantern] },
    found: { total: 0, hits: [] },
  });
});
afterAll(() => routes.close());

async function ask(accept: string | undefined, path = "/lanterns/one") {
  // Without a header, fetch sends `*/*`; the empty one stands for no header.
  const response = await routes.request(path, { headers: { accept: accept ?? "" } });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    expiry: response.headers.get("service-expiry-date"),
    body: JSON.parse(text) as unknown,
  };
}

describe("the latest version", () => {
  it.each([
    ["no header", undefined],
    ["any type", "*/*"],
    ["any application type", "application/*"],
    ["JSON", "application/json"],
    ["JSON with its charset", "application/json; charset=utf-8"],
    ["JSON with a parameter that has a comma", 'application/json; note="a, b"; q=0.8'],
    ["JSON in capitals", "Application/JSON"],
    ["its type without a version", TYPE],
    ["JSON of its version", `${JSON_TYPE}; version=2`],
    ["any type of its version", "*/*; version=2"],
    ["any application type of its version", "application/*; version=2"],
    ["JSON of an expired version, or else any JSON", `${JSON_TYPE}; version=0, ${JSON_TYPE};q=0.1`],
    ["the list that browsers send", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    ["the list that axios sends", "application/json, text/plain, */*"],
    ["an expired version, or else any type", `${V0}, */*;q=0.1`],
    ["its version in quotes", `${TYPE}; version="2"`],
    ["two versions of equal weight, the latest first", `${V2};q=0.5, ${V1};q=0.5`],
  ])("is the answer to %s", async (_what, accept) => {
    expect(await ask(accept)).toEqual({
      status: 200,
      type: V2,
      expiry: null,
      body: { etag: storedLantern.etag, lantern_name: "One" },
    });
  });
});

describe("a deprecated version", () => {
  const deprecated = {
    status: 200,
    type: V1,
    expiry: `2027-02-21; rel=${V1}`,
    body: { etag: storedLantern.etag, name: "One" },
  };

  it.each([
    ["asked for alone", V1],
    ["preferred by weight", `${V2};q=0.4, ${V1};q=0.9`],
    ["the only one, since the latest is refused", `${V2};q=0, ${TYPE}`],
    ["asked for as JSON", `${JSON_TYPE}; version=1`],
    ["asked for as any type", "*/*; version=1"],
  ])("is answered with the day on which it expires: %s", async (_what, accept) => {
    expect(await ask(accept)).toEqual(deprecated);
  });

  it("is named with the prefix of the request", async () => {
    const answer = await ask(V1.replace("vnd.", "x."));
    expect(answer).toEqual({ ...deprecated, type: V1.replace("vnd.", "x.") });
  });

  it("is refused from the day on which it expires", async () => {
    routes.setToday("2027-02-21");
    expect((await ask(V1)).status).toBe(410);
    expect((await ask(V2)).status).toBe(200);
    routes.setToday("2026-11-21");
  });
});

describe("an alias", () => {
  it.each([
    ["without a version", ALIAS, `${ALIAS}; version=2`],
    ["of the latest version", `${ALIAS}; version=2`, `${ALIAS}; version=2`],
    ["of an older version", `${ALIAS}; version=1`, `${ALIAS}; version=1`],
    ["with the prefix x", ALIAS.replace("vnd.", "x."), `${ALIAS.replace("vnd.", "x.")}; version=2`],
    [
      "after a name that no resource has",
      `${TYPE.replace("lantern", "torch")}, ${ALIAS}`,
      `${ALIAS}; version=2`,
    ],
    ["that is listed second", ALIAS.replace("lamp", "light"), `${ALIAS.replace("lamp", "light")}; version=2`],
    ["beside JSON", `${ALIAS}, ${JSON_TYPE};q=0.5`, `${ALIAS}; version=2`],
  ])("is answered under the name that was asked for: %s", async (_what, accept, type) => {
    expect(await ask(accept)).toMatchObject({ status: 200, type });
  });
});

describe("a version that is not available", () => {
  it.each([
    ["expired", V0, 410, "media-type-version-expired"],
    ["expired, with the prefix x", V0.replace("vnd.", "x."), 410, "media-type-version-expired"],
    ["unknown", `${TYPE}; version=3`, 406, "invalid-media-type"],
    ["not a number", `${TYPE}; version=two`, 406, "invalid-media-type"],
    ["of another resource", V2.replace("lantern", "officer-list"), 406, "invalid-media-type"],
    ["of another vendor", V2.replace("company-register", "other"), 406, "invalid-media-type"],
    ["not JSON", "text/html", 406, "invalid-media-type"],
    ["expired, of JSON", `${JSON_TYPE}; version=0`, 410, "media-type-version-expired"],
    ["expired, of any type", "*/*; version=0", 410, "media-type-version-expired"],
    ["expired, of any application type", "application/*; version=0", 410, "media-type-version-expired"],
    ["unknown, of JSON", `${JSON_TYPE}; version=3`, 406, "invalid-media-type"],
    ["unknown, of any type", "*/*; version=3", 406, "invalid-media-type"],
    ["expired, under an alias", `${ALIAS}; version=0`, 410, "media-type-version-expired"],
    ["unknown, under an alias", `${ALIAS}; version=3`, 406, "invalid-media-type"],
    ["any, with no weight", "*/*;q=0", 406, "invalid-media-type"],
    ["not a media type", "json", 406, "invalid-media-type"],
  ])("is refused, here one that is %s: %s", async (_what, accept, status, error) => {
    expect(await ask(accept)).toEqual({
      status,
      type: "application/json",
      expiry: null,
      body: { errors: [{ type: "ch:service", error }] },
    });
  });

  it("is refused before the record is looked up", async () => {
    expect((await ask(V0, "/lanterns/none")).status).toBe(410);
    expect((await ask(V2, "/lanterns/none")).status).toBe(404);
  });
});

describe("a search", () => {
  const type = "application/vnd.company-register.seek-lanterns+json";

  it.each([
    ["*/*", 200, `${type}; version=2`, { found: 0 }],
    [`${type}; version=1`, 200, `${type}; version=1`, { hits: 0 }],
  ])("has versions like a resource: %s", async (accept, status, answered, body) => {
    expect(await ask(accept, "/seek")).toMatchObject({ status, type: answered, body });
  });

  it("refuses an expired version with 410", async () => {
    expect((await ask(`${type}; version=0`, "/seek")).status).toBe(410);
  });
});

describe("the versions of a definition", () => {
  const make = (versions: { version: number; deprecation?: { expiresOn: string } }[]) =>
    createNegotiation("a", { name: "lantern", versions, expired: [] });

  it("must be listed newest first", () => {
    expect(() => make([{ version: 1 }, { version: 2 }])).toThrow("newest first");
  });

  it("must not begin with a deprecated one", () => {
    expect(() => make([{ version: 1, deprecation: { expiresOn: "2027-01-01" } }])).toThrow(
      "cannot be deprecated",
    );
  });
});

describe("the only type of a download", () => {
  const requireCsv = (accept: string | undefined) => () => requireAccepted(accept, "text/csv");

  it.each([
    undefined,
    "",
    "*/*",
    "text/*",
    "text/csv",
    "TEXT/CSV; charset=utf-8",
    "application/json, */*;q=0.1",
  ])("is accepted by the header %j", (accept) => {
    expect(requireCsv(accept)).not.toThrow();
  });

  it.each(["application/json", "text/html", "text/csv;q=0, */*", "*/*;q=0", "csv"])(
    "is not accepted by the header %j",
    (accept) => {
      expect(requireCsv(accept)).toThrow(expect.objectContaining({ status: 406 }));
    },
  );
});
