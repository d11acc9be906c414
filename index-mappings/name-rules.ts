/** Checks that live indices were built under the name rules of this code, before they are searched or written. */
import { NotReadyError, OverloadedError, UnavailableError } from "../api/shared/runtime/errors.ts";
import type { ElasticsearchStore, LiveIndex } from "../api/shared/stores/elasticsearch/elasticsearch.ts";
import { LateError, within } from "../api/shared/runtime/deadlines.ts";
import type { IndexName } from "../api/shared/definitions/define-index.ts";
import { indices } from "./index.ts";
import { NAMES_VERSION } from "./names/mapping.ts";

/**
 * What to do about an index that was built under other rules. During `reindex` the API of the release that built it may
 * run. The workers, `follow` and `watch` of that release must be stopped: they would not write to the new index, and
 * `follow` would keep others from writing to it. The workers, `follow` and `watch` of this release wait.
 */
const REMEDY =
  "start the release that built it, or stop the workers, `follow` and `watch` of that release and run `npm run cli -- reindex`";

// A starting process waits no longer than this for an unavailable engine; readiness and the first search check again.
const START_WITHIN_MS = 2_000;

/** An index whose rules differ from those of the code. */
interface RuleMismatch {
  /** The name of the index itself, with version and time, not its alias. */
  index: string;
  found: number | "unknown";
}

type IndexReader = Pick<ElasticsearchStore, "fetchLiveIndices">;

/** The part of the store that searches need. */
export type SearchStore = Pick<ElasticsearchStore, "search"> & {
  words: Pick<ElasticsearchStore["words"], "fetch">;
};

/** The indices that were built under other rules than those of this code, or do not record their rules. Pure. */
export function findMismatches(live: readonly LiveIndex[]): RuleMismatch[] {
  return live
    .map(({ name, meta: { names_version: rules } }) => ({
      index: name,
      found: typeof rules === "number" ? rules : ("unknown" as const),
    }))
    .filter(({ found }) => found !== NAMES_VERSION);
}

/**
 * The sentence that names the indices built under other rules, and the remedy; null when there are none. Missing
 * indices do not count. Throws UnavailableError when Elasticsearch does not answer.
 */
export async function fetchRuleMismatch(
  elasticsearch: IndexReader,
  names: readonly IndexName[] = indices.map(({ name }) => name),
): Promise<string | null> {
  return describeFault(await elasticsearch.fetchLiveIndices(names));
}

function describeFault(live: readonly LiveIndex[]): string | null {
  const mismatches = findMismatches(live);
  return mismatches.length > 0 ? `The ${mismatches.map(describeMismatch).join("; the ")}: ${REMEDY}.` : null;
}

/** The live indices of these names. Throws UnavailableError when one of them was built under other rules. */
export async function requireNameRules(
  elasticsearch: IndexReader,
  names: readonly IndexName[],
): Promise<LiveIndex[]> {
  const live = await elasticsearch.fetchLiveIndices(names);
  const fault = describeFault(live);
  if (fault) throw new NotReadyError("elasticsearch", fault);
  return live;
}

/** The reason why a process must not start; null when it may, and when Elasticsearch does not answer in time. */
export async function fetchStartRefusal(elasticsearch: IndexReader): Promise<string | null> {
  // Code that needs the engine reports why it does not answer.
  return within(START_WITHIN_MS, fetchRuleMismatch(elasticsearch)).catch(() => null);
}

/** A watch over the indices that a process searches. */
interface NameRulesWatch {
  /** Checks at once, like `fetchRuleMismatch`; from then on searches are allowed or refused by the result. */
  look: () => Promise<string | null>;
  /**
   * Searches only indices that passed a check; throws UnavailableError otherwise. Look-ups of words are not checked:
   * they are made only for such a search, and their failure says nothing about the indices.
   */
  elasticsearch: SearchStore;
}

// An alias may move to an index of other rules at any time, so the check is repeated. No search waits for a repeat.
const LOOK_AGAIN_MS = 30_000;

/**
 * Starts a watch. Searches wait for a check only when there is no good result yet: before the first one, after an
 * outage, which may have brought other indices, and while the rules differ. `now`: a clock, in milliseconds.
 */
export function watchNameRules(
  elasticsearch: IndexReader & SearchStore,
  now: () => number = () => performance.now(),
): NameRulesWatch {
  let isFit = false;
  let lookedAt = -Infinity;
  let looking: Promise<string | null> | undefined;
  const lookNow = async () => {
    lookedAt = now();
    try {
      const fault = await fetchRuleMismatch(elasticsearch);
      isFit = fault === null;
      return fault;
    } catch (error) {
      if (!isSilentOnIndices(error)) isFit = false;
      throw error;
    }
  };
  // One check answers all concurrent callers.
  const look = () => (looking ??= lookNow().finally(() => (looking = undefined)));
  const guarded = async <T>(operation: () => Promise<T>): Promise<T> => {
    const fault = isFit ? null : await look();
    if (fault) throw new NotReadyError("elasticsearch", fault);
    // If this check finds a fault or an outage, the next search waits for another check.
    if (now() - lookedAt > LOOK_AGAIN_MS) void look().catch(() => undefined);
    try {
      return await operation();
    } catch (error) {
      if (error instanceof UnavailableError && !isSilentOnIndices(error)) isFit = false;
      throw error;
    }
  };
  const search: SearchStore["search"] = (...asked) => guarded(() => elasticsearch.search(...asked));
  const fetch: SearchStore["words"]["fetch"] = (...asked) => elasticsearch.words.fetch(...asked);
  return { look, elasticsearch: { search, words: { fetch } } };
}

/** True for an error that says nothing about the indices: a timeout, or an overloaded engine. */
function isSilentOnIndices(error: unknown): boolean {
  return (
    error instanceof OverloadedError ||
    (error instanceof UnavailableError && error.cause instanceof LateError)
  );
}

function describeMismatch({ index, found }: RuleMismatch): string {
  const rules = found === "unknown" ? "an unknown version" : `version ${found}`;
  return `index ${index} was built under ${rules} of the name rules, this release has version ${NAMES_VERSION}`;
}
