/** Owns facets: how many of all that was found have one status, type, code or place. */
import type { ListParameter } from "../../core/query-parameters.ts";
import type { JsonSchema } from "../../core/validate.ts";
import type { Clause } from "../clauses.ts";

// Limit: values told of each facet, the most frequent first; there are fewer statuses, and more types than matter.
const MOST_VALUES = 20;

// The fields of the index by the words of the API. A location is the town, as addresses name it.
const FIELDS = { status: "status", type: "type", sic_codes: "sic", location: "locality" } as const;
const WORDS: Record<keyof typeof FIELDS, string> = {
  status: "Companies found, by status.",
  type: "Companies found, by legal form.",
  sic_codes: "Companies found, by what they do.",
  location: "Companies found, by the town of the registered office.",
};
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** `facets`: what is counted besides. */
export const FACETS: ListParameter & { values: typeof NAMES } = {
  kind: "list",
  description:
    "What to count over all that is found, the pages not shown included: for each facet the most frequent values, " +
    `at most ${MOST_VALUES}.`,
  values: NAMES,
};

/** The part of a query body that counts; empty when nothing is to be counted. */
export function countFacets(names: string[]): { aggs?: Record<string, Clause> } {
  const asked = NAMES.filter((name) => names.includes(name));
  if (asked.length === 0) return {};
  const order = [{ _count: "desc" }, { _key: "asc" }];
  const counts = asked.map((name) => [name, { terms: { field: FIELDS[name], size: MOST_VALUES, order } }]);
  return { aggs: Object.fromEntries(counts) as Record<string, Clause> };
}

const COUNTS: JsonSchema = {
  type: "array",
  maxItems: MOST_VALUES,
  items: {
    title: "facet-count",
    description: "How many of all that was found have one value.",
    type: "object",
    additionalProperties: false,
    required: ["value", "count"],
    properties: {
      value: { type: "string", description: "The value that is counted." },
      count: { type: "integer", minimum: 1, description: "Companies that have the value." },
    },
  },
};

/** JSON Schema of the counts. */
export const facetsSchema: JsonSchema = {
  title: "facets",
  type: "object",
  description: "The counts that `facets` asked for.",
  additionalProperties: false,
  properties: Object.fromEntries(NAMES.map((name) => [name, { ...COUNTS, description: WORDS[name] }])),
};
