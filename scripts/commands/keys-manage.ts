/** Owns the commands that show API keys and take them away. */
import {
  fetchKeys,
  isExpired,
  removeKey,
  shortId,
  type ApiKey,
  type KeyTerms,
} from "../../api/core/api-keys.ts";
import { confirm } from "../../api/core/confirm.ts";
import { defineCommand } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";

export const keysListCommand = defineCommand({
  name: "keys list",
  summary: "List the API keys: id, name, limit, addresses, expiry.",
  effect: "reads",
  details: "The keys themselves are nowhere kept; the id is the beginning of a key's hash.",
  example: "keys list",
  run: async (context) => {
    const keys = await fetchKeys(context.openStores().mongo.documents);
    const now = Date.now();
    const width = Math.max(0, ...keys.map(({ name }) => name.length));
    const lines = keys.map((key) => {
      const expired = isExpired(key, now) ? "EXPIRED; " : "";
      const day = key.created_at.slice(0, 10);
      return `${shortId(key)}  ${key.name.padEnd(width)}  made ${day}  ${expired}${describeTerms(key)}`;
    });
    if (keys.length === 0)
      context.tell('there are no keys; npm run cli -- keys create --name "my application" makes one');
    return { exitCode: 0, data: keys.map((key) => toJson(key, now)), lines };
  },
});

export const keysRevokeCommand = defineCommand({
  name: "keys revoke",
  summary: "Take an API key away: within ten seconds no request that carries it is answered.",
  effect: "deletes",
  arguments: [{ name: "<key>", description: "id or name of the key, as keys list prints them" }],
  example: 'keys revoke "billing system"',
  run: async (context, [asked = ""], options) => {
    const { documents } = context.openStores().mongo;
    const key = findKey(await fetchKeys(documents), asked);
    const told = `${shortId(key)} (${key.name})`;
    const result = { id: shortId(key), name: key.name };
    if (options.dryRun !== undefined) {
      return { exitCode: 0, data: { ...result, revoked: false }, lines: [`would revoke ${told}`] };
    }
    const question = `The key ${told} will be revoked for good.`;
    if (!(await confirm(context, question, options.yes !== undefined))) return 1;
    await removeKey(documents, key);
    return { exitCode: 0, data: { ...result, revoked: true }, lines: [`revoked ${told}`] };
  },
});

/** What a key may do, in words. */
export function describeTerms({ limit, addresses, expires_at }: Omit<KeyTerms, "name">): string {
  return [
    limit === undefined ? "no limit" : `${limit} requests in 5 minutes`,
    addresses === undefined ? "from anywhere" : `from ${addresses.join(", ")}`,
    expires_at === undefined ? "for ever" : `until ${expires_at.slice(0, 16).replace("T", " ")} UTC`,
  ].join("; ");
}

function toJson(key: ApiKey, now: number) {
  const { name, created_at, limit, addresses, expires_at } = key;
  return { id: shortId(key), name, created_at, limit, addresses, expires_at, expired: isExpired(key, now) };
}

/** By id, or by a name that only one has. */
function findKey(keys: readonly ApiKey[], asked: string): ApiKey {
  const byId = keys.find((key) => shortId(key) === asked);
  const named = keys.filter(({ name }) => name === asked);
  const [found] = byId ? [byId] : named;
  if (!found) throw new CommandError(`there is no key ${asked}; npm run cli -- keys list names them`);
  if (byId || named.length === 1) return found;
  throw new CommandError(
    `${named.length} keys are named ${asked}; name one by its id: ${named.map(shortId).join(", ")}`,
  );
}
