import { describe, expect, it } from "@jest/globals";
import { completeCases } from "../../../scripts/commands/contract.ts";
import type { EndpointDocument } from "../../../scripts/contract/case-file.ts";
import { generateCases } from "../../../scripts/contract/generate-cases.ts";

const charge: EndpointDocument = {
  endpoint: "charge",
  request: "/company/99000050/charges/{id}",
  from: { id: { path: "/company/99000050/charges", pointer: "/items/0/links/self" } },
  notFound: "lost",
  aliases: ["charge-details"],
  cases: {},
};
const chargeList: EndpointDocument = {
  endpoint: "charge-list",
  request: "/company/99000050/charges",
  cases: {},
};

describe("the generated cases", () => {
  it("vary the request in access, version and path", () => {
    expect(Object.keys(generateCases(charge))).toEqual([
      ...["no-key", "unknown-key", "other-method"],
      ...["version-1", "version-1-of-charge-details", "version-0", "version-unknown"],
      ...["malformed-number", "number-without-zeros", "unknown-company", "of-another-company", "not-found"],
    ]);
  });

  it("replace one part of the path by a name of nothing that exists", () => {
    const { "malformed-number": malformed, "not-found": lost } = generateCases(charge);
    expect(malformed).toMatchObject({
      request: "/company/not-a-number/charges/{id}",
      status: 404,
      body: { errors: [{ type: "ch:service", error: "lost" }] },
    });
    expect(lost?.request).toBe("/company/99000050/charges/AAAAAAAAAAAAAAAAAAAAAAAAAAA");
  });

  it("expect an answer for a caller without a key only if the endpoint is open", () => {
    expect(generateCases(charge)["no-key"]?.status).toBe(401);
    expect(generateCases({ ...charge, isOpen: true })["no-key"]?.status).toBeUndefined();
  });

  it("include each version under each name of the media type", () => {
    const { "version-2-of-charge-details": named, "version-1": first } = generateCases({
      ...charge,
      versions: [2, 1],
    });
    const type = "application/vnd.{vendor}.charge-details+json; version=2";
    expect(named).toEqual({ request: { headers: { accept: type } }, headers: { "content-type": type } });
    expect(first?.headers).toEqual({ "content-type": "application/vnd.{vendor}.charge+json; version=1" });
  });

  it("send If-None-Match with an asterisk if the answer has an ETag, and expect no body", () => {
    expect(generateCases(charge)).not.toHaveProperty("not-modified");
    expect(generateCases({ ...charge, hasEtag: true })["not-modified"]).toMatchObject({
      request: { headers: { "if-none-match": "*" } },
      status: 304,
    });
  });

  it("give each parameter its wrong values, and do not change the others", () => {
    const request = "/dissolved-search/companies?q=a+b&search_type=best-match";
    const cases = generateCases({ endpoint: "search-dissolved-companies", request, cases: {} });
    const pathOf = (name: string) => cases[name]?.request;
    expect(pathOf("q-missing")).toBe("/dissolved-search/companies?search_type=best-match");
    expect(pathOf("search-type-unknown")).toBe("/dissolved-search/companies?q=a+b&search_type=x");
    expect(pathOf("size-not-whole")).toBe(`${request}&size=1.5`);
    expect(cases["size-not-whole"]?.body).toEqual({
      errors: [
        {
          ...{ type: "ch:validation", error: "invalid-parameter" },
          ...{ location_type: "query-parameter", location: "size", error_values: { size: "1.5" } },
        },
      ],
    });
    expect(generateCases(chargeList)["filter-unknown"]?.request).toBe("/company/99000050/charges?filter=x");
  });

  it.each([
    [{ ...charge, endpoint: "lantern" }, "there are cases of lantern, which is no endpoint"],
    [
      { ...charge, request: "/company/99000050/charges" },
      "does not fit /company/:company_number/charges/:charge_id",
    ],
  ])("are refused for a document that fits no definition: %j", (document, message) => {
    expect(() => generateCases(document)).toThrow(message);
  });
});

describe("a complete case", () => {
  const complete = (written: EndpointDocument["cases"], document = chargeList) =>
    completeCases({ ...document, cases: written }, []).filter(({ name }) => name in written);

  it("has the request of its endpoint and the status 200, unless it says otherwise", () => {
    expect(complete({ found: {} })).toEqual([
      { endpoint: "charge-list", name: "found", request: { path: "/company/99000050/charges" }, status: 200 },
    ]);
  });

  it("has another query of the same path, another path, or another method", () => {
    const paths = complete({
      query: { request: "?filter=outstanding" },
      path: { request: "/company/99000025/charges" },
      head: { request: { method: "HEAD" } },
    }).map(({ request }) => request);
    expect(paths).toEqual([
      { path: "/company/99000050/charges?filter=outstanding" },
      { path: "/company/99000025/charges" },
      { path: "/company/99000050/charges", method: "HEAD" },
    ]);
  });

  it("has the values of earlier answers that it uses, and those that these use", () => {
    const etag = { path: "{self}", pointer: "/etag" };
    const self = { path: "?items_per_page=1", pointer: "/items/0/links/self" };
    const [usesValues, usesNone] = complete(
      {
        "uses-values": { request: { headers: { "if-none-match": "{etag}" } } },
        "uses-none": { request: "/company/99000050" },
      },
      { ...chargeList, from: { self, etag } },
    );
    expect(usesValues?.from).toEqual({
      self: { ...self, path: "/company/99000050/charges?items_per_page=1" },
      etag,
    });
    expect(usesNone?.from).toBeUndefined();
  });

  it("replaces the generated or shared case of the same name", () => {
    const shared = {
      each: { "charge-list": { page: "3" } },
      cases: {
        "no-key": { status: 402 },
        paged: { request: "?items_per_page={page}" },
        own: { status: 404 },
      },
    };
    const all = completeCases({ ...chargeList, cases: { own: { status: 410 } } }, [shared]);
    const statusOf = (wanted: string) =>
      all.filter(({ name }) => name === wanted).map(({ status }) => status);
    expect([statusOf("no-key"), statusOf("own"), statusOf("unknown-key")]).toEqual([[402], [410], [401]]);
    expect(all.find(({ name }) => name === "paged")?.request.path).toBe(
      "/company/99000050/charges?items_per_page=3",
    );
  });
});
