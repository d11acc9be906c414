/** The paths of the reconciliation service in OpenAPI. Its public specification describes their answers. */
import { reconcileParameters } from "../http/reconcile/parameters.ts";
import { MOST_QUERIES, RECONCILE } from "../matching/reconciliation/manifest.ts";
import { SEARCH_SCOPE } from "../search/define-search.ts";
import type { QueryParameters } from "../shared/schemas/query-parameters.ts";
import { describePathParameters, describeQueryParameters } from "./parameters.ts";
import { answerHeaders, coverageHeader, refer } from "./responses.ts";
import { securityOf } from "./security.ts";

export const RECONCILIATION_TAG = "reconciliation";

export const RECONCILIATION_STATUSES = [400, 401, 403, 404, 413, 416, 429, 431, 500, 503];

const ALWAYS = [400, 401, 403, 429, 431, 500, 503];
const SPECIFICATION = {
  description: "Reconciliation Service API 0.2",
  url: "https://reconciliation-api.github.io/specs/0.2/",
};
const QUERIES = `JSON: at most ${MOST_QUERIES} queries under keys of the client's choice, each with \`query\`, \`type\`, \`limit\`, \`properties\`.`;
const EXTEND = "JSON: `ids` of entities, and `properties` by their `id`.";
// Limit: Node refuses an address of more than 16 kB with 431, and a character may take twelve bytes of it.
const ASKED: QueryParameters = {
  queries: { kind: "text", maxLength: 600, description: QUERIES },
  extend: { kind: "text", maxLength: 600, description: EXTEND },
};
const FORM = {
  required: true,
  description: `Either \`queries\` or \`extend\`. ${QUERIES} ${EXTEND}`,
  content: {
    "application/x-www-form-urlencoded": {
      schema: { type: "object", properties: { queries: { type: "string" }, extend: { type: "string" } } },
      example: { queries: '{"q0":{"query":"Leading Zeros Sample (UK) Ltd"}}' },
    },
  },
};
const JSON_OBJECT = { "application/json": { schema: { type: "object" } } };
const PAGE = { "text/html": { schema: { type: "string" } } };
const MANIFEST = "The manifest of the reconciliation service; with queries or extend, the same as POST.";
const MATCHES = "Match names with companies, officers or disqualified officers, or fetch their properties.";

/** Describes the paths of the service. */
export function describeReconciliation(): Record<string, unknown> {
  const get = (path: keyof typeof reconcileParameters, id: string, summary: string, statuses: number[]) => {
    const parameters = describeQueryParameters(reconcileParameters[path], undefined);
    return { [path]: { get: describe(id, summary, statuses, { parameters }) } };
  };
  const id = describePathParameters("/:id", undefined, { id: "99000064" });
  return {
    [RECONCILE]: {
      get: describe("getReconciliationManifest", MANIFEST, [413], {
        parameters: describeQueryParameters(ASKED, undefined),
        isOpen: true,
      }),
      post: describe("reconcile", MATCHES, [413], { requestBody: FORM }),
    },
    ...get(`${RECONCILE}/suggest/entity`, "suggestEntity", "Entities whose names begin with a text.", [416]),
    ...get(
      `${RECONCILE}/suggest/property`,
      "suggestProperty",
      "Properties whose names begin with a text.",
      [416],
    ),
    ...get(`${RECONCILE}/suggest/type`, "suggestType", "Types whose names begin with a text.", [416]),
    ...get(`${RECONCILE}/properties`, "proposeProperties", "Properties that entities of a type have.", []),
    [`${RECONCILE}/preview/{id}`]: {
      get: describe("previewEntity", "A small page of HTML about an entity.", [404], {
        parameters: id,
        content: PAGE,
      }),
    },
  };
}

interface Further {
  parameters?: Record<string, unknown>[];
  requestBody?: Record<string, unknown>;
  /** Default: an object in JSON. */
  content?: Record<string, unknown>;
  /** Also answered without a key. */
  isOpen?: boolean;
}

function describe(
  operationId: string,
  summary: string,
  statuses: number[],
  further: Further,
): Record<string, unknown> {
  const { isOpen, content = JSON_OBJECT, ...parts } = further;
  const headers = { ...answerHeaders, ...coverageHeader };
  return {
    operationId,
    summary,
    tags: [RECONCILIATION_TAG],
    externalDocs: SPECIFICATION,
    security: securityOf({ scope: SEARCH_SCOPE, isOpen }),
    ...parts,
    responses: {
      200: { description: "The requested data.", headers, content },
      ...refer([...ALWAYS, ...statuses].toSorted((a, b) => a - b)),
    },
  };
}
