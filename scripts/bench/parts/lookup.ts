/** The part `lookup`: what the API adds to the reads from MongoDB of a lookup, and its lookups per second. */
import { openStores, closeStores } from "../../../api/shared/stores/index.ts";
import { groupBy } from "../../../api/shared/values/group-by.ts";
import { startApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { summariseRates, type Rates } from "../in-flight.ts";
import { fillLookedUp } from "../lookup/fill.ts";
import { drawKinds, lookupsOfProfiles } from "../lookup/kinds.ts";
import { measureOneByOne, measureRates, type LookupTime } from "../lookup/measure.ts";
import { median, quantile, round } from "../statistics.ts";
import { formatTable } from "../table.ts";

const ROUNDS = 5;
const LOOKUPS = 60;
const SAMPLE = 2_000;
const AT_ONCE = 8;
const WARM_UP_ROUNDS = 2;
const LARGE = 20_000;
const LIMIT = 100_000_000;
const WANTED_RATE = 1_200;

export const lookupPart = definePart({
  name: "lookup",
  title: "Lookups of every kind through the API, compared with the same reads directly from MongoDB.",
  details:
    "It loads a generated register with the real command, plus an officer with --large appointments and a company with as\n" +
    "many filings, starts the API as a separate process, and looks up resources of each kind with a key that has a rate\n" +
    "limit, so that every call is counted in Redis. One at a time: medians in milliseconds, through the API until the last\n" +
    "byte, and the same reads from this process (the floor), in turn. Then profiles of random companies, 8 at once, both ways\n" +
    "in turn: lookups per second, medians of the rounds. It should be at least 1,200.",
  options: [
    { flags: "--lookups <number>", description: "lookups of each kind", default: LOOKUPS },
    { flags: "--large <number>", description: "appointments of the one officer", default: LARGE },
  ],
  run: measureLookups,
});

async function measureLookups(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, rounds = ROUNDS, own } = options;
  const count = Number(own.lookups);
  const registerOptions = { companies, seed, large: Number(own.large), sample: SAMPLE };
  const register = await fillLookedUp(context, registerOptions);
  const { client: api } = await startApi(context, register, { limit: LIMIT });
  // Not register.stores: these have a longer time limit than the API's reads.
  const stores = openStores(register.config);
  context.onEnd("the stores of the floor", () => closeStores(stores));
  const kinds = await drawKinds(stores, register.numbers);
  const profiles = lookupsOfProfiles(register.numbers);
  const ways = { api, stores };
  context.tell("warming up, then measuring both ways");
  await measureRates(ways, profiles, { atOnce: AT_ONCE, rounds: WARM_UP_ROUNDS });
  const times = await measureOneByOne(ways, kinds, { seed, count });
  return report(times, await measureRates(ways, profiles, { atOnce: AT_ONCE, rounds }));
}

function report(times: readonly LookupTime[], rates: Rates): PartReport {
  const kinds = [...groupBy(times, ({ kind }) => kind)].map(([kind, own]) => {
    const api = own.map((one) => one.api);
    const floor = median(own.map((one) => one.floor));
    return { kind, api: median(api), p95: quantile(api, 0.95), floor, ratio: median(api) / floor };
  });
  const rows = kinds.map(({ kind, api, p95, floor, ratio }) => [
    kind,
    ...[api, p95, floor, ratio].map((value) => value.toFixed(2)),
  ]);
  const { api, floor, ratio } = summariseRates(rates);
  const profiles = { api: round(api, 0), floor: round(floor, 0), ratio: round(ratio, 2) };
  return {
    lines: [
      ...formatTable([["lookup, one at a time", "API", "p95", "floor", "ratio"], ...rows]),
      "",
      `profiles a second, ${AT_ONCE} at once: ${profiles.api} through the API, ${profiles.floor} direct reads, ratio ${profiles.ratio}`,
    ],
    facts: { kinds, profiles: { atOnce: AT_ONCE, ...profiles } },
    isShort: profiles.api < WANTED_RATE,
  };
}
