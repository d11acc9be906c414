/** The document has only forms of schemas that the usual generators of clients read; `test/python` runs one of them. */
import { expect, it } from "@jest/globals";
import { buildOpenApi } from "../../../api/docs/openapi.ts";
import { isMembers, type Members } from "../../../api/shared/values/members.ts";
import { resources } from "../../../api/resources/index.ts";
import { downloads, searches } from "../../../api/search/index.ts";

const endpoints = { resources, searches, downloads, hasReconciliation: true };
const page = buildOpenApi(endpoints, "company-register") as { components: { schemas: Members } };
const { schemas } = page.components;

/** Each object of the document with its path, except data: examples, and the members that start with `x-`. */
function* objectsOf(value: unknown, path: string): Generator<[path: string, object: Members]> {
  if (isMembers(value)) yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, below] of Object.entries(value))
    if (!/^(example|examples|default|x-.*)$/.test(name)) yield* objectsOf(below, `${path}/${name}`);
}

const places = [...objectsOf(page, "")];

function pathsWhere(fits: (schema: Members, path: string) => boolean): string[] {
  return places.filter(([path, schema]) => fits(schema, path)).map(([path]) => path);
}

const resolve = (schema: Members): Members =>
  typeof schema.$ref === "string"
    ? resolve(schemas[schema.$ref.replace("#/components/schemas/", "")] as Members)
    : schema;

/** The choices of a union; null for any other schema. */
function choicesOf(schema: Members): Members[] | null {
  const choices = schema.anyOf ?? schema.oneOf;
  return Array.isArray(choices) ? (choices as Members[]) : null;
}

function typesOf(schema: Members): unknown[] {
  const whole = resolve(schema);
  return choicesOf(whole)?.flatMap(typesOf) ?? [whole.type].flat();
}

it("the checks below look at many schemas and several unions", () => {
  expect(pathsWhere((schema) => typeof schema.type === "string").length).toBeGreaterThan(1000);
  expect(pathsWhere((schema) => choicesOf(schema) !== null).length).toBeGreaterThan(5);
});

it("every fixed value is a text, and its schema states that type", () => {
  // A member may have the name `const` or `enum`; its value is a schema then.
  const isWrong = ({ const: value, enum: values, type }: Members) =>
    [value, values].some((fixed) => fixed !== undefined && !isMembers(fixed)) &&
    (type !== "string" || [value ?? "", values ?? []].flat().some((fixed) => typeof fixed !== "string"));
  expect(pathsWhere(isWrong)).toEqual([]);
});

it("a schema has one type, or one type and null", () => {
  const isMixed = ({ type }: Members) => Array.isArray(type) && (type.length > 2 || type[1] !== "null");
  expect(pathsWhere(isMixed)).toEqual([]);
});

it("the choices of a union differ in their JSON type, or in a member that each must have", () => {
  const isUnclear = (schema: Members) => {
    const choices = choicesOf(schema);
    if (!choices) return false;
    const types = choices.flatMap(typesOf);
    return new Set(types).size < types.length && !hasDiscriminator(schema);
  };
  expect(pathsWhere(isUnclear)).toEqual([]);
});

function hasDiscriminator({ oneOf, discriminator }: Members): boolean {
  if (!Array.isArray(oneOf) || !isMembers(discriminator)) return false;
  const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Members };
  expect(Object.values(mapping)).toEqual((oneOf as Members[]).map(({ $ref }) => $ref));
  for (const [value, $ref] of Object.entries(mapping))
    expect(resolve({ $ref })).toMatchObject({
      required: expect.arrayContaining([propertyName]) as unknown,
      properties: { [propertyName]: { const: value } },
    });
  return true;
}

it("generators would name no union or object after its place if a component has that name", () => {
  const needsName = (schema: Members) => choicesOf(schema) !== null || isMembers(schema.properties);
  const nameOf = (path: string) =>
    /^\/components\/schemas\/(.+)$/.exec(path)?.[1]?.replaceAll("/properties/", "-").replaceAll("_", "-") ??
    "";
  const clash = (schema: Members, path: string) =>
    path.includes("/properties/") && needsName(schema) && nameOf(path) in schemas;
  expect(pathsWhere(clash)).toEqual([]);
});
