/** Measures lookups: through the API, and the same reads directly from MongoDB, in turn. */
import { parseQuery } from "../../../api/shared/schemas/query-parameters.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import type { PathValues } from "../../../api/resources/define-resource.ts";
import { askApi } from "../api-process.ts";
import type { WireClient } from "../http-client.ts";
import { addRound, type Rates } from "../in-flight.ts";
import { createRandom, shuffle } from "../random.ts";
import { inTurn } from "../turns.ts";
import { pathOf, type LookupKind } from "./kinds.ts";

/** One lookup sent both ways, in milliseconds. */
export interface LookupTime {
  kind: string;
  api: number;
  floor: number;
}

/** The two ways of a lookup: the API, and the stores for the floor. */
interface LookupWays {
  api: WireClient;
  stores: Stores;
}

/** Makes each lookup in both ways, one at a time; the two ways take turns in being first. */
export async function measureOneByOne(
  { api, stores }: LookupWays,
  kinds: readonly LookupKind[],
  { seed, count }: { seed: number; count: number },
): Promise<LookupTime[]> {
  const planned = kinds.flatMap((kind) =>
    kind.paths.length === 0 ? [] : Array.from({ length: count }, (_, at) => ({ kind, at })),
  );
  const times: LookupTime[] = [];
  for (const [position, { kind, at }] of shuffle(planned, createRandom(seed)).entries()) {
    const values = kind.paths[at % kind.paths.length] ?? {};
    const [apiMs, floor] = await inTurn(
      position,
      () => askApi(api, pathOf(kind, values)),
      () => readDirectly(stores, kind, values),
    );
    times.push({ kind: kind.name, api: apiMs, floor });
  }
  return times;
}

/** Lookups of one kind per second, `atOnce` of them at a time, in both ways for each round. */
export async function measureRates(
  { api, stores }: LookupWays,
  kind: LookupKind,
  { atOnce, rounds }: { atOnce: number; rounds: number },
): Promise<Rates> {
  const rates: Rates = { api: [], floor: [] };
  const ways = {
    api: (values: PathValues) => askApi(api, pathOf(kind, values)),
    floor: (values: PathValues) => readDirectly(stores, kind, values),
  };
  for (let round = 0; round < rounds; round += 1) await addRound(rates, kind.paths, { atOnce, ...ways });
  return rates;
}

/** Makes the reads of an answer directly, with the resource's own code in this process; returns milliseconds. */
async function readDirectly(
  stores: Stores,
  { resource, items }: LookupKind,
  values: PathValues,
): Promise<number> {
  const query = parseQuery(resource.parameters, { ...(items && { items_per_page: String(items) }) });
  const startedAt = performance.now();
  await resource.read(stores.mongo.records, values, query);
  return performance.now() - startedAt;
}
