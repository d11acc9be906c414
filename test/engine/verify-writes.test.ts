/** `verify` beside writers reports no write in progress as a difference. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import type { TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { openFilled, verify } from "../support/verify.ts";

let register: TestRegister;
beforeAll(async () => {
  register = await openFilled();
});
afterAll(() => register.close());

it("waits for a batch that has written MongoDB but not yet Elasticsearch", async () => {
  const file = "companies/edge-cases/no-final-newline-lf.csv";
  const [header = "", ...texts] = readFileSync(`${SAMPLE}/${file}`, "utf8").split("\n");
  const source = findSource("company-csv");
  const revision = await register.stores.redis.nextRevision(0);
  const rows = texts.map((text, at) => ({ line: at + 2, text: text.replace(/^"[^"]*"/, '"SLOW LIMITED"') }));
  const context = source.open({ line: 1, text: header }, file);
  const { elasticsearch, mongo } = register.stores;
  let noteMongoWritten: (() => void) | undefined;
  const mongoWritten = new Promise<void>((resolve) => (noteMongoWritten = resolve));
  const write: typeof elasticsearch.write = async (...given) => {
    noteMongoWritten?.();
    // Longer than the two looks after the first one.
    await pause(4_000);
    return elasticsearch.write(...given);
  };
  const slow = { ...register.stores, elasticsearch: { ...elasticsearch, write } };
  const job = { load: "slow", file, source: source.name, context, revision, rows };
  const batch = processBatch(slow, source, job, "slow-1");
  await mongoWritten;
  expect((await verify(register, { index: "companies" })).report).toMatchObject({ equal: true });
  await batch;
  const names = await mongo.records.fetchPage(companyRecord, { filter: {}, sort: [], skip: 0, limit: 1_000 });
  expect(names.map(({ data }) => data.company_name)).toContain("SLOW LIMITED");
});

it("reports no difference while loads are running", async () => {
  const loaded: number[] = [];
  const loads = (async () => {
    for (const files of [
      ["companies/BasicCompanyDataAsOneFile-2026-11-01.zip"],
      ["companies/BasicCompanyData-2026-11-01-part1_2.csv", "companies/dissolved-extract.csv"],
      ["officers/Prod216_4321_ew_1_01112026010001.dat"],
      ["officers/Prod195_4321_sc_1_01112026010001.dat", "officers/Prod195_4321_ni_1_01112026010001.dat"],
    ]) {
      loaded.push((await register.load(...files)).exitCode);
    }
  })();
  let isLoading = true;
  void loads.finally(() => (isLoading = false));
  const outcomes: number[] = [];
  while (isLoading) outcomes.push((await verify(register)).exitCode);
  await loads;
  expect(loaded).toEqual([0, 0, 0, 0]);
  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter((code) => code !== 0)).toEqual([]);
  expect((await verify(register)).report).toMatchObject({ equal: true });
}, 120_000);
