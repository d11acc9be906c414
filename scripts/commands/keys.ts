/** The commands `keys`: create, list and revoke API keys. */
import { isDeepStrictEqual } from "node:util";
import {
  fetchKeys,
  generateKey,
  isExpired,
  removeKey,
  shortId,
  storeKey,
  type StoredKey,
} from "../../api/shared/access/api-keys.ts";
import { writeAudit } from "../../api/shared/access/audit.ts";
import { defineGroup, type GivenOptions } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { parseDate } from "../../api/shared/values/dates.ts";
import { describeTerms, parseName, readTerms, TERM_OPTIONS } from "./application-terms.ts";
import { findApplication, registerApplication } from "./applications.ts";
import { removing } from "./removing.ts";

const DAY_MS = 86_400_000;
const DAYS = /^(\d{1,5})d$/;

export const keysCommands = defineGroup("keys", "API keys of applications.", {
  create: {
    summary: "Create an API key of an application, and print it.",
    effect: "writes",
    details:
      "If the application does not exist, it is registered with the terms that you give; applications change changes the\n" +
      "terms later. Only a hash of the key is stored: it cannot be shown again. Without --expires the key does not expire.",
    options: [
      { flags: "--name <application>", description: "name or id of the application", required: true },
      { flags: "--stream", description: "a key for the event streams; it does not work for the API" },
      {
        flags: "--expires <when>",
        description: "day on which the key expires (2027-01-31, UTC), or number of days (90d)",
      },
      ...TERM_OPTIONS,
    ],
    example: 'keys create --name "billing system" --limit 600 --allow 192.0.2.0/24 --expires 90d',
    run: async (context, _args, options) => {
      const moment = new Date();
      const asked = parseName("--name", options.name ?? "");
      const terms = readTerms(options);
      const kind: "rest" | "stream" = options.stream === undefined ? "rest" : "stream";
      const given = { kind, ...readExpiry(options, moment) };
      const { documents } = context.openStores().mongo;
      const found = await findApplication(documents, asked);
      // The same terms are accepted: an earlier call may have failed after it had stored the application.
      if (found && !isDeepStrictEqual({ ...found, ...terms }, found)) {
        throw new CommandError(
          `the application ${asked} already exists with other terms; applications change changes them`,
        );
      }
      if (options.dryRun !== undefined) {
        const which = `for ${found ? "" : "the new application "}${asked}: ${describeTerms(found ?? terms)}`;
        const data = { created: false, name: asked, ...terms, ...given };
        return { exitCode: 0, data, lines: [`would create a key ${which}; ${describeExpiry(given)}`] };
      }
      const application = found ?? (await registerApplication(documents, { name: asked, ...terms }, moment));
      const key = generateKey();
      const kept = await storeKey(documents, key, { application: application._id, ...given }, moment);
      const details = { application: application._id, ...given };
      await writeAudit(documents, { action: "key created", subject: shortId(kept), details });
      const data = { created: true, key, id: shortId(kept), name: application.name, ...details };
      return { exitCode: 0, data, lines: [key] };
    },
  },

  list: {
    summary: "List the keys: id, application, kind, expiry, and the application's terms.",
    effect: "reads",
    details: "Only hashes of keys are stored; the id is the beginning of a key's hash.",
    example: "keys list",
    run: async (context) => {
      const stored = await fetchKeys(context.openStores().mongo.documents);
      const now = Date.now();
      const width = Math.max(0, ...stored.map(({ application }) => application.name.length));
      const lines = stored.map(({ key, application }) => {
        const expired = isExpired(key, now) ? "EXPIRED; " : "";
        const stream = key.kind === "stream" ? "stream key; " : "";
        const terms = `${expired}${stream}${describeTerms(application)}; ${describeExpiry(key)}`;
        return `${shortId(key)}  ${application.name.padEnd(width)}  created ${key.created_at.slice(0, 10)}  ${terms}`;
      });
      if (stored.length === 0)
        context.tell('there are no keys; npm run cli -- keys create --name "my application" creates one');
      return { exitCode: 0, data: stored.map((one) => toJson(one, now)), lines };
    },
  },

  revoke: {
    summary: "Revoke a key: within five seconds it stops working.",
    effect: "deletes",
    arguments: [
      {
        name: "<key>",
        description: "id of the key as keys list prints it, or the name of an application with one key",
      },
    ],
    example: 'keys revoke "billing system"',
    run: removing("revoke", async (context, asked) => {
      const { documents } = context.openStores().mongo;
      const { key, application } = findKey(await fetchKeys(documents), asked);
      const id = shortId(key);
      const label = `${id} (${application.name})`;
      return {
        label,
        question: `The key ${label} will be revoked for good.`,
        data: { id, name: application.name },
        audit: { action: "key revoked", subject: id, details: { application: application._id } },
        remove: () => removeKey(documents, key),
      };
    }),
  },
});

/** Until when a key is valid, in words. */
function describeExpiry({ expires_at }: { expires_at?: string }): string {
  return expires_at === undefined
    ? "does not expire"
    : `until ${expires_at.slice(0, 16).replace("T", " ")} UTC`;
}

function readExpiry({ expires }: GivenOptions, moment: Date): { expires_at?: string } {
  return expires === undefined ? {} : { expires_at: parseExpiry("--expires", expires, moment) };
}

/** The moment of an option that is a day (2027-01-31) or a number of days from now (90d). Throws CommandError. */
export function parseExpiry(flag: string, text: string, moment: Date): string {
  const [, days] = DAYS.exec(text) ?? [];
  const day = parseDate(text) === text ? text : "";
  const time = days === undefined ? Date.parse(day) : moment.getTime() + Number(days) * DAY_MS;
  if (time > moment.getTime()) return new Date(time).toISOString();
  throw new CommandError(
    `${flag} must be a day in the future (2027-01-31) or a number of days (90d), not "${text}"`,
  );
}

function toJson({ key, application }: StoredKey, now: number) {
  const { kind, created_at, expires_at } = key;
  const { _id, name, limit, addresses, origins, scopes } = application;
  const terms = { limit, addresses, origins, scopes };
  const known = { id: shortId(key), name, application: _id, kind, created_at, ...terms };
  return { ...known, expires_at, expired: isExpired(key, now) };
}

/** Finds a key by id, or by the name or id of an application that has only one key. Throws CommandError. */
function findKey(stored: readonly StoredKey[], asked: string): StoredKey {
  const byId = stored.find(({ key }) => shortId(key) === asked);
  const named = stored.filter(({ application }) => application.name === asked || application._id === asked);
  const [found] = byId ? [byId] : named;
  if (!found) throw new CommandError(`there is no key ${asked}; npm run cli -- keys list shows them`);
  if (byId || named.length === 1) return found;
  const ids = named.map(({ key }) => shortId(key)).join(", ");
  throw new CommandError(`${asked} has ${named.length} keys; use an id: ${ids}`);
}
