/** Owns the `prepare` command: what the service needs in its stores before it can serve. */
import { defineCommand } from "../../api/core/define-command.ts";
import { prepareStores } from "../../ingest/prepare.ts";

export const prepareCommand = defineCommand({
  name: "prepare",
  summary: "Create the MongoDB indexes and the search indices that are missing.",
  details: "Leaves alone what is there; may be run at any time.",
  example: "prepare",
  run: async (context) => {
    const created = await prepareStores(context.openStores(), new Date());
    context.print(created.length > 0 ? `created ${created.join(", ")}` : "everything is there");
    return 0;
  },
});
