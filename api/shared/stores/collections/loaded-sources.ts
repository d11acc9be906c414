/**
 * What the API knows about loads: which sources were loaded successfully, how often, for which day, and which kinds of
 * record they cover. This is the only place where the API reads the load history; ingest writes it.
 */
import { openCached, type Cached } from "../../runtime/cached.ts";
import { companyPrefix } from "../../values/company-number.ts";
import { groupBy } from "../../values/group-by.ts";
import { missingParts, type EditionPart } from "../../values/parts.ts";

export const LOADS = "loads";
// The members that `sumUpLoads` needs. All members of years of loads are megabytes, too much to read every few seconds.
const MEMBERS = [
  ...["state", "finished_at", "surveyed.source", "surveyed.scope", "surveyed.production_date"],
  ...["surveyed.part.part", "surveyed.part.parts", "surveyed.mends", "surveyed.isExtract", "surveyed.fills"],
];
// Sources by name, because the API does not import ingest. A test compares these tables with the definitions.
/** Sources whose editions are complete: they contain every record of these kinds for each company on the register. */
export const WHOLE_SOURCES: Readonly<Record<string, readonly string[]>> = {
  "company-csv": ["company-profile"],
  "officers-snapshot": ["officer-appointment"],
  "disqualified-officers-snapshot": ["disqualified-officer"],
  "psc-snapshot": ["person-with-significant-control", "psc-statement", "exemptions"],
};
/** Sources that update such an edition. */
export const UPDATING_SOURCES: Readonly<Record<string, readonly string[]>> = {
  "officers-update": ["officer-appointment"],
};
/** Sources that may contain records of any kind. */
export const LOOSE_SOURCES: readonly string[] = ["api-json-lines", "streaming-events"];
/** Finds a source's loads however many others follow: without its last edition, no kind would count as whole. */
export const loadsIndexes = {
  collection: LOADS,
  indexes: [{ fields: ["surveyed.source"] }],
};
const EDITION_SOURCES = [WHOLE_SOURCES, UPDATING_SOURCES].flatMap(Object.keys);
// Limits: how many of the latest loads are read. First of any source, including loads that ended before they read
// their files; second of each source of editions or their updates. An older load counts as never loaded.
export const LOADS_LOOKED_AT = 1_000;
const LOADS_OF_EDITIONS = 250;
// A new load shows after at most this time; until then, lookups use the cached loads.
const TRUSTED_MS = 10_000;

/** The successful loads of one source, or of one region of it. */
export interface LoadedSource {
  /** Name of the source: `officers-snapshot`. */
  source: string;
  /** Region of the register that its files cover, if not all: `sc`. */
  scope?: string;
  /** True when a complete edition was loaded: all its files, and not only extracts. */
  isWhole: boolean;
  /** The collections that its files fill; absent: any. */
  fills?: readonly string[];
  loads: number;
  /** Day of its latest complete edition, or else of its latest file, `YYYY-MM-DD`; null if they state none. */
  as_of: string | null;
  /** When the last of the loads ended, as an ISO time. */
  loaded_at: string;
}

/** The members of a load that are read here. */
export interface FinishedLoad {
  _id: string;
  state: string;
  finished_at?: string;
  surveyed?: LoadedFile[];
}

interface LoadedFile {
  source: string;
  scope?: string;
  production_date?: string;
  /** Absent: the file is the whole edition. */
  part?: EditionPart;
  /** Set for a file of mended rows, which is no edition. */
  mends?: string;
  /** True when the file is not known to be an edition or a part of one. */
  isExtract?: boolean;
  /** The collections that it fills; absent: any. */
  fills?: readonly string[];
}

/** Reads of a collection: its latest documents, and those that match a filter. Default: all members. */
interface LoadDocuments {
  listLatest: (collection: string, limit: number, members?: Members) => Promise<FoundDocument[]>;
  fetchAll: (
    collection: string,
    filter: Record<string, readonly string[]>,
    members?: Members,
  ) => Promise<FoundDocument[]>;
}

type Members = readonly string[];
type FoundDocument = Record<string, unknown>;

/** The loads within the limits above, latest first. */
export async function fetchLoads({ listLatest, fetchAll }: LoadDocuments, members?: Members) {
  const latest = await listLatest(LOADS, LOADS_LOOKED_AT, members);
  // There are no others.
  if (latest.length < LOADS_LOOKED_AT) return latest;
  // Ids first, because one engine applies the limit of a sorted query before its filter on the array of files.
  const ofEditions = await Promise.all(
    EDITION_SOURCES.map((source) => fetchAll(LOADS, { "surveyed.source": [source] }, ["_id"])),
  );
  const earlier = new Set(ofEditions.flatMap((loads) => loads.map(idOf).sort().slice(-LOADS_OF_EDITIONS)));
  for (const load of latest) earlier.delete(idOf(load));
  const found = earlier.size > 0 ? await fetchAll(LOADS, { _id: [...earlier] }, members) : [];
  return [...latest, ...found].sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1));
}

function idOf({ _id }: FoundDocument): string {
  return String(_id);
}

/** A reader of the loaded sources. `now` in milliseconds. */
export function openLoadedSources(
  documents: LoadDocuments,
  now: () => number,
): Cached<readonly LoadedSource[]> {
  // The cast: documents of this collection are loads.
  const fetchSources = async () =>
    sumUpLoads((await fetchLoads(documents, MEMBERS)) as unknown as FinishedLoad[]);
  return openCached(fetchSources, { trustedMs: TRUSTED_MS, now });
}

