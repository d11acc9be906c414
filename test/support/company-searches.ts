/** Hits, answers and requests of searches without an engine, for unit tests. */
import type { QueryParameters, QueryValues } from "../../api/shared/schemas/query-parameters.ts";
import { ApiError } from "../../api/shared/runtime/errors.ts";
import { compileCheck } from "../../api/shared/schemas/validate.ts";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import type { Ask, SearchDefinition } from "../../api/search/define-search.ts";
import type { SearchBody, SearchHit } from "../../api/shared/definitions/search-result.ts";
import { fetchResult } from "../../api/search/phases.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { aCompany } from "./search-records.ts";

/** The day of all requests in tests of searches. */
export const TODAY = "2026-11-21";

/** A company, as Elasticsearch returns it. */
export function companyHit(changes: Partial<CompanyProfile> = {}): SearchHit {
  const company = aCompany({
    company_name: "TARNWICK PRESS LIMITED",
    company_number: "00912345",
    date_of_creation: "2005-12-02",
    ...changes,
  });
  return hitOf("companies", company._id, [company]);
}

/** The document of records, as Elasticsearch returns it. */
export function hitOf(index: IndexName, id: string, records: StoredRecord[]): SearchHit {
  // Through JSON and back, which drops undefined members.
  const source = JSON.parse(JSON.stringify(findIndex(index).document(records))) as SearchHit["source"];
  return { index, id, score: 2562, source, sort: [] };
}

/** The answer of a search that found these hits. Throws if the answer breaks its schema. */
export function answerOf<P extends QueryParameters>(
  search: SearchDefinition<P>,
  values: QueryValues<P>,
  hits: SearchHit[],
  top?: SearchHit,
): Record<string, unknown> {
  const result = { total: hits.length, hits, ...(top && { top }) };
  const body = search.mapResponse(result, values, { today: TODAY });
  const fault = compileCheck(search.schema)(body);
  if (fault) throw new Error(`the answer breaks its schema: ${fault.field} ${fault.reason}`);
  return body;
}

/**
 * The bodies that a search sends, grouped by request. `answers` are the hits for each body in turn; by default
 * each body finds one company.
 */
export async function askedBodies<P extends QueryParameters>(
  search: SearchDefinition<P>,
  values: QueryValues<P>,
  answers?: SearchHit[][],
): Promise<SearchBody[][]> {
  const requests: SearchBody[][] = [];
  const ask: Ask = (...bodies) => {
    const first = requests.flat().length;
    requests.push(bodies);
    const hits = bodies.map((_body, i) => answers?.[first + i] ?? (answers ? [] : [companyHit()]));
    // A total of 0 makes the search send every phase.
    return Promise.resolve(hits.map((found) => ({ total: 0, hits: found })));
  };
  await fetchResult(search, ask, values).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
  return requests;
}
