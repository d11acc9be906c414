/**
 * Owns what the API knows of loads: which sources have been loaded with success, how often and of which day. The one
 * place where the API reads what loads keep of themselves; ingest writes it.
 */

const COLLECTION = "loads";
const MEMBERS = ["state", "finished_at", "surveyed"] as const;
// Limit: loads that are looked at, latest first: a year of two a day and more. A source whose last load lies further back
// counts as never loaded.
const LOADS_LOOKED_AT = 1_000;
// What was read is good for so long: a load shows within that time, and lookups pay nothing for it.
const CACHE_MS = 10_000;

/** The loads of one source, or of one share of it, that succeeded. */
export interface LoadedSource {
  /** Name of the source: `officers-snapshot`. */
  source: string;
  /** The share of the register that its files hold, where they hold no more: `sc`. */
  scope?: string;
  /** False: of an edition that comes in several files not all have been loaded, or none but extracts. */
  isWhole: boolean;
  loads: number;
  /** The latest day that its files show, `YYYY-MM-DD`; null if they state none. */
  as_of: string | null;
  /** When the last of the loads ended, as an ISO time. */
  loaded_at: string;
}

/** A load as far as it is read. */
export interface FinishedLoad {
  _id: string;
  state: string;
  finished_at?: string;
  surveyed?: LoadedFile[];
}

interface LoadedFile {
  file: string;
  source: string;
  scope?: string;
  production_date?: string;
  /** Of a file of mended rows, which loads no edition. */
  mends?: string;
  /** True: not known to be an edition or a part of one. */
  isExtract?: boolean;
}

/** Latest documents of a collection, these members of each. */
type ListLatest = (collection: string, limit: number, members: readonly string[]) => Promise<unknown[]>;

/** A reader of the loaded sources, which asks the store every ten seconds at most. `now` in milliseconds. */
export function openLoadedSources(
  listLatest: ListLatest,
  now: () => number,
): () => Promise<readonly LoadedSource[]> {
  let known: { sources: Promise<LoadedSource[]>; until: number } | undefined;
  return () => {
    if (known && now() < known.until) return known.sources;
    // The cast: documents of this collection are loads.
    const sources = listLatest(COLLECTION, LOADS_LOOKED_AT, MEMBERS).then((loads) =>
      sumUpLoads(loads as FinishedLoad[]),
    );
    const asked = { sources, until: now() + CACHE_MS };
    known = asked;
    sources.catch(() => {
      if (known === asked) known = undefined;
    });
    return sources;
  };
}

interface Editions {
  loads: Set<string>;
  loadedAt: string;
  /** Files of several by the edition that they belong to; a file that stands alone is an edition, unless it is an extract. */
  parts: Map<string, { day: string | undefined; seen: Set<string>; count: number }>;
}

/** What loads have loaded, by source and share. Pure. */
export function sumUpLoads(loads: readonly FinishedLoad[]): LoadedSource[] {
  const found = new Map<string, { source: string; scope: string | undefined; editions: Editions }>();
  for (const { _id, state, finished_at, surveyed = [] } of loads) {
    if (state !== "succeeded" || !finished_at) continue;
    for (const file of surveyed) {
      const { source, scope } = file;
      if (file.mends !== undefined) continue;
      const key = JSON.stringify([source, scope]);
      const { editions } = found.get(key) ?? { editions: noEditions() };
      found.set(key, { source, scope, editions });
      editions.loads.add(_id);
      if (finished_at > editions.loadedAt) editions.loadedAt = finished_at;
      addFile(editions, file);
    }
  }
  return [...found.values()].map(({ source, scope, editions }) => ({
    source,
    ...(scope !== undefined && { scope }),
    ...stateOf(editions),
    loads: editions.loads.size,
    loaded_at: editions.loadedAt,
  }));
}

function noEditions(): Editions {
  return { loads: new Set(), loadedAt: "", parts: new Map() };
}

// `psc-snapshot-2026-11-01_1of2.txt`, `BasicCompanyData-2026-11-01-part1_2.csv`: the first of two files.
const PART = /(?:_(\d+)of(\d+)|part(\d+)_(\d+))\.[^/]*$/i;

function addFile({ parts }: Editions, { file, production_date: day, isExtract }: LoadedFile): void {
  const [, first, firstCount, second, secondCount] = PART.exec(file) ?? [];
  const part = first ?? second ?? "";
  // However many extracts there are, they make no edition.
  const count = isExtract ? Infinity : Number(firstCount ?? secondCount ?? 1);
  const edition = JSON.stringify([day, count]);
  const { seen } = parts.get(edition) ?? { seen: new Set<string>() };
  parts.set(edition, { day, count, seen: seen.add(part) });
}

/** The day is that of the latest edition in whole, and of the latest file where there is none. */
function stateOf({ parts }: Editions): Pick<LoadedSource, "isWhole" | "as_of"> {
  const all = [...parts.values()];
  const whole = all.filter(({ seen, count }) => seen.size >= count);
  const isWhole = whole.length > 0;
  const days = (isWhole ? whole : all).flatMap(({ day }) => day ?? []);
  return { isWhole, as_of: days.toSorted().at(-1) ?? null };
}
