/** OAuth 2.0 with an independent client and two API processes: the flow, and the requests that are refused. */
import { describe, expect, it } from "@jest/globals";
import * as openid from "openid-client";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { TOKENS } from "../../api/shared/access/grants.ts";
import { hashSecret } from "../../api/shared/access/secrets.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openFlow } from "../support/oauth-flow.ts";
import {
  Browser,
  COMPANY,
  EMAIL,
  PASSWORD,
  REDIRECT,
  REDIRECT_WITH_QUERY,
  addTestClient,
} from "../support/oauth.ts";
import { toStored } from "../support/stored.ts";

const flow = forAllTests(openFlow);

describe("the flow", () => {
  it.each([
    ["PKCE and the secret in the form", true, false],
    ["PKCE and the secret by HTTP Basic", true, true],
    ["no PKCE", false, false],
  ])("with %s ends in tokens that allow what was granted", async (_what, isPkce, isBasic) => {
    const client = await flow.discover(isBasic ? openid.ClientSecretBasic(flow.app.secret) : undefined);
    const { back, checks } = await flow.authorise(client, {}, isPkce);
    const tokens = await openid.authorizationCodeGrant(client, back, checks);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: expect.any(Number) });
    expect(Math.abs((tokens.expires_in ?? 0) - 3_600)).toBeLessThan(5);
    expect(Object.keys(tokens).sort()).toEqual(["access_token", "expires_in", "refresh_token", "token_type"]);
    const profile = await flow.call("/user/profile", tokens.access_token);
    expect(profile.body).toEqual({
      ...{ id: flow.personId, email: EMAIL, forename: "Ann", surname: "Example", locale: "en_GB" },
      scope: flow.scope,
    });
  });

  it("may start at one process and end at another, whose tokens the first one accepts", async () => {
    const client = await flow.discover();
    const { back, checks } = await flow.authorise(client);
    const code = back.searchParams.get("code") ?? "";
    const given = { grant_type: "authorization_code", code, code_verifier: checks.pkceCodeVerifier ?? "" };
    const { status, body } = await flow.ask(
      { ...given, ...flow.credentials() },
      "/oauth2/token",
      flow.second.base,
    );
    expect(status).toBe(200);
    expect((await flow.call("/user/profile", String(body.access_token))).status).toBe(200);
  });

  // The second form is used by public clients: a company's address, without an action.
  it.each([`company/${COMPANY}/company.read`, `company/${COMPANY}`])(
    "asks for the company's code when a scope is %s, and grants that company only",
    async (name) => {
      const company = { company_number: COMPANY, company_name: "A LTD", type: "ltd" };
      await flow.first.stores.mongo.writer.insertMissing(companyRecord, [
        toStored(companyRecord, company, 1),
      ]);
      const client = await flow.discover();
      const scope = flow.scopeOf(name);
      const asking = new Browser();
      await asking.open(openid.buildAuthorizationUrl(client, { redirect_uri: REDIRECT, scope }).href);
      await asking.send({ email: EMAIL, password: PASSWORD });
      expect(asking.page?.title).toBe("Company authentication code");
      const { access_token } = await flow.getTokens(client, { scope });
      const verified = await flow.call("/oauth/verify", access_token);
      expect(verified).toMatchObject({ status: 200, body: { scope } });
      expect((await flow.call(`/company/${COMPANY}`, access_token)).status).toBe(200);
      expect((await flow.call("/company/99000070", access_token)).status).toBe(403);
      expect((await flow.call("/search/companies?q=a", access_token)).status).toBe(403);
    },
  );

  it("accepts scopes under the base addresses that clients use, and shows each to the person", async () => {
    const client = await flow.discover();
    const scope = "https://accounts.example/user/profile.read https://api.example/search.read";
    const asking = new Browser();
    await asking.open(openid.buildAuthorizationUrl(client, { redirect_uri: REDIRECT, scope }).href);
    const { text } = await asking.send({ email: EMAIL, password: PASSWORD });
    expect(text.match(/<li>.*?<\/li>/g)).toEqual([
      "<li>Read your name and e-mail address</li>",
      "<li>Search the register</li>",
    ]);
    const { access_token, refresh_token = "" } = await flow.getTokens(client, { scope });
    const granted = flow.scopeOf("user/profile.read", "search.read");
    expect((await flow.call("/oauth/verify", access_token)).body).toMatchObject({ scope: granted });
    const less = { scope: "https://api.example/search.read" };
    const refreshed = await openid.refreshTokenGrant(client, refresh_token, less);
    expect((await flow.call("/oauth/verify", refreshed.access_token)).body).toMatchObject({
      scope: flow.scopeOf("search.read"),
    });
  });

  it("needs no redirect_uri for tokens and no response_type to authorise, as the specification allows", async () => {
    const back = await new Browser().grant(flow.addressOf({ redirect_uri: REDIRECT_WITH_QUERY }), EMAIL);
    expect([back.origin + back.pathname, back.searchParams.get("from")]).toEqual([REDIRECT, "register"]);
    const code = back.searchParams.get("code") ?? "";
    const asked = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      ...flow.credentials(),
    }).toString();
    const answer = await fetch(`${flow.first.base}/oauth/token?${asked}`, { method: "POST" });
    expect(answer.status).toBe(200);
  });

  it("tells the client that the person has refused", async () => {
    const browser = new Browser();
    await browser.open(flow.addressOf({ state: "s" }));
    await browser.send({ email: EMAIL, password: PASSWORD });
    const { searchParams } = new URL((await browser.send({ decision: "refuse" })).url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: "access_denied",
      state: "s",
      iss: flow.first.base,
    });
  });
});

