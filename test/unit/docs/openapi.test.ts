import { describe, expect, it } from "@jest/globals";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { buildOpenApi } from "../../../api/docs/openapi.ts";
import type { securitySchemes } from "../../../api/docs/security.ts";
import { describePathParameters, describeQueryParameters } from "../../../api/docs/parameters.ts";
import { resources } from "../../../api/resources/index.ts";
import { downloads, searches } from "../../../api/search/index.ts";
import { readExample } from "../../support/resource-examples.ts";
import { lantern, lanternList } from "../../support/lantern.ts";

interface Document {
  paths: Record<string, { get: { responses: Record<string, unknown> } }>;
}

const page = buildOpenApi({ resources, searches, downloads }, "company-register");
const { paths } = page as unknown as Document;

it("names as its server the address that it was fetched from, with any path of a proxy", () => {
  const [server] = (page as unknown as { servers: { url: string }[] }).servers;
  const from = (address: string) => new URL(server?.url ?? "", address).href;
  expect(from("https://host.example/openapi.json")).toBe("https://host.example/");
  expect(from("https://host.example/register/openapi.json")).toBe("https://host.example/register/");
});

it("has the addresses of OAuth below the public address, or else on the host that it was fetched from", () => {
  const addressesOf = (publicUrl: string) => {
    const document = buildOpenApi({ resources: [], searches: [], downloads: [] }, "acme", publicUrl);
    const { components } = document as {
      components: { securitySchemes: ReturnType<typeof securitySchemes> };
    };
    return components.securitySchemes.oauth2.flows.authorizationCode;
  };
  expect(addressesOf("https://host.example/register/")).toMatchObject({
    authorizationUrl: "https://host.example/register/oauth2/authorise",
    tokenUrl: "https://host.example/register/oauth2/token",
    refreshUrl: "https://host.example/register/oauth2/token",
  });
  expect(addressesOf("")).toMatchObject({ authorizationUrl: "/oauth2/authorise", tokenUrl: "/oauth2/token" });
});

