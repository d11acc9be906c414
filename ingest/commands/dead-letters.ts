/** Owns the commands that show refused rows. */
import { defineCommand } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import { readDeadLetters } from "../dead-letters.ts";

// Limit: rows held in memory at a time; all are listed.
const PAGE = 1_000;

export const deadLettersListCommand = defineCommand({
  name: "dead-letters list",
  summary: "List the rows that a load refused, as JSON lines.",
  details:
    "Each line holds file, line, source, reason and the row as it came (bytes in base64 where it is no text; cut: only its beginning).",
  arguments: [{ name: "<load>", description: "id of the load, as the load command prints it" }],
  example: "dead-letters list 20261121T061200-3f9c",
  run: async (context, [load = ""]) => {
    const { documents } = context.openStores().mongo;
    let count = 0;
    for await (const letter of readDeadLetters(documents, load, PAGE)) {
      const { file, line, source, reason, field, text, bytes, cut } = letter;
      context.print(JSON.stringify({ file, line, source, reason, field, text, bytes, cut }));
      count += 1;
    }
    if (count === 0) throw new CommandError(`load ${load} has refused no row, or there is no such load`);
    return 0;
  },
});