describe("an authorisation request", () => {
  const open = (changes: Record<string, string>) =>
    new Browser().open(flow.addressOf({ response_type: "code", state: "s", ...changes }));

  it.each([
    ["an unknown client", { client_id: "nobody" }],
    ["another redirect address", { redirect_uri: "http://127.0.0.1:9/elsewhere" }],
    ["a longer redirect address", { redirect_uri: `${REDIRECT}/more` }],
    ["no redirect address", { redirect_uri: "" }],
  ])("with %s is explained to the person, without a redirect", async (_what, changes) => {
    const { status, title, headers } = await open(changes);
    expect([status, title, headers.get("location")]).toEqual([400, "This request is not valid", null]);
  });

  it("with a repeated parameter is refused", async () => {
    expect((await new Browser().open(`${flow.addressOf()}&client_id=other`)).status).toBe(400);
  });

  it.each([
    ["another type of response", { response_type: "token" }, "unsupported_response_type"],
    [
      "a challenge in plain text",
      { code_challenge: "c".repeat(43), code_challenge_method: "plain" },
      "invalid_request",
    ],
    [
      "a challenge that is too short",
      { code_challenge: "short", code_challenge_method: "S256" },
      "invalid_request",
    ],
    ["a challenge in plain text, without a method", { code_challenge: "c".repeat(43) }, "invalid_request"],
  ])("with %s is reported to the client", async (_what, changes, error) => {
    const { url } = await open(changes);
    const { searchParams } = new URL(url);
    expect(url.startsWith(`${REDIRECT}?`)).toBe(true);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: "s", iss: flow.first.base });
  });

  const many = Array.from({ length: 21 }, (_, i) => `company/${10000001 + i}/company.read`).join(" ");
  it.each([
    ["no scope", "", "a request names at least one scope"],
    ["an unknown scope", "search.read everything", "there is no scope everything"],
    [
      "a URL that is no scope",
      "https://a.example/unheard.of",
      "there is no scope https://a.example/unheard.of",
    ],
    ["too many scopes", many, "a request names at most 20 scopes, not 21"],
    ["a long scope", "x".repeat(3_000), `there is no scope ${"x".repeat(100)}...`],
  ])("with %s is reported to the client, with words that name the problem", async (_what, scope, words) => {
    const { url } = await open({ scope });
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      error: "invalid_scope",
      error_description: `Invalid scope: ${words}`,
    });
  });

  it("with a scope that the application may not request is reported to the client", async () => {
    const { id } = await addTestClient(flow.first.stores, { name: "Narrow", scopes: ["search.read"] });
    const { url } = await open({ client_id: id, scope: "search.read company.read" });
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      error: "invalid_scope",
      error_description: "Invalid scope: this application may not ask for company.read",
    });
  });
});

