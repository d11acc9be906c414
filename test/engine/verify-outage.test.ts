/** The command `verify` when MongoDB goes away in the midst of it. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { CommandContext } from "../../ingest/commands/define-command.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { withLeavingStores } from "../support/faults/leaving-mongo.ts";
import type { TestRegister } from "../support/register.ts";
import { openFilled } from "../support/verify.ts";

const AWAY_MS = 1_500;

let register: TestRegister;
beforeAll(async () => void (register = await openFilled()), 60_000);
afterAll(() => register.close());

async function verify(stores: Stores, settings: Partial<CommandContext["config"]> = {}) {
  const printed: string[] = [];
  const told: string[] = [];
  const context: CommandContext = {
    config: { ...register.config, ...settings },
    openStores: () => stores,
    print: (line) => printed.push(line),
    write: () => undefined,
    tell: (line) => told.push(line),
    ask: () => Promise.resolve(null),
    isTerminal: false,
    isStopping: () => false,
  };
  const exitCode = await verifyCommand.run(context, [], { json: "true" });
  return { exitCode, report: JSON.parse(printed.join("\n")) as { equal: boolean }, told };
}

const isAway = expect.stringMatching(
  /^mongodb is not available.*; the comparison waits for it, about \d+ (s|min)$/,
);

it("waits for it, says so, and ends as if nothing had happened", async () => {
  const outage = { awayMs: AWAY_MS, chunksBefore: 1 };
  const { exitCode, report, told } = await withLeavingStores(register.config, outage, (stores) =>
    verify(stores),
  );
  expect({ exitCode, equal: report.equal }).toEqual({ exitCode: 0, equal: true });
  expect(told).toContainEqual(isAway);
}, 60_000);

it("fails when it stays away for longer than is waited for", async () => {
  const run = withLeavingStores(register.config, { chunksBefore: 1 }, (stores) =>
    verify(stores, { STORE_TIMEOUT_MS: 100 }),
  );
  await expect(run).rejects.toThrow(/^mongodb is not available/);
}, 60_000);
