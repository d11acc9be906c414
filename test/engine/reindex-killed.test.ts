/** The command reindex, killed by SIGKILL at several points: an index stays live, and the next run succeeds. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { NAMES_VERSION } from "../../index-mappings/names/mapping.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { buildRegister } from "../support/faults/build.ts";
import { startCommand } from "../support/faults/processes.ts";
import { openRequestGate, type Gate } from "../support/faults/request-gate.ts";
import { createUnderRules } from "../support/index-rules.ts";
import { runCommand } from "../support/register.ts";
import { ID, listBegun, SmallRegister } from "../support/reindex.ts";
import { waitUntil } from "../support/wait-until.ts";

let build = "";
let register: SmallRegister;
beforeAll(async () => {
  build = buildRegister();
  register = await SmallRegister.open({ LOCK_MS: "1000" });
});
afterAll(() => register.close());

const list = () => register.stores.elasticsearch.builds.list("companies");
const liveName = async () => (await list()).find(({ isLive }) => isLive)?.name;

async function killAt(gate: Gate, ...others: string[]): Promise<void> {
  const proxy = await openRequestGate(register.config.ELASTICSEARCH_URL, gate);
  const config = { ...register.config, ELASTICSEARCH_URL: proxy.address };
  const command = startCommand(build, config, ["reindex", "companies", ...others, "--yes"]);
  const ended = command.ended.then(() =>
    Promise.reject(new Error(`it ended before:\n${command.readOutput()}`)),
  );
  await Promise.race([proxy.reached, ended]);
  ended.catch(() => undefined);
  command.kill("SIGKILL");
  await command.ended;
  await proxy.close();
}

/** Runs the command as a person would, once the killed process has lost its lock. */
async function run(names: string[], options: Record<string, string> = {}): Promise<void> {
  const { locks } = register.stores.redis;
  await waitUntil(async () => (await locks.list()).length === 0, "the lock has expired");
  expect(await runCommand(register, reindexCommand, names, options)).toMatchObject({ exitCode: 0 });
}

it.each<[string, Gate, boolean]>([
  ["after its index was made", { request: /^PUT .*-v\d+-/, holds: "after" }, false],
  ["after the move", { request: /^POST \/_aliases/, holds: "after" }, true],
])("a kill %s leaves both stores in order, and the next run succeeds", async (point, gate, isMoved) => {
  const before = await liveName();
  await killAt(gate);
  expect((await liveName()) === before).toBe(!isMoved);
  // Writers find both stores in order.
  await register.writeCompany(companiesIndex, ID, `WRITTEN ${point.toUpperCase()} LIMITED`);
  expect(await register.countDifferences(companiesIndex)).toBe(0);

  await run(["companies"]);
  const live = await liveName();
  expect(live).not.toBe(before);
  expect((await list()).map(({ isLive, isNext }) => [isLive, isNext])).toEqual([
    [false, false],
    [true, false],
  ]);
  expect(await listBegun(register.stores)).toEqual([]);
  expect(await register.stores.redis.locks.list()).toEqual([]);
  expect(await register.nameIn("companies")).toBe(`WRITTEN ${point.toUpperCase()} LIMITED`);
  expect(await register.countDifferences(companiesIndex)).toBe(0);
});

it("--resume after a kill between two beginnings also begins an index that this release cannot search", async () => {
  const { builds } = register.stores.elasticsearch;
  const former = await createUnderRules(register.stores.elasticsearch, "officers", NAMES_VERSION - 1);
  await killAt({ request: /^PUT .*officers-v\d+-/, holds: "before" }, "officers");
  expect((await listBegun(register.stores)).map(({ index }) => index)).toEqual(["companies"]);
  const before = await liveName();

  await run([], { resume: "true" });
  expect(await liveName()).not.toBe(before);
  expect(await builds.list("officers")).toMatchObject([
    { name: former, isLive: false },
    { isLive: true, meta: { names_version: NAMES_VERSION } },
  ]);
  expect(await listBegun(register.stores)).toEqual([]);
});

it("--resume after a kill between two moves also makes the other index live", async () => {
  const before = await liveName();
  await killAt({ request: /^POST \/_aliases/, holds: "after" }, "officers");
  expect(await liveName()).not.toBe(before);
  const officers = () => register.stores.elasticsearch.builds.list("officers");
  expect((await officers()).at(-1)).toMatchObject({ isLive: false, isNext: true });

  await run([], { resume: "true" });
  expect((await officers()).at(-1)).toMatchObject({ isLive: true, isNext: false });
  expect(await register.countDifferences(companiesIndex)).toBe(0);
});
