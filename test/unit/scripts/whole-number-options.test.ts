/** Options that take a whole number are all checked in the same way, before any store is opened. */
import { expect, it } from "@jest/globals";
import type { CommandContext } from "../../../ingest/commands/define-command.ts";
import { commands } from "../../../scripts/commands/index.ts";

const OPENED = "the stores are opened";
const context = {
  openStores: () => {
    throw new Error(OPENED);
  },
} as unknown as CommandContext;

const run = async (name: string, options: Record<string, string>) => {
  const command = commands.find((candidate) => candidate.name === name);
  return command?.run(context, [], options);
};

it.each([
  ["loads list", "limit", 1, {}],
  ["refused-rows list", "limit", 1, {}],
  ["keys create", "limit", 1, { name: "n" }],
  ["verify", "show", 0, {}],
] as const)(
  "%s --%s accepts only whole numbers from %i to 999,999,999",
  async (name, option, least, others) => {
    for (const text of ["", " ", "-1", "1.5", "1e3", "0x10", "1,000", "1234567890", String(least - 1)]) {
      await expect(run(name, { ...others, [option]: text })).rejects.toThrow(
        `--${option} must be a whole number from ${least} to 999999999, not "${text}"`,
      );
    }
    await expect(run(name, { ...others, [option]: String(least) })).rejects.toThrow(OPENED);
  },
);