/** Sums up loads by source and region. Pure. */
export function sumUpLoads(loads: readonly FinishedLoad[]): LoadedSource[] {
  const files = loads.flatMap(({ _id: load, state, finished_at: loadedAt, surveyed = [] }) =>
    state === "succeeded" && loadedAt ? surveyed.map((file) => ({ ...file, load, loadedAt })) : [],
  );
  const counted = files.filter(({ mends }) => mends === undefined);
  const bySource = groupBy(counted, ({ source, scope }) => JSON.stringify([source, scope]));
  return [...bySource.values()].map((ofSource) => {
    const [{ source, scope }] = ofSource;
    const loaded_at = ofSource.reduce((last, { loadedAt }) => (loadedAt > last ? loadedAt : last), "");
    const ids = new Set(ofSource.map(({ load }) => load));
    return {
      source,
      ...(scope !== undefined && { scope }),
      ...stateOf(ofSource),
      ...(ofSource.every(({ fills }) => fills) && {
        fills: [...new Set(ofSource.flatMap(({ fills = [] }) => fills))],
      }),
      loads: ids.size,
      loaded_at,
    };
  });
}

/** The day is that of the latest complete edition, or else of the latest file. */
function stateOf(files: readonly LoadedFile[]): Pick<LoadedSource, "isWhole" | "as_of"> {
  // Extracts never make an edition.
  const known = files.filter(({ isExtract }) => !isExtract);
  const byEdition = groupBy(known, ({ production_date: day, part }) => JSON.stringify([day, part?.parts]));
  const whole = [...byEdition.values()].filter(
    (edition) => missingParts(edition.map(({ part }) => part)).length === 0,
  );
  const isWhole = whole.length > 0;
  const days = (isWhole ? whole.flat() : files).flatMap(({ production_date: day }) => day ?? []);
  return { isWhole, as_of: latest(days) };
}

// Regions of the officers files, by the prefix of the company's number. The files do not contain companies with other
// prefixes (partnerships, societies, charitable bodies, overseas entities; bulk formats 3).
const OFFICER_REGIONS: Readonly<Record<string, string>> = {
  ...{ "": "ew", ZC: "ew", FC: "ew", OC: "ew", SE: "ew" },
  ...{ SC: "sc", SZ: "sc", SF: "sc", SO: "sc" },
  ...{ NI: "ni", NF: "ni", NC: "ni", R0: "ni" },
};
const OFFICER_SOURCES: readonly string[] = ["officers-snapshot", "officers-update"];

/** A kind of record, in one company or in the whole register. */
interface Asked {
  /** Name of the record: `charge`. */
  kind: string;
  /** Absent: the whole register. */
  companyNumber?: string | undefined;
}

/** True when a complete edition of the kind has been loaded: for the company, else for every company. */
export function isWhole(sources: readonly LoadedSource[], { kind, companyNumber }: Asked): boolean {
  const editions = sources.filter(({ source, isWhole }) => isWhole && fills(WHOLE_SOURCES, source, kind));
  if (companyNumber !== undefined) return editions.some((edition) => mayContain(edition, companyNumber));
  const regions = new Set(Object.values(OFFICER_REGIONS));
  return [...regions].every((region) => editions.some(({ scope }) => isOf(scope, region)));
}

/** Coverage for one company. `hasRecords`: the company has records of the kind. */
export function coverageOfCompany(sources: readonly LoadedSource[], asked: Asked, hasRecords: boolean) {
  const loaded = hasRecords || isWhole(sources, asked);
  return { loaded, as_of: loaded ? latestDay(sourcesOf(sources, asked)) : null };
}

export type Coverage = ReturnType<typeof coverageOfCompany>;

/** Coverage of the whole register. `hasRecords`: it has records of the kind. */
export function coverageOfRegister(sources: readonly LoadedSource[], kind: string, hasRecords: boolean) {
  const known = sourcesOf(sources, { kind });
  const loose = hasRecords ? sources.filter(({ source }) => LOOSE_SOURCES.includes(source)) : [];
  const all = [...known, ...loose];
  return {
    loaded: isWhole(sources, { kind }) ? "all" : hasRecords ? "some" : "none",
    as_of: latestDay(known),
    loaded_at: latest(all.map(({ loaded_at }) => loaded_at)),
    sources: all.map(({ source, scope, loads, as_of, loaded_at }) => {
      return { source, scope, loads, as_of, loaded_at };
    }),
  };
}

/** The loaded sources that contain records of the kind. */
function sourcesOf(sources: readonly LoadedSource[], { kind, companyNumber }: Asked): LoadedSource[] {
  return sources.filter((loaded) => {
    const isOfKind = [WHOLE_SOURCES, UPDATING_SOURCES].some((table) => fills(table, loaded.source, kind));
    return isOfKind && (companyNumber === undefined || mayContain(loaded, companyNumber));
  });
}

function fills(table: Readonly<Record<string, readonly string[]>>, source: string, kind: string): boolean {
  return table[source]?.includes(kind) ?? false;
}

/** True if files of this source and region may contain the company. */
function mayContain({ source, scope }: LoadedSource, companyNumber: string): boolean {
  // No edition has UK establishments (bulk formats 1.6).
  if (source === "company-csv") return companyPrefix(companyNumber) !== "BR";
  if (!OFFICER_SOURCES.includes(source)) return true;
  const region = OFFICER_REGIONS[companyPrefix(companyNumber)];
  return region !== undefined && isOf(scope, region);
}

/** A file without a region contains all of them. */
function isOf(scope: string | undefined, region: string): boolean {
  return scope === undefined || scope === region;
}

function latestDay(sources: readonly LoadedSource[]): string | null {
  return latest(sources.flatMap(({ as_of }) => as_of ?? []));
}

function latest(texts: readonly string[]): string | null {
  return texts.toSorted().at(-1) ?? null;
}
