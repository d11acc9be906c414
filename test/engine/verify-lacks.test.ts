/** A comparison with an index that somebody has deleted. */
import { expect, it } from "@jest/globals";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import type { NeededIndex } from "../../api/shared/definitions/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { openRegister, runCommand, type CommandRun } from "../support/register.ts";

/** Compares a register with these files in it, of which an index is deleted. */
async function verifyWithout(
  name: NeededIndex,
  { files = [], ...options }: { files?: string[]; index?: string },
): Promise<CommandRun> {
  const register = await openRegister();
  try {
    if (files.length > 0) await register.load(...files);
    const [lost] = await register.stores.elasticsearch.fetchReached([name]);
    await askElasticsearch(register.config, "DELETE", lost?.name ?? "");
    // A store that is missing is soon given up.
    const config = { ...register.config, STORE_TIMEOUT_MS: 1_000 };
    return await runCommand({ config }, verifyCommand, [], options);
  } finally {
    await register.close();
  }
}

it.concurrent("tells what it had found when it ends early", async () => {
  const { error, told } = await verifyWithout(indices.at(-1)?.name ?? "companies", {});
  expect(error?.message).toMatch(/not been created/);
  expect(told).toContain("companies: equal: 0 documents expected, 0 found; 0 missing, 0 extra, 0 different");
});

it.concurrent("says which command creates the index", async () => {
  const files = ["companies/edge-cases/no-final-newline-lf.csv"];
  const { error } = await verifyWithout("companies", { files, index: "companies" });
  expect(error?.message).toMatch(
    /^elasticsearch is not available: its indices have not been created .*prepare/,
  );
});

it.concurrent("says which command creates the index of words, which --repair cannot", async () => {
  const files = ["companies/edge-cases/no-final-newline-lf.csv"];
  const { error, printed } = await verifyWithout("words", { files, index: "companies" });
  expect(printed).toEqual([]);
  expect(error?.message).toMatch(
    /^elasticsearch is not available: its indices have not been created .*prepare/,
  );
});
