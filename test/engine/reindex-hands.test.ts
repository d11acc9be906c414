/** Reindexes that meet changes made by hand (a foreign index, an alias on two indices or none), and the way back. */
import { describe, expect, it } from "@jest/globals";
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Lock } from "../../api/shared/stores/redis/locks.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { catchUp, goBack, planBack, REINDEX_LOCK } from "../../ingest/reindex/index-set.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { planReindex, runReindex } from "../../ingest/reindex/run-reindex.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { runCommand } from "../support/register.ts";
import { beginBuild, ID, listBegun, NEXT, reindexOne, SILENT, SmallRegister } from "../support/reindex.ts";

const register = SmallRegister.forEachTest();

const reindex = () => register.withRun(companiesIndex, (run) => reindexOne(run));
const alias = () => `${register.config.INDEX_PREFIX}companies`;
const listNames = async () =>
  (await register.stores.elasticsearch.builds.list("companies")).map(({ name }) => name);

/** Stores of a reindex that loses the answer of Elasticsearch when it moves the alias, and Elasticsearch `forGood`. */
function losingElasticsearchAtMove(forGood = true): Stores {
  const { stores } = register;
  const fail = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
  const { builds } = stores.elasticsearch;
  let isLost = false;
  const move: typeof builds.move = async (...given) => {
    await builds.move(...given);
    isLost = forGood;
    return fail();
  };
  const list: typeof builds.list = (...given) => (isLost ? fail() : builds.list(...given));
  return { ...stores, elasticsearch: { ...stores.elasticsearch, builds: { ...builds, move, list } } };
}

it("a reindex does not touch a foreign index with a similar name", async () => {
  const foreign = `${alias()}-vault`;
  await askElasticsearch(register.config, "PUT", foreign);
  expect((await reindex()).pruned).toEqual([]);
  const { former, pruned } = await reindex();
  expect(pruned).toHaveLength(1);
  expect(pruned).not.toContain(foreign);
  expect(await listNames()).toContain(foreign);
  // Nor does --back return to it.
  const plan = await planBack({ stores: register.stores, index: companiesIndex, minPercent: 0 });
  expect(plan.live).toBe(former);
});

it("a reindex does not touch an interrupted build when a new one does not fit on the disk", async () => {
  const built = await beginBuild(register.stores, companiesIndex);
  const { elasticsearch } = register.stores;
  const room = await elasticsearch.builds.fetchRoom("companies");
  expect(room.buildBytes).toBeGreaterThan(0);
  const fetchRoom = () => Promise.resolve({ ...room, freeBytes: [0], buildBytes: 1 });
  const builds = { ...elasticsearch.builds, fetchRoom };
  const stores = { ...register.stores, elasticsearch: { ...elasticsearch, builds } };
  const running = register.withRun(companiesIndex, (run) => reindexOne(run), { stores });
  await expect(running).rejects.toThrow(/no room to build companies/);
  expect(await listNames()).toContain(built);
});

it("a reindex begins all builds or none, so that --resume cannot make only some of them live", async () => {
  const before = await listNames();
  const officers = findIndex("officers");
  // More shards than the engine allows.
  const refused = { ...officers, settings: { ...officers.settings, number_of_shards: 5_000 } };
  const beginning = register.withRun(companiesIndex, (run) =>
    runReindex([run, { ...run, index: refused }], false).next(),
  );
  await expect(beginning).rejects.toThrow(
    /number_of_shards[^]*; the live index is untouched: run this again$/,
  );
  expect(await listNames()).toEqual(before);
  expect(await listBegun(register.stores)).toEqual([]);
});

it("a reindex is refused while the alias points to two indices, and so are its plan and --back", async () => {
  const { former } = await reindex();
  const actions = [{ add: { index: former, alias: alias() } }];
  await askElasticsearch(register.config, "POST", "_aliases", { actions });
  const asked = { stores: register.stores, index: companiesIndex, minPercent: 0 };
  const names = await listNames();
  const sentence = /^the alias of companies points to several indices: \S+, \S+; remove it from all but one/;
  await expect(reindex()).rejects.toThrow(sentence);
  await expect(planReindex(asked)).rejects.toThrow(sentence);
  await expect(planBack(asked)).rejects.toThrow(sentence);
  expect(await listNames()).toEqual(names);
});

