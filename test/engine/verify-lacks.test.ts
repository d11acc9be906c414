/** A comparison with an index that somebody has deleted. */
import { expect, it } from "@jest/globals";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { indices } from "../../index-mappings/index.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { liveName } from "../support/reindex-command.ts";

const newRegister = registersPerTest();

it("tells what it had found when it ends early", async () => {
  const register = await newRegister({ STORE_TIMEOUT_MS: "1000" });
  const last = indices.at(-1)?.name ?? "companies";
  await askElasticsearch(register.config, "DELETE", (await liveName(register, last)) ?? "");
  const { error, told } = await register.run(verifyCommand, []);
  expect(error?.message).toMatch(/not been created/);
  expect(told).toContain("companies: equal: 0 documents expected, 0 found; 0 missing, 0 extra, 0 different");
}, 60_000);

it("says which command creates the index", async () => {
  const register = await newRegister({ STORE_TIMEOUT_MS: "1000" });
  await register.load("companies/edge-cases/no-final-newline-lf.csv");
  await askElasticsearch(register.config, "DELETE", (await liveName(register, "companies")) ?? "");
  const { error } = await register.run(verifyCommand, [], { index: "companies" });
  expect(error?.message).toMatch(
    /^elasticsearch is not available: its indices have not been created .*prepare/,
  );
}, 60_000);
