/** Owns the paths of the reconciliation service in OpenAPI; unlike the others they have no media types of their own. */
import type { JsonSchema } from "../shared/schemas/validate.ts";
import { reconcileParameters } from "../http/reconcile/parameters.ts";
import * as schemas from "../matching/reconciliation/answer-schemas.ts";
import { MOST_QUERIES, RECONCILE } from "../matching/reconciliation/manifest.ts";
import { SEARCH_SCOPE } from "../search/define-search.ts";
import type { Components } from "./open-schema.ts";
import { describeQueryParameters } from "./parameters.ts";
import { answerHeaders, coverageHeader, refer } from "./responses.ts";
import { securityOf } from "./security.ts";

export const RECONCILIATION_TAG = "reconciliation";

export const RECONCILIATION_STATUSES = [400, 401, 403, 404, 413, 416, 429, 431, 500, 503];

const ALWAYS = [400, 401, 403, 429, 431, 500, 503];
// Limit: Node refuses an address of more than 16 kB with 431; a letter may need twelve bytes of them.
const ADDRESS_CHARACTERS = 600;
const FORM_TEXTS = {
  queries: {
    type: "string",
    maxLength: 100_000,
    description: `JSON: at most ${MOST_QUERIES} queries by keys of the client's own, each with \`query\`, \`type\`, \`limit\`, \`properties\`.`,
  },
  extend: {
    type: "string",
    maxLength: 100_000,
    description: "JSON: `ids` of entities, and `properties` by their `id`.",
  },
} satisfies Record<string, JsonSchema>;
const FORM_EXAMPLE = { queries: '{"q0":{"query":"Leading Zeros Sample (UK) Ltd"}}' };

interface Described {
  id: string;
  summary: string;
  statuses: number[];
  parameters?: Record<string, unknown>[];
  requestBody?: Record<string, unknown>;
  /** Also answered without a key. */
  isOpen?: boolean;
}

/** Its paths, by address. */
export function describeReconciliation(components: Components): Record<string, unknown> {
  const json = (...schemasOf: JsonSchema[]) => {
    const [only, ...others] = schemasOf.map((schema) => components.refer(schema));
    return { "application/json": { schema: others.length > 0 ? { anyOf: [only, ...others] } : only } };
  };
  const { manifestSchema, resultBatchSchema, extensionSchema, suggestionsSchema, proposalSchema } = schemas;
  const paths = Object.entries(reconcileParameters).map(([path, parameters]) => {
    const isProposal = path.endsWith("properties");
    const described = describeGet(path, isProposal ? [] : [416]);
    const content = json(isProposal ? proposalSchema : suggestionsSchema);
    return [
      path,
      {
        get: operation({ ...described, parameters: describeQueryParameters(parameters, undefined) }, content),
      },
    ];
  });
  const preview = { "text/html": { schema: { type: "string" } } };
  return {
    [RECONCILE]: {
      get: operation(ASKED_BY_ADDRESS, json(manifestSchema, resultBatchSchema, extensionSchema)),
      post: operation(ASKED_BY_FORM, json(resultBatchSchema, extensionSchema)),
    },
    ...(Object.fromEntries(paths) as Record<string, unknown>),
    [`${RECONCILE}/preview/{id}`]: { get: operation(PREVIEW, preview) },
  };
}

const ASKED_BY_ADDRESS: Described = {
  id: "getReconciliationManifest",
  summary: "The manifest of the reconciliation service (API 0.2); with queries or extend, the same as POST.",
  statuses: [413],
  isOpen: true,
  parameters: Object.entries(FORM_TEXTS).map(([name, { description, ...schema }]) => ({
    ...{ name, in: "query", description, schema: { ...schema, maxLength: ADDRESS_CHARACTERS } },
  })),
};

const ASKED_BY_FORM: Described = {
  id: "reconcile",
  summary: "Match names with companies, officers or disqualified officers, or fetch values of these.",
  statuses: [413],
  requestBody: {
    required: true,
    description: "Either `queries` or `extend`.",
    content: {
      "application/x-www-form-urlencoded": {
        schema: { type: "object", properties: FORM_TEXTS },
        example: FORM_EXAMPLE,
      },
    },
  },
};

const PREVIEW: Described = {
  id: "previewEntity",
  summary: "A small page of HTML about an entity.",
  statuses: [404],
  parameters: [
    {
      name: "id",
      in: "path",
      required: true,
      description:
        "Company number, or type and identifier of a person: `officer-…`, `disqualified-officer-…`.",
      schema: { type: "string", minLength: 1, maxLength: 160, pattern: "^[A-Za-z0-9_=-]+$" },
      example: "99000064",
    },
  ],
};

function describeGet(path: string, statuses: number[]): Described {
  const last = path.split("/").at(-1) ?? "";
  if (last === "properties")
    return { id: "proposeProperties", summary: "Properties that entities of a type have.", statuses };
  const id = `suggest${last.charAt(0).toUpperCase()}${last.slice(1)}`;
  const what = { entity: "Entities", property: "Properties", type: "Types" }[last] ?? "What";
  return { id, summary: `${what} that begin as typed.`, statuses };
}

function operation(
  { id, summary, statuses, parameters = [], requestBody, isOpen }: Described,
  content: Record<string, unknown>,
): Record<string, unknown> {
  return {
    operationId: id,
    summary,
    tags: [RECONCILIATION_TAG],
    security: securityOf({ scope: SEARCH_SCOPE, isOpen }),
    parameters,
    ...(requestBody && { requestBody }),
    responses: {
      200: {
        description: "The requested data.",
        headers: { ...answerHeaders, ...coverageHeader },
        content,
      },
      ...refer([...ALWAYS, ...statuses].toSorted((a, b) => a - b)),
    },
  };
}
