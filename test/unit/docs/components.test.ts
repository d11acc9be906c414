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

  it("must not have the title of another schema", () => {
    const other = { ...wick, properties: { length: { type: "integer" } } };
    expect(() => collect(lanternOf({ wick, other }))).toThrow("two different schemas have the title wick");
  });

  it("takes the name given in its place", () => {
    const components = collectComponents();
    expect(components.refer(wick, "wick-v1")).toEqual({ $ref: "#/components/schemas/wick-v1" });
  });
});

describe("the words of a member", () => {
  it("are those beside the member, else those for its name", () => {
    const etag = { type: "string", description: "A version, for tests." };
    expect(membersOf({ etag })).toMatchObject({ etag: { description: "A version, for tests." } });
    expect(membersOf({ etag: { type: "string" } })).toMatchObject({
      etag: { description: expect.stringContaining("Version of the content") as unknown },
    });
  });

  it("are those for its name, rather than those of its schema with a title", () => {
    expect(membersOf({ wick, address: wick })).toMatchObject({
      wick: { description: wick.description },
      address: { description: expect.stringContaining("Registered office") as unknown },
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

  it("that accepts other words in our own check too is the same list", () => {
    expect(membersOf({ status: growingList(status) })).toEqual({
      status: {
        $ref: "#/components/schemas/company-status",
        description: expect.any(String) as unknown,
      },
    });
  });

  it("that may be null stays so", () => {
    expect(membersOf({ status: orNull(status) })).toMatchObject({
      status: { oneOf: [{ $ref: "#/components/schemas/company-status" }, { type: "null" }] },
    });
  });

  it("that is long is not written out", () => {
    const values = Array.from({ length: 101 }, (_none, index) => `value-${index}`);
    const shown = collect(lanternOf({ long: { title: "long", description: "A long list.", enum: values } }));
    expect(shown.long).toEqual({ description: "A long list.", type: "string" });
  });
});

describe("a fixed value", () => {
  it("of a text has its type", () => {
    const kind = { const: "lantern", description: "Kind of it." };
    expect(membersOf({ kind })).toEqual({ kind: { ...kind, type: "string" } });
  });

  it("of a flag is that flag", () => {
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

  it("of objects says which kind is which", () => {
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

  it("of a day or a word is a text", () => {
    const day = { anyOf: [{ type: "string", format: "date" }, { const: "Unknown" }], description: "Day." };
    expect(membersOf({ day })).toEqual({ day: { type: "string", description: "Day." } });
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
