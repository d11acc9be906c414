/**
 * Runs a contract case against a server, compares the answer with what the case expects, and reports on all cases. An
 * expected object must match in the members that it names; the answer may have more. An expected list must have the
 * same number of items, each matching. Other values must be equal. An object whose members begin with `$` is a check:
 * see CHECKS.
 */
import { CommandError, messageOf } from "../../api/shared/runtime/errors.ts";
import { isMembers } from "../../api/shared/values/members.ts";
import type { ContractCase, EarlierValue, NamedCase } from "./case-file.ts";

/** The server that cases run against. */
interface ContractServer {
  /** Its base address, without a slash at the end. */
  base: string;
  /** The API key sent with each request. */
  key: string;
  /** Further keys by the names under which cases ask for them. */
  keys?: Readonly<Record<string, string>>;
  /** The vendor word of its media types. */
  vendor: string;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: typeof fetch;
}

/** The first difference: its place, and what was expected; null if everything matches. */
type Mismatch = string | null;

// Longer than any answer should take, so that a missing answer does not stop the other cases.
const ANSWER_WITHIN_MS = 30_000;

/** Whether there is a key for the case, if it needs a further one. */
export function canRun({ keys }: ContractServer, { request: { key } }: ContractCase): boolean {
  return typeof key !== "string" || keys?.[key] !== undefined;
}

// No company has this number, so the answer is short.
const ANY_PATH = "/company/00000000";

/** Throws CommandError for a fault that would fail most cases: no server, an unknown key, or a used-up rate limit. */
export async function requireAnswers(server: ContractServer): Promise<void> {
  for (const [words, headers] of [
    ["with this key", basicAuthorization(server.key)],
    ["without a key", {}],
  ] as const) {
    const { status, body } = await request(server, ANY_PATH, { headers }).catch((error: unknown) => {
      throw new CommandError(`${server.base} does not answer: ${reasonOf(error)}`);
    });
    await body?.cancel();
    if (status === 429)
      throw new CommandError(
        `${server.base} takes no more calls ${words} for now (429): try again in five minutes`,
      );
    if (status === 401 && "authorization" in headers)
      throw new CommandError(`${server.base} does not know this key (401)`);
  }
}

/** Runs a case. Returns null if it holds, else the first difference or error. */
export async function runCase(server: ContractServer, given: ContractCase): Promise<Mismatch> {
  try {
    const values = await fetchEarlier(server, given.from ?? {});
    const { path, method = "GET", headers = {}, key = true, times = 1 } = given.request;
    const secret = typeof key === "string" ? server.keys?.[key] : key ? server.key : undefined;
    const sent = { ...(secret && basicAuthorization(secret)), ...fillDeep(headers, values) };
    const send = () => request(server, fill(path, values), { method, headers: sent });
    for (let i = 1; i < times; i += 1) await (await send()).arrayBuffer();
    const response = await send();
    const text = await response.text();
    if (response.status !== given.status) {
      return `status is ${response.status}, expected ${given.status}: ${text.slice(0, 200)}`;
    }
    const headersFound = Object.fromEntries(response.headers);
    const mismatch = matchPart(fillDeep(given.headers ?? {}, values), headersFound, "header");
    if (mismatch !== null || !("body" in given)) return mismatch;
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    return matchPart(fillDeep(given.body, values), body, "body");
  } catch (error) {
    return reasonOf(error);
  }
}

/** The reason of an error. The message of fetch is only "fetch failed"; its cause says why. */
function reasonOf(error: unknown): string {
  const hasCause = typeof error === "object" && error !== null && "cause" in error;
  return messageOf(hasCause ? error.cause : error);
}

async function fetchEarlier(server: ContractServer, steps: Record<string, EarlierValue>): Promise<Values> {
  const values: Values = { vendor: server.vendor, key: server.key };
  for (const [name, step] of Object.entries(steps)) {
    const path = fill(step.path, values);
    const response = await request(server, path, { headers: basicAuthorization(server.key) });
    const found = response.ok ? readPointer(await response.json(), step.pointer) : undefined;
    const value = step.take ? new RegExp(step.take, "u").exec(String(found))?.[1] : found;
    if (typeof value !== "string" && typeof value !== "number") {
      throw new Error(`${name}: ${path} (${response.status}) has nothing at ${step.pointer}`);
    }
    values[name] = String(value);
  }
  return values;
}

/** The values of placeholders, by name; a placeholder is `{name}` in a text of a case. */
type Values = Record<string, string>;

/** Replaces the placeholders of a text by their values; a placeholder without a value stays. */
function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (name: string, word: string) => values[word] ?? name);
}

/** Replaces the placeholders in every text of a value. */
export function fillDeep<T>(value: T, values: Values): T;
export function fillDeep(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fill(value, values);
  if (Array.isArray(value)) return value.map((item: unknown) => fillDeep(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillDeep(member, values)]));
}

