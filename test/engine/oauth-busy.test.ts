/** OAuth 2.0 on a busy register: late requests use nothing up, and many at once leave connections to others. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { SIGN_INS } from "../../api/shared/access/sign-ins.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { CONNECTIONS } from "../../api/shared/stores/mongodb/client.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openFlow } from "../support/oauth-flow.ts";
import { Browser, EMAIL, PASSWORD, startProcess, type Process } from "../support/oauth.ts";

const flow = forAllTests(openFlow);

/** Starts a process whose lookups of people each wait for `wait`. */
function startWaiting(wait: () => Promise<void>, settings: { REQUEST_TIMEOUT_MS?: number } = {}) {
  const alter = (stores: Stores): Stores => {
    const { documents } = stores.mongo;
    const fetch: typeof documents.fetch = async (collection, id) => {
      if (collection === "people") await wait();
      return documents.fetch(collection, id);
    };
    const list: typeof documents.list = async (...asked) => {
      if (asked[0] === "people") await wait();
      return documents.list(...asked);
    };
    return { ...stores, mongo: { ...stores.mongo, documents: { ...documents, fetch, list } } };
  };
  return startProcess(flow.config, { PUBLIC_URL: flow.first.base, ...settings }, { alter });
}

describe("a late request", () => {
  let late: Process;
  let release: () => void;
  let isReleased: Promise<void>;
  beforeAll(async () => {
    late = await startWaiting(() => isReleased, { REQUEST_TIMEOUT_MS: 500 });
  });
  beforeEach(() => {
    isReleased = new Promise((resolve) => (release = resolve));
  });
  afterEach(() => release());
  afterAll(() => late.close());

  it("does not use up its code", async () => {
    const given = await flow.getCode();
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
    await sleep(300);
    expect(await countSignIns()).toBe(before);
  });

  /** Opens a browser on this process's sign-in page. */
  async function openSignIn({ base }: Process): Promise<Browser> {
    const browser = new Browser();
    await browser.open(flow.addressOf({ response_type: "code" }, base));
    return browser;
  }
});

describe("many requests of one web server at once", () => {
  let crowded: Process;
  let running = 0;
  let most = 0;
  beforeAll(async () => {
    // Each lookup lasts long enough to overlap the others.
    crowded = await startWaiting(async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(100);
      running -= 1;
    });
  });
  afterAll(() => crowded.close());

  it.each(["/oauth/token", "/oauth2/token", "/user/profile"])(
    "leave at least half of the connections to others: %s",
    async (path) => {
      most = 0;
      const { access_token, refresh_token = "" } = await flow.getTokens(await flow.discover());
      const given = { grant_type: "refresh_token", refresh_token, ...flow.credentials() };
      const ask = () =>
        path.endsWith("token")
          ? flow.ask(given, path, crowded.base)
          : flow.call(path, access_token, crowded.base);
      const answers = await Promise.all(Array.from({ length: 2 * CONNECTIONS }, ask));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(CONNECTIONS / 2);
    },
  );
});
