/** The log contains no secret: no key, token, password or code, right or wrong, whatever becomes of the request. */
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { Writable } from "node:stream";
import { hashSecret } from "../../api/shared/access/secrets.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { storeKey } from "../../api/shared/access/api-keys.ts";
import { addTestKey } from "../support/keys.ts";
import {
  Browser,
  CODE,
  COMPANY,
  EMAIL,
  addTestClient,
  addTestPerson,
  PASSWORD,
  REDIRECT,
  startProcess,
  type TestClient,
  type Process,
} from "../support/oauth.ts";
import { basic, testConfig } from "../support/register.ts";
import { openStreams } from "../support/streams.ts";
import { waitUntil } from "../support/wait-until.ts";

const KEY = "key-of-an-application";
const WRONG = "secret-of-nobody";
// Below `/reconcile/key/` the path has the key, even where somebody mistypes it.
const RECONCILE_PATHS = [
  ...["/reconcile/key/KEY", "/reconcile/key/KEY/nowhere", "/reconcile/key/KEY/%E0", "/Reconcile/key/KEY"],
  ...["//reconcile/key/KEY", "/reconcile/key/)KEY", "/reconcile//key/KEY", "/reconcile/key//KEY"],
  ...["/prefix/reconcile/key/KEY", "/reconcile/key/a/reconcile/key/KEY"],
];

const lines: string[] = [];
const sink = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
const log = createLogger("trace", "api", sink);
const config = testConfig({ PAGES: "key" });
let api: Process;
let client: TestClient;

beforeAll(async () => {
  api = await startProcess(config, {}, { log });
  client = await addTestClient(api.stores, { name: "Billing" });
  await addTestPerson(api.stores, EMAIL);
  const { application } = await addTestKey(api.stores.mongo.documents, KEY, { name: "reader" });
  await storeKey(api.stores.mongo.documents, `stream-${KEY}`, { application, kind: "stream" }, new Date());
});
beforeEach(() => void lines.splice(0));
afterAll(async () => {
  await api.stores.mongo.dropDatabase();
  await api.close();
});

async function ask(path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(api.base + path, { redirect: "manual", ...init });
  const text = await answer.text();
  return text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** Expects these words in the log, and none of these secrets, neither as they are nor URL-encoded or in base64. */
async function expectLog(words: readonly string[], secrets: readonly string[]): Promise<void> {
  // A line is logged after its answer has been sent.
  const areLogged = () => Promise.resolve(words.every((word) => lines.join("").includes(word)));
  await waitUntil(areLogged, words.join(", "));
  const text = lines.join("");
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    ...["", ":"].map((end) => Buffer.from(secret + end).toString("base64")),
  ]);
  expect(forms.filter((form) => form === "" || text.includes(form))).toEqual([]);
}

it("leaves out a key in a header, a cookie or an address", async () => {
  for (const key of [KEY, WRONG]) {
    for (const path of ["/company/99999999", "/search/companies", "/nothing", "/%E0"])
      for (const headers of [basic(key), { authorization: key }, { api_key: key }])
        await ask(path, { headers });
    await ask(`/search/companies?q=a&api_key=${key}`);
    await ask("/reconcile", {
      method: "POST",
      headers: basic(key),
      body: new URLSearchParams({ queries: "{" }),
    });
    await ask(`/reconcile/key/${key}/suggest/type?prefix=a`);
    for (const path of RECONCILE_PATHS) await ask(path.replace("KEY", key));
    await ask("/pages/search?q=a", {
      headers: { cookie: `register-key=${Buffer.from(key).toString("base64url")}` },
    });
    await ask("/pages/key", { method: "POST", body: new URLSearchParams({ key, to: "/" }) });
  }
  expect(lines.length).toBeGreaterThan(30);
  await expectLog(
    ['"caller":"reader"', '"status":401', '"status":404', "reconcile-suggest-type"],
    [KEY, WRONG],
  );
});

it("leaves out a stream key", async () => {
  const { stores } = api;
  const streams = await openStreams({ config, stores } as Parameters<typeof openStreams>[0], { log });
  for (const key of [`stream-${KEY}`, WRONG]) {
    const reading = new AbortController();
    const { signal } = reading;
    await fetch(`${streams.base}/companies?timepoint=0&key=${key}`, { headers: basic(key), signal });
    reading.abort();
  }
  await streams.close();
  await expectLog(['"route":"stream companies"'], [KEY, WRONG]);
});

it("leaves out passwords, a company's code, and all secrets of the OAuth 2.0 flow", async () => {
  const browser = new Browser();
  const scope = `${api.base}/search.read company/${COMPANY}/company.read`;
  const asked = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: REDIRECT,
    scope,
    state: "a-state",
  };
  await browser.open(`${api.base}/oauth2/authorise?${new URLSearchParams(asked).toString()}`);
  await browser.send({ email: EMAIL, password: WRONG });
  const { url } = await browser.send({ email: EMAIL, password: PASSWORD });
  await browser.send({ code: "WRONGWRONG" });
  await browser.send({ code: CODE });
  const back = new URL((await browser.send({ decision: "grant" })).url);
  const code = back.searchParams.get("code") ?? "";
  const credentials = { client_id: client.id, client_secret: client.secret };
  const inForm = (given: Record<string, string>) =>
    ask("/oauth/token", { method: "POST", body: new URLSearchParams(given) });
  const inQuery = (given: Record<string, string>, headers = {}) =>
    ask(`/oauth2/token?${new URLSearchParams(given).toString()}`, { method: "POST", headers });
  await inForm({ grant_type: "authorization_code", code: WRONG, ...credentials });
  const first = await inQuery({ grant_type: "authorization_code", code, ...credentials });
  const refresh = { grant_type: "refresh_token", refresh_token: String(first.refresh_token) };
  const [id, secret] = [client.id, client.secret];
  const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
  const second = await inQuery(refresh, headers);
  const tokens = [first.access_token, first.refresh_token, second.access_token].map(String);
  for (const token of [...tokens, WRONG]) {
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    for (const path of ["/oauth/verify", "/user/profile", "/search/companies?q=a"]) await ask(path, bearer);
    await ask(`/oauth2/verify?access_token=${token}`);
  }
  await ask(`/oauth2/revoke?${new URLSearchParams({ token: WRONG, ...credentials }).toString()}`, {
    method: "POST",
  });
  // The code is used a second time, which ends the grant.
  await inForm({ grant_type: "authorization_code", code, ...credentials });
  const signIn = new URL(url).searchParams.get("sign_in") ?? "";
  const cookies = [...browser.cookies.values()];
  for (const one of [code, signIn, ...tokens, ...cookies]) expect(one).toMatch(/^[\w-]{40,}$/);
  const logged = ["sign-in refused", "company code refused", "grant ended", '"path":"/oauth2/token"'];
  await expectLog(logged, [
    ...[PASSWORD, WRONG, CODE, CODE.replace("-", ""), "WRONGWRONG", "a-state", code, secret, signIn],
    ...tokens,
    ...cookies,
    // Nor the hashes under which secrets are stored.
    ...[code, ...tokens].map(hashSecret),
  ]);
});

it("redacts fields named as a key or an authorization", async () => {
  const named = { authorization: WRONG, key: WRONG };
  log.child(named).info({ ...named, headers: named, other: named }, "a line");
  await expectLog(["a line"], [WRONG]);
});
