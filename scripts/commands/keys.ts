/** Owns the command that makes API keys. */
import { isNetwork } from "../../api/core/allowed-addresses.ts";
import { generateKey, shortId, storeKey, type KeyTerms } from "../../api/core/api-keys.ts";
import { defineCommand, type GivenOptions } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import { parseWholeNumber } from "../../api/core/whole-number.ts";
import { describeTerms } from "./keys-manage.ts";

// A key stands as the user name of Basic authentication, which ends at the first colon.
const USABLE_KEY = /^[\x21-\x39\x3b-\x7e]{8,200}$/;

const DAY_MS = 86_400_000;
const DAYS = /^(\d{1,5})d$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const keysCreateCommand = defineCommand({
  name: "keys create",
  summary: "Create an API key and print it.",
  effect: "writes",
  details:
    "Only a hash of the key is kept: it cannot be shown again. Without --limit, --allow and --expires it may be used\n" +
    "any number of times, from anywhere, for ever. A key that exists (--key) gets the name and terms given now.\n" +
    "Behind a proxy --allow needs the setting TRUSTED_PROXIES.",
  options: [
    { flags: "--name <name>", description: "who the key is for", required: true },
    {
      flags: "--key <key>",
      description: "use this key (8 to 200 visible characters, no colon) instead of a random one",
    },
    { flags: "--limit <requests>", description: "most requests in five minutes" },
    {
      flags: "--allow <address...>",
      description: "addresses (192.0.2.7) or networks (192.0.2.0/24) that it may be used from",
      isList: true,
    },
    {
      flags: "--expires <when>",
      description: "no key any more from this day on (2027-01-31, UTC), or after so many days (90d)",
    },
  ],
  example: 'keys create --name "billing system" --limit 600 --allow 192.0.2.0/24 --expires 90d',
  run: async (context, _args, options) => {
    const key = options.key ?? generateKey();
    if (!USABLE_KEY.test(key)) {
      throw new CommandError("the key must have 8 to 200 visible characters and no colon");
    }
    const moment = new Date();
    const terms = readTerms(options, moment);
    if (options.dryRun !== undefined) {
      const line = `would create a key for ${terms.name}: ${describeTerms(terms)}`;
      return { exitCode: 0, data: { created: false, ...terms }, lines: [line] };
    }
    const kept = await storeKey(context.openStores().mongo.documents, key, terms, moment);
    const data = { created: true, key, id: shortId(kept), ...terms };
    return { exitCode: 0, data, lines: [key] };
  },
});

/** What is not given is not there: a key is kept with the members that it has. */
function readTerms({ name = "", limit, allow, expires }: GivenOptions, moment: Date): KeyTerms {
  return {
    name: parseName(name),
    ...(limit !== undefined && { limit: parseWholeNumber("--limit", limit, 1) }),
    ...(allow !== undefined && { addresses: parseAddresses(allow) }),
    ...(expires !== undefined && { expires_at: parseExpiry(expires, moment) }),
  };
}

/** It stands in lists, and is what people revoke a key by. */
function parseName(text: string): string {
  const name = text.trim();
  if (name !== "" && !/\p{Cc}/u.test(name)) return name;
  throw new CommandError("--name must say who the key is for, in one line");
}

function parseAddresses(text: string): string[] {
  const addresses = text.split(/[\s,]+/).filter((word) => word !== "");
  const wrong = addresses.find((address) => !isNetwork(address));
  if (wrong === undefined && addresses.length > 0) return addresses;
  throw new CommandError(
    `--allow takes addresses (192.0.2.7) and networks (192.0.2.0/24, 2001:db8::/32), not "${wrong ?? text}"`,
  );
}

function parseExpiry(text: string, moment: Date): string {
  const [, days] = DAYS.exec(text) ?? [];
  const time = days !== undefined ? moment.getTime() + Number(days) * DAY_MS : parseDay(text);
  if (time > moment.getTime()) return new Date(time).toISOString();
  throw new CommandError(
    `--expires must be a day to come (2027-01-31) or a number of days (90d), not "${text}"`,
  );
}

/** Its first moment; NaN for what is no day: the 30th of February is none. */
function parseDay(text: string): number {
  const time = DATE.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? time : NaN;
}
