/** Rows with control characters for a terminal: whatever prints them marks those, and none is carried out. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { doctorCommand } from "../../scripts/commands/doctor.ts";
import { load, PARTS, writeFile } from "../support/load-command.ts";
import { loadOf, mendRows } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type CommandRun, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const ERASE = "\u001b[2J";
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const ORDERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const folder = makeOwnFolder();
let register: TestRegister;
let warned: string;
let refused: string;
beforeAll(async () => {
  register = await openRegister();
  const companies = readFileSync(PARTS[0] ?? "", "utf8");
  warned = writeFile(folder, "warned.csv", companies.replaceAll('"Active"', `"${ERASE}"`));
  const [charge = ""] = readFileSync(`${SAMPLE}/api-shaped/charges.jsonl`, "utf8").split("\n");
  const odd = { ...(JSON.parse(charge) as object), resource_kind: `kind ${ERASE}` };
  refused = writeFile(folder, "refused.jsonl", `${charge}\n${JSON.stringify(odd)}\n`);
});
afterAll(() => register.close());

function expectMarked({ printed, told }: CommandRun, stream: "printed" | "told"): void {
  for (const line of [...printed, ...told]) expect(line).not.toMatch(ORDERS);
  expect({ printed, told }[stream].join("\n")).toContain("⟨1B⟩[2J");
}

it("a dry run marks them in warnings and refused rows", async () => {
  expectMarked(await load(register, [warned], { dryRun: "true" }), "printed");
  expectMarked(await load(register, [refused], { dryRun: "true" }), "told");
});

it("a load marks them, too, and so does what is printed of it later", async () => {
  expectMarked(await load(register, [warned]), "printed");
  const run = await load(register, [refused]);
  expectMarked(run, "told");
  const id = loadOf(run);
  expectMarked(await register.run(refusedRowsCommands.list, [id]), "printed");
  expectMarked(await register.run(refusedRowsCommands.show, [id, "2"]), "printed");
  expectMarked(await mendRows(register, { folder, id }), "told");
});

it("the reason of a load that failed marks them", async () => {
  const unfit = writeFile(folder, "unfit.csv", `${ERASE},no header of ours\n`);
  await load(register, [unfit], { as: "company-csv" });
  const [failed] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  expect(failed?.state).toBe("failed");
  expectMarked(await register.run(loadsCommands.show, [failed?._id ?? ""]), "printed");
  expectMarked(await register.run(doctorCommand, []), "printed");
});
