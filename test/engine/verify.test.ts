/** The command `verify` over a register that is equal, and its sentences. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { indices } from "../../index-mappings/index.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import type { TestRegister } from "../support/register.ts";
import { openFilled, verify } from "../support/verify.ts";

let register: TestRegister;
beforeAll(async () => {
  register = await openFilled();
}, 60_000);
afterAll(() => register.close());

describe("a register just loaded", () => {
  it("is equal, in every index", async () => {
    const { exitCode, report } = await verify(register);
    expect(report).toMatchObject({ equal: true });
    expect(exitCode).toBe(0);
    expect(report.indices.map(({ index }) => index)).toEqual(indices.map(({ name }) => name));
    for (const { expected, found } of report.indices) expect([expected, found]).toEqual([found, expected]);
    expect(Math.min(...report.indices.map(({ expected }) => expected))).toBeGreaterThan(0);
  });

  it("is printed in words without --json", async () => {
    const { printed } = await register.run(verifyCommand, [], { index: "companies" });
    expect(printed).toEqual([
      expect.stringMatching(/^companies: equal: \d+ documents expected, \d+ found; 0 missing/),
    ]);
  });

  it("is equal when records make no document by design", async () => {
    const { mongo } = register.stores;
    const [someone] = await mongo.records.fetchPage(appointmentRecord, {
      filter: {},
      sort: [["_id", 1]],
      skip: 0,
      limit: 1,
    });
    const unnamed = Object.entries(someone?.data ?? {}).filter(
      ([member]) => !/^(name|former_name)/.test(member),
    );
    const data: unknown = Object.fromEntries(unnamed);
    const nameless = { ...someone, _id: "nameless", officer_id: "nameless", data } as unknown as StoredRecord;
    await mongo.writer.insertMissing(appointmentRecord, [nameless]);
    expect((await verify(register, { index: "officers" })).exitCode).toBe(0);
  });
});

it("names no more of each sort than asked for, and counts all", async () => {
  const writes = ["a", "b", "c"].map((id) => ({ id: `planted-${id}`, version: 1, document: {} }));
  await register.stores.elasticsearch.write("companies", writes);
  const { report } = await verify(register, { index: "companies", show: "2", repair: "true" });
  expect(report.indices[0]).toMatchObject({ repaired: { extra: 3 } });
  expect(report.indices[0]?.named).toHaveLength(2);
}, 60_000);
