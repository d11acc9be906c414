/** The OAuth 2.0 authorisation code flow over two API processes, with openid-client as the client. */
import * as openid from "openid-client";
import {
  Browser,
  EMAIL,
  REDIRECT,
  addTestClient,
  addTestPerson,
  startProcess,
  type TestClient,
  type Process,
} from "./oauth.ts";
import { testConfig } from "./register.ts";

/** An answer of the API or the token endpoint. */
interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Starts two API processes over the same stores, with a client and a person. */
export async function openFlow() {
  const config = testConfig();
  // In production both are behind one address; here both use the address of the first.
  const first = await startProcess(config);
  const second = await startProcess(config, { PUBLIC_URL: first.base });
  const app = await addTestClient(first.stores, { name: "Billing" });
  const personId = (await addTestPerson(first.stores, EMAIL))._id;
  const scopeOf = (...names: string[]) => names.map((name) => `${first.base}/${name}`).join(" ");
  const scope = scopeOf("search.read", "user/profile.read");
  const authorise = openAuthorise(scope);
  const credentials = () => ({ client_id: app.id, client_secret: app.secret });
  return {
    ...{ config, first, second, app, personId, scope, scopeOf, authorise },
    discover: (auth?: openid.ClientAuth, client = app) => discover(first, client, auth),
    credentials,
    /** The address at which a process asks the person for access, by default to all that `scope` names. */
    addressOf: (changes: Record<string, string> = {}, base = first.base) => {
      const asked = { client_id: app.id, redirect_uri: REDIRECT, scope, ...changes };
      return `${base}/oauth2/authorise?${new URLSearchParams(asked).toString()}`;
    },
    /** A new code, without PKCE, with the other parameters that exchange it for tokens. */
    getCode: async () => {
      const { back } = await authorise(await discover(first, app), {}, false);
      const code = back.searchParams.get("code") ?? "";
      return { grant_type: "authorization_code", code, ...credentials() };
    },
    getTokens: async (client: openid.Configuration, parameters: Record<string, string> = {}) => {
      const { back, checks } = await authorise(client, parameters);
      return openid.authorizationCodeGrant(client, back, checks);
    },
    call: (path: string, token: string, base = first.base) =>
      send(base + path, { headers: { authorization: `Bearer ${token}` } }),
    /** Calls the token endpoint directly, without the checks of openid-client. */
    ask: (parameters: Record<string, string>, path = "/oauth/token", base = first.base) =>
      send(base + path, { method: "POST", body: new URLSearchParams(parameters) }),
    close: async () => {
      await first.stores.mongo.dropDatabase();
      await first.close();
      await second.close();
    },
  };
}

function discover({ base }: Process, { id, secret }: TestClient, auth = openid.ClientSecretPost(secret)) {
  const execute = [openid.allowInsecureRequests];
  return openid.discovery(new URL(base), id, secret, auth, { algorithm: "oauth2", execute });
}

/** Goes through the flow up to the redirect to the client; returns that address, and what the client checks it with. */
function openAuthorise(scope: string) {
  return async (client: openid.Configuration, parameters: Record<string, string> = {}, isPkce = true) => {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const challenge = {
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    };
    const usual = { redirect_uri: REDIRECT, scope, state: expectedState, ...(isPkce && challenge) };
    const url = openid.buildAuthorizationUrl(client, { ...usual, ...parameters });
    const back = await new Browser().grant(url, EMAIL);
    return { back, checks: { expectedState, ...(isPkce && { pkceCodeVerifier }) } };
  };
}

async function send(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: answer.status, headers: answer.headers, body };
}
