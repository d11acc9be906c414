/**
 * Reads resources and runs searches, for the API's routes and for the pages. It also finds the coverage of an answer:
 * whether its kind of record has been loaded, so that "none" differs from "not loaded".
 */
import { type Budget, untilEnd } from "../shared/runtime/deadlines.ts";
import { ApiError } from "../shared/runtime/errors.ts";
import { parsePathNumber } from "../shared/values/company-number.ts";
import {
  parseQuery,
  type QueryValues,
  type QueryParameters,
  type RawQuery,
} from "../shared/schemas/query-parameters.ts";
import type { Stores } from "../shared/stores/index.ts";
import { mapOperations } from "../shared/stores/operations.ts";
import {
  type Coverage,
  coverageOfCompany,
  coverageOfRegister,
  isWhole,
  type LoadedSource,
} from "../shared/stores/collections/loaded-sources.ts";
import { hasRecordOf } from "../resources/define-company-record.ts";
import type { PathValues, ResourceDefinition } from "../resources/define-resource.ts";
import type { RecordReader } from "../shared/definitions/record-reader.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { SearchResult } from "../shared/definitions/search-result.ts";
import { fetchResult, isWorthCaching } from "../search/phases.ts";
import { askWithSpellings } from "../search/near-words.ts";
import { INDEX_KINDS, type IndexName } from "../shared/definitions/define-index.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import type { Admission } from "./limits/admission.ts";
import type { AppContext } from "./request-context.ts";

const COVERAGE_HEADER = "X-Register-Coverage";
// Reading the loads takes a millisecond. Searches wait this long at most, because they must work without MongoDB.
const PATIENCE_MS = 100;

/** What answers are made from. */
export interface AnswerDependencies {
  stores: Pick<Stores, "mongo"> & { elasticsearch: SearchStore };
  /** Limits how many searches run at once. */
  searchesUnderWay: Admission;
  /** Limits how many lookups run at once. */
  lookupsUnderWay: Admission;
}

/** A request for a resource. */
interface ResourceQuestion {
  path: PathValues;
  query: RawQuery;
  /** The name by which running lookups are counted. */
  caller: string;
  /** The budget of the reads. */
  budget: Budget | undefined;
}

/** The outcome of reading a resource. */
interface ResourceRead {
  /** Null: not found, which is a 404. */
  read: unknown;
  /** A 404 that the definition threw, to be answered instead of its usual one. */
  notFound?: ApiError | undefined;
  /** Which records of its kind have been loaded; absent for a resource without coverage. */
  coverage?: Coverage | undefined;
}

/**
 * Reads a resource when it is the caller's turn. Throws ApiError 400 for invalid parameters, and BusyError when too
 * many lookups are running. A 404 is returned, not thrown, because it has a coverage, too.
 */
export async function fetchResource(
  resource: ResourceDefinition,
  { path, query, caller, budget }: ResourceQuestion,
  { stores, lookupsUnderWay }: Pick<AnswerDependencies, "stores" | "lookupsUnderWay">,
): Promise<ResourceRead> {
  const values = parseQuery(resource.parameters, query);
  const records = readDuring(stores.mongo.records, budget);
  const read = () => readResource(resource, { path: canonicalPath(path), values }, records);
  // The place becomes free only when the store has answered, even if the caller has gone before that.
  return untilEnd(lookupsUnderWay.run(caller, budget, read), budget, "mongodb");
}

async function readResource(
  resource: ResourceDefinition,
  { path, values }: { path: PathValues | null; values: QueryValues<QueryParameters> },
  records: RecordReader,
): Promise<ResourceRead> {
  let notFound: ApiError | undefined;
  const refuse = (error: unknown) => {
    if (!isNothingFound(error)) throw error;
    notFound = error;
    return null;
  };
  const read = path && (await resource.read(records, path, values).catch(refuse));
  const coverage = await fetchCoverage(records, resource, path ?? {}, read);
  return { read, notFound, coverage };
}

/** The coverage of an answer. `read`: the stored record or list; null when nothing was found. */
async function fetchCoverage(
  records: RecordReader,
  { record, hasRecords }: Pick<ResourceDefinition, "record" | "hasRecords">,
  path: PathValues,
  read: unknown,
): Promise<Coverage | undefined> {
  if (!record) return undefined;
  const sources = await records.fetchLoadedSources();
  const asked = { kind: record.name, companyNumber: path.company_number };
  if (isWhole(sources, asked)) return coverageOfCompany(sources, asked, true);
  const { company_number } = path;
  // After a 404 the company may still have records of this kind, since the request may have named another id.
  const isFound =
    read === null
      ? company_number !== undefined && (await hasRecordOf(records, [record], company_number))
      : !hasRecords || (await hasRecords(read, records, path));
  return coverageOfCompany(sources, asked, isFound);
}

