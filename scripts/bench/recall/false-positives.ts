/** Searches for names that nobody has, and counts results that are not marked as a near spelling. */
import type { AbsentNames } from "../search/absent-names.ts";
import { round } from "../statistics.ts";
import { askSearch } from "./ask.ts";
import type { FoundItem } from "./found-item.ts";
import { describeItem, findSearch, type Measuring } from "./measure.ts";
import type { Suite } from "./suites.ts";

const NEAR = "near-spelling";
const SHOWN_ITEMS = 3;

/** What one search finds for names that nobody has. */
export interface FalsePositives {
  search: string;
  asked: number;
  /** Names for which anything at all was found. */
  answered: number;
  /** Names for which something was found that is not marked as a near spelling. */
  unmarked: number;
  /** Mean requests to Elasticsearch. */
  requests: number;
  /** For each tier and reason, the number of names with an unmarked item of it. */
  reasons: Record<string, number>;
  isShort: boolean;
  examples: { query: string; items: string[] }[];
}

/** Measures all suites that are to be asked for absent names. */
export async function measureFalsePositives(
  measuring: Measuring,
  suites: readonly Suite[],
  absent: AbsentNames,
): Promise<FalsePositives[]> {
  const results: FalsePositives[] = [];
  for (const suite of suites) {
    const names = suite.absent ? absent[suite.absent] : [];
    if (names.length > 0) results.push(await measureSearch(measuring, suite, names));
  }
  return results;
}

async function measureSearch(
  measuring: Measuring,
  suite: Suite,
  queries: readonly string[],
): Promise<FalsePositives> {
  const search = findSearch(measuring, suite);
  const reasons: Record<string, number> = {};
  const examples: FalsePositives["examples"] = [];
  let [answered, unmarked, requests] = [0, 0, 0];
  for (const query of queries) {
    const answer = await askSearch(measuring.elasticsearch, search, query, true);
    requests += answer.requests;
    if (answer.items.length > 0) answered += 1;
    const wrong = answer.items.filter((item) => !isNear(item));
    if (wrong.length === 0) continue;
    unmarked += 1;
    for (const reason of new Set(wrong.map(reasonOf))) reasons[reason] = (reasons[reason] ?? 0) + 1;
    if (examples.length < measuring.misses) {
      examples.push({ query, items: wrong.slice(0, SHOWN_ITEMS).map(describeItem) });
    }
  }
  return {
    search: suite.name,
    asked: queries.length,
    answered,
    unmarked,
    requests: round(requests / queries.length, 2),
    reasons,
    isShort: unmarked > 0,
    examples,
  };
}

/** Whether the reason of an item mentions a near spelling, alone or with something else. */
function isNear({ match }: FoundItem): boolean {
  return match?.reason.includes(NEAR) === true;
}

function reasonOf({ match }: FoundItem): string {
  return match ? `${match.tier} ${match.reason}` : "no reason";
}
