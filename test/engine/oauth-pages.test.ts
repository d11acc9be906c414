/** The pages of OAuth 2.0: what they refuse, how they are guarded, and what guessing comes to. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { removePerson } from "../../api/core/access/people.ts";
import {
  Browser,
  CODE,
  COMPANY,
  PASSWORD,
  REDIRECT,
  holdClient,
  holdPerson,
  startProcess,
  type HeldClient,
  type Process,
} from "../support/oauth.ts";
import { testConfig } from "../support/register.ts";

const config = testConfig();
let api: Process;
let app: HeldClient;
let people = 0;
let email = "";
beforeAll(async () => {
  api = await startProcess(config);
  app = await holdClient(api.stores, {
    name: "<Billing> & Co",
    scopes: ["search.read", "company/*/company.read"],
  });
});
beforeEach(async () => {
  email = `person-${(people += 1)}@example.org`;
  await holdPerson(api.stores, email);
});
afterAll(async () => {
  await api.stores.mongo.dropDatabase();
  await api.close();
});

const addressOf = (changes: Record<string, string> = {}) => {
  const asked = {
    response_type: "code",
    client_id: app.id,
    redirect_uri: REDIRECT,
    scope: "search.read",
    state: "s",
  };
  return `${api.base}/oauth2/authorise?${new URLSearchParams({ ...asked, ...changes }).toString()}`;
};
const signIn = (browser: Browser, password = PASSWORD) =>
  browser.send({ email: email.toUpperCase(), password });
/** A browser whose person has signed in. */
async function signedIn(changes: Record<string, string> = {}) {
  const browser = new Browser();
  await browser.open(addressOf(changes));
  await signIn(browser);
  return browser;
}

describe("an authorisation request", () => {
  it.each([
    ["an unknown client", { client_id: "nobody" }],
    ["another redirect address", { redirect_uri: "http://127.0.0.1:9/elsewhere" }],
    ["one that is longer", { redirect_uri: `${REDIRECT}/more` }],
    ["no redirect address", { redirect_uri: "" }],
  ])("with %s is told to the person, and nobody is sent anywhere", async (_what, changes) => {
    const { status, title, headers } = await new Browser().open(addressOf(changes));
    expect([status, title, headers.get("location")]).toEqual([400, "This request is not right", null]);
  });

  it("with a parameter twice is refused", async () => {
    expect((await new Browser().open(`${addressOf()}&client_id=other`)).status).toBe(400);
  });

  it.each([
    ["a scope that is none", { scope: "everything" }, "invalid_scope"],
    ["no scope", { scope: "" }, "invalid_scope"],
    ["a scope that the application may not ask for", { scope: "company.read" }, "invalid_scope"],
    ["another type of response", { response_type: "token" }, "unsupported_response_type"],
    [
      "a challenge in plain text",
      { code_challenge: "c".repeat(43), code_challenge_method: "plain" },
      "invalid_request",
    ],
    ["a challenge that is none", { code_challenge: "short" }, "invalid_request"],
  ])("with %s is told to the client", async (_what, changes, error) => {
    const { url } = await new Browser().open(addressOf(changes));
    const { searchParams } = new URL(url);
    expect(url.startsWith(`${REDIRECT}?`)).toBe(true);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: "s", iss: api.base });
  });
});

describe("the pages", () => {
  it("are guarded by a strict policy, and kept by nobody", async () => {
    const browser = new Browser();
    const { headers } = await browser.open(addressOf());
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.getSetCookie()[0]).toMatch(/^register=[\w-]{43}; path=\/; samesite=lax; httponly$/);
    const consent = await signIn(browser);
    expect(consent.headers.get("content-security-policy")).toMatch(
      /form-action 'self' http:\/\/127\.0\.0\.1:9$/,
    );
  });

  it("put nothing into HTML as it is", async () => {
    const browser = new Browser();
    const { text } = await browser.open(addressOf());
    expect(text).toContain("&lt;Billing&gt; &amp; Co");
    const shown = await browser.send({ email: '"><script>', password: "x" });
    expect(shown.text).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  it("carry a cookie that no other host can set, where the service is reached by TLS", async () => {
    const secure = await startProcess(config, { publicUrl: "https://register.example/" });
    const { headers } = await new Browser().open(addressOf().replace(api.base, secure.base));
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-register=[\w-]+; path=\/; samesite=lax; secure; httponly$/,
    );
    await secure.close();
  });

  it("say what is asked for, and where it leads", async () => {
    const { text } = (await signedIn()).page ?? { text: "" };
    expect(text).toContain("Search the register");
    expect(text).toContain(email);
    expect(text).toContain("127.0.0.1:9");
  });
});

