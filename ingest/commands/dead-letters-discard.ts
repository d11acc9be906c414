/** Owns the command that lets refused rows go: mended and loaded since, or of no use. */
import { confirm } from "../../api/core/confirm.ts";
import { defineCommand } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import { countDeadLetters, removeKeptRows } from "../dead-letters/dead-letters.ts";
import { EXAMPLE_LOAD, fetchLoad, writeLoad } from "../history/loads.ts";
import { formatCount } from "../progress.ts";
import { requireLoad } from "./dead-letters.ts";

export const deadLettersDiscardCommand = defineCommand({
  name: "dead-letters discard",
  summary: "Let the refused rows of a load go: they were mended and loaded since, or nobody needs them.",
  effect: "deletes",
  details:
    "Nothing that was loaded changes. What is let go cannot be listed, exported or mended any more. A --complete load\n" +
    "that these rows kept from removing anything still does not know what they hold: it finishes with --force only.",
  arguments: [{ name: "<load>", description: "id of the load" }],
  options: [
    {
      flags: "--force",
      description: "although the load has not ended: it was killed, and will not be resumed",
    },
  ],
  example: `dead-letters discard ${EXAMPLE_LOAD}`,
  run: async (context, [load = ""], options) => {
    const { documents } = context.openStores().mongo;
    await requireLoad(documents, load);
    const isRunning = (await fetchLoad(documents, load))?.state === "running";
    if (isRunning && options.force === undefined)
      throw new CommandError(
        `load ${load} has not ended; wait for it. If it was killed and will not be resumed, say --force`,
      );
    const counts = (await countDeadLetters(documents)).filter((count) => count.load === load);
    const rows = counts.reduce((sum, { count }) => sum + count, 0);
    const told = `${formatCount(rows)} refused rows of ${load}`;
    if (options.dryRun !== undefined) {
      return { exitCode: 0, data: { load, rows, discarded: false }, lines: [`would discard ${told}`] };
    }
    const copy = `npm run cli -- dead-letters export ${load} --out FILE`;
    const question = `${told} will be deleted for good; \`${copy}\` keeps a copy.`;
    if (rows > 0 && !(await confirm(context, question, options.yes !== undefined))) return 1;
    const record = await fetchLoad(documents, load);
    if (record) await writeLoad(documents, { ...record, discarded: (record.discarded ?? 0) + rows });
    await removeKeptRows(documents, load);
    return { exitCode: 0, data: { load, rows, discarded: true }, lines: [`discarded ${told}`] };
  },
});
