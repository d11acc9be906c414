import { describe, expect, it } from "@jest/globals";
import { inWords, orNull } from "../../../api/shared/schemas/schemas.ts";
import type { JsonSchema } from "../../../api/shared/schemas/validate.ts";
import { collectComponents } from "../../../api/docs/open-schema.ts";

const wick = { title: "wick", description: "What burns in a lantern.", type: "object", properties: {} };

function lanternOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { title: "lantern", description: "A lantern, for tests.", type: "object", properties };
}

/** The schema as a component, and all components with it. */
function collect(schema: JsonSchema): Record<string, JsonSchema> {
  const components = collectComponents();
  components.refer(schema);
  return components.schemas;
}

function membersOf(properties: Record<string, JsonSchema>): unknown {
  return collect(lanternOf(properties)).lantern?.properties;
}

describe("a schema with a title", () => {
  it("is a component, once, after what refers to it", () => {
    const shown = collect(lanternOf({ first: wick, more: { type: "array", items: wick } }));
    expect(Object.keys(shown)).toEqual(["lantern", "wick"]);
    expect(shown.lantern).toMatchObject({
      properties: {
        first: { $ref: "#/components/schemas/wick" },
        more: { items: { $ref: "#/components/schemas/wick" } },
      },
    });
    expect(shown.wick).toEqual({ description: wick.description, type: "object", properties: {} });
  });

  it("must not have that of another", () => {
    const other = { ...wick, properties: { length: { type: "integer" } } };
    expect(() => collect(lanternOf({ wick, other }))).toThrow("two different schemas have the title wick");
  });

  it("takes the name given in its place", () => {
    const components = collectComponents();
    expect(components.refer(wick, "wick-v1")).toEqual({ $ref: "#/components/schemas/wick-v1" });
  });
});

describe("the words of a member", () => {
  it("are those beside it, else those of its name", () => {
    const etag = { type: "string", description: "A version, for tests." };
    expect(membersOf({ etag })).toMatchObject({ etag: { description: "A version, for tests." } });
    expect(membersOf({ etag: { type: "string" } })).toMatchObject({
      etag: { description: expect.stringContaining("Version of the content") as unknown },
    });
  });

  it("are those of its name before those of a schema with a title, which are of the schema", () => {
    expect(membersOf({ wick, address: wick })).toMatchObject({
      wick: { description: wick.description },
      address: { description: expect.stringContaining("Registered office") as unknown },
    });
  });

  it("may be of its own where the schema has a title", () => {
    expect(membersOf({ wick, spare: inWords(wick, "A second wick.") })).toMatchObject({
      wick: { description: wick.description },
      spare: { $ref: "#/components/schemas/wick", description: "A second wick." },
    });
  });

  it("are those of the link below links", () => {
    const links = { type: "object", properties: { charges: { type: "string", pattern: "^/" } } };
    expect(membersOf({ links })).toMatchObject({
      links: {
        properties: {
          charges: {
            description: "Address of the company's charges.",
            type: "string",
            format: "uri-reference",
          },
        },
      },
    });
  });
});

describe("a list of values", () => {
  const status = { title: "company-status", type: "string", enum: ["active", "dissolved"] };

  it("with a title has its known values in a component of their own, with their labels", () => {
    const shown = collect(lanternOf({ status }));
    expect(shown["company-status"]).toMatchObject({
      anyOf: [{ $ref: "#/components/schemas/known-company-status" }, { type: "string" }],
    });
    expect(shown["known-company-status"]).toMatchObject({
      type: "string",
      enum: ["active", "dissolved"],
      "x-enum-descriptions": ["Active", "Dissolved"],
    });
  });

  it("without a title is open where it stands", () => {
    expect(membersOf({ colour: { enum: ["red"], description: "Colour of the light." } })).toEqual({
      colour: {
        description: "Colour of the light.",
        anyOf: [{ type: "string", enum: ["red"] }, { type: "string" }],
      },
    });
  });

  it("that may be null stays so", () => {
    expect(membersOf({ status: orNull(status) })).toMatchObject({
      status: { anyOf: [{ $ref: "#/components/schemas/company-status" }, { type: "null" }] },
    });
  });

  it("that is long is not written out", () => {
    const values = Array.from({ length: 101 }, (_none, index) => `value-${index}`);
    const shown = collect(lanternOf({ long: { title: "long", description: "A long list.", enum: values } }));
    expect(shown).toMatchObject({ long: { type: "string" } });
    expect(shown["known-long"]).toBeUndefined();
  });
});

it("leaves out our limits of length, and what an object must not have", () => {
  const name = { type: "string", minLength: 1, maxLength: 9, description: "Name of the lantern." };
  const shown = collect({ ...lanternOf({ name }), additionalProperties: false, minProperties: 1 });
  expect(shown.lantern).toEqual({
    description: "A lantern, for tests.",
    type: "object",
    properties: { name: { type: "string", description: "Name of the lantern." } },
  });
});
