/** The commands for API keys, and what the API does with each key. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { applicationsCommands } from "../../scripts/commands/applications.ts";
import { auditCommand } from "../../scripts/commands/audit.ts";
import { keysCommands } from "../../scripts/commands/keys.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { startProcess } from "../support/oauth.ts";
import { basic, openRegister } from "../support/register.ts";

const PATH = "/search/companies?q=a";
const DAY_MS = 86_400_000;

const register = forAllTests(() => openRegister({ withWorker: false, clock: () => new Date(now) }));
let now = Date.now();

const create = (options: Record<string, string>) => register.run(keysCommands.create, [], options);
const call = (key: string, headers: Record<string, string> = {}) =>
  register.get(PATH, { ...basic(key), ...headers });
const statusWith = async (key: string) => (await call(key)).status;
/** Creates a key of this name. */
async function make(name: string, options: Record<string, string> = {}): Promise<string> {
  return (await create({ name, ...options })).printed[0] ?? "";
}
async function list(): Promise<Record<string, unknown>[]> {
  const { printed } = await register.run(keysCommands.list, [], { json: "true" });
  return JSON.parse(printed[0] ?? "") as Record<string, unknown>[];
}

describe("keys create", () => {
  it("creates a key that opens the API", async () => {
    const { exitCode, printed } = await create({ name: "billing" });
    expect(exitCode).toBe(0);
    expect(await statusWith(printed[0] ?? "")).toBe(200);
  });

  it("stores only the key's hash", async () => {
    const key = await make("secretive");
    const kept = await register.stores.mongo.documents.list("api_keys", {}, 100);
    expect(kept.map(({ _id }) => String(_id))).toContain(createHash("sha256").update(key).digest("hex"));
    expect(JSON.stringify(kept)).not.toContain(key);
  });

  it("creates another key of an existing application, under one limit with the first", async () => {
    const keys = [await make("of two", { limit: "3" }), await make("of two")];
    const answers = [];
    for (const key of [...keys, ...keys]) answers.push((await call(key)).status);
    expect(answers).toEqual([200, 200, 200, 429]);
  });

  it("does not change the terms of an existing application", async () => {
    await make("settled");
    const { error } = await create({ name: "settled", limit: "5" });
    expect(error?.message).toMatch(
      /the application settled already exists with other terms; applications change changes them/,
    );
  });

  it("creates the key when run again after a store failed once the application was registered", async () => {
    const options = { name: "half made", limit: "5", scope: "search.read company.read" };
    await register.run(applicationsCommands.create, [options.name], options);
    const { error } = await create(options);
    expect(error).toBeUndefined();
    expect((await list()).filter(({ name }) => name === options.name)).toMatchObject([{ limit: 5 }]);
  });

  it("creates keys for the event streams, which do not open the API", async () => {
    expect(await statusWith(await make("streaming", { stream: "true" }))).toBe(401);
  });

  it("writes an audit line without the secret", async () => {
    const key = await make("audited");
    const { printed } = await register.run(auditCommand, [], { limit: "2" });
    expect(printed[0]).toMatch(/^\d{4}-.* key created [0-9a-f]{10}, by .+@.+ /);
    expect(printed[1]).toMatch(/application created [0-9a-f]{10}, by .*"name":"audited"/);
    expect(printed.join()).not.toContain(key);
  });

  it.each([
    [{ name: " " }, /--name needs a name/],
    [{ name: "two\nlines" }, /--name needs a name, in one line/],
    [{ allow: "fe80::1%eth0" }, /--allow takes addresses .* not "fe80::1%eth0"/],
    [{ origin: "https://app.example/path" }, /--origin takes origins .* not "https:\/\/app\.example\/path"/],
    [{ scope: "everything" }, /--scope takes scopes .* not "everything"/],
    [{ limit: "0" }, /--limit must be a whole number from 1 to 999999999, not "0"/],
    [{ limit: "many" }, /--limit .* not "many"/],
    [{ allow: "192.0.2.0/33" }, /--allow takes addresses .* not "192\.0\.2\.0\/33"/],
    [{ allow: "127.0.0.1 localhost" }, /--allow .* not "localhost"/],
    [{ expires: "2026-02-30" }, /--expires must be a day in the future .* not "2026-02-30"/],
    [{ expires: "2001-01-01" }, /--expires must be a day in the future/],
  ])("refuses the terms %j", async (terms, sentence) => {
    const { error } = await create({ name: "bad", ...terms });
    expect(error?.message).toMatch(sentence);
  });

  it("creates nothing with --dry-run, and prints what it would create", async () => {
    const { printed } = await create({ name: "tried", limit: "5", dryRun: "true" });
    expect(printed).toEqual([
      "would create a key for the new application tried: 5 requests in 5 minutes; from anywhere; does not expire",
    ]);
    expect((await list()).map(({ name }) => name)).not.toContain("tried");
  });
});

