/** The versions of search documents as `verify` sees them: ahead of the clock, from a counter, and what it leaves. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { findIndex } from "../../index-mappings/index.ts";
import type { TestRegister } from "../support/register.ts";
import { fetchFirstIds, openFilled, verify } from "../support/verify.ts";

let register: TestRegister;
beforeAll(async () => {
  register = await openFilled();
}, 60_000);
afterAll(() => register.close());

it("mends what a later write of the worker reaches", async () => {
  const [number = ""] = await fetchFirstIds(register, "companies", 1);
  const { elasticsearch, mongo } = register.stores;
  const version = Date.now() * 1000 + 3_600_000_000;
  await elasticsearch.write("companies", [{ id: number, version, document: {} }]);
  await verify(register, { index: "companies", repair: "true" });
  const [record] = await mongo.records.fetchByIds(companyRecord, [number]);
  const [stored] = await elasticsearch.fetchDocuments("companies", [number]);
  expect(stored?.version).toBe(record?.revision);
}, 60_000);

it("leaves an index remembering its deletions as it is defined to, also after a repair that was interrupted", async () => {
  const { ELASTICSEARCH_URL, INDEX_PREFIX } = register.config;
  const settings = `${ELASTICSEARCH_URL}/${INDEX_PREFIX}companies/_settings/index.gc_deletes`;
  const brokenOff = JSON.stringify({ "index.gc_deletes": "0ms" });
  const headers = { "content-type": "application/json" };
  await fetch(`${ELASTICSEARCH_URL}/${INDEX_PREFIX}companies/_settings`, {
    ...{ method: "PUT", headers, body: brokenOff },
  });
  const companies = findIndex("companies");
  await register.stores.elasticsearch.forget(companies, []);
  const stored = (await (await fetch(settings)).json()) as Record<string, unknown>;
  expect(Object.values(stored)).toMatchObject([
    { settings: { index: { gc_deletes: companies.settings.gc_deletes } } },
  ]);
});

describe("an index whose versions come from a counter, since its documents are of many records", () => {
  it("is equal under any version of the clock, and differs under one ahead of it", async () => {
    const { elasticsearch, redis } = register.stores;
    const [first = "", second = ""] = await fetchFirstIds(register, "officers", 2);
    const stored = await elasticsearch.fetchDocuments("officers", [first, second]);
    const version = await redis.nextRevision(0);
    const [document, other] = [first, second].map(
      (id) => stored.find((item) => item.id === id)?.source ?? {},
    );
    await elasticsearch.write("officers", [{ id: first, version, document: document ?? {} }]);
    expect((await verify(register, { index: "officers" })).exitCode).toBe(0);

    const ahead = { id: second, version: version + 3_600_000_000, document: other ?? {} };
    await elasticsearch.write("officers", [ahead]);
    expect((await verify(register, { index: "officers" })).report.indices[0]).toMatchObject({
      different: 1,
    });
    expect((await verify(register, { index: "officers", repair: "true" })).exitCode).toBe(0);
  }, 60_000);
});
