/** OAuth 2.0 as an independent client sees it, over two API processes. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import * as openid from "openid-client";
import { TOKENS } from "../../api/core/access/grants.ts";
import { hashSecret } from "../../api/core/access/secrets.ts";
import {
  Browser,
  COMPANY,
  REDIRECT,
  REDIRECT_WITH_QUERY,
  holdClient,
  holdPerson,
  startProcess,
} from "../support/oauth.ts";
import type { HeldClient, Process } from "../support/oauth.ts";
import { testConfig } from "../support/register.ts";

const EMAIL = "ann@example.org";
const config = testConfig();

let first: Process;
let second: Process;
let app: HeldClient;
let personId = "";
beforeAll(async () => {
  // Both stand behind one address in production; here the first one's is told as that of both.
  first = await startProcess(config);
  second = await startProcess(config, { publicUrl: first.base });
  app = await holdClient(first.stores, { name: "Billing" });
  personId = (await holdPerson(first.stores, EMAIL))._id;
});
afterAll(async () => {
  await first.stores.mongo.dropDatabase();
  await first.close();
  await second.close();
});

const discover = (auth?: openid.ClientAuth, client = app) =>
  openid.discovery(
    new URL(first.base),
    client.id,
    client.secret,
    auth ?? openid.ClientSecretPost(client.secret),
    {
      algorithm: "oauth2",
      execute: [openid.allowInsecureRequests],
    },
  );
const scopeOf = (...names: string[]) => names.map((name) => `${first.base}/${name}`).join(" ");
const SCOPE = () => scopeOf("search.read", "user/profile.read");

/** All of the flow up to the client's own address, with what the client needs behind it. */
async function authorise(
  client: openid.Configuration,
  parameters: Record<string, string> = {},
  isPkce = true,
) {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const challenge = {
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  };
  const asked = { redirect_uri: REDIRECT, scope: SCOPE(), state: expectedState, ...(isPkce && challenge) };
  const url = openid.buildAuthorizationUrl(client, { ...asked, ...parameters });
  const back = await new Browser().grant(url, EMAIL);
  return { back, checks: { expectedState, ...(isPkce && { pkceCodeVerifier }) } };
}
async function getTokens(client: openid.Configuration, parameters: Record<string, string> = {}) {
  const { back, checks } = await authorise(client, parameters);
  return openid.authorizationCodeGrant(client, back, checks);
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
async function call(path: string, token: string, base = first.base) {
  const answer = await fetch(base + path, { headers: bearer(token) });
  const text = await answer.text();
  const body = text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>);
  return { status: answer.status, headers: answer.headers, body };
}
/** The token endpoint, without a client's own checks. */
async function ask(parameters: Record<string, string>, path = "/oauth/token", base = first.base) {
  const answer = await fetch(base + path, { method: "POST", body: new URLSearchParams(parameters) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const credentials = () => ({ client_id: app.id, client_secret: app.secret });

describe("the flow", () => {
  it.each([
    ["PKCE and the secret in the form", true, false],
    ["PKCE and the secret by HTTP Basic", true, true],
    ["no PKCE", false, false],
  ])("with %s ends in tokens that open what was granted", async (_what, isPkce, isBasic) => {
    const client = await discover(isBasic ? openid.ClientSecretBasic(app.secret) : undefined);
    const { back, checks } = await authorise(client, {}, isPkce);
    const tokens = await openid.authorizationCodeGrant(client, back, checks);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: expect.any(Number) });
    expect(Math.abs((tokens.expires_in ?? 0) - 3_600)).toBeLessThan(5);
    expect(Object.keys(tokens).sort()).toEqual(["access_token", "expires_in", "refresh_token", "token_type"]);
    const profile = await call("/user/profile", tokens.access_token);
    expect(profile.body).toEqual({
      ...{ id: personId, email: EMAIL, forename: "Ann", surname: "Example", locale: "en_GB" },
      scope: SCOPE(),
    });
  });

  it("starts at one process and ends at the other, and the second knows what the first has issued", async () => {
    const client = await discover();
    const { back, checks } = await authorise(client);
    const code = back.searchParams.get("code") ?? "";
    const given = { grant_type: "authorization_code", code, code_verifier: checks.pkceCodeVerifier ?? "" };
    const { status, body } = await ask({ ...given, ...credentials() }, "/oauth2/token", second.base);
    expect(status).toBe(200);
    expect((await call("/user/profile", String(body.access_token))).status).toBe(200);
  });

  it("asks for a company's code when a scope names a company, and grants that company alone", async () => {
    const client = await discover();
    const scope = scopeOf(`company/${COMPANY}/company.read`);
    const { access_token } = await getTokens(client, { scope });
    // Neither is held: what counts is that the one may be asked for.
    expect((await call(`/company/${COMPANY}`, access_token)).status).toBe(404);
    expect((await call("/company/99000070", access_token)).status).toBe(403);
    expect((await call("/search/companies?q=a", access_token)).status).toBe(403);
  });

  it("does without redirect_uri at the token endpoint and response_type at the first, as the specification has it", async () => {
    const query = new URLSearchParams({
      client_id: app.id,
      redirect_uri: REDIRECT_WITH_QUERY,
      scope: SCOPE(),
    }).toString();
    const back = await new Browser().grant(`${first.base}/oauth2/authorise?${query}`, EMAIL);
    expect([back.origin + back.pathname, back.searchParams.get("from")]).toEqual([REDIRECT, "register"]);
    const code = back.searchParams.get("code") ?? "";
    const asked = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      ...credentials(),
    }).toString();
    const answer = await fetch(`${first.base}/oauth/token?${asked}`, { method: "POST" });
    expect(answer.status).toBe(200);
  });

  it("tells the client that the person has refused", async () => {
    const url = openid.buildAuthorizationUrl(await discover(), {
      redirect_uri: REDIRECT,
      scope: SCOPE(),
      state: "s",
    });
    const browser = new Browser();
    await browser.open(url.href);
    await browser.send({ email: EMAIL, password: "a password for tests" });
    const { searchParams } = new URL((await browser.send({ decision: "refuse" })).url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: "access_denied",
      state: "s",
      iss: first.base,
    });
  });
});