/**
 * Adds the coverage to the body of a list; other bodies stay as they are. `shown`: the body that a version presents.
 */
export function withCoverage(
  shown: Record<string, unknown>,
  { hasRecords }: Pick<ResourceDefinition, "hasRecords">,
  coverage: Coverage | undefined,
): Record<string, unknown> {
  return coverage && hasRecords ? { ...shown, coverage } : shown;
}

/** A request for a search. */
interface SearchQuestion {
  query: RawQuery;
  /** The name by which running searches are counted. */
  caller: string;
  budget: Budget | undefined;
  /** Called with the indices while they are searched; the answer waits until it has ended. */
  onTurn?: (indices: readonly IndexName[]) => Promise<void>;
}

/** Makes the answer from a result and the parameter values. */
type Present<Answer> = (result: SearchResult, values: QueryValues<QueryParameters>) => Answer;

/**
 * Runs a search when it is the caller's turn. The turn includes making the answer, which for a large page takes as long
 * as the search. Throws ApiError 400 or 404, and BusyError when too many searches are running.
 */
export async function fetchSearch<Answer>(
  search: SearchDefinition,
  { query, caller, budget, onTurn }: SearchQuestion,
  { stores, searchesUnderWay }: Pick<AnswerDependencies, "stores" | "searchesUnderWay">,
  present: Present<Answer>,
): Promise<Answer> {
  const values = parseQuery(search.parameters, query);
  const indices = search.indicesOf?.(values) ?? search.indices;
  const isCached = isWorthCaching(values);
  return searchesUnderWay.run(caller, budget, async () => {
    const isAlone = searchesUnderWay.count().underWay === 1;
    const ask = askWithSpellings(stores.elasticsearch, indices, { budget, isCached, isAlone });
    const found = fetchResult(search, ask, values);
    // The search is awaited last. If it fails before that, the unhandled rejection must not end the process.
    found.catch(() => undefined);
    await onTurn?.(indices);
    return present(await found, values);
  });
}

/** True for the error of a search or resource that found nothing. */
export function isNothingFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** Sets the coverage header of a resource: `charge; loaded=yes; as-of=2026-11-01`, or `charge; loaded=no`. */
export function setCoverage(ctx: AppContext, kind: string, { loaded, as_of }: Coverage): void {
  ctx.set(COVERAGE_HEADER, describeCoverage(kind, loaded ? "yes" : "no", as_of));
}

/** Sets the coverage header of an answer from these indices. */
export type SetSearchCoverage = (ctx: AppContext, indices: readonly IndexName[]) => Promise<void>;

/**
 * Makes the function that sets the header of searches, which covers all companies: `loaded=all`, or `loaded=some` where
 * no complete edition has been loaded. Searches must work without MongoDB: until the loads have been read once, there
 * is no header.
 */
export function openSearchCoverage(
  records: Pick<RecordReader, "fetchLoadedSourcesOrLast">,
): SetSearchCoverage {
  return async (ctx, indices) => {
    const sources = await records.fetchLoadedSourcesOrLast(PATIENCE_MS).catch(() => undefined);
    if (!sources || indices.length === 0) return;
    ctx.set(COVERAGE_HEADER, indices.map((index) => describeIndex(index, sources)).join(", "));
  };
}

function describeIndex(index: IndexName, sources: readonly LoadedSource[]): string {
  const { record } = INDEX_KINDS[index];
  const { loaded, as_of } = coverageOfRegister(sources, record, true);
  return describeCoverage(record, loaded, as_of);
}

function describeCoverage(kind: string, loaded: string, day: string | null): string {
  return `${kind}; loaded=${loaded}${day === null ? "" : `; as-of=${day}`}`;
}

/** Adds the request's budget to each read as its last argument, which ends the read. Shared reads ignore it. */
function readDuring(records: RecordReader, budget: Budget | undefined): RecordReader {
  return budget
    ? mapOperations(
        records,
        (read) =>
          (...asked) =>
            read(...asked, budget),
      )
    : records;
}

/** Path values in canonical form; null when one of them cannot name anything, which is a 404. */
function canonicalPath(path: PathValues): PathValues | null {
  // No id contains a control character, and the stores fail on some of them.
  if (Object.values(path).some((value) => /\p{Cc}/u.test(value))) return null;
  const { company_number: given } = path;
  if (given === undefined) return path;
  const number = parsePathNumber(given);
  return number === null ? null : { ...path, company_number: number };
}
