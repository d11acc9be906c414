/** The query parameters of the reconciliation service, by path. */
import type { QueryParameters } from "../../shared/schemas/query-parameters.ts";
import { MATCH_TYPES } from "../../matching/define-match.ts";
import { isType, SUGGESTIONS } from "../../matching/reconciliation/entities.ts";
import { RECONCILE } from "../../matching/reconciliation/manifest.ts";

const MOST_PROPERTIES = 100;

const CURSOR = {
  kind: "integer",
  description: "Number of suggestions to skip.",
  default: 0,
  maximum: SUGGESTIONS - 1,
  settle: (value: number) => Math.max(0, value),
  window: SUGGESTIONS,
} as const;
const PREFIX = { kind: "text", description: "Text typed so far.", maxLength: 160 } as const;
const TYPE = {
  kind: "text",
  description: `Type of the entities: ${MATCH_TYPES.join(", ")}; default ${MATCH_TYPES[0]}, for suggestions all.`,
  maxLength: 50,
  pattern: `^(${MATCH_TYPES.join("|")})$`,
  settle: (text: string) => (isType(text) ? text : null),
} as const;
const LIMIT = {
  kind: "integer",
  description: "Maximum number of properties.",
  default: MOST_PROPERTIES,
  maximum: MOST_PROPERTIES,
  settle: (value: number) => Math.min(Math.max(1, value), MOST_PROPERTIES),
} as const;

/** The parameters of all paths that are read by GET, except the service's own path. */
export const reconcileParameters = {
  [`${RECONCILE}/suggest/entity`]: { prefix: PREFIX, cursor: CURSOR, type: TYPE },
  [`${RECONCILE}/suggest/property`]: { prefix: PREFIX, cursor: CURSOR },
  [`${RECONCILE}/suggest/type`]: { prefix: PREFIX, cursor: CURSOR },
  [`${RECONCILE}/properties`]: { type: TYPE, limit: LIMIT },
} satisfies Record<string, QueryParameters>;
