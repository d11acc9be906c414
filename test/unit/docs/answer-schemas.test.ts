import { describe, expect, it } from "@jest/globals";
import { compileCheck, type JsonSchema } from "../../../api/shared/schemas/validate.ts";
import { buildOpenApi } from "../../../api/docs/openapi.ts";
import { valueDescriptions } from "../../../api/docs/open-schema.ts";
import { memberDescriptions } from "../../../api/docs/words/members.ts";
import { resources } from "../../../api/resources/index.ts";
import { downloads, searches } from "../../../api/search/index.ts";
import { versionsOf } from "../../../api/search/define-search.ts";

const page = buildOpenApi({ resources, searches, downloads }, "company-register");
const { schemas } = (page as { components: { schemas: Record<string, JsonSchema> } }).components;
const text = JSON.stringify(page);

interface Place {
  path: string;
  schema: JsonSchema;
}

/** A schema and all schemas inside it, each with its path; does not follow references. */
function* placesOf(schema: JsonSchema, path: string): Generator<Place> {
  yield { path, schema };
  const {
    properties = {},
    items,
    oneOf = [],
  } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    oneOf?: JsonSchema[];
  };
  for (const [name, member] of Object.entries(properties)) yield* placesOf(member, `${path}.${name}`);
  if (items) yield* placesOf(items, `${path}[]`);
  for (const [index, choice] of oneOf.entries()) yield* placesOf(choice, `${path}|${index}`);
}

const places = Object.entries(schemas).flatMap(([name, schema]) => [...placesOf(schema, name)]);

it("describes every schema and every member, in words beside it or in api/docs/words", () => {
  const described = places.filter(({ path }) => !/[\]\d]$/.test(path));
  const without = described.filter(({ schema }) => wordsOf(schema).length < 3);
  expect(without.map(({ path }) => path)).toEqual([]);
  expect(described.length).toBeGreaterThan(800);
});

it("states the type of every value", () => {
  const stated = ["type", "$ref", "oneOf", "const"];
  const without = places.filter(({ schema }) => !stated.some((word) => word in schema));
  expect(without.map(({ path }) => path)).toEqual([]);
});

function wordsOf({ description }: JsonSchema): string[] {
  return typeof description === "string" ? description.split(" ") : [];
}

it("describes every parameter", () => {
  const { paths } = page as { paths: Record<string, { get: { parameters: JsonSchema[] } }> };
  const parameters = Object.values(paths).flatMap(({ get }) => get.parameters);
  expect(parameters.filter(({ $ref, description }) => !$ref && !description)).toEqual([]);
});

it("has no description that nothing uses", () => {
  const used = new Set(places.map(({ schema }) => schema.description));
  expect(Object.entries(memberDescriptions).filter(([, words]) => !used.has(words))).toEqual([]);
  expect(Object.keys(valueDescriptions).filter((name) => !schemas[name])).toEqual([]);
});

it("has every schema that is referred to, and no others", () => {
  const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) => name);
  expect([...new Set(references)].sort()).toEqual(Object.keys(schemas).sort());
});

it("names its schemas as the specification names its resources", () => {
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      ...["company-profile", "registered-office-address", "company-registers", "company-uk-establishments"],
      ...["officer-list", "officer-summary", "appointment-list", "company-exemptions", "company-insolvency"],
      ...["filing-history-list", "filing-history-item", "charge-list", "charge-details"],
      ...["natural-disqualification", "corporate-disqualification", "statement-list", "statement"],
      ...["individual", "corporate-entity", "legal-person", "super-secure", "psc-list", "notification-list"],
      ...["search", "company-search", "officer-search", "disqualified-officer-search", "error"],
      ...["address", "company-links", "accounts", "company-status"],
    ]),
  );
});

it("writes each schema once: the document stays below 340 kB", () => {
  expect(text.length).toBeLessThan(340_000);
});

it("marks the members that the specification calls deprecated", () => {
  const deprecated = places.filter(({ schema }) => schema.deprecated).map(({ path }) => path);
  expect(deprecated.sort()).toEqual([
    "accounts.next_due",
    "accounts.next_made_up_to",
    "accounts.overdue",
    "company-profile.has_charges",
    "company-profile.has_insolvency_history",
    "company-profile.is_community_interest_company",
    "last-accounts.made_up_to",
  ]);
});

describe("the published schema", () => {
  const answers = [
    ...resources.map(({ versions, example, name }) => ({ name, example, schema: versions[0].schema })),
    ...searches.map((search) => ({ ...search, schema: versionsOf(search)[0].schema })),
  ];

  it.each(answers.map((answer) => [answer.name, answer] as const))(
    "of %s accepts the example, like our own schema, and also an unknown member, unlike our own",
    (name, { example, schema }) => {
      const published = compileCheck(toCheckable(typeof schema.title === "string" ? schema.title : name));
      const own = compileCheck(schema);
      expect([published(example), own(example)]).toEqual([null, null]);
      const added = { ...example, member_of_tomorrow: true };
      expect(published(added)).toBeNull();
      expect(own(added)).toMatchObject({ reason: "must not have the member member_of_tomorrow" });
    },
  );

  it("is open to new members of every object and new values of every list", () => {
    expect(places.filter(({ schema }) => schema.additionalProperties === false)).toEqual([]);
    expect(places.filter(({ schema }) => schema.enum)).toEqual([]);
    const lists = places.filter(({ schema }) => schema["x-extensible-enum"]);
    expect(new Set(lists.map(({ schema }) => schema.type))).toEqual(new Set(["string"]));
  });

  it("accepts a new value of a list, as our own schema does; neither accepts null instead", () => {
    const profile = resources.find(({ name }) => name === "company-profile");
    const check = compileCheck(profile?.versions[0].schema ?? {});
    const tomorrow = { ...profile?.example, company_status: "status-of-tomorrow" };
    expect(check(tomorrow)).toBeNull();
    expect(compileCheck(toCheckable("company-profile"))(tomorrow)).toBeNull();
    expect(check({ ...tomorrow, company_status: null })).toMatchObject({ field: "company_status" });
  });
});

/** A component of the document and all that it refers to, as one schema. */
function toCheckable(name: string): JsonSchema {
  const local = JSON.stringify({ $ref: `#/components/schemas/${name}`, $defs: schemas });
  return JSON.parse(local.replaceAll("#/components/schemas/", "#/$defs/"), (key, value: unknown) =>
    // Left out: members that are no keywords of JSON Schema, and a format that our own checks do not use.
    /^(x-.+|discriminator)$/.test(key) || value === "uri-reference" ? undefined : value,
  ) as JsonSchema;
}
