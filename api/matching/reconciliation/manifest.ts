/** The manifest of the reconciliation service: its description and the addresses of its parts. Pure. */
import { entityTypes } from "./entities.ts";

/** The service's path below the base address. */
export const RECONCILE = "/reconcile";

/** Limit: most queries in a batch, which must be answered before the request's deadline. More are refused with 413. */
export const MOST_QUERIES = 20;

const PREVIEW = { width: 420, height: 260 };

/** Builds the manifest. `base`: the API's address; `root`: the service's address for this caller, maybe with a key. */
export function buildManifest(base: string, root: string): Record<string, unknown> {
  const service = (path: string) => ({ service_url: root, service_path: path });
  const isKeyed = root !== base + RECONCILE;
  return {
    versions: ["0.2"],
    name: "Company Register",
    identifierSpace: `${base}${RECONCILE}/preview/`,
    schemaSpace: `${base}${RECONCILE}/properties`,
    documentation: `${base}/docs`,
    defaultTypes: entityTypes,
    view: { url: `${root}/preview/{{id}}` },
    preview: { url: `${root}/preview/{{id}}`, ...PREVIEW },
    suggest: {
      entity: service("/suggest/entity"),
      property: service("/suggest/property"),
      type: service("/suggest/type"),
    },
    extend: { propose_properties: service("/properties") },
    batchSize: MOST_QUERIES,
    // A client whose address contains the key need not send it again.
    ...(!isKeyed && { authentication: { type: "http", scheme: "basic" } }),
  };
}