describe("signing in", () => {
  it("takes no other password, and says the same of a person that there is not", async () => {
    const browser = new Browser();
    await browser.open(addressOf());
    const wrong = await signIn(browser, "another password");
    const nobody = await browser.send({ email: "nobody@example.org", password: PASSWORD });
    for (const { status, title, text } of [wrong, nobody]) {
      expect([status, title]).toEqual([400, "Sign in"]);
      expect(text).toContain("E-mail address or password is wrong.");
    }
  });

  it("hears no further passwords of a person after ten wrong ones, right or not, from wherever they come", async () => {
    const browser = new Browser();
    await browser.open(addressOf());
    for (let i = 0; i < 10; i += 1) expect((await signIn(browser, `wrong ${i}`)).status).toBe(400);
    const other = await startProcess(config, { publicUrl: api.base });
    const elsewhere = new Browser();
    await elsewhere.open(addressOf().replace(api.base, other.base));
    expect((await signIn(elsewhere)).status).toBe(429);
    expect((await signIn(browser)).status).toBe(429);
    await other.close();
  });

  it("goes on for somebody who types the right one each time", async () => {
    for (let i = 0; i < 12; i += 1) expect((await signedIn()).page?.title).toBe("Grant access");
  });

  it.each([
    ["of another origin", { origin: "https://evil.example" }],
    ["of another site, as the browser says", { "sec-fetch-site": "cross-site" }],
  ])("refuses a form %s", async (_what, headers) => {
    const browser = new Browser();
    await browser.open(addressOf());
    expect((await browser.send({ email, password: PASSWORD }, headers)).status).toBe(403);
  });

  it("refuses a form without its word, and one of another browser", async () => {
    const browser = new Browser();
    await browser.open(addressOf());
    expect((await browser.send({ word: "", email, password: PASSWORD })).status).toBe(403);
    const other = new Browser();
    await other.open(addressOf());
    const word = /name="word" value="(\w+)"/.exec(other.page?.text ?? "")?.[1] ?? "";
    expect((await browser.send({ word, email, password: PASSWORD })).status).toBe(403);
  });

  it("gives the browser another cookie", async () => {
    const browser = new Browser();
    await browser.open(addressOf());
    const before = browser.cookies.get("register");
    await signIn(browser);
    expect(browser.cookies.get("register")).not.toBe(before);
  });
});

it("an address that asks without end is not heard", async () => {
  const bounded = await startProcess(testConfig(), { anonymousLimit: 3 });
  const { id } = await holdClient(bounded.stores, { name: "Bounded" });
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: REDIRECT,
    scope: "search.read",
  }).toString();
  const statuses = [];
  for (let i = 0; i < 5; i += 1) {
    statuses.push((await new Browser().open(`${bounded.base}/oauth2/authorise?${query}`)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  // A web server that asks rightly is not in the way of one that guesses, from which it is told by its faults.
  const verify = async () => (await fetch(`${bounded.base}/oauth/verify?access_token=guessed`)).status;
  const guesses = [];
  for (let i = 0; i < 5; i += 1) guesses.push(await verify());
  expect(guesses).toEqual([401, 401, 401, 401, 429]);
  await bounded.stores.mongo.dropDatabase();
  await bounded.close();
});

it("an e-mail address that no engine could look for is nobody's", async () => {
  const browser = new Browser();
  await browser.open(addressOf());
  expect((await browser.send({ email: "a\u0000@example.org", password: PASSWORD })).status).toBe(400);
});

describe("consent", () => {
  it("is of the browser that signed in alone", async () => {
    const { page } = await signedIn();
    const { status, title } = await new Browser().open(page?.url ?? "");
    expect([status, title]).toEqual([400, "This sign-in has ended"]);
  });

  it("is given once", async () => {
    const browser = await signedIn();
    const { page } = browser;
    const back = await browser.send({ decision: "grant" });
    expect(back.url).toContain("code=");
    browser.page = page;
    expect((await browser.send({ decision: "grant" })).status).toBe(400);
  });

  it("refuses a form of another site", async () => {
    const browser = await signedIn();
    const { status } = await browser.send({ decision: "grant" }, { "sec-fetch-site": "cross-site" });
    expect(status).toBe(403);
  });

  it("ends when the person is gone", async () => {
    const browser = await signedIn();
    const { documents } = api.stores.mongo;
    const [person] = await documents.list("people", { email }, 1);
    await removePerson(documents, person as never);
    expect((await browser.send({ decision: "grant" })).title).toBe("This sign-in has ended");
  });
});

describe("a company's code", () => {
  const scope = `company/${COMPANY}/company.read`;

  it("is asked for before anything is granted, however it is typed", async () => {
    const browser = await signedIn({ scope });
    expect(browser.page?.title).toBe("Company authentication code");
    // A form that grants at once is not heard.
    expect((await browser.send({ step: "decision", decision: "grant" })).title).toBe(
      "Company authentication code",
    );
    expect((await browser.send({ code: "WRONG" })).text).toContain(
      "not the company&#39;s authentication code",
    );
    const { title, text } = await browser.send({ code: ` ${CODE.toLowerCase().replace("-", " ")} ` });
    expect(title).toBe("Grant access");
    expect(text).toContain(`of company ${COMPANY} alone`);
  });

  it("of each company that is named", async () => {
    const browser = await signedIn({ scope: `${scope} company/99000070/company.read` });
    await browser.send({ code: CODE });
    expect(browser.page?.text).toContain("99000070");
    // That one has none: there is no way on but refusing.
    expect((await browser.send({ code: CODE })).status).toBe(400);
  });

  it("may be refused", async () => {
    const browser = await signedIn({ scope });
    expect((await browser.send({ step: "decision", decision: "refuse" })).url).toContain(
      "error=access_denied",
    );
  });

  it("is not guessed: after ten wrong ones the right one is not heard either", async () => {
    const browser = await signedIn({ scope });
    for (let i = 0; i < 10; i += 1) expect((await browser.send({ code: `WRONG${i}` })).status).toBe(400);
    expect((await browser.send({ code: CODE })).status).toBe(429);
  });
});
