/**
 * Owns near spellings in query bodies: which words of the register are near those of a query, and their clauses. Where a part
 * of a clause then can match nothing, the engine is not asked for the rest in vain.
 */
import {
  editsAllowed,
  editsWhereNear,
  letterBits,
  mayBeWithin,
  formsOfTyped,
  MOST_FOUND,
} from "../shared/values/nearness.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import type { SearchLimits } from "../shared/stores/elasticsearch/search.ts";
import type { IndexAlias } from "../shared/definitions/define-index.ts";
import { type Clause, isNothing, NOTHING } from "./clauses.ts";
import type { Ask } from "./define-search.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import { isSpelling, spellingClause, SPELLINGS, type Spellings } from "./ranking/near.ts";

// Searches with near spellings are the expensive ones: with a thread of the engine for each index, a few of them would keep
// all of its threads from the searches of others.
const SHARDS_AT_ONCE = 1;

/**
 * Sends bodies to these indices. Near spellings in them are looked up first, for all words in one request: the engine finds
 * a list of words far sooner than the words near one. What then can match nothing is left out. To be opened for each request,
 * since it keeps what it has looked up.
 */
export function askWithSpellings(
  elasticsearch: SearchStore,
  indices: readonly IndexAlias[],
  limits: Pick<SearchLimits, "budget" | "isCached"> = {},
): Ask {
  const spelt = new Map<string, Spellings>();
  const lookUp = async (words: string[]) => {
    const formsOf = new Map(words.map((word) => [word, formsOfTyped(word)]));
    const forms = new Set([...formsOf.values()].flat());
    const found = new Set(forms.size > 0 ? await elasticsearch.words.fetch([...forms], limits.budget) : []);
    const candidates = Array.from(found, (word) => ({ word, bits: letterBits(word) }));
    for (const [word, own] of formsOf) {
      // One that was not looked up, or is perhaps not among the first of too many, may be there.
      const mayBeThere = found.has(word) || own.length === 0 || found.size >= MOST_FOUND;
      spelt.set(word, firstOf([mayBeThere ? [word] : [], ...nearOf(word, candidates)]));
    }
  };
  return async (...bodies) => {
    const words = new Set<string>();
    for (const body of bodies) addWordsIn(body, words);
    if (words.size === 0) return elasticsearch.search(indices, bodies, limits);
    const unknown = [...words].filter((word) => !spelt.has(word));
    if (unknown.length > 0) await lookUp(unknown);
    const asked = bodies.map((body) => withSpellings(body, spelt) as SearchBody);
    return elasticsearch.search(indices, asked, { ...limits, shardsAtOnce: SHARDS_AT_ONCE });
  };
}

interface Candidate {
  word: string;
  bits: number;
}

/** Those of the candidates that are near a word, by edits from one. */
function nearOf(word: string, candidates: readonly Candidate[]): string[][] {
  const most = editsAllowed(word);
  const bits = letterBits(word);
  const byEdits: string[][] = Array.from({ length: most }, () => []);
  for (const candidate of candidates) {
    // A query has several words, and each found word is near one of them: a look at the letters saves most comparisons.
    if (!mayBeWithin(most, bits, candidate.bits)) continue;
    const edits = editsWhereNear(word, candidate.word);
    if (edits > 0) byEdits[edits - 1]?.push(candidate.word);
  }
  return byEdits;
}

/** As many as are looked for, the nearest first. */
function firstOf(byEdits: readonly string[][]): Spellings {
  let left = SPELLINGS;
  return byEdits.map((words) => {
    const some = words.slice(0, left);
    left -= some.length;
    return some;
  });
}

/** With for-in, since every body of every search is walked: with arrays in between it took ten times as long. */
function addWordsIn(node: object, words: Set<string>): void {
  if (isSpelling(node)) {
    words.add(node.near_spelling.word);
    return;
  }
  for (const name in node) {
    const value: unknown = node[name as keyof typeof node];
    if (typeof value === "object" && value !== null) addWordsIn(value, words);
  }
}

/** A body without near spellings stays the same object. */
function withSpellings(node: object, spelt: ReadonlyMap<string, Spellings>): object {
  if (isSpelling(node)) return spellingClause(node, spelt.get(node.near_spelling.word) ?? []);
  let copy: Record<string, unknown> | undefined;
  for (const name in node) {
    const value: unknown = node[name as keyof typeof node];
    if (typeof value !== "object" || value === null) continue;
    const changed = withSpellings(value, spelt);
    if (changed === value) continue;
    copy ??= (Array.isArray(node) ? [...(node as unknown[])] : { ...node }) as Record<string, unknown>;
    copy[name] = changed;
  }
  if (!copy) return node;
  return Array.isArray(copy) ? copy : prune(copy);
}

/** A clause whose own parts have been pruned before, without those that match nothing; its scores stay the same. */
export function prune(clause: Clause): Clause {
  if ("bool" in clause) return pruneBool(clause, clause.bool as Bool);
  const { dis_max, nested, constant_score, script_score } = clause as Partial<Record<string, Wrapping>>;
  if (dis_max?.queries) return pruneBest(dis_max.queries);
  const inner = nested?.query ?? constant_score?.filter ?? script_score?.query;
  return inner && isNothing(inner) ? NOTHING : clause;
}

type Clauses = Clause | Clause[] | undefined;

interface Bool {
  must?: Clauses;
  filter?: Clauses;
  should?: Clauses;
  minimum_should_match?: number;
}

interface Wrapping {
  queries?: Clause[];
  query?: Clause;
  filter?: Clause;
}

function pruneBool(clause: Clause, { should, ...others }: Bool): Clause {
  const { must, filter, minimum_should_match } = others;
  const needed = [...listOf(must), ...listOf(filter)];
  if (needed.some(isNothing)) return NOTHING;
  const all = listOf(should);
  const left = all.filter((one) => !isNothing(one));
  if (left.length === all.length) return clause;
  // Without clauses that must match, one of the others has to.
  const least = minimum_should_match ?? (needed.length > 0 ? 0 : 1);
  if (left.length < least) return NOTHING;
  return { bool: left.length > 0 ? { ...others, should: left } : others };
}

function pruneBest(queries: Clause[]): Clause {
  const left = queries.filter((one) => !isNothing(one));
  const [only] = left;
  if (!only) return NOTHING;
  return left.length === 1 ? only : { dis_max: { queries: left } };
}

function listOf(clauses: Clauses): Clause[] {
  if (clauses === undefined) return [];
  return Array.isArray(clauses) ? clauses : [clauses];
}