describe("the token endpoint refuses", () => {
  it("a code that was used, and ends what came of it", async () => {
    const client = await discover();
    const { back, checks } = await authorise(client);
    const tokens = await openid.authorizationCodeGrant(client, back, checks);
    await expect(openid.authorizationCodeGrant(client, back, checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    expect((await call("/user/profile", tokens.access_token, second.base)).status).toBe(401);
    await expect(openid.refreshTokenGrant(client, tokens.refresh_token ?? "")).rejects.toThrow();
  });

  it("a code that many bring at once, all but one of them", async () => {
    const { back } = await authorise(await discover(), {}, false);
    const code = back.searchParams.get("code") ?? "";
    const given = { grant_type: "authorization_code", code, ...credentials() };
    const bases = [first.base, second.base, first.base, second.base, first.base, second.base];
    const answers = await Promise.all(bases.map((base) => ask(given, "/oauth/token", base)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    // And whoever got it has nothing of it: the code was in more than one hand.
    const token = answers.find(({ status }) => status === 200)?.body.access_token;
    if (typeof token === "string") expect((await call("/user/profile", token)).status).toBe(401);
  });

  const faults: [string, Record<string, string>, number, string][] = [
    ["another redirect address", { redirect_uri: `${REDIRECT}/` }, 400, "invalid_request"],
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["an unknown client", { client_id: "nobody" }, 401, "invalid_client"],
    ["another verifier", { code_verifier: "v".repeat(43) }, 400, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, 400, "invalid_grant"],
    ["an unknown code", { code: "unknown" }, 400, "invalid_grant"],
    ["another grant type", { grant_type: "implicit" }, 400, "unsupported_grant_type"],
    ["a password", { grant_type: "password" }, 400, "unauthorized_client"],
    ["client credentials alone", { grant_type: "client_credentials" }, 400, "unauthorized_client"],
  ];
  it.each(faults)("%s", async (_what, change, status, error) => {
    const { back, checks } = await authorise(await discover());
    const code = back.searchParams.get("code") ?? "";
    const verifier = { code_verifier: checks.pkceCodeVerifier ?? "" };
    const given = {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT,
      ...credentials(),
      ...verifier,
    };
    expect(await ask({ ...given, ...change })).toMatchObject({ status, body: { error } });
  });

  it("a client that brings a verifier in place of its secret", async () => {
    const { back, checks } = await authorise(await discover());
    const code = back.searchParams.get("code") ?? "";
    const given = { grant_type: "authorization_code", code, client_id: app.id };
    const answer = await ask({ ...given, code_verifier: checks.pkceCodeVerifier ?? "" });
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  it("a code of another client", async () => {
    const other = await holdClient(first.stores, { name: "Other" });
    const { back } = await authorise(await discover(), {}, false);
    const code = back.searchParams.get("code") ?? "";
    const given = {
      grant_type: "authorization_code",
      code,
      client_id: other.id,
      client_secret: other.secret,
    };
    expect(await ask(given)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it("a code after five minutes", async () => {
    const { back } = await authorise(await discover(), {}, false);
    const code = back.searchParams.get("code") ?? "";
    const expires_at = new Date(Date.now() - 1).toISOString();
    await first.stores.mongo.documents.amend(TOKENS, [{ _id: hashSecret(code), expires_at }]);
    const given = { grant_type: "authorization_code", code, ...credentials() };
    expect(await ask(given)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it("a parameter that is there twice", async () => {
    const body = new URLSearchParams([
      ["grant_type", "refresh_token"],
      ["grant_type", "refresh_token"],
    ]);
    const answer = await fetch(`${first.base}/oauth/token`, { method: "POST", body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });
});

describe("a refresh token", () => {
  it("gives new tokens, each time another one, and the former access token goes on", async () => {
    const client = await discover();
    const before = await getTokens(client);
    const after = await openid.refreshTokenGrant(client, before.refresh_token ?? "");
    expect(after.refresh_token).not.toBe(before.refresh_token);
    const again = await openid.refreshTokenGrant(client, after.refresh_token ?? "");
    for (const { access_token } of [before, after, again]) {
      expect((await call("/user/profile", access_token)).status).toBe(200);
    }
  });

  it("that is used twice ends its whole family, at every process", async () => {
    const client = await discover();
    const before = await getTokens(client);
    const after = await openid.refreshTokenGrant(client, before.refresh_token ?? "");
    const stolen = {
      grant_type: "refresh_token",
      refresh_token: before.refresh_token ?? "",
      ...credentials(),
    };
    expect(await ask(stolen, "/oauth/token", second.base)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    await expect(openid.refreshTokenGrant(client, after.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
    for (const { access_token } of [before, after]) {
      expect((await call("/user/profile", access_token, second.base)).status).toBe(401);
    }
    const [line] = await first.stores.mongo.documents.listLatest("audit", 1);
    expect(line).toMatchObject({ action: "grant ended: refresh token used twice", by: "api" });
  });

  it("may ask for less, and not for more", async () => {
    const client = await discover();
    const { refresh_token = "" } = await getTokens(client);
    await expect(
      openid.refreshTokenGrant(client, refresh_token, { scope: scopeOf("company.read") }),
    ).rejects.toMatchObject({ error: "invalid_scope" });
    // Asking for too much has not used it up.
    const less = await openid.refreshTokenGrant(client, refresh_token, { scope: scopeOf("search.read") });
    expect((await call("/user/profile", less.access_token)).status).toBe(403);
  });

  it("of another client is refused, and not used up", async () => {
    const other = await holdClient(first.stores, { name: "Thief" });
    const client = await discover();
    const { refresh_token = "" } = await getTokens(client);
    const given = {
      grant_type: "refresh_token",
      refresh_token,
      client_id: other.id,
      client_secret: other.secret,
    };
    expect(await ask(given)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await openid.refreshTokenGrant(client, refresh_token)).access_token).toBeDefined();
  });
});

describe("an access token", () => {
  it("is verified at both paths, in the address or as a bearer", async () => {
    const { access_token } = await getTokens(await discover());
    const told = {
      ...{ application: "Billing", client_id: app.id, user_id: personId, scope: SCOPE() },
      expires_in: expect.any(Number),
    };
    expect((await call("/oauth/verify", access_token)).body).toEqual(told);
    const answer = await fetch(`${second.base}/oauth2/verify?access_token=${access_token}`);
    expect(await answer.json()).toEqual(told);
  });

  it.each([
    ["/oauth/verify", 400, "invalid_request"],
    ["/oauth/verify?access_token=unknown", 401, "invalid_token"],
    ["/oauth2/verify?access_token=a&access_token=b", 400, "invalid_request"],
  ])("is not verified by %s: %i", async (path, status, error) => {
    const answer = await fetch(first.base + path);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error }]);
  });

  it("counts for its application, which has one limit for all", async () => {
    const limited = await holdClient(first.stores, { name: "Limited", limit: 3 });
    const client = await discover(undefined, limited);
    const { access_token } = await getTokens(client);
    const remains = [];
    for (const base of [first.base, second.base, first.base, second.base]) {
      const { status, headers } = await call("/search/companies", access_token, base);
      remains.push([status, headers.get("x-ratelimit-remain")]);
    }
    expect(remains).toEqual([
      [400, "2"],
      [400, "1"],
      [400, "0"],
      [429, "0"],
    ]);
  });

  it("that has ended is refused, and says so as RFC 6750 has it", async () => {
    const brief = await startProcess(config, {
      publicUrl: first.base,
      lifetimes: { access: 1, refresh: 60 },
    });
    const { back } = await authorise(await discover(), {}, false);
    const code = back.searchParams.get("code") ?? "";
    const { body } = await ask(
      { grant_type: "authorization_code", code, ...credentials() },
      "/oauth/token",
      brief.base,
    );
    const token = String(body.access_token);
    expect((await call("/user/profile", token)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const late = await call("/user/profile", token);
    expect([late.status, late.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    expect((await call("/oauth/verify", token)).status).toBe(401);
    await brief.close();
  });

  it("outlives the process that has issued it", async () => {
    const process = await startProcess(config, { publicUrl: first.base });
    const { back } = await authorise(await discover(), {}, false);
    const code = back.searchParams.get("code") ?? "";
    const given = { grant_type: "authorization_code", code, ...credentials() };
    const { body } = await ask(given, "/oauth/token", process.base);
    await process.close();
    const next = await startProcess(config, { publicUrl: first.base });
    expect((await call("/user/profile", String(body.access_token), next.base)).status).toBe(200);
    const refresh = {
      grant_type: "refresh_token",
      refresh_token: String(body.refresh_token),
      ...credentials(),
    };
    expect((await ask(refresh, "/oauth/token", next.base)).status).toBe(200);
    await next.close();
  });
});
