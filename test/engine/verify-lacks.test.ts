/** The command `verify` when somebody has deleted or closed an index. */
import { expect, it } from "@jest/globals";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import type { NeededIndex } from "../../api/shared/definitions/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { openRegister, runCommand, type CommandRun } from "../support/register.ts";

/** Opens a register with these files, deletes an index, and runs verify. */
async function verifyWithout(
  name: NeededIndex,
  { files = [], ...options }: { files?: string[]; index?: string },
): Promise<CommandRun> {
  const register = await openRegister();
  try {
    if (files.length > 0) await register.load(...files);
    const [lost] = await register.stores.elasticsearch.fetchAliasedIndices([name]);
    await askElasticsearch(register.config, "DELETE", lost?.name ?? "");
    return await runCommand(register, verifyCommand, [], options);
  } finally {
    await register.close();
  }
}

it("reports what it had found when it ends early", async () => {
  const register = await openRegister();
  const last = indices.at(-1)?.name ?? "companies";
  const [live] = await register.stores.elasticsearch.fetchAliasedIndices([last]);
  try {
    await askElasticsearch(register.config, "POST", `${live?.name}/_close`);
    const config = { ...register.config, STORE_TIMEOUT_MS: 1_000 };
    const { error, messages } = await runCommand({ config }, verifyCommand, [], {});
    expect(error?.message).toMatch(/an index is closed/);
    expect(messages).toContain(
      "companies: equal: 0 documents expected, 0 found; 0 missing, 0 extra, 0 different",
    );
  } finally {
    // Reopen the index, since other tests use the register.
    await askElasticsearch(register.config, "POST", `${live?.name}/_open`);
    await register.close();
  }
});

it.concurrent.each<[string, NeededIndex]>([
  ["an index", "companies"],
  ["the index of words, which --repair cannot create", "words"],
])("names at once the command that creates %s", async (_what, name) => {
  const files = ["companies/edge-cases/no-final-newline-lf.csv"];
  const { error, printed, messages } = await verifyWithout(name, { files, index: "companies" });
  expect([printed, messages]).toEqual([[], []]);
  expect(error?.message).toBe(
    `missing: ${name}; run \`npm run cli -- prepare\`, then \`npm run cli -- verify --repair\``,
  );
});
