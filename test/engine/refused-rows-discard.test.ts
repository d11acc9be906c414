/** The command `refused-rows discard`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "@jest/globals";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { countRefusedRows, listRefusing, writeKeptRows } from "../../ingest/refused-rows/refused-rows.ts";
import { fetchLoad } from "../../ingest/history/loads.ts";
import { sayingNo } from "../support/changed-command.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { keepLoad } from "../support/loads.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";

const LOAD = "20261121T061200-3f9c";
const OTHER = "20261121T061200-3f9d";
const ROW = { file: "companies.csv", source: "company-csv", reason: "54 fields", text: "a row", line: 1 };

const folder = makeOwnFolder();
const register = forAllTests(() => openRegister({ withWorker: false }));
beforeAll(async () => {
  await keepLoad(register.stores.mongo.documents, { _id: LOAD });
  const refusedRows = [1, 2].map((line) => ({ ...ROW, line, load: LOAD }));
  await writeKeptRows(register.stores.mongo.documents, [...refusedRows, { ...ROW, load: OTHER }]);
});

const discard = (load: string, options: Record<string, string> = {}) =>
  register.run(refusedRowsCommands.discard, [load], options);

async function countByLoad() {
  const { documents } = register.stores.mongo;
  const loads = await listRefusing(documents);
  return Promise.all(loads.map(async (load) => [load, await countRefusedRows(documents, load)] as const));
}

it("tells what it would discard, and discards nothing without --yes or after the answer no", async () => {
  expect((await discard(LOAD, { dryRun: "true" })).printed).toEqual([
    `would discard 2 refused rows of ${LOAD}`,
  ]);
  const { error } = await discard(LOAD);
  expect(error?.message).toMatch(/^2 refused rows of \S+ will be deleted for good.*add --yes to agree$/);
  expect(await register.run(sayingNo(refusedRowsCommands.discard), [LOAD])).toMatchObject({ exitCode: 1 });
  expect(await countByLoad()).toEqual([
    [LOAD, 2],
    [OTHER, 1],
  ]);
});

it("discards the refused rows of one load only", async () => {
  const { printed, exitCode } = await discard(LOAD, { yes: "true", json: "true" });
  expect([exitCode, JSON.parse(printed.join("\n"))]).toEqual([0, { load: LOAD, rows: 2, discarded: true }]);
  expect(await countByLoad()).toEqual([[OTHER, 1]]);
});

it("refuses an unknown load, and one that may still refuse rows", async () => {
  expect((await discard("nosuch", { yes: "true" })).error?.message).toMatch(/^there is no load nosuch/);
  await keepLoad(register.stores.mongo.documents, { _id: OTHER, state: "running" });
  expect((await discard(OTHER, { yes: "true" })).error?.message).toMatch(/has not ended/);
  expect((await discard(OTHER, { yes: "true", force: "true" })).exitCode).toBe(0);
  expect(await countByLoad()).toEqual([]);
});

it("rows of a load that is not in MongoDB can be shown, exported and discarded", async () => {
  const { documents } = register.stores.mongo;
  const lost = "20261121T061200-3f9e";
  await writeKeptRows(documents, [{ ...ROW, file: "in/companies.csv", load: lost }]);
  const shown = await register.run(refusedRowsCommands.show, [lost, "in/companies.csv:1"]);
  expect(shown.printed.join("\n")).toContain("54 fields");
  const { error } = await register.run(refusedRowsCommands.show, [lost, "1"]);
  expect(error?.message).toMatch(/is not in MongoDB.*name the row as FILE:LINE/);
  const exported = await register.run(refusedRowsCommands.export, [lost], { out: `${folder}/` });
  expect(exported.exitCode).toBe(0);
  expect(readFileSync(join(folder, "companies-refused.csv"), "utf8")).toBe("a row\n");
  expect(exported.messages.at(-1)).toMatch(
    /is not in MongoDB.*without its header, in UTF-8, and --mends cannot load it$/,
  );
  expect((await discard(lost, { yes: "true" })).printed).toEqual([`discarded 1 refused row of ${lost}`]);
  expect(await countByLoad()).toEqual([]);
  expect(await fetchLoad(documents, lost)).toBeNull();
});
