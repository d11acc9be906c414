/** The commands `applications`: which applications may call, and on what terms. */
import { isDeepStrictEqual } from "node:util";
import {
  applications,
  storeApplication,
  type Application,
  type ApplicationTerms,
} from "../../api/shared/access/applications.ts";
import { fetchKeysOf, removeKey } from "../../api/shared/access/api-keys.ts";
import { writeAudit } from "../../api/shared/access/audit.ts";
import { webClients } from "../../api/shared/access/web-clients.ts";
import { defineGroup } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { describeTerms, parseName, readTerms, splitWords, TERM_OPTIONS } from "./application-terms.ts";
import { removing } from "./removing.ts";

const APPLICATION = {
  name: "<application>",
  description: "name of the application, or its id as applications list prints it",
};

export const applicationsCommands = defineGroup(
  "applications",
  "Applications that may call, and their terms.",
  {
    create: {
      summary: "Register an application: who calls, how often, from where and with what scopes.",
      effect: "writes",
      details:
        "Keys (keys create) and web clients (clients create) belong to an application and share its limit. Without --limit\n" +
        "the setting RATE_LIMIT counts. Without --allow it may call from anywhere, without --origin from no web page, and\n" +
        "without --scope it may use every scope and ask people for every scope. Behind a proxy --allow needs the\n" +
        "setting TRUSTED_PROXIES.",
      arguments: [{ name: "<name>", description: "name of the application" }],
      options: TERM_OPTIONS,
      example: 'applications create "billing system" --limit 600 --allow 192.0.2.0/24',
      run: async (context, [given = ""], options) => {
        const terms = { name: parseName("the application", given), ...readTerms(options) };
        const { documents } = context.openStores().mongo;
        if (await findApplication(documents, terms.name)) {
          throw new CommandError(
            `the application ${terms.name} already exists; applications change changes its terms`,
          );
        }
        if (options.dryRun !== undefined) {
          const line = `would create the application ${terms.name}: ${describeTerms(terms)}`;
          return { exitCode: 0, data: { created: false, ...terms }, lines: [line] };
        }
        const application = await registerApplication(documents, terms, new Date());
        return { exitCode: 0, data: { created: true, ...toJson(application) }, lines: [application._id] };
      },
    },

    list: {
      summary: "List the applications: id, name and terms.",
      effect: "reads",
      example: "applications list",
      run: async (context) => {
        const found = await applications.fetchByAge(context.openStores().mongo.documents);
        const width = Math.max(0, ...found.map(({ name }) => name.length));
        const lines = found.map(
          (one) =>
            `${one._id}  ${one.name.padEnd(width)}  created ${one.created_at.slice(0, 10)}  ${describeTerms(one)}`,
        );
        if (found.length === 0)
          context.tell(
            'there are no applications; npm run cli -- keys create --name "my application" creates one',
          );
        return { exitCode: 0, data: found.map(toJson), lines };
      },
    },

    change: {
      summary: "Change the terms of an application, within seconds.",
      effect: "writes",
      details:
        "Terms that you do not name stay as they are. --without removes terms: limit, allow, origin, scope.",
      arguments: [APPLICATION],
      options: [
        { flags: "--name <name>", description: "new name" },
        ...TERM_OPTIONS,
        { flags: "--without <term...>", description: "terms to remove", isList: true },
      ],
      example: 'applications change "billing system" --limit 6000 --without allow',
      run: async (context, [asked = ""], options) => {
        const { documents } = context.openStores().mongo;
        const application = await requireApplication(documents, asked);
        const changes = {
          ...(options.name !== undefined && { name: parseName("--name", options.name) }),
          ...readTerms(options),
        };
        const changed = { ...without(application, options.without ?? "", changes), ...changes };
        const other = changed.name !== application.name && (await findApplication(documents, changed.name));
        if (other) throw new CommandError(`the application ${changed.name} already exists`);
        const line = `${changed.name}: ${describeTerms(changed)}`;
        if (isDeepStrictEqual(changed, application)) {
          return {
            exitCode: 0,
            data: { changed: false, ...toJson(changed) },
            lines: [`not changed: ${line}`],
          };
        }
        if (options.dryRun !== undefined) {
          return {
            exitCode: 0,
            data: { changed: false, ...toJson(changed) },
            lines: [`would change ${line}`],
          };
        }
        // Compare absent terms with null, so that a term that somebody has added meanwhile makes this fail.
        const asRead = { ...NO_TERMS, ...application };
        if (!(await documents.putIf(applications.collection, asRead, changed)))
          throw new CommandError(`${application.name} was changed or removed meanwhile; run this again`);
        const details = { from: toJson(application), to: toJson(changed) };
        await writeAudit(documents, { action: "application changed", subject: application._id, details });
        return { exitCode: 0, data: { changed: true, ...toJson(changed) }, lines: [line] };
      },
    },

    remove: {
      summary: "Remove an application: within seconds its keys and tokens stop working.",
      effect: "deletes",
      arguments: [APPLICATION],
      example: 'applications remove "billing system"',
      run: removing("remove", async (context, asked) => {
        const { documents } = context.openStores().mongo;
        const application = await requireApplication(documents, asked);
        const { _id: id, name } = application;
        const label = `${id} (${name})`;
        return {
          label,
          question: `The application ${label} will be removed for good, with its keys, web clients and tokens.`,
          data: { id, name },
          audit: { action: "application removed", subject: id, details: { id, name } },
          remove: async () => {
            await applications.remove(documents, application);
            await removeBelongings(documents, application);
          },
        };
      }),
    },
  },
);

