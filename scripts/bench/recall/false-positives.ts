/** Owns the asking for names that nobody has: what is found all the same, and is not marked as a near spelling. */
import type { AbsentNames } from "../search/absent-names.ts";
import { round } from "../statistics.ts";
import { askSearch } from "./ask.ts";
import type { FoundItem } from "./found-item.ts";
import { describeItem, findSearch, type Measuring } from "./measure.ts";
import type { Suite } from "./suites.ts";

const NEAR = "near-spelling";
const SHOWN_ITEMS = 3;

/** What one search finds of names that nobody has. */
export interface FalsePositives {
  search: string;
  asked: number;
  /** Names for which anything at all was found. */
  answered: number;
  /** Names for which something was found that is not marked as a near spelling. */
  unmarked: number;
  /** Mean requests to Elasticsearch. */
  requests: number;
  /** Of the names with unmarked items, how many have each tier and reason. */
  reasons: Record<string, number>;
  isShort: boolean;
  examples: { query: string; items: string[] }[];
}

/** Asks the searches for names that nobody has. */
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

/** True for every reason that says near spelling, alone or with something else. */
function isNear({ match }: FoundItem): boolean {
  return match?.reason.includes(NEAR) === true;
}

function reasonOf({ match }: FoundItem): string {
  return match ? `${match.tier} ${match.reason}` : "no reason";
}
