/** Owns the writing of search documents to an index. */
import { NotReadyError, RefusedDocumentError } from "../../api/core/errors.ts";
import { isNextName, versionOf } from "../../api/core/stores/elasticsearch-names.ts";
import type { IndexWrite, LiveIndex } from "../../api/core/stores/elasticsearch.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { AliasedIndex, SearchDocument } from "../../index-mappings/define-index.ts";
import { requireNameRules } from "../../index-mappings/name-rules.ts";

/** True when a document of the index is made of one record alone, and bears its revision as its version. */
export function bearsRevision({ groupBy }: Pick<AliasedIndex, "groupBy">): boolean {
  return groupBy === "_id";
}

/** At once to JSON: documents that wait as objects cost the collector of garbage as much as making them. */
export function toJson(document: SearchDocument | null): string | null {
  return document && JSON.stringify(document);
}

// By their own names; an index that is open to unknown fields stays so.
const loosened = new Set<string>();

/**
 * Writes documents to the live index, or to the one being built, once MongoDB is written; returns the live one by its own name.
 * One of an older release stores fields that it does not know, without searching them. Throws RefusedDocumentError for a
 * document that does not fit its mapping, a fault of the code and not of the row; UnavailableError as `fetchLiveIndex` does.
 */
export async function writeIndex(
  { elasticsearch }: Stores,
  index: AliasedIndex,
  writes: IndexWrite[],
): Promise<string | undefined> {
  const { name } = index;
  if (writes.length === 0) return undefined;
  // Asked anew for each write, since another process may have moved the alias; cheap beside a bulk write.
  const { live, isOlder } = await fetchLiveIndex(elasticsearch, index);
  if (live && isOlder && !loosened.has(live.name)) {
    await elasticsearch.builds.loosen(live.name);
    loosened.add(live.name);
  }
  const refusals = await elasticsearch.write(name, writes);
  const [first] = refusals;
  if (first) throw new RefusedDocumentError(name, { count: refusals.length, ...first });
  return live?.name;
}

/** The live index, and whether an older release built it. Throws UnavailableError for other name rules, and for a newer release. */
export async function fetchLiveIndex(
  elasticsearch: Stores["elasticsearch"],
  { name, version }: AliasedIndex,
): Promise<{ live?: LiveIndex; isOlder: boolean }> {
  const [live] = isNextName(name) ? [] : await requireNameRules(elasticsearch, [name]);
  if (!live) return { isOlder: false };
  const built = versionOf(live.name) ?? version;
  if (built <= version) return { live, isOlder: built < version };
  // Its searches would miss what this release does not know.
  throw new NotReadyError(
    "elasticsearch",
    `index ${live.name} was built by a newer release, this one has version ${version}: start that release`,
  );
}
