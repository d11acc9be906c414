/** Owns the commands that show keys and take them away. */
import {
  fetchKeys,
  isExpired,
  removeKey,
  shortId,
  type StoredKey,
} from "../../api/shared/access/api-keys.ts";
import { writeAudit } from "../../api/shared/access/audit.ts";
import { confirm, defineCommand } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { describeTerms } from "./application-terms.ts";
import { describeExpiry } from "./keys.ts";

export const keysListCommand = defineCommand({
  name: "keys list",
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
      return `${shortId(key)}  ${application.name.padEnd(width)}  made ${key.created_at.slice(0, 10)}  ${terms}`;
    });
    if (stored.length === 0)
      context.tell('there are no keys; npm run cli -- keys create --name "my application" creates one');
    return { exitCode: 0, data: stored.map((one) => toJson(one, now)), lines };
  },
});

export const keysRevokeCommand = defineCommand({
  name: "keys revoke",
  summary: "Revoke a key: within five seconds it stops working.",
  effect: "deletes",
  arguments: [
    {
      name: "<key>",
      description: "id of the key as keys list prints it, or the name of an application with one key",
    },
  ],
  example: 'keys revoke "billing system"',
  run: async (context, [asked = ""], options) => {
    const { documents } = context.openStores().mongo;
    const { key, application } = findKey(await fetchKeys(documents), asked);
    const label = `${shortId(key)} (${application.name})`;
    const result = { id: shortId(key), name: application.name };
    if (options.dryRun !== undefined) {
      return { exitCode: 0, data: { ...result, revoked: false }, lines: [`would revoke ${label}`] };
    }
    const question = `The key ${label} will be revoked for good.`;
    if (!(await confirm(context, question, options.yes !== undefined))) return 1;
    await removeKey(documents, key);
    const details = { application: application._id };
    await writeAudit(documents, { action: "key revoked", subject: result.id, details });
    return { exitCode: 0, data: { ...result, revoked: true }, lines: [`revoked ${label}`] };
  },
});

function toJson({ key, application }: StoredKey, now: number) {
  const { kind, created_at, expires_at } = key;
  const { _id, name, limit, addresses, origins, scopes } = application;
  const terms = { limit, addresses, origins, scopes };
  return {
    ...{ id: shortId(key), name, application: _id, kind, created_at, ...terms },
    ...{ expires_at, expired: isExpired(key, now) },
  };
}

/** By id, or by the name of an application that has only one. */
function findKey(stored: readonly StoredKey[], asked: string): StoredKey {
  const byId = stored.find(({ key }) => shortId(key) === asked);
  const named = stored.filter(({ application }) => application.name === asked || application._id === asked);
  const [found] = byId ? [byId] : named;
  if (!found) throw new CommandError(`there is no key ${asked}; npm run cli -- keys list shows them`);
  if (byId || named.length === 1) return found;
  const ids = named.map(({ key }) => shortId(key)).join(", ");
  throw new CommandError(`${asked} has ${named.length} keys; use an id: ${ids}`);
}
