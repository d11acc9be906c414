/** Measures lookups: through the API, and the same reads directly from MongoDB, in turn. */
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { parseQuery } from "../../../api/shared/schemas/query-parameters.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import type { PathValues } from "../../../api/resources/define-resource.ts";
import type { WireClient } from "../http-client.ts";
import { ratePerSecond } from "../in-flight.ts";
import { createRandom, shuffle } from "../random.ts";
import { pathOf, type LookupKind } from "./kinds.ts";

/** One lookup sent both ways, in milliseconds. */
export interface LookupTime {
  kind: string;
  api: number;
  floor: number;
}

/** The two ways of a lookup: the API, and the stores for the floor. */
export interface LookupWays {
  api: WireClient;
  stores: Stores;
}

/** Makes each lookup in both ways, one at a time; the two ways take turns in being first. */
export async function measureOneByOne(
  ways: LookupWays,
  kinds: readonly LookupKind[],
  { seed, count }: { seed: number; count: number },
): Promise<LookupTime[]> {
  const planned = kinds.flatMap((kind) =>
    kind.paths.length === 0 ? [] : Array.from({ length: count }, (_, at) => ({ kind, at })),
  );
  const times: LookupTime[] = [];
  for (const [position, { kind, at }] of shuffle(planned, createRandom(seed)).entries()) {
    const values = kind.paths[at % kind.paths.length] ?? {};
    const isApiFirst = position % 2 === 0;
    const before = isApiFirst ? await askApi(ways, kind, values) : undefined;
    const floor = await readDirectly(ways, kind, values);
    times.push({ kind: kind.name, floor, api: before ?? (await askApi(ways, kind, values)) });
  }
  return times;
}

/** Lookups per second in one way, with `atOnce` of them at a time. */
export function lookupsPerSecond(
  ways: LookupWays,
  kind: LookupKind,
  { way, atOnce }: { way: "api" | "floor"; atOnce: number },
): Promise<number> {
  const ask = way === "api" ? askApi : readDirectly;
  return ratePerSecond(kind.paths, atOnce, (values) => ask(ways, kind, values));
}

/** Asks the API; returns milliseconds. Throws CommandError for an answer other than 200 or 404. */
async function askApi({ api }: LookupWays, kind: LookupKind, values: PathValues): Promise<number> {
  const path = pathOf(kind, values);
  const { status, body, ms } = await api.send({ method: "GET", path, headers: {} });
  // 404: many companies have no record of some kind.
  if (status === 200 || status === 404) return ms;
  throw new CommandError(`the API answered ${status} to ${path}: ${body.toString().slice(0, 300)}`);
}

/** Makes the reads of an answer directly, with the resource's own code in this process; returns milliseconds. */
async function readDirectly(
  { stores }: LookupWays,
  { resource, items }: LookupKind,
  values: PathValues,
): Promise<number> {
  const query = parseQuery(resource.parameters, { ...(items && { items_per_page: String(items) }) });
  const startedAt = performance.now();
  await resource.read(stores.mongo.records, values, query);
  return performance.now() - startedAt;
}
