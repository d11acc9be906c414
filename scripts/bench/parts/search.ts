/** The part `search`: what the API adds to the time that Elasticsearch takes for the same query. */
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { queryKinds, type QueryKind } from "../search/kinds.ts";
import {
  bareMedian,
  measureQueries,
  openSearchWays,
  planQueries,
  summarise,
  toRows,
  type KindResult,
  type Measurement,
} from "../search/measure.ts";
import {
  KEEP_OPTION,
  describeRegister,
  dropKept,
  indicesOf,
  openRegister,
  type RegisterOptions,
  type SearchedRegister,
} from "../search/register.ts";
import { formatTable } from "../table.ts";

const ROUNDS = 3;
const QUERIES = 40;
// Sent before the measurement, to open connections, fill caches, and compile code. That takes some thousand requests:
// in the first hundreds the API, like any Node program, takes three times as long as later.
const WARM_UP_QUERIES = 40;
const WARM_UP_ROUNDS = 6;

export const searchPart = definePart({
  name: "search",
  title: "What the API adds to the time that Elasticsearch takes for the same query.",
  details:
    "It fills the real indices with a generated register (every fourth company is dissolved), starts the API as a separate\n" +
    "process, and sends queries of each kind two ways in turn, over kept connections: to the API, and directly to\n" +
    "Elasticsearch as the bytes that the search's own code sent (the floor). The difference is the API's own time. Times are\n" +
    "in milliseconds: API and floor until the last byte, `added` the difference of the medians, `paired` the median of the\n" +
    "differences, `took` the time that Elasticsearch reports, `requests` the requests to Elasticsearch for one request to the\n" +
    "API. The last line is the time of a request that uses no store. --keep leaves the register in the engines, under names\n" +
    "made of its size and seed, and a later run with --keep uses it again while mappings and settings of the indices are the\n" +
    "same (a change of the projection alone is not noticed: use --drop first).",
  options: [
    { flags: "--queries <number>", description: "queries of each kind", default: QUERIES },
    {
      flags: "--kinds <words>",
      description: "only kinds whose names begin with one of these, comma-separated",
    },
    KEEP_OPTION,
    { flags: "--drop", description: "remove the kept register, and end" },
  ],
  run: runSearch,
});

async function runSearch(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, rounds = ROUNDS, own } = options;
  const count = Number(own.queries);
  const kinds = chooseKinds(typeof own.kinds === "string" ? own.kinds : undefined);
  const registerOptions = { companies, seed, needs: indicesOf(kinds), isKept: own.keep === true };
  if (own.drop) return drop(context, registerOptions);
  const register = await openRegister(context, registerOptions);
  const measurements = await measure(context, register, { kinds, seed, count, rounds });
  const names = kinds.map(({ name }) => name);
  const results = { kinds: summarise(measurements, names), bareMs: bareMedian(measurements) };
  return report(register, results, { companies, seed });
}

interface Measuring {
  kinds: readonly QueryKind[];
  seed: number;
  count: number;
  rounds: number;
}

async function measure(
  context: PartContext,
  register: SearchedRegister,
  { kinds, seed, count, rounds }: Measuring,
): Promise<Measurement[]> {
  const { sample } = register;
  const ways = await openSearchWays(context, register);
  const warmUp = { kinds, sample, seed: seed + 1, count: WARM_UP_QUERIES };
  const plannedWarmUp = await planQueries(ways.recorder, warmUp);
  const planned = await planQueries(ways.recorder, { kinds, sample, seed, count });
  context.tell(`measuring ${planned.length} queries, ${rounds} times, both ways`);
  await measureQueries(ways, plannedWarmUp, { seed, rounds: WARM_UP_ROUNDS });
  return measureQueries(ways, planned, { seed, rounds });
}

function chooseKinds(words: string | undefined): readonly QueryKind[] {
  if (words === undefined) return queryKinds;
  const beginnings = words.split(",").map((word) => word.trim());
  const chosen = queryKinds.filter(({ name }) => beginnings.some((word) => name.startsWith(word)));
  if (chosen.length > 0) return chosen;
  throw new CommandError(
    `no kind begins with ${words}; there are: ${queryKinds.map(({ name }) => name).join("; ")}`,
  );
}

async function drop(context: PartContext, registerOptions: RegisterOptions): Promise<PartReport> {
  await dropKept(context, registerOptions);
  const { companies, seed } = registerOptions;
  return {
    lines: [`the register of ${companies} companies, seed ${seed}, was removed`],
    facts: { companies, seed },
  };
}

function report(
  register: SearchedRegister,
  { kinds, bareMs }: { kinds: KindResult[]; bareMs: number },
  { companies, seed }: { companies: number; seed: number },
): PartReport {
  const { documents, segments, isReused } = register;
  return {
    lines: [
      describeRegister(register, seed),
      "",
      ...formatTable(toRows(kinds)),
      "",
      `a request that asks no store (/healthz): ${bareMs.toFixed(2)}`,
    ],
    facts: { companies, seed, documents, segments, isReused, bareMs, kinds },
  };
}
