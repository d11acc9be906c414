/** The commands `grants`: what people have granted to web clients. */
import { endGrant, fetchGrants } from "../../api/shared/access/grants.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { defineGroup, type GivenOptions } from "../../ingest/commands/define-command.ts";
import { requireClient } from "./clients.ts";
import { requirePerson } from "./people.ts";
import { removing } from "./removing.ts";

const OPTIONS = [
  { flags: "--person <email>", description: "only what this person has granted" },
  { flags: "--client <client>", description: "only what was granted to the web client of this client_id" },
];

export const grantsCommands = defineGroup("grants", "What people have granted to web clients.", {
  list: {
    summary: "List what people have granted to web clients, latest first.",
    effect: "reads",
    details:
      "A grant was last used when its client last got a token, which it does at least once an hour while it calls.",
    options: OPTIONS,
    example: "grants list --person ann@example.org",
    run: async (context, _args, options) => {
      const { documents } = context.openStores().mongo;
      const found = await fetchGrants(documents, new Date(), await readOwners(documents, options));
      // The result names a person only by e-mail address.
      const data = found.map(({ _id: id, ...facts }) => ({ id, ...facts, person: undefined }));
      const lines = data.map(
        ({ id, email, client, name, scopes, created_at, used_at, expires_at }) =>
          `${id}  ${email} to ${name} (${client}): ${scopes.join(", ")}; since ${dayOf(created_at)}, ` +
          `${used_at === undefined ? "" : `last used ${dayOf(used_at)}, `}until ${dayOf(expires_at)}`,
      );
      return { exitCode: 0, data, lines };
    },
  },

  revoke: {
    summary: "End grants: within five seconds their tokens stop working.",
    effect: "deletes",
    details:
      "--person ends all grants of that person, --client all grants to that client, and both together the grants of that person\n" +
      "to that client.",
    arguments: [{ name: "[grant]", description: "id of one grant, as grants list prints it" }],
    options: OPTIONS,
    example: "grants revoke --person ann@example.org --client 0123456789",
    run: removing("end", async (context, id, options) => {
      const { documents } = context.openStores().mongo;
      const { person, client } = options;
      if (id === "" && person === undefined && client === undefined)
        throw new CommandError("name a grant, --person or --client");
      const stored = await fetchGrants(documents, new Date(), await readOwners(documents, options));
      const found = stored.filter(({ _id }) => id === "" || _id === id);
      const which = [id, person && `of ${person}`, client && `to ${client}`].filter(Boolean).join(" ");
      if (found.length === 0)
        throw new CommandError(`there is no grant ${which}; npm run cli -- grants list shows them`);
      const label = id === "" ? `${found.length} ${found.length === 1 ? "grant" : "grants"} ${which}` : which;
      return {
        label,
        question: `${id === "" ? label : `The grant ${label}`} will end, with all tokens.`,
        data: { ids: found.map(({ _id }) => _id) },
        remove: async () => {
          for (const grant of found) await endGrant(documents, grant, new Date());
        },
      };
    }),
  },
});

/** The ids of the person and the client that the options name. Throws CommandError if one does not exist. */
async function readOwners(documents: DocumentStore, { person, client }: GivenOptions) {
  return {
    ...(person !== undefined && { person: (await requirePerson(documents, person))._id }),
    ...(client !== undefined && { client: (await requireClient(documents, client))._id }),
  };
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}
