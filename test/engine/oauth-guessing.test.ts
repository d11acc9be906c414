/** Limits on guessing passwords, companies' codes and tokens: how many wrong ones are checked; right ones never count. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { scrypt, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import type { Stores } from "../../api/shared/stores/index.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openPages } from "../support/oauth-pages.ts";
import {
  Browser,
  CODE,
  COMPANY,
  PASSWORD,
  REDIRECT,
  addTestClient,
  startProcess,
  type ShownPage,
} from "../support/oauth.ts";
import { testConfig } from "../support/register.ts";

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const SCOPE = `company/${COMPANY}/company.read`;

const pages = forAllTests(openPages);
beforeEach(() => pages.renew());

/** Sends `count` sign-ins at once, each from its own browser; returns their answers. */
async function signInAtOnce(count: number, password: string, base = pages.api.base): Promise<ShownPage[]> {
  const browsers = Array.from({ length: count }, () => new Browser());
  const address = pages.addressOf().replace(pages.api.base, base);
  await Promise.all(browsers.map((browser) => browser.open(address)));
  return Promise.all(
    browsers.map((browser) => browser.send({ email: pages.email(), password }, { origin: pages.api.base })),
  );
}

/** Counts the answers of each status and title. */
function countAnswers(shown: ShownPage[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, title } of shown)
    counts[`${status} ${title}`] = (counts[`${status} ${title}`] ?? 0) + 1;
  return counts;
}

describe("signing in", () => {
  it("refuses all passwords of a person for a quarter of an hour after ten wrong ones, from anywhere", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    for (let i = 0; i < 10; i += 1) expect((await pages.signIn(browser, `wrong ${i}`)).status).toBe(400);
    const { config, api, clock } = pages;
    const other = await startProcess(config, { PUBLIC_URL: api.base }, { clock });
    const elsewhere = new Browser();
    await elsewhere.open(pages.addressOf().replace(api.base, other.base));
    expect((await pages.signIn(elsewhere)).status).toBe(429);
    await other.close();
    pages.pass(QUARTER_MS - 1);
    expect((await pages.signIn(browser)).status).toBe(429);
    pages.pass(1);
    expect((await pages.signIn(browser)).title).toBe("Grant access");
  });

  it("accepts others from an address after one person's wrong passwords, however many were sent", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    for (let i = 0; i < 10; i += 1) expect((await pages.signIn(browser, `wrong ${i}`)).status).toBe(400);
    for (let i = 0; i < 42; i += 1) expect((await pages.signIn(browser)).status).toBe(429);
    await pages.addPerson();
    expect((await pages.signIn(browser)).title).toBe("Grant access");
  });

  it("refuses all passwords from an address after fifty wrong ones, whoever they were for", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    for (let wrong = 0; wrong < 50; wrong += 1) {
      if (wrong % 10 === 0) await pages.addPerson();
      expect((await pages.signIn(browser, "another password")).status).toBe(400);
    }
    await pages.addPerson();
    // Refused passwords do not count against the person, who may sign in from another address.
    for (let i = 0; i < 11; i += 1) expect((await pages.signIn(browser)).status).toBe(429);
    const { config, clock, api } = pages;
    const proxied = await startProcess(config, { TRUSTED_PROXIES: 1 }, { clock });
    const headers = { "x-forwarded-for": "203.0.113.7" };
    const elsewhere = new Browser();
    await elsewhere.open(pages.addressOf().replace(api.base, proxied.base), { headers });
    const given = { email: pages.email(), password: PASSWORD };
    expect((await elsewhere.send(given, headers)).title).toBe("Grant access");
    await proxied.close();
    pages.pass(QUARTER_MS);
    expect((await pages.signIn(browser)).title).toBe("Grant access");
  });
});

describe("passwords sent at once", () => {
  it("lock nobody out when they are right, however often they are sent", async () => {
    for (let time = 1; time <= 3; time += 1)
      expect(countAnswers(await signInAtOnce(14, PASSWORD))).toEqual({ "200 Grant access": 14 });
    expect((await pages.signedIn()).page?.title).toBe("Grant access");
  });

  it("are checked ten times when they are wrong, counted across all processes", async () => {
    const { config, api, clock } = pages;
    const other = await startProcess(config, { PUBLIC_URL: api.base }, { clock });
    const [here, there] = await Promise.all([
      signInAtOnce(12, "wrong"),
      signInAtOnce(12, "wrong", other.base),
    ]);
    await other.close();
    expect(countAnswers([...here, ...there])).toEqual({ "400 Sign in": 10, "429 Sign in": 14 });
    expect((await pages.signedIn()).page?.status).toBe(429);
  });
});

