/** Every contract case against our own server, the OpenAPI document, and the `contract` command. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import type { ApplicationTerms } from "../../api/shared/access/applications.ts";
import { contractCommand, findCasesFolder, readCases } from "../../scripts/commands/contract.ts";
import type { NamedCase } from "../../scripts/contract/case-file.ts";
import { runCase } from "../../scripts/contract/run-case.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { addTestKey } from "../support/keys.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";
import { TEST_KEY, basic } from "../support/register.ts";

const folder = findCasesFolder();
const cases = readCases(folder);
const { applications } = JSON.parse(readFileSync(`${folder}/register.json`, "utf8")) as {
  applications: { origin: string; further: Record<string, ApplicationTerms> };
};
const keys = Object.fromEntries(Object.keys(applications.further).map((name) => [name, `key-${name}`]));

// Below the number of searches that an application may run at once.
const AT_ONCE = 8;

interface Operation {
  parameters: { name: string; in: string; example?: string }[];
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
}

interface OpenApi {
  paths: Record<string, { get: Operation }>;
}

/** The answers to GET that the cases met; the documentation must describe each. */
const answers: { path: string; status: number; type: string | null }[] = [];
const fetchNoted: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname } = new URL(response.url);
  // The documentation names types with the prefix vnd.; x. names the same types.
  const type = response.headers.get("content-type")?.replace("/x.", "/vnd.") ?? null;
  if (init?.method === "GET") answers.push({ path: pathname, status: response.status, type });
  return response;
};

const register = forAllTests(() => openLoadedSample({ clock: () => new Date("2026-11-21T12:00:00Z") }));
beforeAll(async () => {
  for (const [name, terms] of Object.entries(applications.further)) {
    await addTestKey(register.stores.mongo.documents, `key-${name}`, { name, ...terms });
  }
});

describe.each([...new Set(cases.map(({ endpoint }) => endpoint))])("%s", (endpoint) => {
  const own = cases.filter((given) => given.endpoint === endpoint);

  const mismatches = new Map<NamedCase, string | null>();
  beforeAll(async () => {
    const server = {
      base: register.base,
      key: TEST_KEY,
      keys,
      vendor: register.config.VENDOR,
      fetch: fetchNoted,
    };
    const run = async (given: NamedCase) => mismatches.set(given, await runCase(server, given));
    // Cases with a key of their own run one by one, since their calls may be counted.
    const isKeyed = ({ request }: NamedCase) => typeof request.key === "string";
    const others = own.filter((given) => !isKeyed(given)).values();
    const runOthers = async () => {
      for (const given of others) await run(given);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runOthers));
    for (const given of own.filter(isKeyed)) await run(given);
  }, 60_000);

  it.each(own.map((given) => [given.name, given] as const))("%s", (_name, given) => {
    expect(mismatches.get(given)).toBeNull();
  });
});

