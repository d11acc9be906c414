/** The part `concurrent`: searches at once through the API, compared with the same sent directly to Elasticsearch. */
import { askApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { addRound, ratePerSecond, summariseRates, type Rates } from "../in-flight.ts";
import { createRandom, shuffle } from "../random.ts";
import { replay } from "../search/exchanges.ts";
import { queryKinds } from "../search/kinds.ts";
import { openSearchWays, planQueries, type PlannedQuery } from "../search/measure.ts";
import { KEEP_OPTION, openRegister } from "../search/register.ts";
import { formatTable } from "../table.ts";

const ROUNDS = 5;
const QUERIES_OF_A_KIND = 12;
const AT_ONCE = [1, 8, 16];
// Tuned: with fewer, the compilers of the engine and of the API take as much processor time as the searches, and the
// slower way is charged with more of it.
const WARM_UP_ROUNDS = 40;
const WANTED_RATIO = 0.8;

export const concurrentPart = definePart({
  name: "concurrent",
  title:
    "Searches through the API, 1, 8 and 16 at once, compared with the same queries sent directly to Elasticsearch.",
  details:
    "It fills the real indices with a generated register, starts the API as a separate process, and sends queries of all\n" +
    "kinds: in turn, a block of them to the API, and the same block to Elasticsearch as the bytes that the search's own code\n" +
    "sent (the floor). Figures are searches per second, medians of the rounds; `ratio` is the median of the rounds' ratios.\n" +
    "It should be at least 0.8 at 16 searches at once.",
  options: [KEEP_OPTION],
  run: measureConcurrent,
});

interface MeasuredRates extends Rates {
  atOnce: number;
}

async function measureConcurrent(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, rounds = ROUNDS, own } = options;
  const register = await openRegister(context, { companies, seed, isKept: own.keep === true });
  const { sample } = register;
  const { api, engine, recorder } = await openSearchWays(context, register);
  const planned = await planQueries(recorder, { kinds: queryKinds, sample, seed, count: QUERIES_OF_A_KIND });
  const queries = shuffle(planned, createRandom(seed));
  const ways = {
    api: ({ path }: PlannedQuery) => askApi(api, path),
    floor: ({ exchanges }: PlannedQuery) => replay(engine, exchanges),
  };
  context.tell(`warming up, then ${queries.length} queries, ${rounds} times, both ways`);
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const way of [ways.api, ways.floor]) await ratePerSecond(queries, 4, way);
  const measured: MeasuredRates[] = AT_ONCE.map((atOnce) => ({ atOnce, api: [], floor: [] }));
  for (let round = 0; round < rounds; round += 1)
    for (const rates of measured) await addRound(rates, queries, { ...ways, atOnce: rates.atOnce });
  return report(measured);
}

function report(measured: readonly MeasuredRates[]): PartReport {
  const results = measured.map(({ atOnce, ...rates }) => ({ atOnce, ...summariseRates(rates) }));
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
