/** Owns the commands about web clients and what people have granted to them: how applications take part in OAuth 2.0. */
import { applications } from "../../api/shared/access/applications.ts";
import { writeAudit } from "../../api/shared/access/audit.ts";
import {
  generateClientSecret,
  parseRedirectUri,
  storeClient,
  webClients,
} from "../../api/shared/access/web-clients.ts";
import { defineGroup } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { requireApplication } from "./applications.ts";
import { fetchGrants, revokeGrant } from "../../api/shared/access/grants.ts";
import { people } from "../../api/shared/access/people.ts";
import { removing } from "./removing.ts";

export const clientsCommands = defineGroup(
  "clients",
  "Web clients: how applications take part in OAuth 2.0.",
  {
    create: {
      summary: "Create a web client of an application, and print its client_id and client_secret.",
      effect: "writes",
      details:
        "Only a hash of the secret is stored: it cannot be shown again. Redirect addresses are compared letter by letter. They\n" +
        "use https, http on this machine (localhost, 127.0.0.1, [::1]), or an application's own scheme (com.example.app:/back).",
      arguments: [{ name: "<application>", description: "name or id of the application" }],
      options: [
        {
          flags: "--redirect <uri...>",
          description: "addresses to which browsers return",
          required: true,
          isList: true,
        },
      ],
      example: 'clients create "billing system" --redirect https://billing.example/back',
      run: async (context, [asked = ""], options) => {
        const redirect_uris = parseRedirects(options.redirect ?? "");
        const { documents } = context.openStores().mongo;
        const application = await requireApplication(documents, asked);
        const given = { application: application._id, redirect_uris };
        if (options.dryRun !== undefined) {
          const line = `would create a web client of ${application.name}: ${redirect_uris.join(", ")}`;
          return { exitCode: 0, data: { created: false, ...given }, lines: [line] };
        }
        const secret = generateClientSecret();
        const client = await storeClient(documents, { ...given, secret }, new Date());
        await writeAudit(documents, { action: "client created", subject: client._id, details: given });
        const data = { created: true, client_id: client._id, client_secret: secret, ...given };
        return { exitCode: 0, data, lines: [`client_id      ${client._id}`, `client_secret  ${secret}`] };
      },
    },

    list: {
      summary: "List the web clients: id, application, redirect addresses.",
      effect: "reads",
      example: "clients list",
      run: async (context) => {
        const { documents } = context.openStores().mongo;
        const clients = await webClients.fetchByAge(documents);
        const ids = clients.map(({ application }) => application);
        const owners = await applications.fetchById(documents, ids);
        const data = clients.map(({ _id: client_id, application, redirect_uris, created_at }) => {
          return { client_id, application, name: owners.get(application)?.name, redirect_uris, created_at };
        });
        const lines = data.map(
          ({ client_id, name = "application removed", redirect_uris, created_at }) =>
            `${client_id}  ${name}  created ${created_at.slice(0, 10)}  ${redirect_uris.join(", ")}`,
        );
        return { exitCode: 0, data, lines };
      },
    },

    remove: {
      summary: "Remove a web client: within seconds its tokens stop working.",
      effect: "deletes",
      arguments: [{ name: "<client>", description: "its client_id" }],
      example: "clients remove 0123456789",
      run: removing("remove", async (context, id) => {
        const { documents } = context.openStores().mongo;
        const client = await webClients.fetch(documents, id);
        if (!client)
          throw new CommandError(`there is no client ${id}; npm run cli -- clients list shows them`);
        const { application } = client;
        return {
          label: id,
          question: `The web client ${id} will be removed for good, with everything that people have granted to it.`,
          data: { client_id: id },
          audit: { action: "client removed", subject: id, details: { application } },
          remove: () => webClients.remove(documents, client),
        };
      }),
    },
  },
);

function parseRedirects(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const wrong = words.find((word) => parseRedirectUri(word) === null);
  if (wrong === undefined && words.length > 0) return [...new Set(words)];
  throw new CommandError(
    `--redirect takes addresses (https://app.example/back, http://localhost:3000/back), not "${wrong ?? text}"`,
  );
}

export const grantsCommands = defineGroup("grants", "What people have granted to web clients.", {
  list: {
    summary: "List what people have granted to web clients, latest first.",
    effect: "reads",
    example: "grants list",
    run: async (context) => {
      const { documents } = context.openStores().mongo;
      const found = await fetchGrants(documents, new Date());
      const emails = new Map((await people.fetchAll(documents)).map(({ _id, email }) => [_id, email]));
      const clients = new Set((await webClients.fetchAll(documents)).map(({ _id }) => _id));
      // Without its person or client a grant gives nothing; it is stored until its tokens would have ended.
      const grants = found.filter(({ person, client }) => emails.has(person) && clients.has(client));
      const data = grants.map(({ _id, person, client, application, scopes, created_at, expires_at }) => {
        return {
          id: _id,
          email: emails.get(person) ?? "",
          client,
          application,
          scopes,
          created_at,
          expires_at,
        };
      });
      const lines = data.map(
        ({ id, email, client, scopes, created_at, expires_at }) =>
          `${id}  ${email} to ${client}: ${scopes.join(", ")}; ${created_at.slice(0, 10)} to ${expires_at.slice(0, 10)}`,
      );
      return { exitCode: 0, data, lines };
    },
  },

  revoke: {
    summary: "End a grant: within seconds its tokens stop working.",
    effect: "deletes",
    arguments: [{ name: "<grant>", description: "id of the grant, as grants list prints it" }],
    example: "grants revoke 0123456789abcdef0123",
    run: removing("end", async (context, id) => {
      const { documents } = context.openStores().mongo;
      const grant = (await fetchGrants(documents, new Date(0))).find(({ _id }) => _id === id);
      if (!grant) throw new CommandError(`there is no grant ${id}; npm run cli -- grants list shows them`);
      return {
        label: id,
        question: `The grant ${id} will end, with its tokens.`,
        data: { id },
        audit: { action: "grant revoked", subject: id, details: { client: grant.client } },
        remove: () => revokeGrant(documents, id),
      };
    }),
  },
});
