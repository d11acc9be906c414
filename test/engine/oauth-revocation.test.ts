/** Token revocation (RFC 7009) across several API processes: what a client can end, and what it cannot. */
import { describe, expect, it } from "@jest/globals";
import * as openid from "openid-client";
import { fetchAudit } from "../../api/shared/access/audit.ts";
import { fetchGrants } from "../../api/shared/access/grants.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openFlow } from "../support/oauth-flow.ts";
import { addTestClient, startProcess } from "../support/oauth.ts";

// How long a process trusts a token that it has looked up; see scripts/docs/oauth.md.
const TRUSTED_MS = 5_000;

const flow = forAllTests(openFlow);

const revoke = (parameters: Record<string, string>, path = "/oauth2/revoke") => flow.ask(parameters, path);

async function getTokens() {
  const client = await flow.discover();
  const { access_token: access, refresh_token: refresh = "" } = await flow.getTokens(client);
  return { client, access, refresh };
}

const profileWith = async (token: string) => (await flow.call("/user/profile", token)).status;

describe("a client's revocation", () => {
  it("of its refresh token ends the grant, with every access token issued from it", async () => {
    const { client, access, refresh } = await getTokens();
    const { access_token: second } = await openid.refreshTokenGrant(client, refresh);
    const { documents } = flow.first.stores.mongo;
    const before = await fetchGrants(documents, new Date());
    await openid.tokenRevocation(client, refresh);
    expect(await fetchGrants(documents, new Date())).toHaveLength(before.length - 1);
    for (const token of [access, second]) expect(await profileWith(token)).toBe(401);
    await expect(openid.refreshTokenGrant(client, refresh)).rejects.toMatchObject({ error: "invalid_grant" });
    const [line] = await fetchAudit(documents, 1);
    expect(line).toMatchObject({ action: "grant revoked", by: `client ${flow.app.id}` });
  });

  it("of an access token ends only that one", async () => {
    const { client, access, refresh } = await getTokens();
    await openid.tokenRevocation(client, access);
    expect(await profileWith(access)).toBe(401);
    const { access_token: next } = await openid.refreshTokenGrant(client, refresh);
    expect(await profileWith(next)).toBe(200);
  });

  it("takes effect in every process within five seconds, even where the token was just used", async () => {
    let now = Date.now();
    const clock = () => new Date(now);
    const other = await startProcess(flow.config, { PUBLIC_URL: flow.first.base }, { clock });
    const { client, access, refresh } = await getTokens();
    const ask = async () => (await flow.call("/user/profile", access, other.base)).status;
    expect(await ask()).toBe(200);
    await openid.tokenRevocation(client, refresh);
    now += TRUSTED_MS + 1;
    expect(await ask()).toBe(401);
    await other.close();
  });

  it.each(["/oauth/revoke", "/oauth2/revoke"])("also accepts the client by HTTP Basic: %s", async (path) => {
    const { access, refresh } = await getTokens();
    const { id, secret } = flow.app;
    const { status } = await fetch(flow.first.base + path, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ token: refresh }),
    });
    expect([status, await profileWith(access)]).toEqual([200, 401]);
  });

  it.each([
    ["of an unknown token", { token: "unknown" }],
    ["with an unknown hint", { token: "unknown", token_type_hint: "any" }],
  ])("%s gets the same answer", async (_what, given) => {
    const { status, body, headers } = await revoke({ ...given, ...flow.credentials() });
    expect([status, body, headers.get("cache-control")]).toEqual([200, {}, "no-store"]);
  });

  it("ends a token of another kind than its hint says", async () => {
    const { access, refresh } = await getTokens();
    await revoke({ token: refresh, token_type_hint: "access_token", ...flow.credentials() });
    expect(await profileWith(access)).toBe(401);
  });

  it("of the same token twice gets the same answer", async () => {
    const { refresh } = await getTokens();
    const given = { token: refresh, ...flow.credentials() };
    expect([(await revoke(given)).status, (await revoke(given)).status]).toEqual([200, 200]);
  });
});

describe("revocation is refused", () => {
  it.each([
    ["a wrong secret", { client_secret: "wrong" }],
    ["no secret", { client_secret: "" }],
    ["an unknown client", { client_id: "nobody" }],
    ["no client", { client_id: "", client_secret: "" }],
  ])("with %s, and ends nothing", async (_what, change) => {
    const { access, refresh } = await getTokens();
    const answer = await revoke({ token: refresh, ...flow.credentials(), ...change });
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="oauth"');
    expect(await profileWith(access)).toBe(200);
  });

  it("to another client, which ends nothing", async () => {
    const { id: client_id, secret: client_secret } = await addTestClient(flow.first.stores, {
      name: "Other",
    });
    const { access, refresh } = await getTokens();
    for (const token of [access, refresh])
      expect(await revoke({ token, client_id, client_secret })).toMatchObject({
        status: 400,
        body: { error: "invalid_grant" },
      });
    expect(await profileWith(access)).toBe(200);
  });

  it("without a token, and with a body of another type", async () => {
    const invalid = { status: 400, body: { error: "invalid_request" } };
    expect(await revoke(flow.credentials())).toMatchObject(invalid);
    const { status } = await fetch(`${flow.first.base}/oauth2/revoke`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: "a", ...flow.credentials() }),
    });
    expect(status).toBe(400);
  });
});
