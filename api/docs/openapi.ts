/** Assembles the OpenAPI 3.1 document from the definitions, so that nothing is written twice. */
import type { QueryParameters } from "../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { AccessRule } from "../http/auth/identify.ts";
import type { Endpoints } from "../http/routes.ts";
import { mediaTypeOf, type NumberedVersion } from "../http/versioning.ts";
import type { PathValues, ResourceDefinition } from "../resources/define-resource.ts";
import { SEARCH_SCOPE, versionsOf, type SearchDefinition } from "../search/define-search.ts";
import { securityOf, securitySchemes } from "./security.ts";
import { collectComponents, type Components } from "./open-schema.ts";
import { describePathParameters, describeQueryParameters, toPathTemplate } from "./parameters.ts";
import { describeReconciliation, RECONCILIATION_STATUSES, RECONCILIATION_TAG } from "./reconciliation.ts";
import {
  answerHeaders,
  coverageHeader,
  errorSchemas,
  etagHeader,
  refer,
  sharedHeaders,
  sharedResponses,
} from "./responses.ts";

/** The common members of resources and searches from which an operation is made. */
interface Operation {
  name: string;
  /** Further names of its media types. */
  aliases?: readonly string[] | undefined;
  path: string;
  summary: string;
  operationId: string;
  tag: string;
  parameters: QueryParameters;
  access: AccessRule;
  versions: readonly (NumberedVersion & { schema: JsonSchema })[];
  example: Record<string, unknown> | undefined;
  examplePath?: PathValues | undefined;
  hasEtag: boolean;
  /** True when its answers state the coverage of their kind of record. */
  hasCoverage?: boolean;
  /** Statuses of its own, besides those of every operation. */
  statuses: number[];
}

// Statuses of every operation: no key, wrong address or scope, unknown version, expired version, used-up limit, address
// too long, internal error, unavailable store.
const COMMON_STATUSES = [401, 403, 406, 410, 429, 431, 500, 503];

const TAGS: Record<string, string> = {
  search: "Find companies and people by name, number and other known facts.",
  company: "Records of one company.",
  officers: "Records of one officer.",
  "disqualified-officers": "Disqualifications of people and bodies.",
  "persons-with-significant-control": "Records of one person with significant control.",
  coverage: "Which records the register holds.",
  enumerations: "The codes in answers, and their texts.",
  [RECONCILIATION_TAG]:
    "Match lists of names, for OpenRefine and similar programs: Reconciliation Service API 0.2.",
};

/** Assembles the document. `vendor`: the vendor part of the media types; `publicUrl`: the public address, if known. */
export function buildOpenApi(endpoints: Endpoints, vendor: string, publicUrl = ""): Record<string, unknown> {
  const operations = toOperations(endpoints);
  const components = collectComponents();
  for (const [name, schema] of Object.entries(errorSchemas)) components.refer(schema, name);
  const paths = operations.map((operation) => [
    toPathTemplate(operation.path),
    { get: describeOperation(operation, vendor, components) },
  ]);
  const reconciliation = endpoints.hasReconciliation ? describeReconciliation() : {};
  const tags = [
    ...new Set(operations.map(({ tag }) => tag)),
    ...(endpoints.hasReconciliation ? [RECONCILIATION_TAG] : []),
  ];
  return {
    openapi: "3.1.0",
    info: {
      title: "Company Register",
      version: "1",
      summary: "Public company data, read-only.",
      description:
        "Each resource has its own versions, chosen by media type; by default you get the latest. " +
        "The `Content-Type` says which version was sent. Members and values may be added within a version: clients " +
        "must ignore those that they do not know. Links in answers are relative to the base address.",
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative to the address of this document, because a proxy may serve the API below a path.
    servers: [{ url: ".", description: "This server." }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? name })),
    paths: { ...(Object.fromEntries(paths) as Record<string, unknown>), ...reconciliation },
    components: {
      securitySchemes: securitySchemes(publicUrl.replace(/\/+$/, "")),
      schemas: components.schemas,
      headers: sharedHeaders,
      parameters: { [IF_NONE_MATCH.name]: IF_NONE_MATCH },
      responses: usedResponses(operations, endpoints.hasReconciliation ? RECONCILIATION_STATUSES : []),
    },
  };
}

