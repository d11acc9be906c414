import { expect, it } from "@jest/globals";
import { records } from "../../../api/resources/index.ts";
import { compileCheck, type JsonSchema } from "../../../api/shared/schemas/validate.ts";
import { isMembers } from "../../../api/shared/values/members.ts";

it.each(records.map((record) => [record.name, record] as const))(
  "the schema of a stored %s compiles, and refuses a text",
  (_name, { check }) => {
    expect(check("no record")).toMatchObject({ field: "", reason: "must be an object, found a text" });
  },
);

it.each<[JsonSchema, unknown, string]>([
  [{ type: "array" }, "x", "must be a list, found a text"],
  [{ type: ["string", "null"] }, 0, "must be a text or null, found a number"],
  [{ type: "string" }, ["a"], "must be a text, found a list"],
  [{ type: "integer" }, true, "must be a whole number, found true"],
  [{ type: "string" }, null, "must be a text, found null"],
  [{ type: "string", maxLength: 3 }, "long", "must have at most 3 characters"],
  [{ type: "string", minLength: 1 }, "", "must not be empty"],
  [{ type: "array", minItems: 1 }, [], "must not be empty"],
  [{ type: "array", maxItems: 1 }, [1, 2], "must have at most 1 item"],
  [{ type: "integer", minimum: 1 }, 0, "must be at least 1"],
  [{ type: "integer", maximum: 12 }, 13, "must be at most 12"],
  [{ type: "string", format: "date" }, "2026-02-30", "must be a day such as 2026-11-01"],
  [{ type: "string", format: "uri" }, "elsewhere", "must be an address (URI)"],
  [{ enum: ["one"] }, 1, "must be one of the listed values"],
  [{ type: "string", pattern: "^[A-Z0-9]{8}$" }, "1", "must be eight characters, capital letters and digits"],
  [
    { type: "string", pattern: "^/company/[A-Z0-9]{8}/charges$" },
    "/charges",
    "must be of the form /company/…/charges",
  ],
])("the schema %j refuses %j with the words: %s", (schema, value, reason) => {
  expect(compileCheck(schema)(value)).toEqual({ field: "", reason });
});

it("says where the wrong value is, and what it is", () => {
  const check = compileCheck({
    type: "object",
    properties: { list: { type: "array", items: { enum: ["one"] } }, "a/b~c": { enum: ["one"] } },
  });
  const reason = 'must be one of the listed values, found "two"';
  expect(check({ list: ["one", "two"] })).toEqual({ field: "list.1", reason });
  expect(check({ list: {} })).toEqual({ field: "list", reason: "must be a list, found an object" });
  expect(check({ "a/b~c": "two" })).toMatchObject({ reason });
});

it("no message about a refused row shows a pattern", () => {
  const patternsIn = (schema: unknown): string[] => {
    if (Array.isArray(schema)) return schema.flatMap(patternsIn);
    if (!isMembers(schema)) return [];
    const own = typeof schema.pattern === "string" ? [schema.pattern] : [];
    return [...own, ...Object.values(schema).flatMap(patternsIn)];
  };
  const patterns = new Set(records.flatMap(({ schema }) => patternsIn(schema)));
  expect(patterns.size).toBeGreaterThan(8);
  for (const pattern of patterns)
    expect(compileCheck({ type: "string", pattern })("?")?.reason).not.toMatch(/[[\]{}\\^$]/);
});
