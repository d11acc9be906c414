/** OAuth 2.0 requests refused as late: the code or sign-in that they sent still works at the next attempt. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { SIGN_INS } from "../../api/shared/access/sign-ins.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { openFlow, type Flow } from "../support/oauth-flow.ts";
import { Browser, EMAIL, PASSWORD, REDIRECT, startProcess, type Process } from "../support/oauth.ts";

let flow: Flow;
let late: Process;
let release: () => void;
let held: Promise<void>;

/** Stores in which lookups of people wait until the test releases them. */
function withHeldPeople(stores: Stores): Stores {
  const { documents } = stores.mongo;
  const fetch: typeof documents.fetch = async (collection, id) => {
    if (collection === "people") await held;
    return documents.fetch(collection, id);
  };
  const list: typeof documents.list = async (...asked) => {
    if (asked[0] === "people") await held;
    return documents.list(...asked);
  };
  return { ...stores, mongo: { ...stores.mongo, documents: { ...documents, fetch, list } } };
}

beforeAll(async () => {
  flow = await openFlow();
  const settings = { PUBLIC_URL: flow.first.base, REQUEST_TIMEOUT_MS: 500 };
  late = await startProcess(flow.config, settings, { alter: withHeldPeople });
});
beforeEach(() => {
  held = new Promise((resolve) => (release = resolve));
});
afterEach(() => release());
afterAll(async () => {
  await late.close();
  await flow.close();
});

describe("a late request", () => {
  it("does not use up its code", async () => {
    const { back } = await flow.authorise(await flow.discover(), {}, false);
    const code = back.searchParams.get("code") ?? "";
    const given = { grant_type: "authorization_code", code, ...flow.credentials() };
    const first = await flow.ask(given, "/oauth/token", late.base);
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, "2"]);
    // The late request may still be running: let it finish what it can.
    release();
    const second = await flow.ask(given);
    expect(second.status).toBe(200);
    expect((await flow.call("/user/profile", String(second.body.access_token))).status).toBe(200);
  });

  it("does not end the sign-in", async () => {
    const browser = await openSignIn(flow.first);
    const consent = await browser.send({ email: EMAIL, password: PASSWORD });
    const ask = async (base: string) => {
      browser.page = { ...consent, url: consent.url.replace(flow.first.base, base) };
      return browser.send({ decision: "grant" }, { origin: flow.first.base });
    };
    expect((await ask(late.base)).status).toBe(503);
    release();
    expect(new URL((await ask(flow.first.base)).url).searchParams.get("code")).toMatch(/./);
  });

  it("signs nobody in, and shows a page that says so", async () => {
    const browser = await openSignIn(late);
    const countSignIns = async () => (await flow.first.stores.mongo.documents.fetchAll(SIGN_INS, {})).length;
    const before = await countSignIns();
    expect(
      await browser.send({ email: EMAIL, password: PASSWORD }, { origin: flow.first.base }),
    ).toMatchObject({ status: 503, title: "The register is not available" });
    release();
    // Leave the late request time to finish what it can.
    await setTimeout(300);
    expect(await countSignIns()).toBe(before);
  });
});

/** Opens a browser on this process's sign-in page. */
async function openSignIn({ base }: Process): Promise<Browser> {
  const browser = new Browser();
  const asked = { response_type: "code", client_id: flow.app.id, redirect_uri: REDIRECT, scope: flow.scope };
  await browser.open(`${base}/oauth2/authorise?${new URLSearchParams(asked).toString()}`);
  return browser;
}