describe("keys list", () => {
  it("shows each key's terms, and not the key", async () => {
    const key = await make("listed", {
      limit: "7",
      allow: "192.0.2.0/24 2001:db8::1",
      expires: "2099-01-31",
    });
    const found = (await list()).find(({ name }) => name === "listed");
    expect(found).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{10}$/),
      name: "listed",
      application: expect.stringMatching(/^[0-9a-f]{10}$/),
      kind: "rest",
      created_at: expect.any(String),
      limit: 7,
      addresses: ["192.0.2.0/24", "2001:db8::1"],
      expires_at: "2099-01-31T00:00:00.000Z",
      expired: false,
    });
    const { printed } = await register.run(keysCommands.list, []);
    const line = printed.find((text) => text.includes("listed"));
    expect(line).toMatch(
      /7 requests in 5 minutes; from 192\.0\.2\.0\/24, 2001:db8::1; until 2099-01-31 00:00 UTC$/,
    );
    expect(printed.join()).not.toContain(key);
  });
});

describe("keys revoke", () => {
  it("closes the API to a key within five seconds", async () => {
    const key = await make("revoked");
    expect(await statusWith(key)).toBe(200);
    const { exitCode, printed } = await register.run(keysCommands.revoke, ["revoked"], { yes: "true" });
    expect([exitCode, printed[0]]).toEqual([0, expect.stringMatching(/^revoked [0-9a-f]{10} \(revoked\)$/)]);
    now += 5_001;
    const { status, body } = await call(key);
    expect([status, body]).toEqual([401, { error: "Invalid Authorization", type: "ch:service" }]);
  });

  it("asks first, and does nothing if nobody can answer", async () => {
    const key = await make("asked for");
    const { error } = await register.run(keysCommands.revoke, ["asked for"]);
    expect(error?.message).toMatch(/^The key [0-9a-f]{10} \(asked for\) will be revoked for good\. .* --yes/);
    expect(await statusWith(key)).toBe(200);
  });

  it("revokes nothing with --dry-run", async () => {
    const key = await make("tried out");
    const { printed } = await register.run(keysCommands.revoke, ["tried out"], { dryRun: "true" });
    expect(printed[0]).toMatch(/^would revoke [0-9a-f]{10} \(tried out\)$/);
    now += 10_001;
    expect(await statusWith(key)).toBe(200);
  });

  it("needs the id if several keys have the name", async () => {
    const keys = [await make("twin"), await make("twin")];
    const { error } = await register.run(keysCommands.revoke, ["twin"], { yes: "true" });
    expect(error?.message).toMatch(/twin has 2 keys; use an id: \w{10}, \w{10}/);
    const [first] = (await list()).filter(({ name }) => name === "twin");
    await register.run(keysCommands.revoke, [String(first?.id)], { yes: "true" });
    expect(await Promise.all(keys.map(statusWith))).toEqual([401, 200]);
  });

  it("names a key that does not exist", async () => {
    const { error } = await register.run(keysCommands.revoke, ["nobody"], { yes: "true" });
    expect(error?.message).toBe("there is no key nobody; npm run cli -- keys list shows them");
  });
});

describe("the API", () => {
  it("treats an expired key as unknown at once", async () => {
    const key = await make("for a day", { expires: "1d" });
    now = Date.now() + DAY_MS - 5_000;
    expect(await statusWith(key)).toBe(200);
    now += 6_000;
    const { status, body } = await call(key);
    expect([status, body]).toEqual([401, { error: "Invalid Authorization", type: "ch:service" }]);
    now = Date.now();
  });

  it("refuses a key from an address that is not allowed", async () => {
    const { status, body } = await call(await make("elsewhere", { allow: "192.0.2.0/24" }));
    expect([status, body]).toEqual([403, { errors: [{ type: "ch:service", error: "access-denied" }] }]);
  });

  it("accepts a key from an allowed network", async () => {
    expect(await statusWith(await make("here", { allow: "192.0.2.7 127.0.0.0/8" }))).toBe(200);
  });

  it("does not trust the address that a client claims", async () => {
    const key = await make("behind", { allow: "192.0.2.7" });
    expect((await call(key, { "x-forwarded-for": "192.0.2.7" })).status).toBe(403);
  });

  it("accepts its own page's origin behind a proxy that sends another Host", async () => {
    const key = await make("at the docs");
    const proxied = await startProcess(register.config, { PUBLIC_URL: "https://register.example/" });
    const statusOf = async (origin: string) =>
      (await fetch(proxied.base + PATH, { headers: { ...basic(key), origin } })).status;
    expect(await statusOf("https://register.example")).toBe(200);
    expect(await statusOf(proxied.base)).toBe(200);
    expect(await statusOf("https://elsewhere.example")).toBe(403);
    await proxied.close();
  });

  it("counts down a limited key's calls, and refuses calls above the limit", async () => {
    const key = await make("limited", { limit: "2" });
    const answers = [await call(key), await call(key), await call(key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const remaining = answers.map(({ headers }) =>
      ["limit", "remain"].map((n) => headers.get(`x-ratelimit-${n}`)),
    );
    expect(remaining).toEqual([
      ["2", "1"],
      ["2", "0"],
      ["2", "0"],
    ]);
    expect(answers[2]?.body).toBeUndefined();
    const reset = Number(answers[2]?.headers.get("x-ratelimit-reset")) * 1000;
    now = reset;
    expect((await call(key)).status).toBe(200);
    now = Date.now();
  });
});
