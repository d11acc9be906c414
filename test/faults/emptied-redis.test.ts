/** Redis loses all its data after a hundred short loads. Later loads must still reach both stores as usual. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { company, event, fetchNameOnRecord } from "../support/event-batches.ts";
import { differencesOf, digestRegister, type RegisterDigest } from "../support/faults/disturbed-load.ts";
import { writeCompaniesEdition } from "../support/faults/later-files.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { load, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startOwnEngines, type OwnEngines } from "./own-engines.mjs";
import { loseRedis } from "./run-faults.ts";

const ENGINES_DEADLINE_MS = 600_000;
const RUN_DEADLINE_MS = 400_000;
const ROWS = 1_000;
const SHORT_LOADS = 100;
const AWAY_MS = 1_000;
// Exit code of a load with refused rows: files of many rows have some.
const SOME_REFUSED = 2;
// After the files of 1 November 2026 and before the edition of December; and after that edition.
const BEFORE = "2026-11-20";
const AFTER = "2026-12-02";
const NUMBER = "77000020";

const folder = makeOwnFolder();
let engines: OwnEngines;
let undisturbed: RegisterDigest;

beforeAll(async () => {
  engines = await startOwnEngines();
  undisturbed = await loadAll(1, () => Promise.resolve());
}, ENGINES_DEADLINE_MS);
afterAll(() => engines.close(), ENGINES_DEADLINE_MS);

it.each([
  ["Redis is emptied", ({ stores }: TestRegister) => stores.redis.connection.flushall()],
  ["Redis is killed, and started without its data", ({ stores }: TestRegister) => restartEmpty(stores)],
])(
  "later loads write the same records when %s",
  async (_name, empty) => {
    const register = await loadAll(SHORT_LOADS, empty);
    expect(differencesOf(undisturbed, register)).toEqual([]);
  },
  RUN_DEADLINE_MS,
);

async function restartEmpty({ redis }: TestRegister["stores"]): Promise<void> {
  await loseRedis(engines, undefined, AWAY_MS);
  const answers = () =>
    redis.ping().then(
      () => true,
      () => false,
    );
  await waitUntil(answers, "Redis answers");
}

/** Hashes of the register after a first load, short loads, `happens`, and newer rows, events and deletions. */
async function loadAll(
  shortLoads: number,
  happens: (register: TestRegister) => Promise<unknown>,
): Promise<RegisterDigest> {
  const { files } = writeManyRows(folder, ROWS);
  const [companies = "", , persons = ""] = files;
  const register = await openRegister({ settings: engines.addresses });
  const expectLoaded = async (paths: string[], exitCode = 0) =>
    expect(await load(register, paths)).toMatchObject({ exitCode });
  try {
    await expectLoaded(files, SOME_REFUSED);
    for (let left = shortLoads - 1; left >= 0; left -= 1)
      await expectLoaded([writeEvents(SHORT_LOADS - left, [company(`NAME ${left} LTD`, NUMBER)], BEFORE)]);
    await happens(register);
    await expectLoaded([writeCompaniesEdition(folder, companies)], SOME_REFUSED);
    await expectLoaded([writeEvents(SHORT_LOADS + 1, [company("NEWS LTD", NUMBER)], AFTER)]);
    const deleted = numberIn(companies);
    const gone = [company("", deleted), personIn(persons)];
    await expectLoaded([writeEvents(SHORT_LOADS + 2, gone, AFTER, "deleted")]);
    expect(await fetchNameOnRecord(register.stores, NUMBER)).toBe("NEWS LTD");
    expect(await fetchNameOnRecord(register.stores, deleted)).toBeUndefined();
    await expectStoresAgree(register.stores);
    return await digestRegister(register.stores);
  } finally {
    await register.close();
  }
}

function writeEvents(timepoint: number, resources: object[], day: string, type = "changed"): string {
  const lines = resources.flatMap((resource) => event(resource, timepoint, day, type).rows);
  return writeFile(folder, `companies-${timepoint}.ndjson`, `${lines.join("\n")}\n`);
}

/** The number of the first company in the file. */
function numberIn(companies: string): string {
  const [, number = ""] = /\n"[^"]*","(\w+)"/.exec(readFileSync(companies, "utf8")) ?? [];
  return number;
}

/** The first person with significant control in the file, in the form that events have. */
function personIn(persons: string): object {
  const [line = ""] = readFileSync(persons, "utf8").split("\n", 1);
  const { data } = JSON.parse(line) as { data: { links: { self: string } } };
  const resource_uri = data.links.self;
  return {
    resource_kind: "company-psc-individual",
    resource_uri,
    resource_id: resource_uri.split("/").at(-1),
  };
}
