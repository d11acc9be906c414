import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { UnavailableError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchJob } from "../../ingest/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

const FILE = "test/fixtures/register/companies/edge-cases/no-final-newline-lf.csv";
const source = findSource("company-csv");
const [header = "", ...texts] = readFileSync(FILE, "utf8").split("\n");

let register: TestRegister;

beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

function aBatch(revision: number, change: (text: string) => string = (text) => text): BatchJob {
  return {
    load: "load-1",
    file: "companies.csv",
    source: source.name,
    context: source.open({ line: 1, text: header }, "companies.csv"),
    revision,
    rows: texts.map((text, at) => ({ line: at + 2, text: change(text) })),
    unreadable: [],
  };
}

/** The stores of a worker whose Elasticsearch is away. */
function withoutElasticsearch(stores: Stores): Stores {
  const write = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
  return { ...stores, elasticsearch: { ...stores.elasticsearch, write } };
}

async function searchName(words: string): Promise<string[]> {
  await register.stores.elasticsearch.refresh();
  const { body } = await register.get(`/search/companies?q=${encodeURIComponent(words)}`);
  return (body as { items: { title: string }[] }).items.map(({ title }) => title);
}

describe("a batch", () => {
  it("that reached MongoDB and not Elasticsearch is repaired by its rerun", async () => {
    const stores = register.stores;
    await expect(processBatch(withoutElasticsearch(stores), source, aBatch(1), false)).rejects.toThrow(
      UnavailableError,
    );
    expect(await stores.mongo.records.count(companyRecord, {})).toBe(texts.length);
    await stores.elasticsearch.refresh();
    expect(await stores.elasticsearch.count("companies")).toBe(0);

    const counts = await processBatch(stores, source, aBatch(1), true);
    await stores.elasticsearch.refresh();
    expect(counts).toMatchObject({ written: 0, unchanged: texts.length });
    expect(await stores.elasticsearch.count("companies")).toBe(texts.length);
  });

  it("with new content replaces the record and its search document", async () => {
    const renamed = aBatch(5, (text) => text.replace(/^"[^"]*"/, '"RENAMED WORKSHOP LIMITED"'));
    expect(await processBatch(register.stores, source, renamed, false)).toMatchObject({
      written: texts.length,
    });
    expect(await searchName("renamed workshop")).toHaveLength(texts.length);
  });

  it("older than what is held changes nothing, in either store", async () => {
    expect(await processBatch(register.stores, source, aBatch(3), true)).toMatchObject({
      written: 0,
      unchanged: texts.length,
    });
    expect(await searchName("renamed workshop")).toHaveLength(texts.length);
  });
});
