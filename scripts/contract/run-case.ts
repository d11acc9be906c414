/** Owns the run of one contract case against a server: the requests, what did not hold, and the report of all cases. */
import { messageOf } from "../../api/shared/runtime/errors.ts";
import type { ContractCase, EarlierValue, NamedCase } from "./contract-case.ts";
import { matchPart, type Mismatch } from "./match.ts";
import { fill, fillDeep, type Values } from "./placeholders.ts";

/** The server that cases run against. */
export interface ContractServer {
  /** Its base address, without a slash at the end. */
  base: string;
  /** The API key sent with each request. */
  key: string;
  /** Further keys by the names under which cases ask for them. */
  keys?: Readonly<Record<string, string>>;
  /** The vendor word of its media types. */
  vendor: string;
  /** What sends the requests; the global one by default. */
  fetch?: typeof fetch;
}

// Longer than any answer should take, so that one that never comes does not hold up the rest.
const ANSWER_WITHIN_MS = 30_000;

/** True when the server has the key that the case asks for. */
export function canRun(
  { keys = {} }: Pick<ContractServer, "keys">,
  { request: { key } }: ContractCase,
): boolean {
  return typeof key !== "string" || keys[key] !== undefined;
}

/** Runs a case; null when all of it holds, else the first thing that does not. */
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
    return (
      matchHeaders(fillDeep(given.headers ?? {}, values), response.headers) ?? matchBody(given, values, text)
    );
  } catch (error) {
    // What fetch throws says "fetch failed"; its cause says why.
    const hasCause = typeof error === "object" && error !== null && "cause" in error;
    return messageOf(hasCause ? error.cause : error);
  }
}

function matchHeaders(expected: unknown, headers: Headers): Mismatch {
  return matchPart(expected, Object.fromEntries(headers), "header");
}

function matchBody(given: ContractCase, values: Values, text: string): Mismatch {
  if (!("body" in given)) return null;
  const actual: unknown = text === "" ? undefined : JSON.parse(text);
  return matchPart(fillDeep(given.body, values), actual, "body");
}

async function fetchEarlier(server: ContractServer, steps: Record<string, EarlierValue>): Promise<Values> {
  const values: Values = { vendor: server.vendor };
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

function request(server: ContractServer, path: string, init: RequestInit): Promise<Response> {
  const { base, fetch: send = fetch } = server;
  return send(base + path, { ...init, redirect: "manual", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
}

function basicAuthorization(key: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
}

function readPointer(body: unknown, pointer: string): unknown {
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, token) =>
        typeof value === "object" && value !== null ? (value as Record<string, unknown>)[token] : undefined,
      body,
    );
}

const MOST_SHOWN = 200;

/** A case that was run. */
export interface CaseOutcome {
  given: NamedCase;
  mismatch: Mismatch;
}

/** Lines of the table, the failures below it, and the totals last. */
export function buildReport(outcomes: readonly CaseOutcome[]): string[] {
  const byEndpoint = new Map<string, CaseOutcome[]>();
  for (const outcome of outcomes) {
    const { endpoint } = outcome.given;
    byEndpoint.set(endpoint, [...(byEndpoint.get(endpoint) ?? []), outcome]);
  }
  const width = Math.max(...[...byEndpoint.keys()].map((name) => name.length));
  const rows = [...byEndpoint].map(([endpoint, own]) => {
    const mark = own.every(holds) ? "holds" : "fails";
    return `${endpoint.padEnd(width)}  ${mark}  ${own.filter(holds).length} of ${own.length} cases`;
  });
  const compatible = [...byEndpoint.values()].filter((own) => own.every(holds)).length;
  return [
    ...rows,
    ...outcomes.filter((outcome) => !holds(outcome)).flatMap(describeFailure),
    "",
    `${compatible} of ${byEndpoint.size} endpoints, ${outcomes.filter(holds).length} of ${outcomes.length} cases`,
  ];
}

/** True when all that the case asks for was so. */
export function holds({ mismatch }: CaseOutcome): boolean {
  return mismatch === null;
}

function describeFailure({ given, mismatch }: CaseOutcome): string[] {
  const { endpoint, name, request, why } = given;
  return [
    "",
    `${endpoint}/${name}: ${request.method ?? "GET"} ${shorten(request.path)}`,
    ...(why ? [`  ${why}`] : []),
    `  ${mismatch}`,
  ];
}

/** Some queries are longer than any name, to see that they are refused. */
function shorten(path: string): string {
  return path.length > MOST_SHOWN ? `${path.slice(0, MOST_SHOWN)}…` : path;
}
