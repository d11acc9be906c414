/** Readiness: whether stores answer, and whether indices exist, are open and fit the name rules of this release. */
import { DeniedError, NotReadyError, UnavailableError } from "../api/shared/runtime/errors.ts";
import type { ElasticsearchStore } from "../api/shared/stores/elasticsearch/elasticsearch.ts";
import { LateError, within } from "../api/shared/runtime/deadlines.ts";
import { neededIndices } from "./index.ts";
import { wordsIndex } from "./words/index.ts";

/** The result, for the readiness page. */
interface ReadinessAnswer {
  /** 200, or 503 when one check or more has failed. */
  status: 200 | 503;
  /** Each check is `ok` or a sentence that names the fault. */
  body: { status: "ready" | "not ready"; checks: Record<string, string> };
}

// A store that needs longer than this to answer a ping is not ready; shorter than the deadline of a request.
const READY_WITHIN_MS = 1_000;

/** Called with a fault whose message the page does not show, and the name of its check. */
type OnHidden = (check: string, fault: unknown) => void;

type Checks = Record<string, () => Promise<void>>;

/** A fault of the indices, in our own words. */
class UnfitIndicesError extends Error {}

/**
 * Makes the readiness function of these checks. All checks run at once. The function waits for each at most a second,
 * or two if this process itself was delayed, and it never throws. Concurrent callers share one run: the page needs no
 * key, and must not be a way to overload the stores.
 */
export function openReadiness(checks: Checks): (onHidden?: OnHidden) => Promise<ReadinessAnswer> {
  let asking: Promise<ReadinessAnswer> | undefined;
  return (onHidden) => (asking ??= ask(checks, onHidden).finally(() => (asking = undefined)));
}

async function ask(checks: Checks, onHidden?: OnHidden): Promise<ReadinessAnswer> {
  const verdict = async ([name, check]: [string, Checks[string]]) => {
    const describe = (fault: unknown) => describeFault(fault, () => onHidden?.(name, fault));
    return [name, await within(READY_WITHIN_MS, check()).then(() => "ok", describe)] as const;
  };
  const verdicts = await Promise.all(Object.entries(checks).map(verdict));
  const isReady = verdicts.every(([, said]) => said === "ok");
  const body = { status: isReady ? "ready" : "not ready", checks: Object.fromEntries(verdicts) } as const;
  return { status: isReady ? 200 : 503, body };
}

/**
 * Throws when an index was built under other name rules, for which `lookAtRules` returns a sentence, when an alias is
 * missing, and when an index has been closed.
 */
export async function requireIndices(
  elasticsearch: Pick<ElasticsearchStore, "fetchAliasedIndices">,
  lookAtRules: () => Promise<string | null>,
): Promise<void> {
  const fault = await lookAtRules();
  if (fault) throw new UnfitIndicesError(fault);
  const reached = await elasticsearch.fetchAliasedIndices(neededIndices);
  const missing = neededIndices.filter((name) => reached.every(({ alias }) => alias !== name));
  // `prepare` creates the index of words empty, and only `verify` notices that.
  const refill = missing.includes(wordsIndex.name) ? ", then `npm run cli -- verify --repair`" : "";
  if (missing.length > 0)
    throw new UnfitIndicesError(`missing: ${missing.join(", ")}; run \`npm run cli -- prepare\`${refill}`);
  const closed = reached.filter(({ isOpen }) => !isOpen).map(describeClosed);
  if (closed.length > 0)
    throw new UnfitIndicesError(`${closed.join("; ")}; then run \`npm run cli -- verify --repair\``);
}

function describeClosed({ name }: { name: string }): string {
  return `index ${name} is closed: \`POST ${name}/_open\` in Elasticsearch opens it`;
}

/**
 * Anyone may read the readiness page, so of a store's fault it names only the store. The log (`store unavailable`,
 * `not ready`) and `doctor` say why, with addresses and the store's own words. Our own sentences, about the indices,
 * have neither and are shown.
 */
function describeFault(fault: unknown, onHidden: () => void): string {
  if (fault instanceof DeniedError) return `${fault.store} refuses access`;
  const isOurs = [UnfitIndicesError, NotReadyError, LateError].some((ours) => fault instanceof ours);
  if (isOurs) return (fault as Error).message;
  if (fault instanceof UnavailableError) return `${fault.store} is not available`;
  onHidden();
  return "is not available";
}
