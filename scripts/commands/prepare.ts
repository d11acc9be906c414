/** Owns the `prepare` command: what the service needs in its stores before it can serve. */
import { defineCommand } from "../../ingest/commands/define-command.ts";
import { fetchMissing, prepareStores } from "../../ingest/prepare.ts";

export const prepareCommand = defineCommand({
  name: "prepare",
  summary: "Create the MongoDB indexes and the search indices that are missing.",
  effect: "writes",
  details: "It changes nothing that exists; you can run it at any time.",
  example: "prepare",
  run: async (context, _args, options) => {
    const stores = context.openStores();
    if (options.dryRun !== undefined) {
      const { indices, mongoIndexes } = await fetchMissing(stores);
      const line = describe("would create", [...indices, ...mongoIndexes.map((name) => `MongoDB ${name}`)]);
      return { exitCode: 0, data: { missing: indices, missing_mongodb: mongoIndexes }, lines: [line] };
    }
    const created = await prepareStores(stores, new Date());
    return { exitCode: 0, data: { created }, lines: [describe("created", created)] };
  },
});

function describe(verb: string, names: readonly string[]): string {
  return names.length > 0 ? `${verb} ${names.join("; ")}` : "nothing is missing";
}
