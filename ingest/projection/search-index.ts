/** Owns the writing of search documents to an index. */
import { RefusedDocumentError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { isNextName } from "../../api/core/stores/elasticsearch-names.ts";
import type { IndexRefusal, IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { AliasedIndex, SearchDocument } from "../../index-mappings/define-index.ts";
import { requireNameRules } from "../../index-mappings/name-rules.ts";
import { fetchFit, type Fit } from "./live-fit.ts";

/** True when a document of the index is made of one record alone, and bears its revision as its version. */
export function bearsRevision({ groupBy }: Pick<AliasedIndex, "groupBy">): boolean {
  return groupBy === "_id";
}

/** At once to JSON: documents that wait as objects cost the collector of garbage as much as making them. */
export function toJson(document: SearchDocument | null): string | null {
  return document && JSON.stringify(document);
}

/**
 * Writes documents to one index, under its live name or that of the one being built; returns the live one by its own name.
 * MongoDB must have been written before. Throws RefusedDocumentError when Elasticsearch refuses a document, since a
 * projection that does not fit its mapping is a fault of the code and not of the row; UnavailableError for an index of
 * other name rules: no document goes into it.
 */
export async function writeIndex(
  { elasticsearch }: Stores,
  index: AliasedIndex,
  writes: IndexWrite[],
): Promise<string | undefined> {
  const { name } = index;
  if (writes.length === 0) return undefined;
  if (isNextName(name)) {
    requireAccepted(name, await elasticsearch.write(name, writes));
    return undefined;
  }
  // Asked anew for each write, since another process may have moved the alias; cheap beside a bulk write.
  const [live] = await requireNameRules(elasticsearch, [name]);
  const { isCut, fit } = await fetchFit(elasticsearch, index, live);
  const fitted = isCut ? writes.map((write) => ({ ...write, document: fitDocument(write, fit) })) : writes;
  // Should the alias move now, the whole document of the new index stands against the cut one of the same version.
  requireAccepted(name, await elasticsearch.write(name, fitted, { isNewerOnly: isCut }));
  return live?.name;
}

function fitDocument({ document }: IndexWrite, fit: Fit["fit"]): IndexWrite["document"] {
  if (document === null) return null;
  return fit(typeof document === "string" ? (JSON.parse(document) as SearchDocument) : document);
}

function requireAccepted(name: AliasedIndex["name"], refusals: IndexRefusal[]): void {
  const [first] = refusals;
  if (first) throw new RefusedDocumentError(name, { count: refusals.length, ...first });
}