describe("the OpenAPI document", () => {
  it("lists every status and type that these cases met", async () => {
    const { body } = await register.get("/openapi.json", {});
    const paths = Object.entries((body as OpenApi).paths).map(([template, { get }]) => ({
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`),
      responses: get.responses,
    }));
    // A fixed path and one with a parameter could both match, but no two of ours do.
    const undocumented = answers.filter(({ path, status, type }) => {
      const responses = paths.find(({ pattern }) => pattern.test(path))?.responses ?? {};
      const response = responses[status];
      // A documented type without parameters covers all its variants; of JSON each version is documented.
      const documented = Object.keys(response?.content ?? {});
      const isDocumented =
        type === null ||
        response?.$ref !== undefined ||
        documented.includes(type) ||
        documented.includes(type.replace(/;.*$/, ""));
      return response === undefined || !isDocumented;
    });
    expect(answers.length).toBeGreaterThan(100);
    expect(undocumented).toEqual([]);
  });
});

/** The requests that the documentation page proposes: paths and parameters with their example values. */
function proposedRequests(paths: OpenApi["paths"]): string[] {
  return Object.entries(paths).map(([template, { get }]) => {
    const parameters = get.parameters.filter(({ example }) => example !== undefined);
    const query = parameters.filter((parameter) => parameter.in === "query");
    const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
      return parameters.find((parameter) => parameter.name === name)?.example ?? `{${name}}`;
    });
    const asked = new URLSearchParams(
      query.map(({ name, example = "" }) => [name, example] as [string, string]),
    ).toString();
    return asked ? `${path}?${asked}` : path;
  });
}

it("answers every request that the documentation page proposes", async () => {
  const { body } = await register.get("/openapi.json", {});
  const requests = proposedRequests((body as OpenApi).paths);
  const answered = await Promise.all(
    requests.map(async (request) => {
      const response = await fetch(register.base + request, { headers: basic(TEST_KEY) });
      const text = await response.text();
      const { items } = (text.startsWith("{") ? JSON.parse(text) : {}) as { items?: unknown[] };
      return { request, status: response.status, isEmpty: items?.length === 0 };
    }),
  );
  expect(answered.filter(({ status, isEmpty }) => status !== 200 || isEmpty)).toEqual([]);
  expect(requests).toContain("/search/companies?q=LEADING+ZEROS+SAMPLE+LIMITED");
});

describe("the contract command", () => {
  const run = (options: Record<string, string>) =>
    register.run(contractCommand, [], {
      ...{ base: `${register.base}/`, key: TEST_KEY, ...options },
      furtherKey: Object.entries(keys)
        .map(([name, key]) => `${name}=${key}`)
        .join(" "),
    });

  it("prints the table of an endpoint and succeeds if all cases pass", async () => {
    const { exitCode, printed } = await run({ endpoint: "company-profile" });
    const count = cases.filter(({ endpoint }) => endpoint === "company-profile").length;
    expect(printed.at(0)).toBe(`company-profile  holds  ${count} of ${count} cases`);
    expect(printed.at(-1)).toBe(`1 of 1 endpoints, ${count} of ${count} cases`);
    expect(exitCode).toBe(0);
  });

  it("fails if a case fails", async () => {
    const { exitCode, printed } = await run({ endpoint: "company-profile", vendor: "another" });
    expect(exitCode).toBe(1);
    expect(printed.at(-1)).toMatch(/^0 of 1 endpoints/);
  });

  it("says how many cases it has not run", async () => {
    const own = cases.filter(({ endpoint }) => endpoint === "company-profile");
    const keyed = own.filter(({ request }) => typeof request.key === "string").length;
    const given = { base: register.base, key: TEST_KEY, endpoint: "company-profile" };
    const { exitCode, printed } = await register.run(contractCommand, [], given);
    const ran = own.length - keyed;
    expect(printed.at(-1)).toBe(`1 of 1 endpoints, ${ran} of ${ran} cases, of those run; ${keyed} not run`);
    expect(exitCode).toBe(0);
    const { printed: json } = await register.run(contractCommand, [], { ...given, json: "true" });
    expect(JSON.parse(json.join("\n"))).toMatchObject({ compatible: true, not_run: keyed });
  });

  it("runs nothing when the key has no calls left", async () => {
    await addTestKey(register.stores.mongo.documents, "spent", { name: "spent", limit: 1 });
    await fetch(register.base, { headers: basic("spent") });
    const { error, printed } = await run({ key: "spent" });
    expect([error?.message, printed]).toEqual([
      `${register.base} takes no more calls with this key for now (429): try again in five minutes`,
      [],
    ]);
  });

  it.each([
    [{ key: "another-key" }, "does not know this key"],
    [{ base: "http://127.0.0.1:9" }, "http://127.0.0.1:9 does not answer: "],
    [{ endpoint: "no-such-endpoint" }, "no cases of no-such-endpoint"],
    [{ base: "localhost" }, "must be an http address"],
    [{ cases: "/nowhere/at/all" }, "cannot read the cases: /nowhere/at/all is not a folder"],
  ])("says what is wrong with %j", async (options, message) => {
    expect((await run(options as Record<string, string>)).error?.message).toContain(message);
  });
});
