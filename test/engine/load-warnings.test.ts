import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommand } from "../../ingest/commands/load.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const UNCHANGED = `${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`;
const folder = makeOwnFolder();

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister();
});
afterAll(() => register.close());

it("a warning may quote any text of the row", async () => {
  const file = join(folder, "BasicCompanyData-odd.csv");
  writeFileSync(file, readFileSync(UNCHANGED, "utf8").replaceAll('"Active"', '"$odd.status"'));

  const run = await register.run(loadCommand, [file], { as: "company-csv", encoding: "utf-8" });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.printed.join("\n")).toMatch(/^warning +3 × company_status left out: .*\$odd\.status/m);

  const [kept] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  const [[reason, count] = []] = Object.entries(kept?.counts.warnings ?? {});
  expect([kept?.state, kept?.counts.read, count]).toEqual(["succeeded", 3, 3]);
  expect(reason).toContain("$odd.status");
});
