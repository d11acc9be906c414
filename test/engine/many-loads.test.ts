/** Earlier loads still count after more later loads than `LOADS_LOOKED_AT`. */
import { beforeAll, expect, it } from "@jest/globals";
import { LOADS, LOADS_LOOKED_AT } from "../../api/shared/stores/collections/loaded-sources.ts";
import {
  beginLoad,
  fetchLatestLoads,
  fetchLoadedFiles,
  lastRuns,
  newLoadId,
  writeLoad,
  type LoadRecord,
} from "../../ingest/history/loads.ts";
import { planUndo } from "../../ingest/load/undo.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, writeEdition } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";

const folder = makeOwnFolder();
const FIRST = "BasicCompanyData-2026-11-01.csv";
const RUN = { series: "officers-update", run: 4321 };

const register = forAllTests(openRegister);
let first: string;
beforeAll(async () => {
  expect(await load(register, [writeEdition(folder, FIRST, () => true)])).toMatchObject({ exitCode: 0 });
  const { mongo } = register.stores;
  [{ _id: first } = { _id: "" }] = await fetchLatestLoads(mongo.documents, 1);
  const mender = aLoad(-1, "company-csv", { mends: FIRST });
  await writeLoad(mongo.documents, {
    ...mender,
    plan: { ...mender.plan, mends: { load: first, place: 1 } },
  });
  await writeLoad(mongo.documents, aLoad(0, "officers-update", { run: RUN }));
  const later = Array.from({ length: LOADS_LOOKED_AT + 1 }, (_, at) => aLoad(at + 1, "api-json-lines"));
  await mongo.documents.putMissing(
    LOADS,
    later.map((one, at) => ({ ...one, ...(at % 2 === 0 && { state: "failed", surveyed: [] }) })),
  );
});

/** A load that succeeded this many milliseconds after now. */
function aLoad(later: number, source: string, facts = {}): LoadRecord {
  const plan = { encoding: "utf-8", isComplete: false } as const;
  const begun = beginLoad([`${later}.txt`], register.config, plan);
  const [file = ""] = begun.files;
  const surveyed = [{ file, name: file, source, rows: 1, fills: ["appointments"], ...facts }];
  const _id = newLoadId(new Date(Date.now() + later), 0);
  return { ...begun, _id, state: "succeeded", finished_at: begun.started_at, surveyed };
}

it("the register still counts as loaded whole", async () => {
  const { body } = await register.get("/coverage");
  const [companies] = (body as { items: object[] }).items;
  expect(companies).toMatchObject({ record: "company-profile", loaded: "all", as_of: "2026-11-01" });
});

it("the last run of a series is known, so the next one need not wait for it", async () => {
  expect(lastRuns(await fetchLoadedFiles(register.stores.mongo.documents)).get(RUN.series)).toBe(RUN.run);
});

it("a load that mends an edition is undone together with it", async () => {
  const { menders } = await planUndo(register.stores, first);
  expect(menders).toMatchObject([{ files: ["-1.txt"], counts: { read: 0 } }]);
});

it("a cut edition is refused, and undoing an edition names the edition before it", async () => {
  const next = "BasicCompanyData-2026-12-01.csv";
  const cut = writeEdition(folder, next, (_row, index) => index < 5);
  expect((await load(register, [cut])).error?.message).toMatch(/at least \d+ % are required/);
  const whole = writeEdition(folder, next, () => true);
  expect(await load(register, [whole], { complete: "true" })).toMatchObject({ exitCode: 0 });
  // Not the latest by its id: the other loads begin up to a second from now.
  const loads = await register.stores.mongo.documents.fetchAll(LOADS, { state: ["succeeded"] }, ["files"]);
  const undone = loads.find(({ files }) => (files as string[])[0] === whole);
  const { former } = await planUndo(register.stores, String(undone?._id));
  expect(former.map(({ name }) => name)).toContain(FIRST);
});
