/** The terms of an application on the command line: limit, addresses, origins, scopes. */
import { isNetwork } from "../../api/shared/access/allowed-addresses.ts";
import type { ApplicationTerms } from "../../api/shared/access/applications.ts";
import { parseScope, SCOPES } from "../../api/shared/access/scopes.ts";
import {
  parseWholeNumber,
  type CommandOption,
  type GivenOptions,
} from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";

/** The options of every command that takes terms. */
export const TERM_OPTIONS: CommandOption[] = [
  {
    flags: "--limit <requests>",
    description:
      'maximum number of requests in five minutes, of all its keys and tokens together, or "none"; default: RATE_LIMIT',
  },
  {
    flags: "--allow <address...>",
    description: "addresses (192.0.2.7) or networks (192.0.2.0/24) from which it may call",
    isList: true,
  },
  {
    flags: "--origin <origin...>",
    description: "origins (https://app.example) of web pages that may call in a browser",
    isList: true,
  },
  {
    flags: "--scope <scope...>",
    description: `scopes that it may use, and for which it may ask people (${Object.keys(SCOPES).join(", ")}; company/*/NAME)`,
    isList: true,
  },
];

/** Reads the terms from the options; a term without an option is absent. Throws CommandError for a wrong value. */
export function readTerms({ limit, allow, origin, scope }: GivenOptions): ApplicationTerms {
  return {
    ...(limit !== undefined && { limit: parseLimit(limit) }),
    ...(allow !== undefined && { addresses: parseList("allow", allow) }),
    ...(origin !== undefined && { origins: parseList("origin", origin) }),
    ...(scope !== undefined && { scopes: parseList("scope", scope) }),
  };
}

/** Reads a name. Lists show it in one line, so it has no control characters. Throws CommandError. */
export function parseName(what: string, text: string): string {
  const name = text.trim();
  if (name !== "" && !/\p{Cc}/u.test(name)) return name;
  throw new CommandError(`${what} needs a name, in one line`);
}

/** What an application may do, in words. */
export function describeTerms({ limit, addresses, origins, scopes }: ApplicationTerms): string {
  const calls = limit === "none" ? "no limit" : `${limit} requests in 5 minutes`;
  return [
    limit === undefined ? "the usual limit" : calls,
    addresses === undefined ? "from anywhere" : `from ${addresses.join(", ")}`,
    ...(origins ? [`pages of ${origins.join(", ")}`] : []),
    ...(scopes ? [`scopes ${scopes.join(", ")}`] : []),
  ].join("; ");
}

function parseLimit(text: string): number | "none" {
  return text === "none" ? "none" : parseWholeNumber("--limit", text, 1);
}

/** For each list option: what its words must be, and a parser of one word, which returns null for a wrong one. */
const LISTS = {
  allow: {
    expected: "addresses (192.0.2.7) and networks (192.0.2.0/24, 2001:db8::/32)",
    parse: (word: string) => (isNetwork(word) ? word : null),
  },
  origin: { expected: "origins (https://app.example, http://localhost:3000)", parse: parseOrigin },
  scope: {
    expected: `scopes (${Object.keys(SCOPES).join(", ")}, company/*/company.read)`,
    parse: parseListedScope,
  },
};

function parseList(option: keyof typeof LISTS, text: string): string[] {
  const { expected, parse } = LISTS[option];
  const refused = (what: string) => new CommandError(`--${option} takes ${expected}, not "${what}"`);
  const parsed = splitWords(text).map((word) => {
    const value = parse(word);
    if (value === null) throw refused(word);
    return value;
  });
  if (parsed.length === 0) throw refused(text);
  return [...new Set(parsed)];
}

/** The words of a text, separated by spaces or commas. */
export function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** The origin as browsers send it: scheme, host in lower case, port unless it is the scheme's default, and no path. */
function parseOrigin(word: string): string | null {
  const origin = URL.canParse(word) ? new URL(word) : null;
  if (!origin || !/^https?:$/.test(origin.protocol)) return null;
  return origin.href === `${origin.origin}/` ? origin.origin : null;
}

/** The service's own scopes, and all scopes of companies: a client may be written for another service's names. */
function parseListedScope(word: string): string | null {
  const scope = parseScope(word);
  return scope && (word in SCOPES || scope.companyNumber !== undefined) ? word : null;
}
