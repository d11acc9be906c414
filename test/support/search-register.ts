/** A small search register for one test: writes lines into indices on the real Elasticsearch, and searches them. */
import { compileCheck } from "../../api/shared/schemas/validate.ts";
import { parseQuery, type RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import {
  openElasticsearch,
  type ElasticsearchStore,
} from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { closeStores } from "../../api/shared/stores/index.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { SearchDefinition } from "../../api/search/define-search.ts";
import { tierOf } from "../../api/search/ranking/tiers.ts";
import type { SearchHit } from "../../api/shared/definitions/search-result.ts";
import { fetchResult } from "../../api/search/phases.ts";
import { askWithSpellings } from "../../api/search/near-words.ts";
import { searches } from "../../api/search/index.ts";
import type { IndexName, SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { findIndex, indices } from "../../index-mappings/index.ts";
import { textsOf } from "../../index-mappings/words/index.ts";
import { TODAY } from "./company-searches.ts";
import { openStorage } from "./register.ts";
import {
  aCompany,
  aDisqualifiedOfficer,
  anOfficer,
  aPersonWithControl,
  type CompanyLine,
  type OfficerLine,
} from "./search-records.ts";

/** A line of a judgement file's `docs`. */
export type RegisterLine = CompanyLine | OfficerLine;

/** The parts of an answer that tests read. */
export interface SearchAnswer {
  total_results: number;
  items: SearchItem[];
  /** Only in the alphabetical, the dissolved and the advanced search. */
  top_hit?: SearchItem;
  hits?: number;
}

/** The parts of an item that tests read. */
export interface SearchItem {
  title: string;
  snippet?: string;
  matches?: Record<string, number[]>;
  company_number?: string;
  ordered_alpha_key_with_id?: string;
  links?: { self?: string };
}

/** Id of a line; the link of its item ends with it. */
export function idOf(line: RegisterLine): string {
  return "company_number" in line ? line.company_number : line.officer_id;
}

/** Name of a line. */
export function nameOf(line: RegisterLine): string {
  if ("company_number" in line) return line.company_name;
  const { corporate_name, forename, other_forenames, surname } = line;
  return corporate_name ?? [forename, other_forenames, surname].filter(Boolean).join(" ");
}

const checks = new Map(searches.map((search) => [search.path, compileCheck(search.schema)]));
let writes = 0;

/** Opens a register with empty indices. Throws if Elasticsearch cannot be reached. */
export async function openRegister() {
  const { config, stores, end } = await openStorage();
  const { ELASTICSEARCH_URL: url, INDEX_PREFIX: prefix } = config;
  const store = openElasticsearch({ url, prefix, timeoutMs: 30_000 });
  return {
    /** For tests that use Elasticsearch directly. */
    elasticsearch: store,
    add: (lines: RegisterLine[]) => writeLines(store, lines),
    remove: (lines: RegisterLine[]) => write(store, lines, () => null),
    /** Removes the former lines and adds others, in a single write. */
    exchange: (former: RegisterLine[], lines: RegisterLine[]) => exchange(store, former, lines),
    ask: async (search: string, query: RawQuery, isAlone = false) =>
      (await ask(store, search, { query, isAlone })).answer,
    /** The answer of `ask`, and the tier of each hit by id, or "in order" for hits that are not sorted by relevance. */
    askWithTiers: async (search: string, query: RawQuery) => {
      const { answer, hits } = await ask(store, search, { query, isAlone: false });
      return { answer, tiers: new Map(hits.map(({ id, score }) => [id, tierOfHit(score)])) };
    },
    close: async () => {
      await store.close();
      await end();
      await closeStores(stores);
    },
  };
}

export type SearchRegister = Awaited<ReturnType<typeof openRegister>>;

/** Ids of the items of an answer, in order. */
export function idsOf(answer: SearchAnswer): string[] {
  return answer.items.map(idOfItem);
}

/** Id of the company or person that an item shows. */
export function idOfItem({ company_number, links }: SearchItem): string {
  return company_number ?? links?.self?.replace(/\/appointments$/, "").replace(/^.*\//, "") ?? "";
}

function findSearch(path: string): SearchDefinition {
  const search = searches.find((candidate) => candidate.path === path);
  if (!search) throw new Error(`there is no search ${path}`);
  return search;
}

/** Writes the documents of lines into the indices of a store. */
export function writeLines(store: ElasticsearchStore, lines: RegisterLine[]): Promise<void> {
  return write(store, lines, documentOf);
}

function exchange(store: ElasticsearchStore, former: RegisterLine[], lines: RegisterLine[]): Promise<void> {
  const kept = new Set(lines.map(keyOf));
  const gone = new Set(former.filter((line) => !kept.has(keyOf(line))));
  return write(store, [...gone, ...lines], (line) => (gone.has(line) ? null : documentOf(line)));
}

const keyOf = (line: RegisterLine) => `${indexOf(line)}/${idOf(line)}`;

async function write(
  store: ElasticsearchStore,
  lines: RegisterLine[],
  toDocument: (line: RegisterLine) => SearchDocument | null,
): Promise<void> {
  writes += 1;
  for (const { name } of indices) {
    const items = lines
      .filter((line) => indexOf(line) === name)
      .map((line) => ({ line, document: toDocument(line) }))
      .map(({ line, document }) => ({
        id: idOf(line),
        version: writes,
        document,
        texts: document ? textsOf(document) : [],
      }));
    const refusals = items.length > 0 ? await store.write(name, items) : [];
    if (refusals.length > 0) throw new Error(JSON.stringify(refusals[0]));
  }
  await store.refresh();
}

function documentOf(line: RegisterLine): SearchDocument | null {
  return findIndex(indexOf(line)).document(recordsOf(line));
}

function indexOf(line: RegisterLine): IndexName {
  if ("company_number" in line) return "companies";
  if (line.controls) return "persons-with-significant-control";
  return line.disqualified_until ? "disqualified-officers" : "officers";
}

function recordsOf(line: RegisterLine): StoredRecord[] {
  if ("company_number" in line) return [aCompany(line)];
  if (line.controls) return [aPersonWithControl(line)];
  return line.disqualified_until ? [aDisqualifiedOfficer(line)] : anOfficer(line);
}

function tierOfHit(score: number | null): string {
  return score === null ? "in order" : `tier ${tierOf(score)}`;
}

/**
 * The answer to a request, and its hits. Throws if the answer breaks its schema. `isAlone`: as the only API process.
 */
async function ask(
  store: ElasticsearchStore,
  path: string,
  { query, isAlone }: { query: RawQuery; isAlone: boolean },
): Promise<{ answer: SearchAnswer; hits: SearchHit[] }> {
  const search = findSearch(path);
  const values = parseQuery(search.parameters, query);
  const indices = search.indicesOf?.(values) ?? search.indices;
  const result = await fetchResult(search, askWithSpellings(store, indices, { isAlone }), values);
  const answer = search.mapResponse(result, values, { today: TODAY });
  const fault = checks.get(path)?.(answer);
  if (fault) throw new Error(`the answer breaks its schema: ${fault.field} ${fault.reason}`);
  return { answer: answer as unknown as SearchAnswer, hits: result.hits };
}
