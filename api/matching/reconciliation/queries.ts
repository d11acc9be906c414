/** Batches of reconciliation queries: JSON to questions for the matcher, and its candidates to results. Pure. */
import type { FromSchema } from "json-schema-to-ts";
import { ApiError } from "../../shared/runtime/errors.ts";
import { compileCheck, type Check } from "../../shared/schemas/validate.ts";
import type { Candidate, MatchQuestion, MatchResult, MatchType } from "../define-match.ts";
import { entityId, isType, parseEntityId, typeOf } from "./entities.ts";
import { MOST_QUERIES } from "./manifest.ts";
import { properties, type ExtendQuery, type Property } from "./properties.ts";

/** One query, ready for the matcher. */
export interface ReconcileQuery {
  key: string;
  /** One for each requested type. */
  questions: MatchQuestion[];
  limit: number;
}

// Limit: most identifiers, and most properties of each, in one request.
const MOST_IDS = 100;
const MOST_PROPERTIES = 30;
// Without maxLength: the matcher answers a text that is too long with a note.
const TEXT = { type: "string" } as const;

const SCALAR = {
  anyOf: [
    TEXT,
    { type: "number" },
    { type: "boolean" },
    {
      type: "object",
      required: ["id"],
      properties: { id: TEXT, name: { type: "string" } },
    },
  ],
} as const;

const PROPERTY = {
  type: "object",
  required: ["pid", "v"],
  properties: {
    pid: { type: "string" },
    v: { anyOf: [...SCALAR.anyOf, { type: "array", maxItems: 20, items: SCALAR }] },
  },
} as const;

const QUERY = {
  type: "object",
  additionalProperties: false,
  properties: {
    query: TEXT,
    type: {
      anyOf: [
        { type: "string" },
        { type: "null" },
        { type: "array", maxItems: 10, items: { type: "string" } },
      ],
    },
    limit: { type: "integer", minimum: 1 },
    properties: { type: "array", maxItems: 20, items: PROPERTY },
    type_strict: { enum: ["any", "should", "all"] },
  },
} as const;

type RawQuery = FromSchema<typeof QUERY>;

/** A batch: queries by keys that the client chooses. */
const checkBatch = compileCheck({ type: "object", additionalProperties: QUERY });

const checkExtend = compileCheck({
  type: "object",
  required: ["ids", "properties"],
  properties: {
    ids: { type: "array", maxItems: MOST_IDS, items: TEXT },
    properties: {
      type: "array",
      maxItems: MOST_PROPERTIES,
      items: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, settings: { type: "object" } },
      },
    },
  },
});

const DEFAULT_LIMIT = 5;
const MOST_CANDIDATES = 25;

/** Reads a batch. Throws ApiError 400 with place and reason of a fault, and 413 for a batch that is too large. */
export function parseBatch(text: string): ReconcileQuery[] {
  const batch = parseJson(text, "queries", checkBatch) as Record<string, RawQuery>;
  const queries = Object.entries(batch);
  if (queries.length > MOST_QUERIES)
    throw refusal(
      "queries",
      `a batch has at most ${MOST_QUERIES} queries; this one has ${queries.length}`,
      413,
    );
  return queries.map(([key, query]) => toQuery(key, query));
}

/** Reads a request for properties. Throws ApiError 400 with place and reason of a fault. */
export function parseExtend(text: string): ExtendQuery {
  const query = parseJson(text, "extend", checkExtend) as ExtendQuery;
  const unknown = query.properties.find(({ id }) => !properties.some((property) => property.id === id));
  if (unknown) throw refusal("extend", `there is no property ${unknown.id.slice(0, 50)}`);
  return query;
}

function parseJson(text: string, name: string, check: Check): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal(name, "is not JSON");
  }
  const fault = check(value);
  if (fault) throw refusal(fault.field === "" ? name : `${name}.${fault.field}`, fault.reason);
  return value;
}

/** An error of the form that clients get, with place and reason. */
export function refusal(location: string, reason: string, status = 400): ApiError {
  const place = { location_type: "json-path" as const, location: location.slice(0, 100) };
  return new ApiError(status, [
    { type: "ch:validation", error: "invalid-parameter", ...place, error_values: { reason } },
  ]);
}

function toQuery(key: string, raw: RawQuery): ReconcileQuery {
  const { query = "", type, limit, properties: given = [] } = raw;
  if (raw.query === undefined && given.length === 0)
    throw refusal(`queries.${key}`, "must have a query or properties");
  const stated = given.flatMap(({ pid, v }) => {
    const property = properties.find(({ id }) => id === pid);
    const [value] = [v].flat();
    // A property that cannot be compared is ignored.
    return property?.states && value !== undefined
      ? [[property.states, textOf(value, property)] as const]
      : [];
  });
  const questions = typesOf(key, query, type).map((each): MatchQuestion => {
    return { name: query, ...Object.fromEntries(stated), type: each };
  });
  return { key, questions, limit: Math.min(limit ?? DEFAULT_LIMIT, MOST_CANDIDATES) };
}

/** The text to compare. Of an entity it is the id only if it is an entity of this service; otherwise the name. */
function textOf(value: FromSchema<typeof SCALAR>, { entities }: Property): string {
  if (typeof value !== "object") return String(value);
  return entities ? value.id : (value.name ?? value.id);
}

function typesOf(key: string, query: string, given: RawQuery["type"]): MatchType[] {
  const asked = [...new Set([given ?? []].flat().filter((type) => type !== ""))];
  const unknown = asked.find((type) => !isType(type));
  if (unknown !== undefined) throw refusal(`queries.${key}.type`, `there is no type ${unknown.slice(0, 50)}`);
  const types = asked.filter(isType);
  return types.length > 0 ? types : [parseEntityId(query).type];
}

/** The query if it is the identifier of a person of a requested type, else null. The matcher finds company numbers. */
export function personIdIn({ questions }: ReconcileQuery): string | null {
  const name = questions[0]?.name ?? "";
  const { type } = parseEntityId(name);
  return type !== "company" && questions.some((question) => question.type === type) ? name : null;
}

/** The result of a query: the candidates of all its types together. */
export function presentResult(results: readonly MatchResult[], limit: number): Record<string, unknown> {
  const candidates = results.flatMap((result) => result.candidates).toSorted((a, b) => b.score - a.score);
  const matches = candidates.filter(({ match }) => match).length;
  const notes = [...new Set(results.flatMap((result) => result.notes))];
  return {
    // If two types each have a match, neither is certain.
    result: candidates.slice(0, limit).map((candidate) => presentCandidate(candidate, matches === 1)),
    ...(notes.length > 0 && { notes }),
  };
}

/** A candidate in the form of the reconciliation API; `reasons` is an addition of this service. */
export function presentCandidate(candidate: Candidate, mayMatch: boolean): Record<string, unknown> {
  const { type, id, name, description, score, match, reasons, features } = candidate;
  return {
    id: entityId(type, id),
    name,
    ...(description && { description }),
    type: [typeOf(type)],
    score,
    match: match && mayMatch,
    features: Object.entries(features).map(([feature, value]) => ({ id: feature, value })),
    reasons,
  };
}
