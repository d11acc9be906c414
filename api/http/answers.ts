/**
 * Owns the way from a request to an answer, shared by the routes of the API and the pages, and the coverage of an answer:
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
import { fetchResult, isAskedOften } from "../search/phases.ts";
import { askWithSpellings } from "../search/near-words.ts";
import { INDEX_KINDS, type IndexName } from "../shared/definitions/define-index.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import type { Admission } from "./limits/admission.ts";
import type { AppContext } from "./request-context.ts";

const COVERAGE_HEADER = "X-Register-Coverage";
// Loads are read in a millisecond: a store that takes longer is busy or away, and searches must work without it.
const PATIENCE_MS = 100;

/** What answers are made from. */
export interface AnswerDependencies {
  stores: Pick<Stores, "mongo"> & { elasticsearch: SearchStore };
  /** Limits how many searches run at once. */
  searchesUnderWay: Admission;
  /** The same of lookups. */
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

/** What was read of a resource. */
interface ResourceRead {
  /** Null: not found, which is a 404. */
  read: unknown;
  /** The 404 that the definition itself answers with, instead of its usual one. */
  notFound?: ApiError | undefined;
  /** Which records of its kind have been loaded; absent for a resource without coverage. */
  coverage?: Coverage | undefined;
}

/**
 * Reads a resource when it is the caller's turn. Throws ApiError 400 for invalid parameters, and BusyError when too many are
 * being read. A 404 is no error here: it, too, has a coverage.
 */
export async function fetchResource(
  resource: ResourceDefinition,
  { path, query, caller, budget }: ResourceQuestion,
  { stores, lookupsUnderWay }: Pick<AnswerDependencies, "stores" | "lookupsUnderWay">,
): Promise<ResourceRead> {
  const values = parseQuery(resource.parameters, query);
  const records = readDuring(stores.mongo.records, budget);
  const read = () => readResource(resource, { path: canonicalPath(path), values }, records);
  // The place is free once the store has answered, also when the caller has gone before.
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
  // A 404 may be about another id, kind or register: the company may have a record all the same.
  const isFound =
    read === null
      ? company_number !== undefined && (await hasRecordOf(records, [record], company_number))
      : !hasRecords || (await hasRecords(read, records, path));
  return coverageOfCompany(sources, asked, isFound);
}

/** The body: `shown` as a version presents it, with the coverage of its kind where it is a list. */
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
  /** Called with the indices when it is the caller's turn, while they are searched; the answer waits for it. */
  onTurn?: (indices: readonly IndexName[]) => Promise<void>;
}

/** Makes the answer of what was found with these parameter values. */
type Present<Answer> = (result: SearchResult, values: QueryValues<QueryParameters>) => Answer;

/**
 * Runs a search when it is the caller's turn, which lasts until its answer is made: that of a large page takes as long as its
 * search. Throws ApiError 400 or 404, and BusyError when too many are running.
 */
export async function fetchSearch<Answer>(
  search: SearchDefinition,
  { query, caller, budget, onTurn }: SearchQuestion,
  { stores, searchesUnderWay }: Pick<AnswerDependencies, "stores" | "searchesUnderWay">,
  present: Present<Answer>,
): Promise<Answer> {
  const values = parseQuery(search.parameters, query);
  const indices = search.indicesOf?.(values) ?? search.indices;
  const isCached = isAskedOften(values);
  return searchesUnderWay.run(caller, budget, async () => {
    const isAlone = searchesUnderWay.count().underWay === 1;
    const ask = askWithSpellings(stores.elasticsearch, indices, { budget, isCached, isAlone });
    const found = fetchResult(search, ask, values);
    // It is awaited last: one that fails before must not end the process.
    found.catch(() => undefined);
    await onTurn?.(indices);
    return present(await found, values);
  });
}

/** True for the error of a search or resource that found nothing. */
export function isNothingFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** Sets the header of coverage: `charge; loaded=yes; as-of=2026-11-01`, or `charge; loaded=no`. */
export function setCoverage(ctx: AppContext, kind: string, { loaded, as_of }: Coverage): void {
  ctx.set(COVERAGE_HEADER, describeCoverage(kind, loaded ? "yes" : "no", as_of));
}

/** The same for an answer from these indices. */
export type SetSearchCoverage = (ctx: AppContext, indices: readonly IndexName[]) => Promise<void>;

/**
 * Makes the header of searches, which is about all companies: `loaded=all`, or `loaded=some` where no complete edition has
 * been loaded. A search must work without MongoDB: until the loads have been read once it has none.
 */
export function openSearchCoverage(records: Pick<RecordReader, "recallLoadedSources">): SetSearchCoverage {
  return async (ctx, indices) => {
    const sources = await records.recallLoadedSources(PATIENCE_MS).catch(() => undefined);
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

/** The reads of one request, which end with its budget, the last argument of each; reads shared by many requests take none. */
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
  // No id contains a control character, and engines answer some of them with an error.
  if (Object.values(path).some((value) => /\p{Cc}/u.test(value))) return null;
  const { company_number: given } = path;
  if (given === undefined) return path;
  const number = parsePathNumber(given);
  return number === null ? null : { ...path, company_number: number };
}
