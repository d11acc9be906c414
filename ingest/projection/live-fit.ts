/** Owns what fits documents to a live index of another version than the code's: fields that it does not know are left out. */
import { NotReadyError } from "../../api/core/errors.ts";
import type { KnownFields } from "../../api/core/stores/elasticsearch-builds.ts";
import { isNextName, versionOf } from "../../api/core/stores/elasticsearch-names.ts";
import type { ElasticsearchStore, LiveIndex } from "../../api/core/stores/elasticsearch.ts";
import type { AliasedIndex, SearchDocument } from "../../index-mappings/define-index.ts";

/** A document as the index takes it. */
export interface Fit {
  /** True when documents are cut: the index is of another version. */
  isCut: boolean;
  fit: (document: SearchDocument) => SearchDocument;
}

const WHOLE: Fit = { isCut: false, fit: (document) => document };

// A mapping stays as it was made; Limit: those of indices that are gone are forgotten with the others.
const MOST_KEPT = 100;
const kept = new Map<string, KnownFields>();

/**
 * How documents go into the index that is live. Throws NotReadyError when it was built by a newer release, whose
 * searches would miss what this one does not know.
 */
export async function fetchFit(
  elasticsearch: Pick<ElasticsearchStore, "builds">,
  index: AliasedIndex,
  live: LiveIndex | undefined,
): Promise<Fit> {
  if (!live || isNextName(index.name)) return WHOLE;
  const version = versionOf(live.name);
  if (version === undefined || version === index.version) return WHOLE;
  if (version > index.version) {
    throw new NotReadyError(
      "elasticsearch",
      `index ${live.name} was built by a newer release, this one has version ${index.version}: start that release`,
    );
  }
  const known = kept.get(live.name) ?? (await elasticsearch.builds.fetchKnownFields(live.name));
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(live.name, known);
  return { isCut: true, fit: (document) => cutDocument(document, known) };
}

/** A document without the fields that a mapping does not know, those of its parts included. Pure. */
export function cutDocument(document: SearchDocument, known: KnownFields): SearchDocument {
  const fields = Object.entries(document).flatMap(([name, value]) => {
    const below = known[name];
    if (below === undefined) return [];
    return [[name, below === null ? value : cutValue(value, below)] as const];
  });
  return Object.fromEntries(fields);
}

function cutValue(value: unknown, known: KnownFields): unknown {
  if (Array.isArray(value)) return value.map((item) => cutValue(item, known));
  return typeof value === "object" && value !== null ? cutDocument(value as SearchDocument, known) : value;
}
