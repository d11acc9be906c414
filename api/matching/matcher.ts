/** Matches questions: finds candidates, and returns them with a score, a decision and reasons. */
import type { Budget } from "../shared/runtime/deadlines.ts";
import { parseQuery } from "../shared/schemas/query-parameters.ts";
import { buildPage, within, type Clause } from "../search/clauses.ts";
import { QUERY_CHARACTERS, withoutEscapes } from "../search/reading/query-text.ts";
import type { Ask } from "../search/define-search.ts";
import type { SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import { fetchResult } from "../search/phases.ts";
import { askWithSpellings } from "../search/near-words.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import { companyMatching } from "./companies.ts";
import { decide, settlesQuestion } from "./decide.ts";
import type {
  Compared,
  Matching,
  MatchQuestion,
  MatchResult,
  MatchType,
  ReadQuestion,
} from "./define-match.ts";
import { disqualifiedMatching, officerMatching } from "./people.ts";

export const matchings: Record<MatchType, Matching> = {
  company: companyMatching,
  officer: officerMatching,
  "disqualified-officer": disqualifiedMatching,
};

// Tuned: fewer companies than this share a name, and people are also searched by other facts.
const CANDIDATES = 12;
// Limit: if more companies share a name, active ones come first.
const EQUALS = 30;
// `track_total_hits`: the total only has to show whether a page is full.
const COUNTED = 21;
// Limit: most searches in one request to Elasticsearch, which runs them in parallel.
const MOST_BODIES = 40;
const DEFAULT_LIMIT = 5;

interface MatchOptions {
  /** Most candidates of a question; default: 5. */
  limit?: number;
  budget?: Budget | undefined;
}

/**
 * Matches questions; results have the order of the questions. Searches of several questions share requests. Throws
 * UnavailableError if Elasticsearch does not answer.
 */
export async function matchAll(
  elasticsearch: SearchStore,
  questions: readonly MatchQuestion[],
  { limit = DEFAULT_LIMIT, budget }: MatchOptions = {},
): Promise<MatchResult[]> {
  const asks = new Map<Matching, Ask>();
  const askOf = (matching: Matching): Ask => {
    const known = asks.get(matching);
    if (known) return known;
    const ask = joinAsks(askWithSpellings(elasticsearch, [matching.index], { budget }), MOST_BODIES);
    const lean = { _source: matching.members, track_total_hits: COUNTED };
    const leanAsk: Ask = (...bodies) => ask(...bodies.map((body) => ({ ...body, ...lean })));
    asks.set(matching, leanAsk);
    return leanAsk;
  };
  const matchOne = async (given: MatchQuestion): Promise<MatchResult> => {
    const { question, notes } = withoutLong(given);
    const fault = faultOf(question);
    if (fault) return { candidates: [], notes: isLong(given.name) ? notes : [...notes, fault] };
    const matching = matchings[question.type];
    const read = matching.read({ ...question, name: withoutEscapes(question.name) });
    const compared = await fetchCandidates(askOf(matching), matching, read);
    const found = [...notes, ...read.notes, ...missingNumbers(read, compared)];
    return { candidates: decide(compared, limit), notes: found };
  };
  return Promise.all(questions.map(matchOne));
}

const isLong = (text: string) => text.length > QUERY_CHARACTERS;

/** The question without texts that are too long, and a note about each. */
function withoutLong(given: MatchQuestion): { question: MatchQuestion; notes: string[] } {
  const long = Object.entries<string | undefined>({ ...given }).flatMap(([member, text = ""]) =>
    isLong(text) ? [member] : [],
  );
  const question = { ...given, ...Object.fromEntries(long.map((member) => [member, ""])) };
  return {
    question,
    notes: long.map((member) => `the ${member} is longer than ${QUERY_CHARACTERS} characters`),
  };
}

/** Why a question cannot be matched; null if it can. */
function faultOf({ type, name, number }: MatchQuestion): string | null {
  const [isNamed, isNumbered] = [name, number].map((text = "") => /[\p{L}\p{N}]/u.test(text));
  if (!isNamed && !isNumbered) return "there is neither a name nor a number";
  return isNamed || type === "company" ? null : "there is no name; a number alone finds only a company";
}

/** Fetches the candidates of a question; searches only if neither a number nor an equal name settles it. */
async function fetchCandidates(ask: Ask, matching: Matching, read: ReadQuestion): Promise<Compared[]> {
  const { ids, equal, name, conditions, compare } = read;
  const first = await Promise.all([
    ...(ids.length > 0 ? [fetchPage(ask, { terms: { id: ids } })] : []),
    ...(equal ? [fetchEquals(ask, read, equal)] : []),
  ]);
  const known = distinct(first.flat());
  const compared = known.map(compare);
  if (name === "" || compared.some(settlesQuestion)) return compared;
  const searched = await Promise.all(conditions.map((filters) => searchBy(ask, matching, read, filters)));
  const found = distinct([...known, ...searched.flat()]);
  return distinct([...found, ...(await fetchNamesakes(ask, read, found.map(compare)))]).map(compare);
}

/** Fetches documents with an equal name; if they fill a page, also those that share a fact with the question. */
async function fetchEquals(ask: Ask, { conditions }: ReadQuestion, equal: Clause): Promise<SearchHit[]> {
  const page = await fetchPage(ask, equal);
  if (page.length < EQUALS) return page;
  const narrower = conditions.filter((filters) => filters.length > 0);
  const others = await Promise.all(narrower.map((filters) => fetchPage(ask, within(equal, filters))));
  return [...page, ...others.flat()];
}

/** Fetches all companies with the names already found: several may share one, and the search's page may lack some. */
async function fetchNamesakes(ask: Ask, read: ReadQuestion, found: Compared[]): Promise<SearchHit[]> {
  const near = found.filter(({ likeness }) => likeness && likeness.strength !== "weak");
  const keys = [...new Set(near.flatMap(({ likeness }) => likeness?.key ?? []))];
  return read.ofKeys && keys.length > 0 ? fetchEquals(ask, read, read.ofKeys(keys)) : [];
}

function distinct(hits: SearchHit[]): SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.id, hit])).values()];
}

