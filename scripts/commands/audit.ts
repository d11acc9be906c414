/** The command `audit`: shows who changed applications, keys, clients, people, company codes and grants. */
import { fetchAudit } from "../../api/shared/access/audit.ts";
import { defineCommand, parseWholeNumber } from "../../ingest/commands/define-command.ts";

export const auditCommand = defineCommand({
  name: "audit",
  summary: "Show who changed applications, keys, clients, people and grants, latest first.",
  effect: "reads",
  options: [{ flags: "--limit <lines>", description: "show at most this many lines", default: "50" }],
  example: "audit --limit 20",
  run: async (context, _args, options) => {
    const limit = parseWholeNumber("--limit", options.limit ?? "50", 1);
    const found = await fetchAudit(context.openStores().mongo.documents, limit);
    const data = found.map(({ at, action, subject, by, details }) => ({ at, action, subject, by, details }));
    const lines = data.map(
      ({ at, action, subject, by, details }) =>
        `${at}  ${action} ${subject}, by ${by}${details ? `  ${JSON.stringify(details)}` : ""}`,
    );
    return { exitCode: 0, data, lines };
  },
});
