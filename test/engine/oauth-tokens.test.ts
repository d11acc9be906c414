/** OAuth 2.0 access and refresh tokens across several API processes: what they allow, how long, and what ends them. */
import { describe, expect, it } from "@jest/globals";
import * as openid from "openid-client";
import { fetchToken, GRANTS, revokeGrant, TOKENS, type StoredToken } from "../../api/shared/access/grants.ts";
import { people } from "../../api/shared/access/people.ts";
import { SIGN_INS } from "../../api/shared/access/sign-ins.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openFlow } from "../support/oauth-flow.ts";
import { addTestClient, startProcess } from "../support/oauth.ts";
import { waitUntil } from "../support/wait-until.ts";

const flow = forAllTests(openFlow);

/** The stored refresh token with its grant. */
async function storedOf(refreshToken: string): Promise<StoredToken> {
  const stored = await fetchToken(flow.first.stores.mongo.documents, "refresh", refreshToken);
  if (!stored) throw new Error("there is no such token");
  return stored;
}

/** Makes a refresh token and its grant expire this long from now. */
async function endIn(refreshToken: string, milliseconds: number): Promise<void> {
  const { documents } = flow.first.stores.mongo;
  const { token, grant } = await storedOf(refreshToken);
  const expires_at = new Date(Date.now() + milliseconds).toISOString();
  await documents.amend(TOKENS, [{ _id: token._id, expires_at }]);
  await documents.amend(GRANTS, [{ _id: grant._id, expires_at }]);
}