describe("the token endpoint refuses", () => {
  it("a used code, and ends the grant issued for it", async () => {
    const client = await flow.discover();
    const { back, checks } = await flow.authorise(client);
    const tokens = await openid.authorizationCodeGrant(client, back, checks);
    await expect(openid.authorizationCodeGrant(client, back, checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    expect((await flow.call("/user/profile", tokens.access_token, flow.second.base)).status).toBe(401);
    await expect(openid.refreshTokenGrant(client, tokens.refresh_token ?? "")).rejects.toThrow();
    const [line] = await flow.first.stores.mongo.documents.listLatest("audit", 1);
    expect(line).toMatchObject({ action: "grant ended: code used twice", by: "api" });
  });

  it("a code sent many times at once, but for at most one", async () => {
    const given = await flow.getCode();
    const both = [flow.first.base, flow.second.base];
    const bases = [...both, ...both, ...both];
    const answers = await Promise.all(bases.map((base) => flow.ask(given, "/oauth/token", base)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    // Even that token does not work: several callers had the code.
    const token = answers.find(({ status }) => status === 200)?.body.access_token;
    if (typeof token === "string") expect((await flow.call("/user/profile", token)).status).toBe(401);
  });

  const faults: [string, Record<string, string>, number, string][] = [
    ["another redirect address", { redirect_uri: `${REDIRECT}/` }, 400, "invalid_grant"],
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["an unknown client", { client_id: "nobody" }, 401, "invalid_client"],
    ["another verifier", { code_verifier: "v".repeat(43) }, 400, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, 400, "invalid_grant"],
    ["an unknown code", { code: "unknown" }, 400, "invalid_grant"],
    ["another grant type", { grant_type: "implicit" }, 400, "unsupported_grant_type"],
    ["a password", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["client credentials alone", { grant_type: "client_credentials" }, 400, "unsupported_grant_type"],
  ];
  it.each(faults)("%s", async (_what, change, status, error) => {
    const { back, checks } = await flow.authorise(await flow.discover());
    const code = back.searchParams.get("code") ?? "";
    const verifier = { code_verifier: checks.pkceCodeVerifier ?? "" };
    const given = {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT,
      ...flow.credentials(),
      ...verifier,
    };
    expect(await flow.ask({ ...given, ...change })).toMatchObject({ status, body: { error } });
  });

  it("a client that sends a verifier in place of its secret", async () => {
    const { back, checks } = await flow.authorise(await flow.discover());
    const code = back.searchParams.get("code") ?? "";
    const given = { grant_type: "authorization_code", code, client_id: flow.app.id };
    const answer = await flow.ask({ ...given, code_verifier: checks.pkceCodeVerifier ?? "" });
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  it("another client's code", async () => {
    const other = await addTestClient(flow.first.stores, { name: "Other" });
    const given = { ...(await flow.getCode()), client_id: other.id, client_secret: other.secret };
    expect(await flow.ask(given)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it("an expired code", async () => {
    const given = await flow.getCode();
    const expires_at = new Date(Date.now() - 1).toISOString();
    await flow.first.stores.mongo.documents.amend(TOKENS, [{ _id: hashSecret(given.code), expires_at }]);
    expect(await flow.ask(given)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it("a repeated parameter", async () => {
    const body = new URLSearchParams([
      ["grant_type", "refresh_token"],
      ["grant_type", "refresh_token"],
    ]);
    const answer = await fetch(`${flow.first.base}/oauth/token`, { method: "POST", body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });

  it("a body that is no form, and says so, unless the parameters are in the query", async () => {
    const { refresh_token = "" } = await flow.getTokens(await flow.discover());
    const given = { grant_type: "refresh_token", refresh_token, ...flow.credentials() };
    const send = async (init: RequestInit, query: Record<string, string> = {}) => {
      const address = `${flow.first.base}/oauth2/token?${new URLSearchParams(query).toString()}`;
      const answer = await fetch(address, { method: "POST", ...init });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const form = new FormData();
    for (const [name, value] of Object.entries(given)) form.set(name, value);
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(given) };
    for (const init of [json, { body: form }, { body: new URLSearchParams(given).toString() }])
      expect(await send(init)).toEqual({
        status: 400,
        body: {
          error: "invalid_request",
          error_description: "The body must be of the type application/x-www-form-urlencoded",
        },
      });
    expect((await send(json, given)).status).toBe(200);
  });
});
