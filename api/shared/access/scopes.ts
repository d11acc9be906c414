/**
 * Owns scopes: what an application, or a person's consent, lets a caller do. A scope is kept in its short form,
 * `company.read` or, bound to one company, `company/00912345/company.read`; on the wire it is an address
 * (`https://register.example/company.read`). The address of a company alone, `company/00912345`, is the right to read that
 * company. Pure.
 */
import { parsePathNumber } from "../values/company-number.ts";

/** The scopes of the service's own answers, in words for the person who is asked to grant them. */
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

// `company/<number or *>/<name>`: a scope of one company; with `*`, in an application's list, of any. Without a name it is
// the address of the company, which public clients send.
const OF_COMPANY = /^company\/([A-Za-z0-9]{8}|\*)(?:\/(.+))?$/;
const OF_ADDRESS: ScopeName = "company.read";
const NAME = /^[a-z][a-z0-9-]*(\/[a-z][a-z0-9-]*)*\.[a-z]+$/;
// Compat: clients have one address for accounts and another for the API, often as constants (api.md part 2). What a scope
// allows, and what the person is shown, is the same under any.
const ANY_HOST = /^https?:\/\/[^/]+\//;
// Limit: what one authorisation may ask for.
const MOST_SCOPES = 20;
// Limit: letters of an unknown scope that are repeated to the client.
const MOST_SHOWN = 100;

/** A scope taken apart. */
interface Scope {
  /** What may be done: `company.read`. */
  name: string;
  /** The one company to which it is bound, in canonical form; absent: any. */
  companyNumber?: string;
}

/** Takes a short scope apart; null for what is none. `*` stands for any company, in the list of an application alone. */
export function parseScope(text: string): Scope | null {
  const [, given, bound] = OF_COMPANY.exec(text) ?? [];
  const name = bound ?? (given === undefined ? text : OF_ADDRESS);
  if (!NAME.test(name)) return null;
  if (given === undefined) return { name };
  if (given === "*") return { name, companyNumber: "*" };
  const companyNumber = parsePathNumber(given);
  return companyNumber === null ? null : { name, companyNumber };
}

/** The short form of a scope as a client sends it, which may be an address below `base` or of any host; null for what is none. */
export function shortenScope(text: string, base: string): string | null {
  const short = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text.replace(ANY_HOST, "");
  const scope = parseScope(short);
  if (!scope || scope.companyNumber === "*") return null;
  const [, , ...name] = short.split("/");
  return scope.companyNumber === undefined ? scope.name : ["company", scope.companyNumber, ...name].join("/");
}

/** The short forms of what an application with this list asks for, each once; or what is wrong with it, in words for its developer. */
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

// ASCII, as what a client is told must be (RFC 6749, 5.2).
function shortenText(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}

/** True when an application with this list (all scopes of the service unless it has one) may ask for a scope. */
export function mayAskFor(listed: readonly string[] | undefined, scope: string): boolean {
  const asked = parseScope(scope);
  return asked !== null && includesScope(listed ?? Object.keys(SCOPES), asked);
}

/** True when what is granted has the scope that is asked for, of every company or of the one that it is about. */
export function hasScope(granted: readonly string[], name: ScopeName, companyNumber?: string): boolean {
  return includesScope(granted, { name, ...(companyNumber && { companyNumber }) });
}

/** True when one of the short scopes is the one asked for: of every company, or of the company that it is about. */
function includesScope(scopes: readonly string[], { name, companyNumber: asked }: Scope): boolean {
  return scopes.some((one) => {
    const scope = parseScope(one);
    if (scope?.name !== name) return false;
    const { companyNumber: bound } = scope;
    return bound === undefined || (asked !== undefined && (bound === asked || bound === "*"));
  });
}

/** The companies to which scopes are bound, each once. */
export function companiesOf(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => parseScope(scope)?.companyNumber ?? []))];
}
