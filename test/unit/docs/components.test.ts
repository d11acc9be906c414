import { describe, expect, it } from "@jest/globals";
import { orNull } from "../../../api/shared/schemas/schemas.ts";
import type { JsonSchema } from "../../../api/shared/schemas/validate.ts";
import { growingList } from "../../../api/shared/values/enumerations.ts";
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
  it("becomes one component, after the schema that refers to it", () => {
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

  it("must not have the title of another schema", () => {
    const other = { ...wick, properties: { length: { type: "integer" } } };
    expect(() => collect(lanternOf({ wick, other }))).toThrow("two different schemas have the title wick");
  });

  it("takes a given name instead of its title", () => {
    const components = collectComponents();
    expect(components.refer(wick, "wick-v1")).toEqual({ $ref: "#/components/schemas/wick-v1" });
  });
});

describe("the description of a member", () => {
  it("is the member's own, or else the one for its name", () => {
    const etag = { type: "string", description: "A version, for tests." };
    expect(membersOf({ etag })).toMatchObject({ etag: { description: "A version, for tests." } });
    expect(membersOf({ etag: { type: "string" } })).toMatchObject({
      etag: { description: expect.stringContaining("Version of the content") as unknown },
    });
  });

  it("is the one for its name, rather than that of a schema with a title", () => {
    expect(membersOf({ wick, address: wick })).toMatchObject({
      wick: { description: wick.description },
      address: { description: expect.stringContaining("Registered office") as unknown },
    });
  });

  it("of links is the one for the link of that name", () => {
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

  it("is any text, with the known values and their labels as data", () => {
    const shown = collect(lanternOf({ status }));
    expect(shown["company-status"]).toEqual({
      description: expect.any(String) as unknown,
      type: "string",
      "x-extensible-enum": ["active", "dissolved"],
      "x-enum-descriptions": ["Active", "Dissolved"],
    });
  });

  it("without a title is written in place", () => {
    expect(membersOf({ colour: { enum: ["red"], description: "Colour of the light." } })).toEqual({
      colour: { description: "Colour of the light.", type: "string", "x-extensible-enum": ["red"] },
    });
  });

  it("that accepts other values in our own check, too, has the same component", () => {
    expect(membersOf({ status: growingList(status) })).toEqual({
      status: {
        $ref: "#/components/schemas/company-status",
        description: expect.any(String) as unknown,
      },
    });
  });

  it("that may be null is a choice of the list and null", () => {
    expect(membersOf({ status: orNull(status) })).toMatchObject({
      status: { oneOf: [{ $ref: "#/components/schemas/company-status" }, { type: "null" }] },
    });
  });

  it("of more than a hundred is any text, without the values", () => {
    const values = Array.from({ length: 101 }, (_none, index) => `value-${index}`);
    const shown = collect(lanternOf({ long: { title: "long", description: "A long list.", enum: values } }));
    expect(shown.long).toEqual({ description: "A long list.", type: "string" });
  });
});

describe("a fixed value", () => {
  it("that is a text keeps the value and gets the type", () => {
    const kind = { const: "lantern", description: "Kind of it." };
    expect(membersOf({ kind })).toEqual({ kind: { ...kind, type: "string" } });
  });

  it("that is true becomes a boolean", () => {
    const lit = { const: true, description: "True if it burns." };
    expect(membersOf({ lit })).toEqual({ lit: { type: "boolean", description: "True if it burns." } });
  });
});

describe("a choice", () => {
  const ofKind = (kind: string) => ({
    ...lanternOf({ kind: { const: kind, description: "Kind of it." } }),
    title: kind,
    required: ["kind"],
  });

  it("of objects has a discriminator that maps each kind to its schema", () => {
    const items = { description: "All.", anyOf: [ofKind("oil"), ofKind("gas")] };
    expect(membersOf({ items })).toEqual({
      items: {
        description: "All.",
        oneOf: [{ $ref: "#/components/schemas/oil" }, { $ref: "#/components/schemas/gas" }],
        discriminator: {
          propertyName: "kind",
          mapping: { oil: "#/components/schemas/oil", gas: "#/components/schemas/gas" },
        },
      },
    });
  });

  it("of a day or a word is any text", () => {
    const day = { anyOf: [{ type: "string", format: "date" }, { const: "Unknown" }], description: "Day." };
    expect(membersOf({ day })).toEqual({ day: { type: "string", description: "Day." } });
  });
});

it("leaves out the limits of length and of members", () => {
  const name = { type: "string", minLength: 1, maxLength: 9, description: "Name of the lantern." };
  const shown = collect({ ...lanternOf({ name }), additionalProperties: false, minProperties: 1 });
  expect(shown.lantern).toEqual({
    description: "A lantern, for tests.",
    type: "object",
    properties: { name: { type: "string", description: "Name of the lantern." } },
  });
});