describe("a new index", () => {
  it("does not go live if its check fails or another process has the lock", async () => {
    const former = await register.liveName();
    // Its documents do not answer known questions.
    const forgetful: IndexDefinition = {
      ...companiesIndex,
      document: (records) => {
        const document = companiesIndex.document(records);
        return document && { kind: document.kind, id: document.id, shown: document.shown };
      },
    };
    await expect(register.reindex(forgetful)).rejects.toThrow(
      /failed its check: it does not answer known questions \("COMPANY \d LIMITED" does not find 0000000\d; /,
    );
    expect(await register.liveName()).toBe(former);

    // It differs from MongoDB, since somebody has written to it.
    const plant = () =>
      register.stores.elasticsearch.write("companies-next", [{ id: "planted", version: 1, document: {} }]);
    await expect(register.reindex(companiesIndex, register.before("finish", plant))).rejects.toThrow(
      /failed its check: it differs from MongoDB: 0 missing, 1 extra, 0 different \(extra planted\)/,
    );
    expect(await register.liveName()).toBe(former);

    const { redis } = register.stores;
    const others: Lock[] = [];
    const lose = async () => {
      await redis.connection.del(`${register.config.QUEUE_PREFIX}:locks`);
      const other = await redis.locks.acquire(REINDEX_LOCK);
      if (other) others.push(other);
    };
    await expect(register.reindex(companiesIndex, register.before("finish", lose))).rejects.toThrow(
      "another reindex has started meanwhile; the alias of companies was not moved",
    );
    for (const other of others) await other.release();
    expect(await register.liveName()).toBe(former);
  });

  it.each([
    ["goes live once its copies are ready", false],
    ["does not go live if a person stops the wait for its copies", true],
  ])("%s", async (_what, isStopping) => {
    const former = await register.liveName();
    const { elasticsearch } = register.stores;
    let looks = 0;
    const waitForCopies = () => Promise.resolve((looks += 1) > 1);
    const builds = { ...elasticsearch.builds, waitForCopies };
    const reindexing = register.withRun(companiesIndex, (run) => reindexOne(run), {
      stores: { ...register.stores, elasticsearch: { ...elasticsearch, builds } },
      observer: { ...SILENT, isStopping: () => isStopping && looks > 0 },
    });
    if (isStopping) await expect(reindexing).rejects.toThrow(/^the configured copies of \S+ are not ready; /);
    else await reindexing;
    expect(await register.liveName().then((name) => name === former)).toBe(isStopping);
  });

  it("goes live even if the answer to the move of the alias is lost", async () => {
    const former = await register.liveName();
    await register.reindex(companiesIndex, losingElasticsearchAtMove(false));
    expect(await register.liveName()).not.toBe(former);
  });

  it("cannot be continued once another process has discarded it", async () => {
    await expect(register.withRun(companiesIndex, catchUp)).rejects.toThrow(
      "another process has discarded the build",
    );
  });

  it("may be live or not if Elasticsearch is lost for good while the alias moves", async () => {
    await expect(register.reindex(companiesIndex, losingElasticsearchAtMove())).rejects.toThrow(
      /^elasticsearch is not available: away; \S+ may be live or not: `npm run cli -- status` shows whether it is; if it is not, `npm run cli -- reindex --resume` continues$/,
    );
  });
});

describe("--back", () => {
  const back = (options: Record<string, string> = {}, isStopping?: () => boolean) =>
    runCommand(register, reindexCommand, ["companies"], { back: "true", ...options }, isStopping);

  it("makes the former index live and up to date, and can be reversed", async () => {
    const { built: live, former } = await reindex();
    // Only in MongoDB, as by a batch that has not reached the index.
    await register.storeCompany(ID, "CHANGED BEFORE THE WAY BACK LIMITED");
    expect((await back({ dryRun: "true" })).printed).toEqual([
      `companies: ${former} would be live in place of ${live}`,
    ]);
    expect(await register.liveName()).toBe(live);

    const [line] = (await back()).printed;
    expect(line).toContain(`${former} is live, 1 document brought up to date; ${live} is kept`);
    expect(await register.liveName()).toBe(former);
    expect(await register.nameIn("companies")).toBe("CHANGED BEFORE THE WAY BACK LIMITED");
    expect(await register.countDifferences(companiesIndex)).toBe(0);

    await back();
    expect(await register.liveName()).toBe(live);
    expect(await register.countDifferences(companiesIndex)).toBe(0);
  });

  it("can be reversed even if the reindex died before it removed the follower of its build", async () => {
    const former = await register.liveName();
    const dying = register.dyingAfterMove(() => Promise.resolve());
    await expect(register.reindex(companiesIndex, dying)).rejects.toThrow("killed");
    const built = await register.liveName();
    await back();
    expect(await register.liveName()).toBe(former);
    await back();
    expect(await register.liveName()).toBe(built);
  });

  it("reports what is live, and how to bring it up to date, when it is interrupted", async () => {
    const { former } = await reindex();
    const { error, messages } = await back({}, () => true);
    const repair = "`npm run cli -- verify --index companies --repair`";
    expect(messages).toContain(`companies: ${former} is live; bringing it up to date, as ${repair} would`);
    expect(error?.message).toBe(
      `stopped; the rest was not checked; ${former} is live, but not up to date: run ${repair}`,
    );
    expect(await register.liveName()).toBe(former);
  });

  it("is refused when there is no former index, and while a build exists", async () => {
    expect((await back()).error?.message).toBe("companies has no former index to go back to");
    await register.beginBuild(companiesIndex);
    expect((await back()).error?.message).toMatch(/is being built, or was interrupted: end it first/);
  });

  it("is refused when the alias points to no index", async () => {
    const { built } = await reindex();
    const remove = { index: built, alias: alias() };
    await askElasticsearch(register.config, "POST", "_aliases", { actions: [{ remove }] });
    expect((await back()).error?.message).toBe("companies has no former index to go back to");
  });

  it("names the repair if Elasticsearch is lost for good while the alias moves", async () => {
    await reindex();
    const lost = register.withRun(companiesIndex, goBack, { stores: losingElasticsearchAtMove() });
    await expect(lost).rejects.toThrow(
      /away; \S+ may be live or not: `npm run cli -- status` shows whether it is; if it is, run `npm run cli -- verify --index companies --repair`$/,
    );
  });

  describe("refuses an index", () => {
    it("of a newer release", async () => {
      await register.reindex(NEXT);
      await register.reindex(NEXT);
      await expect(register.withRun(companiesIndex, planBack)).rejects.toThrow(
        /was built by a newer release, this one has version \d+: go back with that one$/,
      );
    });

    it("with far fewer documents than the live one, without --force", async () => {
      const { former } = await reindex();
      const { elasticsearch } = register.stores;
      const [stored] = await elasticsearch.fetchDocuments("companies", [ID]);
      const forgotten = `${former}/_doc/${stored?.id}?refresh=true`;
      await askElasticsearch(register.config, "DELETE", forgotten);
      await expect(register.withRun(companiesIndex, goBack)).rejects.toThrow(
        `${former} has 4 documents, the live index has 5: less than COMPLETE_MIN_PERCENT (95 %); --force continues anyway`,
      );
      expect(await register.liveName()).not.toBe(former);
      const forced = await register.withRun(companiesIndex, goBack, { minPercent: 0 });
      expect(forced).toMatchObject({ live: former, repaired: 1 });
      expect(await register.countDifferences(companiesIndex)).toBe(0);
    });

    it("with other name rules", async () => {
      const { former } = await reindex();
      await askElasticsearch(register.config, "PUT", `${former}/_mapping`, { _meta: { names_version: 1 } });
      await expect(register.withRun(companiesIndex, planBack)).rejects.toThrow(
        /was built under version 1 of the name rules, .*: go back with the release that built it$/,
      );
    });
  });
});

it("a reindex builds from MongoDB when the alias points to no index", async () => {
  await register.stores.elasticsearch.deleteIndices();
  const { documents, former } = await reindex();
  expect([documents, former]).toEqual([5, null]);
  expect(await register.nameIn("companies")).toBe("COMPANY 1 LIMITED");
});
