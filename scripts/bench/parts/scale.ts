/** The part `scale`: how much slower each kind of search becomes as the register grows. */
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { askApi, startApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import type { WireClient } from "../http-client.ts";
import { createRandom, shuffle } from "../random.ts";
import { queryKinds, type QueryKind } from "../search/kinds.ts";
import { dropKept, openRegister } from "../search/register.ts";
import type { RegisterSample } from "../search/sample.ts";
import { median } from "../statistics.ts";
import { formatTable } from "../table.ts";

const ROUNDS = 5;
const QUERIES = 40;
const WARM_UP_ROUNDS = 6;
const SIZES = "100000,300000,1000000";
// Most that the median may grow to the largest register: from the first one for all kinds together, and from the last
// but one for each kind.
const MOST_GROWTH = { first: 1.6, lastButOne: 1.3 };

export const scalePart = definePart({
  name: "scale",
  title: "How much slower each kind of search becomes as the register grows.",
  details:
    "It fills registers of several sizes (--sizes, instead of --companies) beside each other in the same engines, starts an API\n" +
    "for each, and sends queries of each kind, each drawn from its own register, to all of them in turn. Figures are medians\n" +
    "in milliseconds, as a client sees them; `growth` is the median of the largest register divided by that of the one\n" +
    "before it, or of the smallest. From the last but one each kind should grow at most 1.3 times, and from the smallest all\n" +
    "kinds together at most 1.6 times. Each query is sent several times; from the second time on, the engine's cache answers\n" +
    "a query of a single word, as for users. --keep leaves the registers in the engines and uses kept ones, as `search` does.",
  options: [
    {
      flags: "--sizes <numbers>",
      description: "companies of each register, the smallest first, comma-separated",
      default: SIZES,
    },
    { flags: "--queries <number>", description: "queries of each kind", default: QUERIES },
    { flags: "--keep", description: "keep the registers for later runs, or use kept ones" },
    { flags: "--drop", description: "remove the kept registers, and end" },
  ],
  run: measureScale,
});

/** A register, and the API that searches it. */
interface Searched {
  api: WireClient;
  sample: RegisterSample;
}

/** For each kind and each register, the milliseconds of every request. */
type Times = Map<string, number[][]>;

async function measureScale(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { seed, rounds = ROUNDS, own } = options;
  const sizes = readSizes(String(own.sizes));
  const count = Number(own.queries);
  const allOptions = sizes.map((companies) => ({ companies, seed, isKept: own.keep === true }));
  if (own.drop) {
    for (const registerOptions of allOptions) await dropKept(context, registerOptions);
    return { lines: [`the registers of ${sizes.join(", ")} companies were removed`], facts: { sizes } };
  }
  const registers: Searched[] = [];
  for (const registerOptions of allOptions) {
    const register = await openRegister(context, registerOptions);
    const { client: api } = await startApi(context, register);
    registers.push({ api, sample: register.sample });
  }
  context.tell(`measuring ${queryKinds.length} kinds of ${count} queries, ${rounds} times, in each register`);
  await measure(registers, { seed: seed + 1, count, rounds: WARM_UP_ROUNDS });
  return report(sizes, await measure(registers, { seed, count, rounds }));
}

function readSizes(text: string): number[] {
  const sizes = text.split(",").map(Number);
  const isRising = sizes.every((size, at) => Number.isInteger(size) && size > (sizes[at - 1] ?? 0));
  if (isRising && sizes.length > 1) return sizes;
  throw new CommandError("--sizes takes at least two rising whole numbers, such as 100000,1000000");
}

/** Measures all registers. They take turns query by query, so that a slow minute of the machine affects all alike. */
async function measure(
  registers: readonly Searched[],
  { seed, count, rounds }: { seed: number; count: number; rounds: number },
): Promise<Times> {
  const times: Times = new Map(queryKinds.map(({ name }) => [name, registers.map(() => [])]));
  const queries = queryKinds.flatMap((kind, position) => {
    const drawn = registers.map(({ sample }) => drawPaths(kind, sample, seed + position, count));
    return Array.from({ length: count }, (_none, number) => ({
      name: kind.name,
      paths: drawn.map((paths) => paths[number] ?? ""),
    }));
  });
  const random = createRandom(seed);
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, paths } of shuffle(queries, random))
      for (const [at, { api }] of registers.entries())
        times.get(name)?.[at]?.push(await askApi(api, paths[at] ?? ""));
  }
  return times;
}

function drawPaths({ path, draw }: QueryKind, sample: RegisterSample, seed: number, count: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    return `${path}?${new URLSearchParams(draw(sample, random)).toString()}`;
  });
}

function report(sizes: readonly number[], times: Times): PartReport {
  const all = sizes.map((_size, at) => [...times.values()].flatMap((own) => own[at] ?? []));
  const results = [...times, ["every query", all] as const].map(([kind, own]) => {
    const medians = own.map(median);
    const [last = NaN, before = NaN] = medians.toReversed();
    return { kind, medians, growth: last / before, growthFromFirst: last / (medians[0] ?? NaN) };
  });
  const together = results.at(-1)?.growthFromFirst ?? NaN;
  const grown = results.filter(({ growth }) => growth > MOST_GROWTH.lastButOne);
  const rows = results.map(({ kind, medians, growth, growthFromFirst }) => [
    ...[kind, ...medians.map((ms) => ms.toFixed(2))],
    ...[growth.toFixed(2), growthFromFirst.toFixed(2)],
  ]);
  return {
    lines: formatTable([["kind", ...sizes.map(String), "growth", "from the first"], ...rows]),
    facts: { sizes, results },
    isShort: grown.length > 0 || together > MOST_GROWTH.first,
  };
}
