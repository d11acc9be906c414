/** Owns the register that is searched: filled for this run, or kept from an earlier one and taken up again. */
import { contentHash } from "../../../api/core/identifiers.ts";
import type { Config } from "../../../api/core/config.ts";
import { closeStores, openStores, type Stores } from "../../../api/core/stores/index.ts";
import type { IndexName } from "../../../index-mappings/define-index.ts";
import { indices } from "../../../index-mappings/index.ts";
import { prepareStores } from "../../../ingest/prepare.ts";
import type { PartContext } from "../define-part.ts";
import { openWireClient } from "../http-client.ts";
import { generateRegister, makeTemporaryFolder, type FileKind } from "../register/generate.ts";
import { settleIndices } from "../register/index-care.ts";
import { fillCompanies, fillOfficers, fillPscs } from "./fill-indices.ts";
import { Sampler, type RegisterSample } from "./sample.ts";

const COLLECTION = "bench_registers";
const MARK = "searched";

/** Which register. */
export interface RegisterWish {
  companies: number;
  seed: number;
  /** The indices that the queries need. */
  needs: ReadonlySet<IndexName>;
  /** True: it stays at the end, and one that stayed is taken. */
  isKept: boolean;
}

/** A register ready to be searched. */
export interface SearchedRegister {
  config: Config;
  stores: Stores;
  sample: RegisterSample;
  /** Documents by index. */
  documents: Partial<Record<IndexName, number>>;
  segments: number;
  isReused: boolean;
}

/** Fills or takes up a register; it is gone at the end unless it is to be kept. */
export async function openRegister(context: PartContext, wish: RegisterWish): Promise<SearchedRegister> {
  const config = { ...context.config, ...namesOf(wish) };
  const stores = openStores(config);
  context.onEnd("the stores", () => closeStores(stores));
  const kept = wish.isKept ? await fetchMark(stores, wish) : null;
  if (!kept) {
    await dropRegister(stores);
    if (!wish.isKept) context.onEnd("the register", () => dropRegister(stores));
    context.tell(`filling the indices from ${wish.companies} generated companies`);
  }
  const { sample, documents } = kept ?? (await fillRegister(context, stores, wish));
  const engine = openWireClient(config.ELASTICSEARCH_URL);
  const segments = await settleIndices(engine, config.INDEX_PREFIX);
  engine.close();
  return { config, stores, sample, documents, segments, isReused: kept !== null };
}

/** Removes what a run with the same size and seed has kept. */
export async function dropKept(context: PartContext, wish: RegisterWish): Promise<void> {
  const stores = openStores({ ...context.config, ...namesOf({ ...wish, isKept: true }) });
  context.onEnd("the stores", () => closeStores(stores));
  await dropRegister(stores);
}

function namesOf({ companies, seed, isKept }: RegisterWish) {
  const own = isKept ? `${companies}-${seed}` : `${process.pid}-${Date.now().toString(36)}`;
  const name = `bench-search-${own}`;
  return { DATABASE_NAME: name.replaceAll("-", "_"), INDEX_PREFIX: `${name}-`, QUEUE_PREFIX: name };
}

interface Filled {
  sample: RegisterSample;
  documents: Partial<Record<IndexName, number>>;
}

async function fillRegister(context: PartContext, stores: Stores, wish: RegisterWish): Promise<Filled> {
  const folder = makeTemporaryFolder(context);
  await prepareStores(stores, new Date());
  const hasOfficers = wish.needs.has("officers");
  const hasPscs = wish.needs.has("persons-with-significant-control");
  const kinds: FileKind[] = [
    "csv",
    ...(hasOfficers ? ["officers" as const] : []),
    ...(hasPscs ? ["psc" as const] : []),
  ];
  const paths = await generateRegister(folder, wish, kinds);
  const names = indices.map(({ name }) => name);
  await stores.elasticsearch.setRefresh(names, false);
  const filling = { elasticsearch: stores.elasticsearch, sampler: new Sampler(wish.seed) };
  const documents: Filled["documents"] = { companies: await fillCompanies(filling, paths.csv) };
  context.tell(`${documents.companies} companies are indexed`);
  if (hasOfficers) {
    const { companies } = wish;
    documents.officers = await fillOfficers(filling, { path: paths.officers, folder, companies });
    context.tell(`${documents.officers} officers are indexed`);
  }
  if (hasPscs) {
    const count = await fillPscs(filling, paths.psc);
    documents["persons-with-significant-control"] = count;
    context.tell(`${count} persons with significant control are indexed`);
  }
  await stores.elasticsearch.setRefresh(names, true);
  const filled = { sample: filling.sampler.take(), documents };
  if (wish.isKept) await storeMark(stores, filled);
  return filled;
}

/** What a kept register must still agree with to be taken: mappings and analysis as the code has them. */
function fingerprint(): string {
  return contentHash(
    indices.map(({ name, version, mappings, settings }) => ({ name, version, mappings, settings })),
  );
}

async function storeMark(stores: Stores, filled: Filled): Promise<void> {
  const mark = { _id: MARK, fingerprint: fingerprint(), filled: JSON.stringify(filled) };
  await stores.mongo.documents.put(COLLECTION, mark);
}

async function fetchMark(stores: Stores, { needs }: RegisterWish): Promise<Filled | null> {
  const mark = await stores.mongo.documents.fetch(COLLECTION, MARK);
  if (mark?.fingerprint !== fingerprint()) return null;
  const filled = JSON.parse(String(mark.filled)) as Filled;
  const generated = ["companies", "officers", "persons-with-significant-control"] as const;
  const filledNames = generated.filter((name) => needs.has(name));
  const isWhole = filledNames.every((name) => filled.documents[name]);
  const reached = await stores.elasticsearch.fetchReached(indices.map(({ name }) => name));
  return isWhole && reached.length === indices.length ? filled : null;
}

async function dropRegister(stores: Stores): Promise<void> {
  await stores.elasticsearch.deleteIndices();
  await stores.mongo.dropDatabase();
}