describe("a refresh token", () => {
  it("stays the same when used, and so do the access tokens issued from it", async () => {
    const client = await flow.discover();
    const { access_token, refresh_token = "" } = await flow.getTokens(client);
    const issued = [access_token];
    for (let time = 1; time <= 3; time += 1) {
      const answer = await openid.refreshTokenGrant(client, refresh_token);
      expect(Object.keys(answer).sort()).toEqual(["access_token", "expires_in", "token_type"]);
      issued.push(answer.access_token);
    }
    expect(new Set(issued).size).toBe(4);
    for (const token of issued) expect((await flow.call("/user/profile", token)).status).toBe(200);
  });

  it("is refused without its client's secret, the only protection against theft", async () => {
    const { refresh_token = "" } = await flow.getTokens(await flow.discover());
    const given = { grant_type: "refresh_token", refresh_token, client_id: flow.app.id };
    const thefts = [{}, { client_secret: "wrong" }, { code_verifier: "v".repeat(43) }];
    for (const theft of thefts)
      expect(await flow.ask({ ...given, ...theft })).toMatchObject({
        status: 401,
        body: { error: "invalid_client" },
      });
  });

  // Compat: the original's SDK sends the expired token, or its key, with every call.
  it.each([
    ["an access token", (token: string) => `Bearer ${token}`],
    ["an API key", () => "a-key-of-the-api"],
    ["an API key by HTTP Basic", () => `Basic ${btoa("a-key-of-the-api:")}`],
    ["an API key with a password by HTTP Basic", () => `Basic ${btoa("a-key-of-the-api:x")}`],
    ["HTTP Basic that cannot be read", () => `Basic ${btoa("%:%")}`],
  ])(
    "is exchanged for the client that the parameters name, whatever the header has: %s",
    async (_what, headerOf) => {
      const { access_token, refresh_token = "" } = await flow.getTokens(await flow.discover());
      const refresh = async (change: Record<string, string>) => {
        const given = { grant_type: "refresh_token", refresh_token, ...flow.credentials(), ...change };
        const [query, headers] = [new URLSearchParams(given), { authorization: headerOf(access_token) }];
        const address = `${flow.first.base}/oauth2/token`;
        const answers = [
          await fetch(`${address}?${query.toString()}`, { method: "POST", headers }),
          await fetch(address, { method: "POST", headers, body: query }),
        ];
        return answers.map(({ status }) => status);
      };
      expect(await refresh({})).toEqual([200, 200]);
      expect(await refresh({ client_secret: "wrong" })).toEqual([401, 401]);
      expect(await refresh({ client_secret: "" })).toEqual([401, 401]);
      expect(await refresh({ client_id: "", client_secret: "" })).toEqual([401, 401]);
    },
  );

  it("is exchanged for a client by HTTP Basic that also names itself in the form", async () => {
    const { refresh_token = "" } = await flow.getTokens(await flow.discover());
    const { client_id, client_secret } = flow.credentials();
    const answer = await fetch(`${flow.first.base}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id }),
    });
    expect(answer.status).toBe(200);
  });

  it("is refused in every process once its grant has ended", async () => {
    const { refresh_token = "" } = await flow.getTokens(await flow.discover());
    const given = { grant_type: "refresh_token", refresh_token, ...flow.credentials() };
    expect((await flow.ask(given)).status).toBe(200);
    await revokeGrant(flow.first.stores.mongo.documents, (await storedOf(refresh_token)).grant._id);
    for (const { base } of [flow.first, flow.second])
      expect(await flow.ask(given, "/oauth/token", base)).toMatchObject({
        status: 400,
        body: { error: "invalid_grant" },
      });
  });

  it("is refused after it has expired", async () => {
    const client = await flow.discover();
    const { refresh_token = "" } = await flow.getTokens(client);
    await endIn(refresh_token, -1);
    await expect(openid.refreshTokenGrant(client, refresh_token)).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  it("renews its own and its grant's expiry with each use", async () => {
    const client = await flow.discover();
    const { refresh_token = "" } = await flow.getTokens(client);
    await endIn(refresh_token, 600_000);
    await openid.refreshTokenGrant(client, refresh_token);
    const { token, grant } = await storedOf(refresh_token);
    for (const { expires_at } of [token, grant])
      expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 89 * 86_400_000);
  });

  it("may request a smaller scope for one access token, and no larger one", async () => {
    const client = await flow.discover();
    const { refresh_token = "" } = await flow.getTokens(client);
    for (const scope of [flow.scopeOf("company.read"), "openid", "http://former.example/company.read"])
      await expect(openid.refreshTokenGrant(client, refresh_token, { scope })).rejects.toMatchObject({
        error: "invalid_scope",
      });
    const less = await openid.refreshTokenGrant(client, refresh_token, {
      scope: flow.scopeOf("search.read"),
    });
    const refused = await flow.call("/user/profile", less.access_token);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      'Bearer error="insufficient_scope"',
    ]);
    const all = await openid.refreshTokenGrant(client, refresh_token);
    expect((await flow.call("/user/profile", all.access_token)).status).toBe(200);
  });

  it("ends together with its grant when the person is removed", async () => {
    const { documents } = flow.first.stores.mongo;
    const client = await flow.discover();
    const { refresh_token = "" } = await flow.getTokens(client);
    const { _id, person } = (await storedOf(refresh_token)).grant;
    const [kept] = await people.fetchAll(documents, { _id: person });
    await people.remove(documents, { _id: person });
    await expect(openid.refreshTokenGrant(client, refresh_token)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    expect(await documents.fetch(GRANTS, _id)).toBeNull();
    if (kept) await people.put(documents, kept);
  });

  it("may expire before its access token, for which the grant then stays", async () => {
    const settings = { PUBLIC_URL: flow.first.base, REFRESH_TOKEN_SECONDS: 1, ACCESS_TOKEN_SECONDS: 60 };
    const brief = await startProcess(flow.config, settings);
    const { body } = await flow.ask(await flow.getCode(), "/oauth/token", brief.base);
    const { expires_at } = (await storedOf(String(body.refresh_token))).grant;
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 30_000);
    await brief.close();
  });

  it("is refused to another client", async () => {
    const other = await addTestClient(flow.first.stores, { name: "Thief" });
    const client = await flow.discover();
    const { refresh_token = "" } = await flow.getTokens(client);
    const given = {
      grant_type: "refresh_token",
      refresh_token,
      client_id: other.id,
      client_secret: other.secret,
    };
    expect(await flow.ask(given)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await openid.refreshTokenGrant(client, refresh_token)).access_token).toBeDefined();
  });
});

describe("an access token", () => {
  it("is verified at both paths, as a parameter or as a bearer token", async () => {
    const { access_token } = await flow.getTokens(await flow.discover());
    const tokenFacts = {
      ...{ application: "Billing", client_id: flow.app.id, user_id: flow.personId, scope: flow.scope },
      expires_in: expect.any(Number),
    };
    expect((await flow.call("/oauth/verify", access_token)).body).toEqual(tokenFacts);
    const answer = await fetch(`${flow.second.base}/oauth2/verify?access_token=${access_token}`);
    expect(await answer.json()).toEqual(tokenFacts);
  });

  it("is verified as a parameter together with an API key, but not with another token", async () => {
    const { access_token } = await flow.getTokens(await flow.discover());
    const verify = async (authorization: string) => {
      const address = `${flow.first.base}/oauth/verify?access_token=${access_token}`;
      return (await fetch(address, { headers: { authorization } })).status;
    };
    expect(await verify(`Basic ${btoa("a-key-of-the-api:")}`)).toBe(200);
    expect(await verify("a-key-of-the-api")).toBe(200);
    expect(await verify(`Bearer ${access_token}`)).toBe(400);
  });

  it.each([
    ["/oauth/verify", 400, "invalid_request"],
    ["/oauth/verify?access_token=unknown", 401, "invalid_token"],
    ["/oauth2/verify?access_token=a&access_token=b", 400, "invalid_request"],
  ])("fails verification by %s: %i", async (path, status, error) => {
    const answer = await fetch(flow.first.base + path);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error }]);
  });

  it("counts against its application's limit, across all processes", async () => {
    const limited = await addTestClient(flow.first.stores, { name: "Limited", limit: 3 });
    const client = await flow.discover(undefined, limited);
    const { access_token } = await flow.getTokens(client);
    const now = new Date();
    // A fixed moment: otherwise the window of counted calls could end during the test.
    const start = () => startProcess(flow.config, {}, { clock: () => now });
    const [one, other] = [await start(), await start()];
    const remains = [];
    for (const { base } of [one, other, one, other]) {
      const { status, headers } = await flow.call("/search/companies", access_token, base);
      remains.push([status, headers.get("x-ratelimit-remain")]);
    }
    for (const process of [one, other]) await process.close();
    expect(remains).toEqual([
      [400, "2"],
      [400, "1"],
      [400, "0"],
      [429, "0"],
    ]);
  });

  it("that has expired is refused with the header that RFC 6750 demands", async () => {
    let passedMs = 0;
    const settings = { PUBLIC_URL: flow.first.base, ACCESS_TOKEN_SECONDS: 600, REFRESH_TOKEN_SECONDS: 3_600 };
    const clock = () => new Date(Date.now() + passedMs);
    const brief = await startProcess(flow.config, settings, { clock });
    const { body } = await flow.ask(await flow.getCode(), "/oauth/token", brief.base);
    const token = String(body.access_token);
    const ask = (path: string) => flow.call(path, token, brief.base);
    expect((await ask("/user/profile")).status).toBe(200);
    passedMs = 600_000;
    const late = await ask("/user/profile");
    expect([late.status, late.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    expect((await ask("/oauth/verify")).status).toBe(401);
    await brief.close();
  });

  it("stays valid after its process has ended", async () => {
    const process = await startProcess(flow.config, { PUBLIC_URL: flow.first.base });
    const { body } = await flow.ask(await flow.getCode(), "/oauth/token", process.base);
    await process.close();
    const next = await startProcess(flow.config, { PUBLIC_URL: flow.first.base });
    expect((await flow.call("/user/profile", String(body.access_token), next.base)).status).toBe(200);
    const refresh = {
      grant_type: "refresh_token",
      refresh_token: String(body.refresh_token),
      ...flow.credentials(),
    };
    expect((await flow.ask(refresh, "/oauth/token", next.base)).status).toBe(200);
    await next.close();
  });
});

it("what has expired is removed from the store at a later request, and nothing else", async () => {
  const { documents } = flow.first.stores.mongo;
  const { refresh_token = "" } = await flow.getTokens(await flow.discover());
  // With its sign-in, and a grant that lasts as long as the code.
  await flow.getCode();
  const moment = new Date(Date.now() + 1_800_000);
  const findExpired = async () => {
    const found = [TOKENS, GRANTS, SIGN_INS].map((name) => documents.fetchAll(name, {}));
    return (await Promise.all(found)).map((all) =>
      all.filter(({ expires_at }) => String(expires_at) < moment.toISOString()),
    );
  };
  expect(await findExpired()).not.toContainEqual([]);
  const process = await startProcess(flow.config, {}, { clock: () => moment });
  await fetch(`${process.base}/oauth2/verify`);
  await waitUntil(async () => (await findExpired()).flat().length === 0, "the removal");
  await process.close();
  expect(await storedOf(refresh_token)).toBeDefined();
});
