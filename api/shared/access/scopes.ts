/**
 * Scopes: what an application, or a person's grant, allows a caller to do. A scope is stored in its short form,
 * `company.read` or, for one company, `company/00912345/company.read`. Clients send it as an address,
 * `https://register.example/company.read`. The address of a company alone, `company/00912345`, allows reading it. Pure.
 */
import { parsePathNumber } from "../values/company-number.ts";

/** The scopes of this service, with the words that a person sees who is asked to grant them. */
export const SCOPES = {
  "company.read": "Read records of companies",
  "officers.read": "Read officers and their appointments",
  "disqualified-officers.read": "Read disqualified officers",
  "persons-with-significant-control.read":
    "Read which companies a person or body has significant control over",
  "search.read": "Search the register",
  "user/profile.read": "Read your name and e-mail address",
} as const;

/** A scope that a definition can ask for. */
export type ScopeName = keyof typeof SCOPES;

// `company/<number or *>/<name>`: a scope for one company, or with `*`, only in an application's list, for any company.
// Without a name it is the address of the company, which public clients send.
const OF_COMPANY = /^company\/([A-Za-z0-9]{8}|\*)(?:\/(.+))?$/;
const OF_ADDRESS: ScopeName = "company.read";
const NAME = /^[a-z][a-z0-9-]*(\/[a-z][a-z0-9-]*)*\.[a-z]+$/;
// Compat: clients use one host for accounts and another for the API, often as constants (api.md part 2). A scope means
// the same with any host.
const ANY_HOST = /^https?:\/\/[^/]+\//;
// Limit: most scopes in one authorisation request.
const MOST_SCOPES = 20;
// Limit: most characters of an unknown scope in the error message.
const MOST_SHOWN = 100;

/** A parsed scope. */
interface Scope {
  /** What may be done: `company.read`. */
  name: string;
  /** The number of the one company that it is for, in canonical form; absent: any company. */
  companyNumber?: string;
}

/** Parses a scope in short form; null if it is not one. `*` as company number is only for an application's list. */
export function parseScope(text: string): Scope | null {
  const [, given, bound] = OF_COMPANY.exec(text) ?? [];
  const name = bound ?? (given === undefined ? text : OF_ADDRESS);
  if (!NAME.test(name)) return null;
  if (given === undefined) return { name };
  if (given === "*") return { name, companyNumber: "*" };
  const companyNumber = parsePathNumber(given);
  return companyNumber === null ? null : { name, companyNumber };
}

/** The short form of a scope from a client: an address below `base` or of any host, or a short form; else null. */
export function shortenScope(text: string, base: string): string | null {
  const short = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text.replace(ANY_HOST, "");
  const scope = parseScope(short);
  if (!scope || scope.companyNumber === "*") return null;
  const [, , ...name] = short.split("/");
  return scope.companyNumber === undefined ? scope.name : ["company", scope.companyNumber, ...name].join("/");
}

/**
 * Reads the scopes of a request by an application whose list is `listed`: their short forms, each once, or else a
 * message that tells the application's developer what is wrong.
 */
export function readAsked(
  texts: readonly string[],
  base: string,
  listed: readonly string[] | undefined,
): { scopes: string[] } | { fault: string } {
  if (texts.length === 0) return { fault: "a request names at least one scope" };
  const scopes = new Set<string>();
  for (const text of texts) {
    const scope = shortenScope(text, base);
    if (scope !== null && mayAskFor(listed, scope)) scopes.add(scope);
    else if ((parseScope(scope ?? "")?.name ?? "") in SCOPES)
      return { fault: `this application may not ask for ${scope}` };
    else return { fault: `there is no scope ${shortenText(text)}` };
  }
  if (scopes.size > MOST_SCOPES)
    return { fault: `a request names at most ${MOST_SCOPES} scopes, not ${scopes.size}` };
  return { scopes: [...scopes] };
}

// With three dots, not an ellipsis: error descriptions must be ASCII (RFC 6749, 5.2).
function shortenText(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}

/** True if an application whose list is `listed` may ask for a scope. Without a list it may ask for all scopes. */
export function mayAskFor(listed: readonly string[] | undefined, scope: string): boolean {
  const asked = parseScope(scope);
  return asked !== null && includesScope(listed ?? Object.keys(SCOPES), asked.name, asked.companyNumber);
}

/** True if `granted` includes the scope `name`, for every company or for this one. */
export function hasScope(granted: readonly string[], name: ScopeName, companyNumber?: string): boolean {
  return includesScope(granted, name, companyNumber);
}

/** True if one of the short scopes has this name, and is for every company or for the company asked about. */
function includesScope(scopes: readonly string[], name: string, asked?: string): boolean {
  return scopes.some((one) => {
    const scope = parseScope(one);
    if (scope?.name !== name) return false;
    const { companyNumber: bound } = scope;
    return bound === undefined || (asked !== undefined && (bound === asked || bound === "*"));
  });
}

/** The numbers of the companies that scopes are limited to, each once. */
export function companiesOf(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => parseScope(scope)?.companyNumber ?? []))];
}