describe("a company's code", () => {
  it("is not accepted for an hour after ten wrong ones, even if it is right", async () => {
    const browser = await pages.signedIn({ scope: SCOPE });
    for (let i = 0; i < 10; i += 1) expect((await browser.send({ code: `WRONG${i}` })).status).toBe(400);
    expect((await browser.send({ code: CODE })).status).toBe(429);
    pages.pass(HOUR_MS - 1);
    const again = await pages.signedIn({ scope: SCOPE });
    expect((await again.send({ code: CODE })).status).toBe(429);
    pages.pass(1);
    expect((await again.send({ code: CODE })).title).toBe("Grant access");
  });

  it("is accepted from others after one person's wrong ones, however many", async () => {
    const browser = await pages.signedIn({ scope: SCOPE });
    for (let i = 0; i < 31; i += 1) await browser.send({ code: `WRONG${i}` });
    await pages.addPerson();
    expect((await (await pages.signedIn({ scope: SCOPE })).send({ code: CODE })).title).toBe("Grant access");
  });

  it("is accepted from nobody after thirty wrong ones by several people", async () => {
    for (let person = 0; person < 3; person += 1) {
      await pages.addPerson();
      const browser = await pages.signedIn({ scope: SCOPE });
      for (let i = 0; i < 10; i += 1) expect((await browser.send({ code: `WRONG${i}` })).status).toBe(400);
    }
    await pages.addPerson();
    expect((await (await pages.signedIn({ scope: SCOPE })).send({ code: CODE })).status).toBe(429);
  });

  it("never counts as a guess when it is right, even if it is sent many times at once", async () => {
    const browsers = [];
    for (let i = 0; i < 14; i += 1) browsers.push(await pages.signedIn({ scope: SCOPE }));
    const shown = await Promise.all(browsers.map((browser) => browser.send({ code: CODE })));
    expect(countAnswers(shown)).toEqual({ "200 Grant access": 14 });
  });
});

it("a password whose check takes longer than any other request may take still signs in", async () => {
  const { config, api, clock } = pages;
  const { documents } = api.stores.mongo;
  const [person] = await documents.list("people", { email: pages.email() }, 1);
  await documents.amend("people", [{ _id: String(person?._id), password: await hashSlowly(PASSWORD) }]);
  const settings = { PUBLIC_URL: api.base, REQUEST_TIMEOUT_MS: 1_000 };
  const hasty = await startProcess(config, settings, { clock });
  const shown = await signInAtOnce(1, PASSWORD, hasty.base);
  await hasty.close();
  expect(countAnswers(shown)).toEqual({ "200 Grant access": 1 });
});

it("checks beyond those that may wait are refused at once, and do not count as guesses", async () => {
  const { config, api, clock } = pages;
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const alter = (stores: Stores): Stores => {
    const { documents } = stores.mongo;
    const fetch: typeof documents.fetch = async (collection, id) => {
      if (collection === "company_codes") await isReleased;
      return documents.fetch(collection, id);
    };
    return { ...stores, mongo: { ...stores.mongo, documents: { ...documents, fetch } } };
  };
  const crowded = await startProcess(config, { PUBLIC_URL: api.base }, { clock, alter });
  const browser = await pages.signedIn({ scope: SCOPE });
  browser.page = { ...browser.page, url: browser.page?.url.replace(api.base, crowded.base) } as ShownPage;
  const origin = { origin: api.base };
  const form = browser.page;
  const sendCode = () => ((browser.page = form), browser.send({ code: CODE }, origin));
  // The first answer is a refusal: one of those for which there was no place to wait.
  const codes = Array.from({ length: 40 }, sendCode);
  const first = await Promise.race(codes);
  const refused = await signInAtOnce(11, PASSWORD, crowded.base);
  release();
  await Promise.all(codes);
  for (const { status, headers, text } of [first, ...refused]) {
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(text).toContain("Many people are signing in just now. Wait a moment, then try again.");
  }
  expect(countAnswers(refused)).toEqual({ "503 Sign in": 11 });
  expect(countAnswers(await signInAtOnce(1, PASSWORD, crowded.base))).toEqual({ "200 Grant access": 1 });
  await crowded.close();
});