/** Stores a new application, and writes its audit line. */
export async function registerApplication(
  ...given: Parameters<typeof storeApplication>
): Promise<Application> {
  const [documents, terms] = given;
  const application = await storeApplication(...given);
  const details = { ...terms };
  await writeAudit(documents, { action: "application created", subject: application._id, details });
  return application;
}

/** Finds an application by id, else by name; null if there is none. Throws CommandError if several have the name. */
export async function findApplication(documents: DocumentStore, asked: string): Promise<Application | null> {
  const all = await applications.fetchAll(documents);
  const byId = all.find(({ _id }) => _id === asked);
  const named = all.filter(({ name }) => name === asked);
  if (byId ?? named.length <= 1) return byId ?? named[0] ?? null;
  const ids = named.map(({ _id }) => _id).join(", ");
  throw new CommandError(`${named.length} applications have the name ${asked}; use an id: ${ids}`);
}

/** As `findApplication`, but throws CommandError if there is none. */
export async function requireApplication(documents: DocumentStore, asked: string): Promise<Application> {
  const found = await findApplication(documents, asked);
  if (found) return found;
  throw new CommandError(`there is no application ${asked}; npm run cli -- applications list shows them`);
}

/** Removes keys and web clients of a removed application; they no longer work. */
async function removeBelongings(documents: DocumentStore, { _id }: Application): Promise<void> {
  for (const key of await fetchKeysOf(documents, _id)) await removeKey(documents, key);
  const clients = await webClients.fetchAll(documents);
  for (const client of clients.filter(({ application }) => application === _id))
    await webClients.remove(documents, client);
}

const NO_TERMS = { limit: null, addresses: null, origins: null, scopes: null };

const MEMBERS: Record<string, keyof ApplicationTerms> = {
  limit: "limit",
  allow: "addresses",
  origin: "origins",
  scope: "scopes",
};

/** The application without the terms that the text lists. Throws CommandError for a term that is also changed. */
function without(application: Application, text: string, changes: ApplicationTerms): Application {
  const left = { ...application };
  for (const word of splitWords(text)) {
    const member = Object.hasOwn(MEMBERS, word) && MEMBERS[word];
    if (!member) throw new CommandError(`--without takes ${Object.keys(MEMBERS).join(", ")}, not "${word}"`);
    if (changes[member] !== undefined)
      throw new CommandError(`--${word} and --without ${word} exclude each other`);
    delete left[member];
  }
  return left;
}

function toJson({ _id, name, created_at, limit, addresses, origins, scopes }: Application) {
  return { id: _id, name, created_at, limit, addresses, origins, scopes };
}
