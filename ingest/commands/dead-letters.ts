/** Owns the commands that show refused rows. */
import { defineCommand } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import { fetchDeadLetters } from "../dead-letters.ts";

// Limit: rows listed in one call.
const LIMIT = 10_000;

export const deadLettersListCommand = defineCommand({
  name: "dead-letters list",
  summary: "List the rows that a load refused, as JSON lines.",
  details:
    "Each line holds file, line, source, reason and the row as it came (bytes in base64 where it is no text).",
  arguments: [{ name: "<load>", description: "id of the load, as the load command prints it" }],
  example: "dead-letters list 20261121T061200-3f9c",
  run: async (context, [load = ""]) => {
    const letters = await fetchDeadLetters(context.openStores().mongo.documents, load, LIMIT);
    if (letters.length === 0)
      throw new CommandError(`load ${load} has refused no row, or there is no such load`);
    for (const { file, line, source, reason, field, text, bytes } of letters) {
      context.print(JSON.stringify({ file, line, source, reason, field, text, bytes }));
    }
    return 0;
  },
});