it.each([
  // The sixth address is in another network.
  ["addresses of one network", (call: number) => (call < 5 ? `2001:db8::${call}` : "2001:db8:0:1::1")],
  [
    "ports of one address",
    (call: number) => (call < 5 ? `203.0.113.7:${50_000 + call}` : "203.0.113.8:50000"),
  ],
  [
    "ports of one network",
    (call: number) => (call < 5 ? `[2001:db8::1]:${50_000 + call}` : "[2001:db8:0:1::1]:50000"),
  ],
])("%s are counted as one, since a caller may have any number of them", async (_what, addressOf) => {
  const { bounded, close } = await startBounded({ TRUSTED_PROXIES: 1 });
  const guesses = [];
  for (let i = 0; i < 6; i += 1) {
    const headers = { "x-forwarded-for": addressOf(i) };
    const address = `${bounded.base}/oauth/verify?access_token=guessed`;
    guesses.push((await fetch(address, { headers })).status);
  }
  expect(guesses).toEqual([401, 401, 401, 401, 429, 401]);
  await close();
});

it("an address that calls without end is refused, with a page that says when to come back", async () => {
  const { bounded, close } = await startBounded();
  const { id } = await addTestClient(bounded.stores, { name: "Bounded" });
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: REDIRECT,
    scope: "search.read",
  }).toString();
  const shown = [];
  for (let i = 0; i < 5; i += 1) {
    shown.push(await new Browser().open(`${bounded.base}/oauth2/authorise?${query}`));
  }
  expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(shown.at(-1)?.title).toBe("Too many requests");
  expect(shown.at(-1)?.headers.get("retry-after")).toBe("300");
  // Failed calls have a count of their own, so a web server that calls correctly does not suffer from one that guesses.
  const verify = async () => (await fetch(`${bounded.base}/oauth/verify?access_token=guessed`)).status;
  const guesses = [];
  for (let i = 0; i < 5; i += 1) guesses.push(await verify());
  expect(guesses).toEqual([401, 401, 401, 401, 429]);
  await close();
});

it("a web server's false tokens and false secrets are limited by counts of their own, its exchanges never", async () => {
  const { bounded, close } = await startBounded();
  const { id: client_id, secret } = await addTestClient(bounded.stores, { name: "Bounded" });
  const given = { grant_type: "authorization_code", code: "of a stranger", token: "any", client_id };
  const send = async (path: string, client_secret: string) => {
    const body = new URLSearchParams({ ...given, client_secret });
    return (await fetch(bounded.base + path, { method: "POST", body })).status;
  };
  const paths = ["/oauth2/revoke", "/oauth/token", "/oauth/revoke", "/oauth2/token", "/oauth2/revoke"];
  const statuses: Record<string, number[]> = { verified: [], exchanged: [], guessed: [] };
  for (let i = 0; i < 5; i += 1) {
    const verified = await fetch(`${bounded.base}/oauth/verify?access_token=of-a-stranger`);
    statuses.verified?.push(verified.status);
  }
  for (let i = 0; i < 5; i += 1) statuses.exchanged?.push(await send("/oauth2/token", secret));
  // The token and the revocation endpoint share one count.
  for (const path of paths) statuses.guessed?.push(await send(path, "guessed"));
  await close();
  expect(statuses).toEqual({
    verified: [401, 401, 401, 401, 429],
    exchanged: [400, 400, 400, 400, 400],
    guessed: [401, 401, 401, 401, 429],
  });
});

/** Starts a process with a low limit for each address, on stores of its own, so that no other test's calls count. */
async function startBounded(settings: { TRUSTED_PROXIES?: number } = {}) {
  const bounded = await startProcess(
    testConfig(),
    { ANONYMOUS_LIMIT: 3, ...settings },
    { clock: pages.clock },
  );
  const close = async () => {
    await bounded.stores.mongo.dropDatabase();
    await bounded.close();
  };
  return { bounded, close };
}

/** Hashes at a cost that takes many times as long to check as the service's own; the hash names its cost. */
async function hashSlowly(password: string): Promise<string> {
  const cost = { N: 2 ** 15, r: 8, p: 20 };
  const hash = await promisify<string, string, number, ScryptOptions, Buffer>(scrypt)(password, "salt", 32, {
    ...cost,
    maxmem: 2 ** 27,
  });
  return `scrypt:${cost.N}:${cost.r}:${cost.p}:${btoa("salt")}:${hash.toString("base64")}`;
}
