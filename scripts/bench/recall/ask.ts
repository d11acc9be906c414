/** Runs a search in this process, with the code that answers it over HTTP. */
import { ApiError } from "../../../api/shared/runtime/errors.ts";
import { parseQuery } from "../../../api/shared/schemas/query-parameters.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import type { Ask, SearchDefinition } from "../../../api/search/define-search.ts";
import type { SearchResult } from "../../../api/shared/definitions/search-result.ts";
import { fetchResult } from "../../../api/search/phases.ts";
import { askWithSpellings } from "../../../api/search/near-words.ts";
import { readItems, type FoundItem } from "./found-item.ts";

/** The answer of a search. */
interface Answer {
  items: FoundItem[];
  didYouMean: string | undefined;
  /** Number of requests to Elasticsearch. */
  requests: number;
  ms: number;
}

/** Items on the first page; people seldom look further. */
const PAGE = 20;
const NOTHING: SearchResult = { total: 0, hits: [] };

/** Asks for the first page. With `explain`, items say why they were found, if the search supports that. */
export async function askSearch(
  elasticsearch: SearchStore,
  search: SearchDefinition,
  q: string,
  explain = false,
): Promise<Answer> {
  let requests = 0;
  const askEngine = askWithSpellings(elasticsearch, search.indices);
  const ask: Ask = (...bodies) => {
    requests += 1;
    return askEngine(...bodies);
  };
  const startedAt = performance.now();
  const raw = { q, items_per_page: String(PAGE), ...(explain && { explain: "true" }) };
  const values = parseQuery(search.parameters, raw);
  const result = await fetchResult(search, ask, values).catch(nothingFound);
  const body = search.mapResponse(result, values, { today: new Date().toISOString().slice(0, 10) });
  const ms = performance.now() - startedAt;
  const { did_you_mean } = body as { did_you_mean?: string };
  return { items: readItems(body), didYouMean: did_you_mean, requests, ms };
}

function nothingFound(error: unknown): SearchResult {
  if (error instanceof ApiError && error.status === 404) return NOTHING;
  throw error;
}
