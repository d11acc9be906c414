/** A small register for tests of `reindex`, releases with other indices, and stores that are disturbed on the way. */
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import type { Config } from "../../api/shared/settings/config.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { contentHash } from "../../api/shared/values/identifiers.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { wordsIndex } from "../../index-mappings/words/index.ts";
import type { IndexAlias, IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { amendChange, enterChange } from "../../ingest/log/changes.ts";
import { fetchLive } from "../../api/shared/stores/collections/positions.ts";
import { addBuild, fetchBuild, type Build } from "../../ingest/log/followers.ts";
import { REINDEX_LOCK, type ReindexRun } from "../../ingest/reindex/index-set.ts";
import { runReindex, type ReindexOutcome } from "../../ingest/reindex/run-reindex.ts";
import { compareIndex, countDifferences } from "../../ingest/verify/compare-index.ts";
import { toWrites } from "../../ingest/projection/documents.ts";
import { writeIndex } from "../../ingest/projection/project.ts";
import { testConfig } from "./register.ts";
import { listNotFollowed } from "./register-state.ts";
import { aCompany } from "./search-records.ts";
import { waitUntil } from "./wait-until.ts";

/** The companies index of the next release: it has one more field. */
export const NEXT: IndexDefinition = {
  ...companiesIndex,
  version: companiesIndex.version + 1,
  mappings: {
    ...companiesIndex.mappings,
    properties: { ...(companiesIndex.mappings.properties as object), added: { type: "keyword" } },
  },
  document: (records) => {
    const document = companiesIndex.document(records);
    return document && { ...document, added: "yes" };
  },
};

/** The builds of all indices that are in progress or were interrupted. */
export async function listBegun({ mongo }: Stores): Promise<Build[]> {
  const found = await Promise.all(indices.map(({ name }) => fetchBuild(mongo.documents, name)));
  return found.filter((one) => one !== undefined);
}

/** Does the work as a release that has this index instead of the one with the same name. */
export async function asRelease<T>(index: IndexDefinition, work: () => Promise<T>): Promise<T> {
  const at = indices.findIndex(({ name }) => name === index.name);
  const former = indices.splice(at, 1, index);
  return work().finally(() => indices.splice(at, 1, ...former));
}

/** Begins a build, as a reindex does that dies right after; returns the name of its index. */
export async function beginBuild({ mongo, elasticsearch }: Stores, index: IndexDefinition): Promise<string> {
  const built = await elasticsearch.builds.create(index, new Date());
  const { position } = await fetchLive(mongo.documents);
  await addBuild(mongo.documents, index, { _id: built, position });
  return built;
}

/** Stores that call `happens` before an operation on the builds. */
export function happensBefore(
  stores: Stores,
  operation: "move" | "finish",
  happens: () => Promise<unknown>,
): Stores {
  const { elasticsearch } = stores;
  const run = elasticsearch.builds[operation] as (...given: unknown[]) => Promise<void>;
  const disturbed = async (...given: unknown[]) => {
    await happens();
    return run(...given);
  };
  return {
    ...stores,
    elasticsearch: { ...elasticsearch, builds: { ...elasticsearch.builds, [operation]: disturbed } },
  };
}

/** An observer that ignores all progress. */
export const SILENT = {
  onNote: () => undefined,
  watch: () => ({ onProgress: () => undefined, end: () => undefined }),
  isStopping: () => false,
};

/** Reindexes one index. */
export async function reindexOne(run: ReindexRun, isResumed = false): Promise<ReindexOutcome> {
  const { value } = await runReindex([run], isResumed).next();
  if (!value) throw new Error("nothing was reindexed");
  return value;
}

const COMPANIES = 5;
/** Two of the companies of a small register. */
export const ID = "00000001";
export const OTHER_ID = "00000002";

/** A register with only a few companies in both stores, so it is quick to open. */
export class SmallRegister {
  // Set when it is opened.
  config!: Config;
  stores!: Stores;

  private constructor(private readonly settings: Record<string, string>) {}

  static async open(settings: Record<string, string> = {}): Promise<SmallRegister> {
    const register = new SmallRegister(settings);
    await register.fill();
    return register;
  }

  /** Call it at the top of a file. The register is opened before each test and closed after it. */
  static forEachTest(): SmallRegister {
    const register = new SmallRegister({});
    beforeEach(() => register.fill());
    afterEach(() => register.close());
    return register;
  }

  /** Call it at the top of a file. All tests share one register. */
  static forAllTests(): SmallRegister {
    const register = new SmallRegister({});
    beforeAll(() => register.fill());
    afterAll(() => register.close());
    return register;
  }

  private async fill(): Promise<void> {
    this.config = testConfig(this.settings);
    this.stores = openStores(this.config);
    await this.stores.elasticsearch.createIndex(wordsIndex, new Date());
    await this.stores.elasticsearch.createIndex(companiesIndex, new Date());
    const ids = Array.from({ length: COMPANIES }, (_, index) => String(index + 1).padStart(8, "0"));
    const records = await Promise.all(
      ids.map((id) => this.storeCompany(id, `COMPANY ${Number(id)} LIMITED`)),
    );
    await writeIndex(this.stores, companiesIndex, toWrites(companiesIndex, records));
  }

  async close(): Promise<void> {
    await this.stores.mongo.dropDatabase();
    await this.stores.elasticsearch.deleteIndices();
    await closeStores(this.stores);
  }

  async storeCompany(id: string, name: string): Promise<StoredRecord> {
    const revision = await this.stores.redis.nextRevision(0);
    const company = aCompany({ company_number: id, company_name: name });
    const stored = { ...company, etag: contentHash(company.data), revision } as unknown as StoredRecord;
    const existing = await this.stores.mongo.writer.insertMissing(companyRecord, [stored]);
    if (existing.size === 0) return stored;
    const [before] = await this.stores.mongo.records.fetchByIds(companyRecord, [id]);
    if (before) await this.stores.mongo.writer.replaceUnchanged(companyRecord, [{ now: stored, before }]);
    return stored;
  }

  /** Writes a company as a batch of the release with this `index`: change log, MongoDB, live index, change log. */
  async writeCompany(
    index: IndexDefinition,
    id: string,
    name: string,
    by: Stores = this.stores,
  ): Promise<void> {
    const { collection } = companyRecord;
    const change = await enterChange(by, { load: "a-load", job: name, ids: { [collection]: [id] } });
    const stored = await this.storeCompany(id, name);
    const live = await writeIndex(by, index, toWrites(index, [stored]));
    const indexed = live === undefined ? {} : { [index.name]: live };
    await amendChange(by.mongo.documents, change, { state: "written", indexed });
  }

  async withRun<T>(
    index: IndexDefinition,
    work: (run: ReindexRun) => Promise<T>,
    others: Partial<ReindexRun> = {},
  ): Promise<T> {
    const lock = await this.stores.redis.locks.acquire(REINDEX_LOCK);
    if (!lock) throw new Error("another process holds the lock of reindex");
    const run = {
      stores: this.stores,
      index,
      lock,
      observer: SILENT,
      minPercent: 95,
      ...others,
    };
    return work(run).finally(() => lock.release());
  }

  /** Reindexes as the release that has this index; a test can pass disturbed `stores`. */
  async reindex(index: IndexDefinition, stores = this.stores, isResumed = false): Promise<ReindexOutcome> {
    return asRelease(index, () => this.withRun(index, (run) => reindexOne(run, isResumed), { stores }));
  }

  /** Its stores, with a call of `happens` before an operation on the builds. */
  before(operation: "move" | "finish", happens: () => Promise<unknown>): Stores {
    return happensBefore(this.stores, operation, happens);
  }

  /**
   * Stores that call `happens` before the alias moves, and fail with `fault` right after: as if the reindex had died.
   */
  dyingAfterMove(happens: () => Promise<unknown>, fault: Error = new Error("killed")): Stores {
    const stores = this.before("move", happens);
    const { move } = stores.elasticsearch.builds;
    let isDead = false;
    const moveAndDie: typeof move = async (...given) => {
      await move(...given);
      isDead = true;
    };
    const die = (_target: object, name: string | symbol): unknown => {
      if (isDead) throw fault;
      return Reflect.get(stores.mongo.documents, name);
    };
    const documents = new Proxy<DocumentStore>(stores.mongo.documents, { get: die });
    const builds = { ...stores.elasticsearch.builds, move: moveAndDie };
    return {
      ...stores,
      mongo: { ...stores.mongo, documents },
      elasticsearch: { ...stores.elasticsearch, builds },
    };
  }

  /** Its stores, with a call of `happens` before the first write to this index. */
  beforeWrite(index: IndexAlias, happens: () => Promise<unknown>): Stores {
    const { elasticsearch } = this.stores;
    let isDone = false;
    const write: typeof elasticsearch.write = async (name, ...given) => {
      if (name === index && !isDone) {
        isDone = true;
        await happens();
      }
      return elasticsearch.write(name, ...given);
    };
    return { ...this.stores, elasticsearch: { ...elasticsearch, write } };
  }

  async nameIn(alias: "companies" | "companies-next", id = ID): Promise<unknown> {
    const [stored] = await this.stores.elasticsearch.fetchDocuments(alias, [id]);
    return (stored?.source.shown as { company_name?: string } | undefined)?.company_name;
  }

  async countDifferences(index: IndexDefinition): Promise<number> {
    const { compared } = await compareIndex(this.stores, index, { observer: SILENT, what: index.name });
    return countDifferences(compared);
  }

  async liveName(): Promise<string | undefined> {
    return (await this.stores.elasticsearch.builds.list("companies")).find(({ isLive }) => isLive)?.name;
  }

  /** Waits until an index of this version is live. */
  async waitForVersion(version: number): Promise<void> {
    await waitUntil(async () => (await this.liveVersion()) === version, `version ${version} is live`);
  }

  /** Waits until the change log has a change in state "writing". */
  async waitForChange(): Promise<void> {
    const isWriting = async () =>
      (await listNotFollowed(this.stores)).some(({ state }) => state === "writing");
    await waitUntil(isWriting, "a change is being written");
  }

  async liveVersion(): Promise<number | undefined> {
    return (await this.stores.elasticsearch.builds.list("companies")).find(({ isLive }) => isLive)?.version;
  }

  async beginBuild(index: IndexDefinition): Promise<string> {
    return beginBuild(this.stores, index);
  }
}
