/**
 * Owns the check that live indices were built under the name rules of this code, before they are searched or written.
 */
import { NotReadyError, OverloadedError, UnavailableError } from "../api/shared/runtime/errors.ts";
import type { ElasticsearchStore, LiveIndex } from "../api/shared/stores/elasticsearch/elasticsearch.ts";
import { LateError, within } from "../api/shared/runtime/deadlines.ts";
import type { IndexName } from "../api/shared/definitions/define-index.ts";
import { indices } from "./index.ts";
import { NAMES_VERSION } from "./names/mapping.ts";

/**
 * The remedy for an index of other rules. The API of the release that built it may continue meanwhile; its
 * workers, `follow` and `watch` must be stopped: they would not write to the new index, and `follow` would keep others from it.
 * Those of this release wait.
 */
const REMEDY =
  "start the release that built it, or, with its workers, `follow` and `watch` stopped, run `npm run cli -- reindex`, which builds a fitting one";

// A starting process waits no longer than this for an unavailable engine; readiness and the first search check again.
const START_WITHIN_MS = 2_000;

/** An index whose rules differ from those of the code. */
interface RuleMismatch {
  /** The index's own name, with version and time. */
  index: string;
  found: number | "unknown";
}

type Asked = Pick<ElasticsearchStore, "fetchLiveIndices">;

/** The part of the store that searches need. */
export type SearchStore = Pick<ElasticsearchStore, "search"> & {
  words: Pick<ElasticsearchStore["words"], "fetch">;
};

/** The indices built under other rules than the code's; one that does not record its rules counts as well. Pure. */
export function findMismatches(live: readonly LiveIndex[]): RuleMismatch[] {
  return live
    .map(({ name, meta: { names_version: rules } }) => ({
      index: name,
      found: typeof rules === "number" ? rules : ("unknown" as const),
    }))
    .filter(({ found }) => found !== NAMES_VERSION);
}

/**
 * The sentence that names the indices built under other rules, and the remedy; null when there are none. Missing indices
 * do not count. Throws UnavailableError when Elasticsearch does not answer.
 */
export async function fetchRulesFault(
  elasticsearch: Asked,
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
  elasticsearch: Asked,
  names: readonly IndexName[],
): Promise<LiveIndex[]> {
  const live = await elasticsearch.fetchLiveIndices(names);
  const fault = describeFault(live);
  if (fault) throw new NotReadyError("elasticsearch", fault);
  return live;
}

/** The reason why a process must not start; null when it may, and when Elasticsearch does not answer in time. */
export async function fetchStartRefusal(elasticsearch: Asked): Promise<string | null> {
  // Other code reports why the engine does not answer, when it needs the engine.
  return within(START_WITHIN_MS, fetchRulesFault(elasticsearch)).catch(() => null);
}

/** A watch over the indices that a process searches. */
interface NameRulesWatch {
  /** Checks at once, like `fetchRulesFault`, and from then on allows or refuses searches. */
  look: () => Promise<string | null>;
  /**
   * Searches indices that passed a check; throws UnavailableError when they did not. Words are looked up without: they serve
   * such a search only, and where it does not need them, a failure tells nothing.
   */
  elasticsearch: SearchStore;
}

// An alias may be moved to an index of other rules at any time. Searches continue meanwhile: none waits for such a check.
const LOOK_AGAIN_MS = 30_000;

/**
 * Starts a watch. Searches wait for a check only while its result is open: before the first one, after
 * an outage, which may have brought other indices, and while the rules differ. `now` in milliseconds.
 */
export function watchNameRules(
  elasticsearch: Asked & SearchStore,
  now: () => number = () => performance.now(),
): NameRulesWatch {
  let isFit = false;
  let lookedAt = -Infinity;
  let looking: Promise<string | null> | undefined;
  const lookNow = async () => {
    lookedAt = now();
    try {
      const fault = await fetchRulesFault(elasticsearch);
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
    // Its failure refuses the next search.
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

/** True for what shows nothing about the indices: it took too long, or the engine had too much to do. */
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
