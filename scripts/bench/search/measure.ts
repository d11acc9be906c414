/** Measures searches: through the API and directly from Elasticsearch in turn, request by request. */
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { searches } from "../../../api/search/index.ts";
import { groupBy } from "../../../api/shared/values/group-by.ts";
import { askApi, startApi } from "../api-process.ts";
import type { PartContext } from "../define-part.ts";
import { openWireClient, type WireClient } from "../http-client.ts";
import { createRandom, shuffle } from "../random.ts";
import { median, quantile, round } from "../statistics.ts";
import { inTurn } from "../turns.ts";
import { openRecorder, replay, type Exchanges, type Recorder } from "./exchanges.ts";
import type { QueryKind } from "./kinds.ts";
import type { SearchedRegister } from "./register.ts";
import type { RegisterSample } from "./sample.ts";

/** One query, ready to be sent in both ways. */
export interface PlannedQuery {
  kind: string;
  /** Path of the API with the query string. */
  path: string;
  exchanges: Exchanges;
}

/** The times of one query sent in both ways, in milliseconds. */
export interface Measurement {
  kind: string;
  api: number;
  floor: number;
  /** The time that Elasticsearch reports. */
  took: number;
  /** Number of requests to Elasticsearch. */
  requests: number;
  /** Time of a request to the API that uses no store, sent right after: the cost of HTTP without a search. */
  bare: number;
}

/** The figures of a kind; times in milliseconds. */
export interface KindResult {
  kind: string;
  queries: number;
  apiMedian: number;
  apiP95: number;
  floorMedian: number;
  floorP95: number;
  /** Difference of the medians. */
  difference: number;
  /** Median of the differences query by query, which noise on the machine changes least. */
  pairedDifference: number;
  ratio: number;
  tookMedian: number;
  tookP95: number;
  /** Mean requests to Elasticsearch that one request to the API made. */
  requests: number;
}

const WITHOUT_STORES = "/healthz";
const TOGETHER = "every query";

/** The two ways of a query, and a recorder of what the searches send to Elasticsearch. */
interface SearchWays {
  api: WireClient;
  engine: WireClient;
  recorder: Recorder;
}

/** Starts an API for a register, and connects to its Elasticsearch. */
export async function openSearchWays(context: PartContext, register: SearchedRegister): Promise<SearchWays> {
  const { ELASTICSEARCH_URL: url, INDEX_PREFIX: prefix, STORE_TIMEOUT_MS: timeoutMs } = register.config;
  const { client: api } = await startApi(context, register);
  const engine = openWireClient(url);
  context.onEnd("the connections to Elasticsearch", engine.close);
  const recorder = await openRecorder({ url, prefix, timeoutMs });
  context.onEnd("the recorder", recorder.close);
  return { api, engine, recorder };
}

/** Draws queries of the kinds, and records what each sends to Elasticsearch. */
export async function planQueries(
  recorder: Recorder,
  {
    kinds,
    sample,
    seed,
    count,
  }: { kinds: readonly QueryKind[]; sample: RegisterSample; seed: number; count: number },
): Promise<PlannedQuery[]> {
  const planned: PlannedQuery[] = [];
  for (const [position, kind] of kinds.entries()) {
    const search = searches.find(({ path }) => path === kind.path);
    if (!search) throw new CommandError(`there is no search ${kind.path}`);
    // Each kind has its own seed, so that leaving out one kind does not change the queries of the others.
    const random = createRandom(seed * 1_000 + position);
    for (let drawn = 0; drawn < count; drawn += 1) {
      const query = kind.draw(sample, random);
      const path = `${kind.path}?${new URLSearchParams(query).toString()}`;
      planned.push({ kind: kind.name, path, exchanges: await recorder.record(search, query) });
    }
  }
  return planned;
}

/** Sends each query in both ways, which take turns in being first. */
export async function measureQueries(
  { api, engine }: Omit<SearchWays, "recorder">,
  planned: readonly PlannedQuery[],
  { seed, rounds }: { seed: number; rounds: number },
): Promise<Measurement[]> {
  const random = createRandom(seed);
  const measurements: Measurement[] = [];
  for (let number = 0; number < rounds; number += 1) {
    // The kinds are mixed, so that a slow minute of the machine affects all of them alike.
    for (const [position, { kind, path, exchanges }] of shuffle(planned, random).entries()) {
      const [apiMs, { ms: floor, took }] = await inTurn(
        position + number,
        () => askApi(api, path),
        () => replay(engine, exchanges),
      );
      const requests = exchanges.flat().length;
      const bare = await askApi(api, WITHOUT_STORES);
      measurements.push({ kind, api: apiMs, floor, took, requests, bare });
    }
  }
  return measurements;
}

/** The figures of each kind, in the given order, and last those of all queries together. */
export function summarise(measurements: readonly Measurement[], kinds: readonly string[]): KindResult[] {
  const byKind = groupBy(measurements, ({ kind }) => kind);
  const groups = new Map<string, readonly Measurement[]>(kinds.map((kind) => [kind, byKind.get(kind) ?? []]));
  groups.set(TOGETHER, measurements);
  return [...groups].map(([kind, own]) => {
    const api = own.map((measurement) => measurement.api);
    const floor = own.map((measurement) => measurement.floor);
    const took = own.map((measurement) => measurement.took);
    const requests = own.reduce((sum, measurement) => sum + measurement.requests, 0) / own.length;
    return {
      kind,
      queries: own.length,
      apiMedian: round(median(api), 3),
      apiP95: round(quantile(api, 0.95), 3),
      floorMedian: round(median(floor), 3),
      floorP95: round(quantile(floor, 0.95), 3),
      difference: round(median(api) - median(floor), 3),
      pairedDifference: round(median(own.map((one) => one.api - one.floor)), 3),
      ratio: round(median(api) / median(floor), 3),
      tookMedian: median(took),
      tookP95: quantile(took, 0.95),
      requests: round(requests, 2),
    };
  });
}

/** Median time of the requests that use no store, in milliseconds. */
export function bareMedian(measurements: readonly Measurement[]): number {
  return round(median(measurements.map(({ bare }) => bare)), 3);
}

const HEAD = [
  "kind",
  "queries",
  "API",
  "p95",
  "floor",
  "p95",
  "added",
  "paired",
  "ratio",
  "took",
  "p95",
  "requests",
];

/** The rows of the table, with its head. */
export function toRows(results: readonly KindResult[]): string[][] {
  const rows = results.map((result) => [
    result.kind,
    String(result.queries),
    ...[result.apiMedian, result.apiP95, result.floorMedian, result.floorP95].map((ms) => ms.toFixed(2)),
    ...[result.difference, result.pairedDifference, result.ratio].map((value) => value.toFixed(2)),
    ...[result.tookMedian, result.tookP95].map((ms) => ms.toFixed(0)),
    result.requests.toFixed(2),
  ]);
  return [HEAD, ...rows];
}