/** Names of the placeholders in a value. */
export function placeholdersIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function request(server: ContractServer, path: string, init: RequestInit): Promise<Response> {
  const { base, fetch: send = fetch } = server;
  return send(base + path, { ...init, redirect: "manual", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
}

function basicAuthorization(key: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
}

function readPointer(body: unknown, pointer: string): unknown {
  let value = body;
  for (const token of pointer.slice(1).split("/")) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    // The cast also fits a list, whose items are members named by number.
    value = typeof value === "object" ? (value as Record<string, unknown> | null)?.[name] : undefined;
  }
  return value;
}

const CHECKS: Record<string, (asked: unknown, actual: unknown, place: string) => Mismatch> = {
  /** True: the member must be absent; false: it must be present, with any value. */
  $absent: (asked, actual, place) =>
    (actual === undefined) === asked
      ? null
      : `${place} is ${show(actual)}${asked === true ? "" : ", expected"}`,
  /** A text that matches the pattern. */
  $matches: (asked, actual, place) =>
    typeof actual === "string" && new RegExp(String(asked), "u").test(actual)
      ? null
      : `${place} is ${show(actual)}, expected to fit ${String(asked)}`,
  /** A list with this number of items. */
  $length: (asked, actual, place) =>
    Array.isArray(actual) && actual.length === asked
      ? null
      : `${place} has ${Array.isArray(actual) ? actual.length : "no"} items, expected ${String(asked)}`,
  /** A list with an item that matches. */
  $contains: (asked, actual, place) =>
    Array.isArray(actual) && actual.some((item) => matchPart(asked, item) === null)
      ? null
      : `${place} has no item like ${show(asked)}`,
  /** A list with at least one item, in which every item matches. */
  $each: (asked, actual, place) => {
    if (!Array.isArray(actual) || actual.length === 0) return `${place} has no items`;
    return firstOf(actual.map((item, i) => () => matchPart(asked, item, `${place}/${i}`)));
  },
  /** A number that is at least this one. */
  $atLeast: (asked, actual, place) =>
    typeof actual === "number" && actual >= Number(asked)
      ? null
      : `${place} is ${show(actual)}, expected at least ${String(asked)}`,
};

/** Compares a part of the answer; `place` is its JSON Pointer. Throws if a `$` check is unknown. */
export function matchPart(expected: unknown, actual: unknown, place = ""): Mismatch {
  if (Array.isArray(expected)) return matchList(expected, actual, place);
  if (!isMembers(expected)) {
    return expected === actual ? null : `${place} is ${show(actual)}, expected ${show(expected)}`;
  }
  const names = Object.keys(expected);
  if (names.some((name) => name.startsWith("$"))) {
    return firstOf(names.map((name) => () => checkOf(name)(expected[name], actual, place)));
  }
  if (!isMembers(actual)) return `${place} is ${show(actual)}, expected an object`;
  return firstOf(names.map((name) => () => matchPart(expected[name], actual[name], `${place}/${name}`)));
}

function matchList(expected: unknown[], actual: unknown, place: string): Mismatch {
  if (!Array.isArray(actual)) return `${place} is ${show(actual)}, expected a list`;
  if (actual.length !== expected.length) {
    return `${place} has ${actual.length} items, expected ${expected.length}`;
  }
  return firstOf(expected.map((item, i) => () => matchPart(item, actual[i], `${place}/${i}`)));
}

function checkOf(name: string): (asked: unknown, actual: unknown, place: string) => Mismatch {
  const check = CHECKS[name];
  if (!check) throw new Error(`${name} is not a known check; use one of ${Object.keys(CHECKS).join(", ")}`);
  return check;
}

function firstOf(comparisons: (() => Mismatch)[]): Mismatch {
  for (const compare of comparisons) {
    const mismatch = compare();
    if (mismatch !== null) return mismatch;
  }
  return null;
}

function show(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const MOST_SHOWN = 200;

/** A case that was run. */
export interface CaseOutcome {
  given: NamedCase;
  mismatch: Mismatch;
}

/** The lines of the report: a table of endpoints, then the failures, then the totals. */
export function buildReport(outcomes: readonly CaseOutcome[], notRun = 0): string[] {
  const endpoints = [...new Set(outcomes.map(({ given }) => given.endpoint))];
  const width = Math.max(...endpoints.map((name) => name.length));
  const rows = endpoints.map((endpoint) => {
    const own = outcomes.filter(({ given }) => given.endpoint === endpoint);
    const mark = own.every(holds) ? "holds" : "fails";
    return `${endpoint.padEnd(width)}  ${mark}  ${own.filter(holds).length} of ${own.length} cases`;
  });
  const failures = outcomes.filter((outcome) => !holds(outcome));
  const compatible = endpoints.length - new Set(failures.map(({ given }) => given.endpoint)).size;
  const held = outcomes.length - failures.length;
  const totals = `${compatible} of ${endpoints.length} endpoints, ${held} of ${outcomes.length} cases`;
  const rest = notRun > 0 ? `, of those run; ${notRun} not run` : "";
  return [...rows, ...failures.flatMap(describeFailure), "", totals + rest];
}

/** Whether the case passed. */
export function holds({ mismatch }: CaseOutcome): boolean {
  return mismatch === null;
}

function describeFailure({ given, mismatch }: CaseOutcome): string[] {
  const { endpoint, name, request, why } = given;
  const { method = "GET", path } = request;
  // Some cases send very long queries, to check that they are refused.
  const shown = path.length > MOST_SHOWN ? `${path.slice(0, MOST_SHOWN)}…` : path;
  return ["", `${endpoint}/${name}: ${method} ${shown}`, ...(why ? [`  ${why}`] : []), `  ${mismatch}`];
}
