/** Owns what is left of a clause when a part of it matches nothing. */
import { NOTHING, type Clause } from "./clauses.ts";

/**
 * A clause whose own parts have been pruned before, without those that match nothing; its scores stay the same. The engine
 * would leave them out as well, once for each shard: of words that nobody has it took a twentieth longer.
 */
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

function isNothing(clause: Clause): boolean {
  return "match_none" in clause;
}