function toOperations({ resources, searches, downloads }: Endpoints): Operation[] {
  return [
    // Searches come first: newcomers need one to find a company number.
    ...searches.map((search) => toSearchOperation(search, versionsOf(search))),
    // A download has no versions, since it is no JSON.
    ...downloads.map((download) => toSearchOperation(download, [])),
    ...resources.map(toResourceOperation),
  ];
}

function toResourceOperation(resource: ResourceDefinition): Operation {
  const { name, aliases, path, summary, parameters, versions, example, examplePath, record } = resource;
  const isAsking = Object.keys(parameters).length > 0;
  return {
    ...{ name, aliases, path, summary, parameters, versions, example, examplePath },
    access: { scope: resource.scope, isOpen: resource.isOpen },
    operationId: toCamelCase(`get-${name}`),
    tag: path.split("/")[1] ?? "",
    hasEtag: resource.hasEtag === true,
    hasCoverage: record !== undefined,
    // An operation without a record and without a path parameter has no 404.
    statuses: [...(isAsking ? [400] : []), ...(record || path.includes(":") ? [404] : [])],
  };
}

type Described = Pick<
  SearchDefinition,
  "name" | "aliases" | "path" | "summary" | "parameters" | "example" | "scope" | "statuses"
>;

/** A search or a download. */
function toSearchOperation(search: Described, versions: Operation["versions"]): Operation {
  const { name, aliases, path, summary, parameters, example, scope = SEARCH_SCOPE, statuses = [] } = search;
  return {
    ...{ name, aliases, path, summary, parameters, example, versions },
    access: { scope },
    operationId: toCamelCase(name),
    tag: "search",
    hasEtag: false,
    hasCoverage: true,
    statuses: [400, ...statuses],
  };
}

function describeOperation(
  operation: Operation,
  vendor: string,
  components: Components,
): Record<string, unknown> {
  const { operationId, summary, tag, path, parameters, example, examplePath, hasEtag, hasCoverage } =
    operation;
  return {
    operationId,
    summary,
    tags: [tag],
    security: securityOf(operation.access),
    parameters: [
      ...describePathParameters(path, example, examplePath),
      ...describeQueryParameters(parameters, example),
      ...(hasEtag ? [{ $ref: `#/components/parameters/${IF_NONE_MATCH.name}` }] : []),
    ],
    responses: {
      200: {
        description: "The requested data.",
        headers: { ...answerHeaders, ...(hasCoverage ? coverageHeader : {}), ...(hasEtag ? etagHeader : {}) },
        content: describeContent(operation, vendor, components),
      },
      ...refer(statusesOf(operation)),
    },
  };
}

function statusesOf({ hasEtag, statuses }: Operation): number[] {
  return [...(hasEtag ? [304] : []), ...statuses, ...COMMON_STATUSES];
}

function usedResponses(operations: Operation[], more: readonly number[]): Record<string, unknown> {
  const used = new Set([...operations.flatMap(statusesOf), ...more]);
  return Object.fromEntries([...used].map((status) => [status, sharedResponses[status]]));
}

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  description: "ETags of the client's copies; the answer is 304 if one of them is current.",
  schema: { type: "string" },
};

/** The media types of each version, newest first; aliases follow the own name. The newest version has the example. */
function describeContent(
  { name, aliases = [], versions, example }: Operation,
  vendor: string,
  components: Components,
): Record<string, unknown> {
  if (versions.length === 0) return { "text/csv": { schema: { type: "string" } } };
  const types = versions.flatMap(({ version, schema, deprecation }, i) => {
    // The newest version has the plain name, so that a client's types keep their names when an older version ends.
    const plainName = typeof schema.title === "string" ? schema.title : name;
    const componentName = i === 0 ? plainName : `${plainName}-v${version}`;
    const shown = deprecation ? { ...schema, deprecated: true } : schema;
    const reference = components.refer(shown, componentName);
    return [name, ...aliases].map((word, j) => {
      const isFirst = i === 0 && j === 0;
      return [
        mediaTypeOf(vendor, word, version),
        { schema: reference, ...(isFirst && example && { example }) },
      ] as const;
    });
  });
  return Object.fromEntries(types);
}

function toCamelCase(kebab: string): string {
  return kebab.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
