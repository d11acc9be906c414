/** The part `concurrent`: searches at once through the API, compared with the same sent directly to Elasticsearch. */
import { searches } from "../../../api/search/index.ts";
import { indices } from "../../../index-mappings/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { openWireClient } from "../http-client.ts";
import { ratePerSecond } from "../in-flight.ts";
import { createRandom, shuffle } from "../random.ts";
import { startApi } from "../search/api-process.ts";
import { openRecorder, replay } from "../search/exchanges.ts";
import { queryKinds } from "../search/kinds.ts";
import { askApi, planQueries, type PlannedQuery } from "../search/measure.ts";
import { KEEP_OPTION, openRegister } from "../search/register.ts";
import { median } from "../statistics.ts";
import { formatTable } from "../table.ts";

const ROUNDS = 5;
const QUERIES_OF_A_KIND = 12;
const AT_ONCE = [1, 8, 16];
const WARM_UP_ROUNDS = 6;
const WANTED_RATIO = 0.8;

export const concurrentPart = definePart({
  name: "concurrent",
  title:
    "Searches through the API, 1, 8 and 16 at once, compared with the same queries sent directly to Elasticsearch.",
  details:
    "It fills the real indices with a generated register, starts the API as a separate process, and sends queries of all\n" +
    "kinds: a block of them to the API, then the same block to Elasticsearch, as the bytes that the search's own code sent\n" +
    "(the floor). Figures are searches per second, medians of the rounds; `ratio` is the median of the rounds' ratios. It\n" +
    "should be at least 0.8 at 16 searches at once.",
  options: [KEEP_OPTION],
  run: measureConcurrent,
});

/** Sends one query. */
type Way = (query: PlannedQuery) => Promise<unknown>;

async function measureConcurrent(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, rounds = ROUNDS, own } = options;
  const needs = new Set(indices.map(({ name }) => name));
  const register = await openRegister(context, { companies, seed, needs, isKept: own.keep === true });
  const { ELASTICSEARCH_URL: url, INDEX_PREFIX: prefix, STORE_TIMEOUT_MS: timeoutMs } = register.config;
  const api = await startApi(context, register);
  const engine = openWireClient(url);
  context.onEnd("the connections to Elasticsearch", engine.close);
  const recorder = await openRecorder({ url, prefix, timeoutMs });
  context.onEnd("the recorder", recorder.close);
  const count = QUERIES_OF_A_KIND;
  const kinds = queryKinds.filter(({ path }) => searches.some((search) => search.path === path));
  const planned = await planQueries(recorder, searches, { kinds, sample: register.sample, seed, count });
  const queries = shuffle(planned, createRandom(seed));
  const ways = {
    api: ({ path }: PlannedQuery) => askApi(api, path),
    floor: ({ exchanges }: PlannedQuery) => replay(engine, exchanges),
  };
  context.tell(`warming up, then ${queries.length} queries, ${rounds} times, both ways`);
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const way of [ways.api, ways.floor]) await ratePerSecond(queries, 4, way);
  return report(await measureRounds(ways, queries, rounds));
}

interface Rates {
  atOnce: number;
  api: number[];
  floor: number[];
}

async function measureRounds(
  ways: { api: Way; floor: Way },
  queries: readonly PlannedQuery[],
  rounds: number,
): Promise<Rates[]> {
  const measured: Rates[] = AT_ONCE.map((atOnce) => ({ atOnce, api: [], floor: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const rates of measured) {
      const order = round % 2 === 0 ? (["api", "floor"] as const) : (["floor", "api"] as const);
      for (const way of order) rates[way].push(await ratePerSecond(queries, rates.atOnce, ways[way]));
    }
  }
  return measured;
}

function report(measured: readonly Rates[]): PartReport {
  const results = measured.map(({ atOnce, api, floor }) => {
    const ratio = median(api.map((rate, round) => rate / (floor[round] ?? NaN)));
    return { atOnce, api: median(api), floor: median(floor), ratio };
  });
  const rows = results.map(({ atOnce, api, floor, ratio }) => [
    String(atOnce),
    ...[api.toFixed(0), floor.toFixed(0), ratio.toFixed(2)],
  ]);
  return {
    lines: formatTable([["at once", "API, a second", "floor, a second", "ratio"], ...rows]),
    facts: { results },
    isShort: (results.at(-1)?.ratio ?? 0) < WANTED_RATIO,
  };
}
