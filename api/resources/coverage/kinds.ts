/** Owns the coverage of a kind of record: for one company, and over the whole register. Pure. */
import { companyPrefix } from "../../shared/values/company-number.ts";
import {
  UPDATING_SOURCES,
  WHOLE_SOURCES,
  type LoadedSource,
} from "../../shared/stores/collections/loaded-sources.ts";

/** Sources of any kind, with whatever records somebody has put into them. */
export const LOOSE_SOURCES: readonly string[] = ["api-json-lines", "streaming-events"];

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
