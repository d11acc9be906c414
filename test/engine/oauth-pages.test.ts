/** The OAuth 2.0 pages up to the sign-in: what they refuse, how they are protected, and the limits on guessing. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { openPages, type Pages } from "../support/oauth-pages.ts";
import { Browser, PASSWORD, REDIRECT, addTestClient, startProcess } from "../support/oauth.ts";
import { testConfig } from "../support/register.ts";

const QUARTER_MS = 900_000;
// The clock stands still, so that everything counted falls into one window.
const clock = () => new Date("2027-01-01T12:00:00Z");

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
beforeEach(() => pages.renew());
afterAll(() => pages.close());

describe("an authorisation request", () => {
  it.each([
    ["an unknown client", { client_id: "nobody" }],
    ["another redirect address", { redirect_uri: "http://127.0.0.1:9/elsewhere" }],
    ["a longer redirect address", { redirect_uri: `${REDIRECT}/more` }],
    ["no redirect address", { redirect_uri: "" }],
  ])("with %s is explained to the person, without a redirect", async (_what, changes) => {
    const { status, title, headers } = await new Browser().open(pages.addressOf(changes));
    expect([status, title, headers.get("location")]).toEqual([400, "This request is not valid", null]);
  });

  it("with a repeated parameter is refused", async () => {
    expect((await new Browser().open(`${pages.addressOf()}&client_id=other`)).status).toBe(400);
  });

  it.each([
    ["an unknown scope", { scope: "everything" }, "invalid_scope"],
    ["no scope", { scope: "" }, "invalid_scope"],
    ["a scope that the application may not request", { scope: "company.read" }, "invalid_scope"],
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
    const { url } = await new Browser().open(pages.addressOf(changes));
    const { searchParams } = new URL(url);
    expect(url.startsWith(`${REDIRECT}?`)).toBe(true);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: "s", iss: pages.api.base });
  });
});

describe("the pages", () => {
  it("have a strict content policy, and are not cached", async () => {
    const browser = new Browser();
    const { headers } = await browser.open(pages.addressOf());
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.getSetCookie()[0]).toMatch(/^register=[\w-]{43}; path=\/; samesite=lax; httponly$/);
    const consent = await pages.signIn(browser);
    // The consent form may redirect from the client's address to any other, so its policy sets no form-action.
    expect(consent.headers.get("content-security-policy")).toMatch(/; frame-ancestors 'none'$/);
  });

  it.each(["/oauth2/authorise", "/oauth2/authorize", "/oauth2/consent", "/oauth2/applications"])(
    "redirect from a path with a trailing slash: %s",
    async (path) => {
      const asked = new URL(pages.addressOf());
      const address = `${pages.api.base}${path}/${asked.search}`;
      const { status, headers } = await fetch(address, { redirect: "manual" });
      const location = new URL(headers.get("location") ?? "", address);
      expect([status, location.pathname, location.search]).toEqual([303, path, asked.search]);
    },
  );

  it("escape everything that they put into HTML", async () => {
    const browser = new Browser();
    const { text } = await browser.open(pages.addressOf());
    expect(text).toContain("&lt;Billing&gt; &amp; Co");
    const shown = await browser.send({ email: '"><script>', password: "x" });
    expect(shown.text).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  it("set a cookie that no other host can set, if the service uses TLS", async () => {
    const secure = await startProcess(pages.config, { PUBLIC_URL: "https://register.example/" });
    const { headers } = await new Browser().open(pages.addressOf().replace(pages.api.base, secure.base));
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-register=[\w-]+; path=\/; samesite=lax; secure; httponly$/,
    );
    await secure.close();
  });

  it("let a person refuse before signing in, which redirects to the client", async () => {
    const { text } = await new Browser().open(pages.addressOf());
    const [, href = ""] = /<a href="([^"]*)">Refuse/.exec(text) ?? [];
    const back = new URL(href.replaceAll("&amp;", "&"));
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: "access_denied",
      error_description: "The person refused",
      state: "s",
      iss: pages.api.base,
    });
  });

  it("show the requested access and where the redirect leads", async () => {
    const { text } = (await pages.signedIn()).page ?? { text: "" };
    expect(text).toContain("Search the register");
    expect(text).toContain(pages.email());
    expect(text).toContain("127.0.0.1:9");
  });
});

describe("signing in", () => {
  it("refuses a wrong password, with the same message as for an unknown person", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    const wrong = await pages.signIn(browser, "another password");
    const nobody = await browser.send({ email: "nobody@example.org", password: PASSWORD });
    for (const { status, title, text } of [wrong, nobody]) {
      expect([status, title]).toEqual([400, "Sign in"]);
      expect(text).toContain("E-mail address or password is wrong.");
    }
  });

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

  it("never locks out somebody who types the right password each time", async () => {
    for (let i = 0; i < 12; i += 1) expect((await pages.signedIn()).page?.title).toBe("Grant access");
  });

  it.each([
    ["from another origin", { origin: "https://evil.example" }],
    ["from another site, according to the browser", { "sec-fetch-site": "cross-site" }],
  ])("refuses a form %s", async (_what, headers) => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    expect((await browser.send({ email: pages.email(), password: PASSWORD }, headers)).status).toBe(403);
  });

  it("refuses a form without its token, or with another browser's token", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    expect((await browser.send({ word: "", email: pages.email(), password: PASSWORD })).status).toBe(403);
    const other = new Browser();
    await other.open(pages.addressOf());
    const word = /name="word" value="(\w+)"/.exec(other.page?.text ?? "")?.[1] ?? "";
    expect((await browser.send({ word, email: pages.email(), password: PASSWORD })).status).toBe(403);
  });

  it("replaces the browser's cookie", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    const before = browser.cookies.get("register");
    await pages.signIn(browser);
    expect(browser.cookies.get("register")).not.toBe(before);
  });
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
  const bounded = await startProcess(testConfig(), { ANONYMOUS_LIMIT: 3, TRUSTED_PROXIES: 1 }, { clock });
  const guesses = [];
  for (let i = 0; i < 6; i += 1) {
    const headers = { "x-forwarded-for": addressOf(i) };
    const address = `${bounded.base}/oauth/verify?access_token=guessed`;
    guesses.push((await fetch(address, { headers })).status);
  }
  expect(guesses).toEqual([401, 401, 401, 401, 429, 401]);
  await bounded.stores.mongo.dropDatabase();
  await bounded.close();
});

it("limits an address that calls without end", async () => {
  const bounded = await startProcess(testConfig(), { ANONYMOUS_LIMIT: 3 }, { clock });
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
  await bounded.stores.mongo.dropDatabase();
  await bounded.close();
});

it("lets a web server exchange its codes even if it passes on false tokens of strangers", async () => {
  const bounded = await startProcess(testConfig(), { ANONYMOUS_LIMIT: 3 }, { clock });
  const { id: client_id, secret } = await addTestClient(bounded.stores, { name: "Bounded" });
  const exchange = async (client_secret: string) => {
    const given = { grant_type: "authorization_code", code: "of a stranger", client_id, client_secret };
    const body = new URLSearchParams(given);
    return (await fetch(`${bounded.base}/oauth2/token`, { method: "POST", body })).status;
  };
  const statuses: Record<string, number[]> = { verified: [], exchanged: [], guessed: [] };
  for (let i = 0; i < 5; i += 1) {
    const verified = await fetch(`${bounded.base}/oauth/verify?access_token=of-a-stranger`);
    statuses.verified?.push(verified.status);
  }
  for (let i = 0; i < 5; i += 1) statuses.exchanged?.push(await exchange(secret));
  for (let i = 0; i < 5; i += 1) statuses.guessed?.push(await exchange("guessed"));
  expect(statuses).toEqual({
    verified: [401, 401, 401, 401, 429],
    exchanged: [400, 400, 400, 400, 400],
    guessed: [401, 401, 401, 401, 429],
  });
  await bounded.stores.mongo.dropDatabase();
  await bounded.close();
});

it("an e-mail address that no engine can look up is treated as unknown", async () => {
  const browser = new Browser();
  await browser.open(pages.addressOf());
  expect((await browser.send({ email: "a\u0000@example.org", password: PASSWORD })).status).toBe(400);
});
