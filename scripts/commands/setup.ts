/** The commands for a first start: `settings` shows the settings, `prepare` creates missing indices. */
import { readOrigins } from "../../api/shared/settings/config.ts";
import { defineCommand } from "../../ingest/commands/define-command.ts";
import { settings, type Setting, type SettingName } from "../../api/shared/settings/settings.ts";
import { fetchUnfilled } from "../../index-mappings/unfilled.ts";
import { fetchMissing, prepareStores, formatUnfilled } from "../../ingest/prepare.ts";

export const settingsCommand = defineCommand({
  name: "settings",
  summary: "Show the settings of this command, and where each value comes from; secrets are masked.",
  effect: "reads",
  details:
    "A setting is an environment variable, or the content of the file that <NAME>_FILE names. Other processes may have\n" +
    "been started with other values.",
  example: "settings",
  run: ({ config }) => {
    const origins = readOrigins();
    const shown = (Object.entries(settings) as [SettingName, Setting][]).map(([name, { secret, help }]) => {
      const value = secret ? maskSecret(String(config[name])) : config[name];
      return { name, value, from: origins[name], help };
    });
    const width = Math.max(...shown.map(({ name }) => name.length));
    const valueWidth = Math.max(...shown.map(({ value }) => String(value).length));
    const lines = shown.map(
      ({ name, value, from }) => `${name.padEnd(width)}  ${String(value).padEnd(valueWidth)}  ${from}`,
    );
    return Promise.resolve({ exitCode: 0, data: shown, lines });
  },
});

const MASK = "****";
// The user part reaches to the last @, because a password may contain an @ or a slash.
const ADDRESS = /^([a-z][a-z\d+.-]*:\/\/)(.*@)?([^/?#]*)([^?#]*)(.*)$/is;

/** A secret value with its secret parts masked: an address keeps scheme, host and path. An empty value stays empty. */
export function maskSecret(value: string): string {
  if (value === "") return "";
  const [, scheme, user, host = "", path = "", rest] = ADDRESS.exec(value) ?? [];
  if (scheme === undefined) return MASK;
  return `${scheme}${user ? `${MASK}@` : ""}${host}${path}${rest ? `?${MASK}` : ""}`;
}

export const prepareCommand = defineCommand({
  name: "prepare",
  summary: "Create the MongoDB indexes and the search indices that are missing.",
  effect: "writes",
  details: "It changes nothing that exists; you can run it at any time.",
  example: "prepare",
  run: async (context, _args, options) => {
    const stores = context.openStores();
    const { indices, mongoIndexes } = await fetchMissing(stores);
    const ofMongo = mongoIndexes.map((name) => `MongoDB ${name}`);
    if (options.dryRun !== undefined) {
      const line = describe("would create", [...indices, ...ofMongo]);
      return { exitCode: 0, data: { missing: indices, missing_mongodb: mongoIndexes }, lines: [line] };
    }
    const created = await prepareStores(stores, new Date());
    // Only a hint, so errors are ignored: `doctor` reports an index that does not answer.
    const unfilled = await fetchUnfilled(stores.elasticsearch).catch(() => []);
    const fill = unfilled.length > 0 ? [formatUnfilled(unfilled)] : [];
    const lines = [describe("created", [...created, ...ofMongo]), ...fill];
    return { exitCode: 0, data: { created, created_mongodb: mongoIndexes, unfilled }, lines };
  },
});

function describe(verb: string, names: readonly string[]): string {
  return names.length > 0 ? `${verb} ${names.join("; ")}` : "nothing is missing";
}
