/** The commands `clients`: web clients, with which applications use OAuth 2.0. */
import { isDeepStrictEqual } from "node:util";
import { applications } from "../../api/shared/access/applications.ts";
import { writeAudit } from "../../api/shared/access/audit.ts";
import {
  changeClient,
  formerSecretOf,
  generateClientSecret,
  parseRedirectUri,
  storeClient,
  webClients,
  withSecret,
  type WebClient,
} from "../../api/shared/access/web-clients.ts";
import { defineGroup } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { requireApplication } from "./applications.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { parseExpiry } from "./keys.ts";
import { removing } from "./removing.ts";

const CLIENT = { name: "<client>", description: "its client_id" };
const REDIRECT_OPTION = {
  flags: "--redirect <uri...>",
  description: "addresses to which browsers return",
  required: true,
  isList: true,
};

export const clientsCommands = defineGroup(
  "clients",
  "Web clients, with which applications can use OAuth 2.0.",
  {
    create: {
      summary: "Create a web client of an application, and print its client_id and client_secret.",
      effect: "writes",
      details:
        "Only a hash of the secret is stored: it cannot be shown again. A redirect address must be exactly the one that the client\n" +
        "sends: https, http on this machine (localhost, 127.0.0.1, [::1]), or an application's own scheme (com.example.app:/back).",
      arguments: [{ name: "<application>", description: "name or id of the application" }],
      options: [REDIRECT_OPTION],
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
        const now = new Date();
        const data = clients.map((client) => {
          const { _id: client_id, application, redirect_uris, created_at } = client;
          const former_until = formerSecretOf(client, now)?.expires_at;
          const name = owners.get(application)?.name;
          return { client_id, application, name, redirect_uris, created_at, former_until };
        });
        const lines = data.map(
          ({ client_id, name = "application removed", redirect_uris, created_at, former_until }) => {
            const former = former_until ? `, former secret until ${former_until.slice(0, 10)}` : "";
            const created = `created ${created_at.slice(0, 10)}${former}`;
            return `${client_id}  ${name}  ${created}  ${redirect_uris.join(", ")}`;
          },
        );
        return { exitCode: 0, data, lines };
      },
    },

    change: {
      summary: "Change the redirect addresses of a web client, at once.",
      effect: "writes",
      details:
        "The addresses that you give replace all former ones; id, secret and grants stay. The name that people see and the scopes\n" +
        "belong to the application: use applications change for these.",
      arguments: [CLIENT],
      options: [REDIRECT_OPTION],
      example:
        "clients change 0123456789 --redirect https://billing.example/back https://billing.example/new",
      run: async (context, [id = ""], options) => {
        const redirect_uris = parseRedirects(options.redirect ?? "");
        const { documents } = context.openStores().mongo;
        const client = await requireClient(documents, id);
        const line = `${id}: ${redirect_uris.join(", ")}`;
        const isSame = isDeepStrictEqual(client.redirect_uris, redirect_uris);
        const isTried = isSame || options.dryRun !== undefined;
        const data = { changed: !isTried, client_id: id, redirect_uris };
        if (isTried)
          return { exitCode: 0, data, lines: [`${isSame ? "not changed:" : "would change"} ${line}`] };
        requireUnchanged(id, await changeClient(documents, client, { ...client, redirect_uris }));
        const details = { from: client.redirect_uris, to: redirect_uris };
        await writeAudit(documents, { action: "client changed", subject: id, details });
        return { exitCode: 0, data, lines: [line] };
      },
    },

    secret: {
      summary: "Renew the client_secret of a web client, and print it.",
      effect: "writes",
      details:
        "The former secret stops working at once, or on the day of --keep-former: until then, give the new one to all servers of\n" +
        "the application. A secret that an earlier --keep-former kept stops at once. Grants stay. Only a hash is stored: the secret\n" +
        "cannot be shown again.",
      arguments: [CLIENT],
      options: [
        {
          flags: "--keep-former <when>",
          description:
            "day until which the former secret works as well (2027-01-31, UTC), or number of days (7d)",
        },
      ],
      example: "clients secret 0123456789 --keep-former 7d",
      run: async (context, [id = ""], { keepFormer, dryRun }) => {
        const until =
          keepFormer === undefined ? undefined : parseExpiry("--keep-former", keepFormer, new Date());
        const { documents } = context.openStores().mongo;
        const client = await requireClient(documents, id);
        const data = { client_id: id, former_until: until };
        if (dryRun !== undefined) {
          const line = `would replace the secret of ${id}`;
          return { exitCode: 0, data: { renewed: false, ...data }, lines: [line] };
        }
        const secret = generateClientSecret();
        requireUnchanged(id, await changeClient(documents, client, withSecret(client, secret, until)));
        const details = { former_until: until };
        await writeAudit(documents, {
          action: "client secret renewed",
          subject: id,
          ...(until && { details }),
        });
        return { exitCode: 0, data: { renewed: true, ...data, client_secret: secret }, lines: [secret] };
      },
    },

    remove: {
      summary: "Remove a web client: within seconds its tokens stop working.",
      effect: "deletes",
      arguments: [CLIENT],
      example: "clients remove 0123456789",
      run: removing("remove", async (context, id) => {
        const { documents } = context.openStores().mongo;
        const client = await requireClient(documents, id);
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

function requireUnchanged(id: string, isChanged: boolean): void {
  if (!isChanged) throw new CommandError(`${id} was changed or removed meanwhile; run this again`);
}

function parseRedirects(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const wrong = words.find((word) => parseRedirectUri(word) === null);
  if (wrong === undefined && words.length > 0) return [...new Set(words)];
  throw new CommandError(
    `--redirect takes addresses (https://app.example/back, http://localhost:3000/back), not "${wrong ?? text}"`,
  );
}

/** The web client with this id. Throws CommandError if there is none. */
export async function requireClient(documents: DocumentStore, id: string): Promise<WebClient> {
  const client = await webClients.fetch(documents, id);
  if (client) return client;
  throw new CommandError(`there is no client ${id}; npm run cli -- clients list shows them`);
}
