/** Indices restored from a snapshot. Uses engines of its own, since others may have no folder for snapshots. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { startOwnEngines, type OwnEngines } from "./own-engines.mjs";

const ENGINES_DEADLINE_MS = 600_000;
const REPOSITORY = "_snapshot/company-register-test";
const FOUND = "/search/companies?q=leading%20zeros%20sample";

let engines: OwnEngines;
let register: TestRegister;

beforeAll(async () => {
  engines = await startOwnEngines();
  register = await openRegister({ settings: engines.addresses });
}, ENGINES_DEADLINE_MS);
afterAll(async () => {
  await register.close();
  await engines.close();
}, ENGINES_DEADLINE_MS);

it("indices restored from a snapshot work under their aliases, and catch up with later loads", async () => {
  const { stores, config } = register;
  const indices = `${config.INDEX_PREFIX}*`;
  await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip");
  const before = (await register.get(FOUND)).body;
  expect((before as { items: object[] }).items.length).toBeGreaterThan(0);
  const live = await stores.elasticsearch.fetchLiveIndices(["companies"]);
  await askElasticsearch(config, "PUT", REPOSITORY, { type: "fs", settings: { location: "register" } });
  const taken = { indices, include_global_state: false };
  await askElasticsearch(config, "PUT", `${REPOSITORY}/first?wait_for_completion=true`, taken);
  // This load is not in the snapshot.
  await register.load("companies/dissolved-extract.csv");
  const expected = await stores.elasticsearch.count("companies");
  expect(expected).toBeGreaterThan(200);

  await stores.elasticsearch.deleteIndices();
  expect((await register.get("/readyz")).status).toBe(503);
  const restore = `${REPOSITORY}/first/_restore?wait_for_completion=true`;
  await askElasticsearch(config, "POST", restore, { ...taken, include_aliases: true });

  expect(await stores.elasticsearch.fetchLiveIndices(["companies"])).toEqual(live);
  expect(await stores.elasticsearch.count("companies")).toBe(200);
  expect((await register.get("/readyz")).status).toBe(200);
  expect((await register.get(FOUND)).body).toEqual(before);
  expect(await register.run(verifyCommand, [], { repair: "true", show: "20" })).toMatchObject({
    exitCode: 0,
  });
  await stores.elasticsearch.refresh();
  expect(await stores.elasticsearch.count("companies")).toBe(expected);
}, 120_000);
