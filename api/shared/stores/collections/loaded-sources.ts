/**
 * Owns what the API knows of loads: which sources have been loaded with success, how often and of which day, and which kinds of
 * record they cover. The one place where the API reads what loads keep of themselves; ingest writes it.
 */
import { openKnown, type Known } from "../../runtime/known.ts";
import { companyPrefix } from "../../values/company-number.ts";
import { groupBy } from "../../values/group-by.ts";
import { lackingParts, type EditionPart } from "../../values/parts.ts";

export const LOADS = "loads";
// What `sumUpLoads` reads: all members of the files of years of loads are megabytes, and the API reads them every few seconds.
const MEMBERS = [
  ...["state", "finished_at", "surveyed.source", "surveyed.scope", "surveyed.production_date"],
  ...["surveyed.part.part", "surveyed.part.parts", "surveyed.mends", "surveyed.isExtract", "surveyed.fills"],
];
// What sources cover, by their names: the API does not import them. A test compares these with the definitions.
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
/** Sources of any kind, with whatever records somebody has put into them. */
export const LOOSE_SOURCES: readonly string[] = ["api-json-lines", "streaming-events"];
/** By it loads of a source are found, however many others followed: without its last edition no kind counts as whole. */
export const loadsIndexes = {
  collection: LOADS,
  indexes: [{ fields: ["surveyed.source"] }],
};
const EDITION_SOURCES = [WHOLE_SOURCES, UPDATING_SOURCES].flatMap(Object.keys);
// Limits: loads that are looked at, latest first: of any source, also those that ended before their files were read; and of each
// source of editions or their updates, whatever else was loaded since. An older load counts as never loaded.
export const LOADS_LOOKED_AT = 1_000;
const LOADS_OF_EDITIONS = 250;
// A load shows within that time, and lookups pay nothing for it.
const TRUSTED_MS = 10_000;

/** The loads of one source, or of one share of it, that succeeded. */
export interface LoadedSource {
  /** Name of the source: `officers-snapshot`. */
  source: string;
  /** The share of the register that its files hold, where they hold no more: `sc`. */
  scope?: string;
  /** False: of an edition that comes in several files not all have been loaded, or none but extracts. */
  isWhole: boolean;
  /** The collections that its files fill; absent: it may fill any. */
  fills?: readonly string[];
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
  source: string;
  scope?: string;
  production_date?: string;
  /** Absent: the file stands alone. */
  part?: EditionPart;
  /** Of a file of mended rows, which loads no edition. */
  mends?: string;
  /** True: not known to be an edition or a part of one. */
  isExtract?: boolean;
  /** Absent: its rows may be of any kind. */
  fills?: readonly string[];
}

/** Reads of a collection: its latest documents, and those that the filter names. These members of each, or all. */
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

/** The loads that count, latest first: the latest ones of any kind, and of each source of editions or their updates. */
export async function fetchLoads({ listLatest, fetchAll }: LoadDocuments, members?: Members) {
  const latest = await listLatest(LOADS, LOADS_LOOKED_AT, members);
  // These are all.
  if (latest.length < LOADS_LOOKED_AT) return latest;
  // In two steps: one engine limits what it sorts before it looks into the array of files.
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
): Known<readonly LoadedSource[]> {
  // The cast: documents of this collection are loads.
  const fetchSources = async () =>
    sumUpLoads((await fetchLoads(documents, MEMBERS)) as unknown as FinishedLoad[]);
  return openKnown(fetchSources, { trustedMs: TRUSTED_MS, now });
}

/** What loads have loaded, by source and share. Pure. */
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

/** The day is that of the latest edition in whole, and of the latest file where there is none. */
function stateOf(files: readonly LoadedFile[]): Pick<LoadedSource, "isWhole" | "as_of"> {
  // However many extracts there are, they make no edition.
  const known = files.filter(({ isExtract }) => !isExtract);
  const byEdition = groupBy(known, ({ production_date: day, part }) => JSON.stringify([day, part?.parts]));
  const whole = [...byEdition.values()].filter(
    (edition) => lackingParts(edition.map(({ part }) => part)).length === 0,
  );
  const isWhole = whole.length > 0;
  const days = (isWhole ? whole.flat() : files).flatMap(({ production_date: day }) => day ?? []);
  return { isWhole, as_of: latest(days) };
}

// The officers files: shares of the register by the prefix of the company's number. They do not contain companies of
// other prefixes (partnerships, societies, charitable bodies, overseas entities; bulk formats 3).
const OFFICER_REGIONS: Readonly<Record<string, string>> = {
  ...{ "": "ew", ZC: "ew", FC: "ew", OC: "ew", SE: "ew" },
  ...{ SC: "sc", SZ: "sc", SF: "sc", SO: "sc" },
  ...{ NI: "ni", NF: "ni", NC: "ni", R0: "ni" },
};
const OFFICER_SOURCES: readonly string[] = ["officers-snapshot", "officers-update"];

/** The kind, and the company. */
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

/** Coverage for one company. `hasRecords`: the company has some. */
export function coverageOfCompany(sources: readonly LoadedSource[], asked: Asked, hasRecords: boolean) {
  const loaded = hasRecords || isWhole(sources, asked);
  return { loaded, as_of: loaded ? latestDay(sourcesOf(sources, asked)) : null };
}

export type Coverage = ReturnType<typeof coverageOfCompany>;

/** Coverage over the whole register. `hasRecords`: there are some. */
export function coverageOfRegister(sources: readonly LoadedSource[], kind: string, hasRecords: boolean) {
  const known = sourcesOf(sources, { kind });
  const loose = hasRecords ? sources.filter(({ source }) => LOOSE_SOURCES.includes(source)) : [];
  const all = [...known, ...loose];
  return {
    loaded: isWhole(sources, { kind }) ? "all" : hasRecords ? "some" : "none",
    as_of: latestDay(known),
    loaded_at: latest(all.map(({ loaded_at }) => loaded_at)),
    sources: all.map(({ source, scope, loads, as_of, loaded_at }) => ({
      source,
      ...(scope !== undefined && { scope }),
      ...{ loads, as_of, loaded_at },
    })),
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

/** True for a company that may occur in files of the source and share. */
function mayContain({ source, scope }: LoadedSource, companyNumber: string): boolean {
  // No edition has UK establishments (bulk formats 1.6).
  if (source === "company-csv") return companyPrefix(companyNumber) !== "BR";
  if (!OFFICER_SOURCES.includes(source)) return true;
  const region = OFFICER_REGIONS[companyPrefix(companyNumber)];
  return region !== undefined && isOf(scope, region);
}

/** A file without a share contains all of them. */
function isOf(scope: string | undefined, region: string): boolean {
  return scope === undefined || scope === region;
}

function latestDay(sources: readonly LoadedSource[]): string | null {
  return latest(sources.flatMap(({ as_of }) => as_of ?? []));
}

function latest(texts: readonly string[]): string | null {
  return texts.toSorted().at(-1) ?? null;
}
