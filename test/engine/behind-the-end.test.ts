/** Pages behind the end of a list are empty, have the list's counts, and make MongoDB skip nothing. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { openRegister, type TestRegister } from "../support/register.ts";

const BEHIND = 9_000;
const COMMANDS = "company-register:mongodb-command";

interface Body {
  items: unknown[];
  total_count?: number;
  total_results?: number;
}

let register: TestRegister;
let skipped: unknown[] = [];
const note = (message: unknown) => {
  const { skip } = message as { skip?: unknown };
  if (skip !== undefined) skipped.push(skip);
};
beforeAll(async () => {
  register = await openRegister();
  await register.load(
    "officers/Prod195_4321_sc_1_01112026010001.dat",
    "psc/psc-snapshot-2026-11-01_1of2.txt",
    "api-shaped/filing-history.jsonl",
    "api-shaped/charges.jsonl",
  );
  subscribe(COMMANDS, note);
});
beforeEach(() => {
  skipped = [];
});
afterAll(async () => {
  unsubscribe(COMMANDS, note);
  await register.close();
});

it.each([
  ["filings", "/company/{company_number}/filing-history", ""],
  ["charges", "/company/{company_number}/charges", ""],
  ["charges", "/company/{company_number}/charges", "&filter=outstanding"],
  ["appointments", "/company/{company_number}/officers", ""],
  ["appointments", "/officers/{officer_id}/appointments", ""],
  ["pscs", "/company/{company_number}/persons-with-significant-control", ""],
  ["pscs", "/persons-with-significant-control/{psc_id}/notifications", ""],
])("%s: a page behind the end of %s%s makes MongoDB skip nothing", async (collection, template, filter) => {
  const stored = await register.stores.mongo.documents.fetchAny(collection);
  const path = template.replace(/\{(\w+)\}/, (_all, key: string) => String(stored?.[key]));
  const first = (await register.get(`${path}?${filter}`)).body as Body;
  expect(first.items).not.toEqual([]);
  const behind = (await register.get(`${path}?start_index=${BEHIND}${filter}`)).body as Body;
  expect(behind.items).toEqual([]);
  expect([behind.total_count, behind.total_results]).toEqual([first.total_count, first.total_results]);
  expect(skipped).not.toContain(BEHIND);
});

it("a page within the list makes MongoDB skip to it", async () => {
  const { company_number } = (await register.stores.mongo.documents.fetchAny("filings")) ?? {};
  await register.get(`/company/${company_number}/filing-history?start_index=1`);
  expect(skipped).toContain(1);
});