describe("with the reconciliation service", () => {
  const endpoints = { resources, searches, downloads, hasReconciliation: true };
  const whole = buildOpenApi(endpoints, "company-register") as unknown as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };

  it("obeys the linter", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(whole), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it("has for each status an example that names what is refused with it", () => {
    type Answer = { content: Record<string, { example: { errors: { location: string }[] } }> };
    const { responses } = (whole as unknown as { components: { responses: Record<string, Answer> } })
      .components;
    const namesOf = (status: number) =>
      responses[status]?.content["application/json"]?.example.errors.map(({ location }) => location);
    expect([400, 413, 422].map(namesOf)).toEqual([["items_per_page"], ["queries"], ["size"]]);
  });

  it("has the paths of the service, and a different id for each operation", () => {
    expect(Object.keys(whole.paths).filter((path) => path.startsWith("/reconcile"))).toEqual([
      "/reconcile",
      "/reconcile/suggest/entity",
      "/reconcile/suggest/property",
      "/reconcile/suggest/type",
      "/reconcile/properties",
      "/reconcile/preview/{id}",
    ]);
    const ids = Object.values(whole.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it("declares a key for every operation, in the header api_key too, as the specification does", () => {
  const { components } = page as unknown as { components: { securitySchemes: Record<string, unknown> } };
  expect(components.securitySchemes.api_key).toMatchObject({ type: "apiKey", in: "header", name: "api_key" });
  for (const { get } of Object.values(paths)) expect(get).toHaveProperty("security[1]", { api_key: [] });
});

it("has every resource and search", () => {
  const expected = [...resources, ...searches, ...downloads].map(({ path }) =>
    path.replace(/:(\w+)/g, "{$1}"),
  );
  expect(Object.keys(paths).sort()).toEqual(expected.sort());
});

it("has the searches first", () => {
  const { tags } = page as { tags?: { name: string }[] };
  expect(tags?.[0]?.name).toBe("search");
  expect(Object.keys(paths)[0]).toBe("/search");
});

it.each(resources.map(({ name, example }) => [name, example] as const))(
  "the example of %s is the one of that name in the file beside its definition",
  (name, example) => {
    expect(example).toEqual(readExample(name));
  },
);

describe("an operation", () => {
  const small = buildOpenApi(
    { resources: [lantern, lanternList], searches: [], downloads: [] },
    "acme",
  ) as unknown as Document;
  const { get } = small.paths["/lanterns/{lantern_id}"] ?? {};

  it("has one media type per version, the newest first and with the example", () => {
    expect(get?.responses[200]).toMatchObject({
      content: {
        "application/vnd.acme.lantern+json; version=2": {
          schema: { $ref: "#/components/schemas/lantern" },
          example: lantern.example,
        },
        "application/vnd.acme.lantern+json; version=1": {
          schema: { $ref: "#/components/schemas/lantern-v1" },
        },
      },
    });
  });

  it("lists the statuses that it can have", () => {
    expect(Object.keys(get?.responses ?? {})).toEqual([
      "200",
      "304",
      "401",
      "403",
      "404",
      "406",
      "410",
      "429",
      "431",
      "500",
      "503",
    ]);
  });

  it("marks the schema of a deprecated version", () => {
    expect(small).toMatchObject({ components: { schemas: { "lantern-v1": { deprecated: true } } } });
  });
});

describe("parameters", () => {
  it.each([
    ["/things/:thing_id", { links: { self: "/things/a1" } }, ["a1"]],
    ["/things/:thing_id/parts", { items: [{ links: { self: "/things/a1/parts/b2" } }] }, ["a1"]],
    ["/things/:thing_id/parts/:part_id", { links: { self: "/things/a1/parts/b2" } }, ["a1", "b2"]],
    ["/things/:thing_id", { links: { self: "/others/a1" } }, [undefined]],
    ["/things/:thing_id", undefined, [undefined]],
  ])("of the path %s have the values of a link in the example %j", (path, example, values) => {
    expect(describePathParameters(path, example).map((parameter) => parameter.example)).toEqual(values);
  });

  it("of the path have given values if the example has no link to itself", () => {
    const [parameter] = describePathParameters("/things/:thing_id", {}, { thing_id: "a1" });
    expect(parameter).toMatchObject({ name: "thing_id", example: "a1" });
  });

  it("that are required have example values that find the example answer", () => {
    const parametersOf = (path: string) => paths[path]?.get as unknown as { parameters: unknown[] };
    expect(parametersOf("/search/officers").parameters[0]).toMatchObject({
      name: "q",
      example: "Barnaby QUILLFEATHER",
    });
    expect(parametersOf("/name-availability/companies").parameters[0]).toMatchObject({
      example: "Leading Zeros Sample (UK) Ltd",
    });
    expect(parametersOf("/dissolved-search/companies").parameters.slice(0, 3)).toMatchObject([
      { name: "q", example: "QUILLFEATHER WIDGETS LIMITED" },
      { name: "search_type", example: "best-match" },
      { name: "search_above" },
    ]);
    expect(describeQueryParameters(searches[0]?.parameters ?? {}, undefined)[0]).not.toHaveProperty(
      "example",
    );
  });

  it("have their limits", () => {
    expect(paths["/company/{company_number}/officers"]?.get).toMatchObject({
      parameters: [
        { name: "company_number", in: "path", required: true },
        { name: "items_per_page", schema: { type: "integer", default: 35, minimum: 1, maximum: 100 } },
        { name: "start_index", schema: { type: "integer", default: 0, minimum: 0 } },
        { name: "register_view", schema: { type: "boolean" } },
        { name: "register_type", schema: { enum: expect.arrayContaining(["directors"]) as unknown } },
        { name: "order_by" },
        { name: "filter", schema: { enum: ["active"] } },
        { $ref: "#/components/parameters/If-None-Match" },
      ],
    });
    expect(paths["/search/companies"]?.get).toMatchObject({
      parameters: [
        { name: "q", required: true, schema: { type: "string", minLength: 1, maxLength: 160 } },
        { name: "items_per_page", schema: { maximum: 100 } },
        { name: "start_index", schema: { maximum: 999 } },
        { name: "cursor", schema: { type: "string" } },
        { name: "explain", schema: { type: "boolean" } },
        { name: "restrictions", style: "spaceDelimited", schema: { type: "array" } },
        { name: "company_status" },
        { name: "company_type" },
        { name: "sic_codes" },
        { name: "location", schema: { maxLength: 160 } },
        { name: "facets", schema: { items: { enum: ["status", "type", "sic_codes"] } } },
      ],
    });
  });
});
