/** The commands for applications: names, limits, addresses and scopes, and when a change takes effect. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { applicationsCommands } from "../../scripts/commands/applications.ts";
import { auditCommand } from "../../scripts/commands/audit.ts";
import { keysCommands } from "../../scripts/commands/keys.ts";
import { changedCommand } from "../support/changed-command.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { basic, openRegister } from "../support/register.ts";

const SEARCH = "/search/companies?q=a";

const register = forAllTests(() => openRegister({ withWorker: false, clock: () => new Date(now) }));
let now = Date.now();

const call = (key: string, path = SEARCH) => register.get(path, basic(key));
async function make(name: string, terms: Record<string, string> = {}): Promise<string> {
  const { error } = await register.run(applicationsCommands.create, [name], terms);
  if (error) throw error;
  return (await register.run(keysCommands.create, [], { name })).printed[0] ?? "";
}
const change = (name: string, options: Record<string, string>) =>
  register.run(applicationsCommands.change, [name], options);

it("creates no second application of the same name", async () => {
  await make("only one");
  const { error } = await register.run(applicationsCommands.create, ["only one"]);
  expect(error?.message).toMatch(/the application only one already exists/);
});

it("does not rename an application to a name that another one has", async () => {
  await make("one");
  await make("other");
  const { error } = await change("other", { name: "one" });
  expect(error?.message).toBe("the application one already exists");
  expect((await change("other", { name: "another" })).printed).toEqual([
    "another: the usual limit; from anywhere",
  ]);
});

it.each([[{}], [{ name: "as it was", limit: "9" }]])(
  "changes nothing and writes no audit line if the terms stay the same: %j",
  async (options) => {
    await make("as it was", { limit: "9" }).catch(() => undefined);
    const audit = async () => (await register.run(auditCommand, [], { limit: "1" })).printed;
    const before = await audit();
    const { exitCode, printed } = await change("as it was", { ...options, json: "true" });
    expect([exitCode, JSON.parse(printed.join("\n"))]).toMatchObject([0, { changed: false, limit: 9 }]);
    expect(await audit()).toEqual(before);
  },
);

it("lists an application with all its terms", async () => {
  await make("listed", {
    limit: "none",
    allow: "192.0.2.0/24",
    origin: "https://App.example:443",
    scope: "search.read",
  });
  const { printed } = await register.run(applicationsCommands.list, []);
  expect(printed.find((line) => line.includes("listed"))).toMatch(
    /no limit; from 192\.0\.2\.0\/24; pages of https:\/\/app\.example; scopes search\.read$/,
  );
});

it("applies changed terms within five seconds", async () => {
  const key = await make("changed");
  expect((await call(key)).status).toBe(200);
  const { printed } = await change("changed", { allow: "192.0.2.7", limit: "7" });
  expect(printed).toEqual(["changed: 7 requests in 5 minutes; from 192.0.2.7"]);
  now += 5_001;
  expect((await call(key)).status).toBe(403);
  expect((await change("changed", { without: "constructor" })).error?.message).toContain('not "constructor"');
  expect((await change("changed", { limit: "5", without: "allow,limit" })).error?.message).toBe(
    "--limit and --without limit exclude each other",
  );
  await change("changed", { without: "allow,limit" });
  now += 5_001;
  expect((await call(key)).headers.get("x-ratelimit-limit")).toBe("1000000");
});

it.each<[string, "remove" | "change", Record<string, string>, object[]]>([
  ["removed", "remove", { yes: "true" }, []],
  ["changed", "change", { origin: "https://app.example" }, [{ origins: ["https://app.example"] }]],
])("refuses a change if the application has been %s meanwhile", async (word, verb, given, left) => {
  const name = `to be ${word}`;
  await make(name, { limit: "9" });
  const { mongo } = register.stores;
  const { documents } = mongo;
  const fetchAll: typeof documents.fetchAll = async (...asked) => {
    const found = await documents.fetchAll(...asked);
    const { error } = await register.run(applicationsCommands[verb], [name], given);
    if (error) throw error;
    return found;
  };
  const stores = { ...register.stores, mongo: { ...mongo, documents: { ...documents, fetchAll } } };
  const late = changedCommand(applicationsCommands.change, () => ({ openStores: () => stores }));
  const { error } = await register.run(late, [name], { without: "limit" });
  expect(error?.message).toBe(`${name} was changed or removed meanwhile; run this again`);
  expect(await documents.fetchAll("applications", { name })).toMatchObject(left);
});

it("refuses every key of a removed application", async () => {
  const key = await make("removed");
  expect((await call(key)).status).toBe(200);
  await register.run(applicationsCommands.remove, ["removed"], { yes: "true" });
  now += 5_001;
  expect((await call(key)).status).toBe(401);
  const left = await register.stores.mongo.documents.fetchAll("api_keys", {});
  expect(left.map(({ _id }) => String(_id))).not.toContain(createHash("sha256").update(key).digest("hex"));
  const { printed } = await register.run(auditCommand, [], { limit: "1" });
  expect(printed[0]).toMatch(/application removed [0-9a-f]{10}, by .*"name":"removed"/);
});

it.each([
  ["create", "tried", "would create the application tried: the usual limit; from anywhere"],
  ["change", "to be tried", "would change to be tried: 9 requests in 5 minutes; from anywhere"],
  ["remove", "to be tried", expect.stringMatching(/^would remove .* \(to be tried\)$/)],
] as const)("%s changes nothing with --dry-run", async (verb, name, line) => {
  await make("to be tried").catch(() => undefined);
  const state = async () => (await register.run(applicationsCommands.list, [], { json: "true" })).printed;
  const before = await state();
  const options = { dryRun: "true", ...(verb === "change" && { limit: "9" }) };
  expect((await register.run(applicationsCommands[verb], [name], options)).printed).toEqual([line]);
  expect(await state()).toEqual(before);
});

describe("scopes", () => {
  it.each([
    ["search.read", SEARCH, 200],
    ["search.read", "/company/99000064", 403],
    ["company.read", "/company/99000064", 404],
    ["company/99000064/company.read", "/company/99000064", 404],
    ["company/99000064/company.read", "/company/99000070", 403],
    ["company/99000064/company.read", SEARCH, 403],
  ])("limit an application that has only %s: %p answers %i", async (scope, path, status) => {
    const answer = await call(await make(`${scope} for ${path}`, { scope }), path);
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(answer.body).toEqual({ errors: [{ type: "ch:service", error: "access-denied" }] });
  });
});
