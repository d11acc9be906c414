/** The register that is searched: filled for this run, or kept from an earlier run and used again. */
import { searches } from "../../../api/search/index.ts";
import { contentHash } from "../../../api/shared/values/identifiers.ts";
import type { Config } from "../../../api/shared/settings/config.ts";
import { closeStores, openStores, type Stores } from "../../../api/shared/stores/index.ts";
import type { IndexName } from "../../../api/shared/definitions/define-index.ts";
import { indices } from "../../../index-mappings/index.ts";
import { wordsIndex } from "../../../index-mappings/words/index.ts";
import { prepareStores } from "../../../ingest/prepare.ts";
import type { PartContext } from "../define-part.ts";
import { withNames, withOwnNames } from "../own-stores.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { settleIndices } from "../rest.ts";
import { absentNames, type AbsentNames } from "./absent-names.ts";
import { fillers, type DocumentCounts, type Filler } from "./fill-indices.ts";
import { RegisterNames } from "./register-names.ts";
import { Sampler, type RegisterSample } from "./sample.ts";

const COLLECTION = "bench_registers";
const MARK = "searched";
// Limit: all names of a larger register do not fit into memory, so such a register gets no absent names.
const MOST_NAMED = 1_000_000;
// Raise this when a change makes kept registers unusable: other content of the mark, or another way of filling.
const VERSION = 3;

/** The option of the parts that search such a register. */
export const KEEP_OPTION = {
  flags: "--keep",
  description: "keep the register for later runs, or use a kept one",
};

/** What a register must have. */
export interface RegisterOptions {
  companies: number;
  seed: number;
  /** The indices that the queries need; absent: all. */
  needs?: ReadonlySet<IndexName>;
  /** Whether to keep it at the end, and to use a kept one. */
  isKept: boolean;
}

/** The facts about a filled register that are kept with it. */
interface Filled {
  sample: RegisterSample;
  absent: AbsentNames;
  documents: DocumentCounts;
}

/** A register ready to be searched. */
export interface SearchedRegister extends Filled {
  config: Config;
  stores: Stores;
  segments: number;
  isReused: boolean;
}

/** Fills a register, or uses a kept one. It is deleted at the end unless it is to be kept. */
export async function openRegister(
  context: PartContext,
  options: RegisterOptions,
): Promise<SearchedRegister> {
  const config = options.isKept ? keptConfig(context, options) : withOwnNames(context.config, "search");
  const stores = openStores(config);
  context.onEnd("the stores", () => closeStores(stores));
  const kept = options.isKept ? await fetchMark(stores, options) : null;
  if (!kept) {
    await dropRegister(stores);
    if (!options.isKept) context.onEnd("the register", () => dropRegister(stores));
    context.tell(`filling the indices from ${options.companies} generated companies`);
  }
  const filled = kept ?? (await fillRegister(context, stores, options));
  return { config, stores, ...filled, segments: await settleIndices(config), isReused: kept !== null };
}

/** Deletes the register that a run with the same size and seed has kept. */
export async function dropKept(context: PartContext, options: RegisterOptions): Promise<void> {
  const stores = openStores(keptConfig(context, options));
  context.onEnd("the stores", () => closeStores(stores));
  await dropRegister(stores);
}

function keptConfig({ config }: PartContext, { companies, seed }: RegisterOptions): Config {
  return withNames(config, `bench-search-${companies}-${seed}`);
}

async function fillRegister(context: PartContext, stores: Stores, options: RegisterOptions): Promise<Filled> {
  const folder = makeTemporaryFolder(context);
  await prepareStores(stores, new Date());
  const needed = fillersFor(options);
  const paths = await generateRegister(
    folder,
    options,
    needed.map(({ file }) => file),
  );
  const filling = {
    elasticsearch: stores.elasticsearch,
    sampler: new Sampler(options.seed),
    names: options.companies > MOST_NAMED ? null : new RegisterNames(),
  };
  const documents: DocumentCounts = {};
  for (const { file, fill } of needed) {
    const counts = await fill(filling, { path: paths[file], folder, companies: options.companies });
    Object.assign(documents, counts);
    context.tell(`indexed: ${describeCounts(counts)}`);
  }
  await stores.elasticsearch.refresh();
  // A first load also ends with this.
  for (const { name } of [wordsIndex, ...indices]) await stores.elasticsearch.builds.beginMerge(name);
  const absent = filling.names
    ? await absentNames(filling.names, folder, options.seed)
    : { companies: [], people: [] };
  const filled = { sample: filling.sampler.take(), absent, documents };
  if (options.isKept) await storeMark(stores, filled);
  return filled;
}

/** `100000 companies, 220000 officers, 12 segments, seed 1, kept from an earlier run`. */
export function describeRegister({ documents, segments, isReused }: SearchedRegister, seed: number): string {
  const kept = isReused ? ", kept from an earlier run" : "";
  return `${describeCounts(documents)}, ${segments} segments, seed ${seed}${kept}`;
}

/** `100000 companies, 220000 officers`. */
export function describeCounts(counts: DocumentCounts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

/** The indices of the searches with these paths. */
export function indicesOf(asked: readonly { path: string }[]): ReadonlySet<IndexName> {
  const paths = new Set(asked.map(({ path }) => path));
  return new Set(searches.filter(({ path }) => paths.has(path)).flatMap((search) => search.indices));
}

function fillersFor({ needs }: Pick<RegisterOptions, "needs">): readonly Filler[] {
  // Companies are always filled, because absent names must be far from all their names.
  return fillers.filter(({ indices: filled }) =>
    filled.some((name) => name === "companies" || (needs?.has(name) ?? true)),
  );
}

/** Hash of versions, mappings and settings of the indices; a kept register is used only if it has the same. */
function fingerprint(): string {
  const shapes = indices.map(({ name, version, mappings, settings }) => ({
    name,
    version,
    mappings,
    settings,
  }));
  return contentHash([VERSION, shapes]);
}

async function storeMark(stores: Stores, filled: Filled): Promise<void> {
  const mark = { _id: MARK, fingerprint: fingerprint(), filled: JSON.stringify(filled) };
  await stores.mongo.documents.put(COLLECTION, mark);
}

async function fetchMark(stores: Stores, options: RegisterOptions): Promise<Filled | null> {
  const mark = await stores.mongo.documents.fetch(COLLECTION, MARK);
  if (mark?.fingerprint !== fingerprint()) return null;
  const filled = JSON.parse(String(mark.filled)) as Filled;
  const isWhole = fillersFor(options).every((filler) =>
    filler.indices.every((name) => filled.documents[name] !== undefined),
  );
  const reached = await stores.elasticsearch.fetchAliasedIndices(indices.map(({ name }) => name));
  return isWhole && reached.length === indices.length ? filled : null;
}

async function dropRegister(stores: Stores): Promise<void> {
  await stores.elasticsearch.deleteIndices();
  await stores.mongo.dropDatabase();
}
