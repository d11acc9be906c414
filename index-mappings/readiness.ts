/** Owns the question whether a process can do its work: stores that answer, aliases that exist, name rules that fit. */
import { messageOf } from "../api/core/errors.ts";
import type { ElasticsearchStore } from "../api/core/stores/elasticsearch.ts";
import { within } from "../api/core/within.ts";
import { indices } from "./index.ts";

/** What readiness says: each check is `ok` or a sentence that tells the fault. */
export interface Readiness {
  isReady: boolean;
  checks: Record<string, string>;
}

// A store that needs longer than this to say hello is not ready to serve.
const READY_WITHIN_MS = 2_000;

/** Runs all checks at once; none is waited for longer than two seconds, and none throws. */
export async function checkReadiness(checks: Record<string, () => Promise<void>>): Promise<Readiness> {
  const verdicts = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await verdict(check())] as const),
  );
  return { isReady: verdicts.every(([, said]) => said === "ok"), checks: Object.fromEntries(verdicts) };
}

/** Throws when an index was built under other name rules, which `lookAtRules` tells in a sentence, or an alias is missing. */
export async function requireIndices(
  elasticsearch: Pick<ElasticsearchStore, "fetchAliases">,
  lookAtRules: () => Promise<string | null>,
): Promise<void> {
  const fault = await lookAtRules();
  if (fault) throw new Error(fault);
  const names = indices.map((index) => index.name);
  const found = await elasticsearch.fetchAliases(names);
  const missing = names.filter((name) => !found.includes(name));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(", ")}; run the prepare command`);
}

async function verdict(check: Promise<void>): Promise<string> {
  return within(READY_WITHIN_MS, check).then(() => "ok", messageOf);
}