async function fetchPage(ask: Ask, query: Clause): Promise<SearchHit[]> {
  const [page] = await ask(buildPage(query, { start_index: 0, items_per_page: EQUALS }));
  return page?.hits ?? [];
}

/** A note for a number that the register does not have, whatever the name finds. */
function missingNumbers({ ids }: ReadQuestion, compared: readonly Compared[]): string[] {
  // No note if the digits belong to the name of a company found: 1234567 LIMITED.
  if (compared.some(({ facts }) => facts.number === undefined)) return [];
  const missing = ids.filter((wanted) => !compared.some(({ id }) => id === wanted));
  return missing.map((id) => `number ${id} is not on the register`);
}

async function searchBy(
  ask: Ask,
  { search }: Matching,
  { name }: ReadQuestion,
  filters: Clause[],
): Promise<SearchHit[]> {
  const values = parseQuery(search.parameters, { q: name, items_per_page: String(CANDIDATES) });
  const narrowed: Ask = (...bodies) =>
    // The cast: every body of a search has a query.
    ask(...bodies.map((body) => ({ ...body, query: within(body.query as Clause, filters) })));
  return (await fetchResult(search, narrowed, values)).hits;
}

/** A search body that waits for the next request. */
interface Waiting {
  body: SearchBody;
  resolve: (result: SearchResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches concurrent searches: callers ask independently, and all calls within one turn of the event loop share a
 * request. `mostBodies`: most searches in one request.
 */
export function joinAsks(ask: Ask, mostBodies: number): Ask {
  let waiting: Waiting[] = [];
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += mostBodies) void send(ask, all.slice(at, at + mostBodies));
  };
  const askOne = (body: SearchBody) =>
    new Promise<SearchResult>((resolve, reject) => {
      // `setImmediate` waits for all pending work, so that searches answered together are also continued together.
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ body, resolve, reject });
    });
  return (...bodies) => Promise.all(bodies.map(askOne));
}

async function send(ask: Ask, group: Waiting[]): Promise<void> {
  try {
    const results = await ask(...group.map(({ body }) => body));
    for (const [at, result] of results.entries()) group[at]?.resolve(result);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
