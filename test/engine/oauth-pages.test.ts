/** The OAuth 2.0 pages: how they are protected, signing in, companies' codes, and consent. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { fetchAudit } from "../../api/shared/access/audit.ts";
import { GRANTS } from "../../api/shared/access/grants.ts";
import { people } from "../../api/shared/access/people.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openPages } from "../support/oauth-pages.ts";
import {
  Browser,
  CODE,
  COMPANY,
  PASSWORD,
  REDIRECT,
  startProcess,
  type ShownPage,
} from "../support/oauth.ts";
import { toStored } from "../support/stored.ts";

const QUARTER_MS = 900_000;
const COMPANY_SCOPE = `company/${COMPANY}/company.read`;

const pages = forAllTests(openPages);
beforeEach(() => pages.renew());

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
      expect(text).toContain("<title>Error: Sign in");
      expect(text).toContain("E-mail address or password is wrong.");
    }
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

  it("refuses an e-mail address that no engine can look up, as an unknown one", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    expect((await browser.send({ email: "a\u0000@example.org", password: PASSWORD })).status).toBe(400);
  });

  it("asks a person whose browser sent no cookie to allow cookies, unless another site sent the form", async () => {
    const browser = new Browser();
    await browser.open(pages.addressOf());
    const form = browser.page;
    const given = { email: pages.email(), password: PASSWORD };
    const sendWithoutCookie = (headers: Record<string, string> = {}) => {
      browser.cookies.clear();
      browser.page = form;
      return browser.send(given, headers);
    };
    // Browsers leave the cookie out of a form from another site.
    const foreign = await sendWithoutCookie({ "sec-fetch-site": "cross-site" });
    expect(foreign.text).toContain("This page was out of date.");
    const { status, title, text } = await sendWithoutCookie();
    expect([status, title]).toEqual([403, "Sign in"]);
    expect(text).toContain(
      "Your browser sent no cookie. Allow cookies of this site, which signing in needs, then try again.",
    );
    // The browser may only have lost the former cookie.
    expect((await browser.send(given)).title).toBe("Grant access");
  });
});

describe("consent", () => {
  it("works only in the browser that signed in", async () => {
    const { page } = await pages.signedIn();
    const { status, title } = await new Browser().open(page?.url ?? "");
    expect([status, title]).toEqual([400, "This sign-in has ended"]);
  });

  it("is possible for a quarter of an hour", async () => {
    const browser = await pages.signedIn();
    pages.pass(QUARTER_MS);
    expect((await browser.send({ decision: "grant" })).title).toBe("This sign-in has ended");
  });

  it("is given only once", async () => {
    const browser = await pages.signedIn();
    const { page } = browser;
    const back = await browser.send({ decision: "grant" });
    expect(back.url).toContain("code=");
    browser.page = page;
    expect((await browser.send({ decision: "grant" })).status).toBe(400);
  });

  it("writes no audit line if a store could not save it", async () => {
    const { config, api } = pages;
    const alter = (stores: Stores): Stores => {
      const { documents } = stores.mongo;
      const put: typeof documents.put = (collection, document) =>
        collection === GRANTS
          ? Promise.reject(new UnavailableError("mongodb", "away"))
          : documents.put(collection, document);
      return { ...stores, mongo: { ...stores.mongo, documents: { ...documents, put } } };
    };
    const failing = await startProcess(config, { PUBLIC_URL: api.base }, { alter, clock: pages.clock });
    const browser = await pages.signedIn();
    browser.page = { ...browser.page, url: browser.page?.url.replace(api.base, failing.base) } as ShownPage;
    const { status } = await browser.send({ decision: "grant" }, { origin: api.base });
    await failing.close();
    expect(status).toBe(503);
    const lines = await fetchAudit(api.stores.mongo.documents, 100);
    const ofPerson = lines.filter(({ by }) => by === pages.email()).map(({ action }) => action);
    expect(ofPerson).toEqual(["person signed in"]);
  });

  it("refuses a form from another site", async () => {
    const browser = await pages.signedIn();
    const { status } = await browser.send({ decision: "grant" }, { "sec-fetch-site": "cross-site" });
    expect(status).toBe(403);
  });

  it("ends when the person is removed", async () => {
    const browser = await pages.signedIn();
    const { documents } = pages.api.stores.mongo;
    const [person] = await documents.list("people", { email: pages.email() }, 1);
    await people.remove(documents, person as never);
    expect((await browser.send({ decision: "grant" })).title).toBe("This sign-in has ended");
  });
});

describe("a company's code", () => {
  it("is required before anything is granted, in whatever spelling", async () => {
    const browser = await pages.signedIn({ scope: COMPANY_SCOPE });
    expect(browser.page?.title).toBe("Company authentication code");
    // A form that tries to grant at once is ignored.
    expect((await browser.send({ step: "decision", decision: "grant" })).title).toBe(
      "Company authentication code",
    );
    expect((await browser.send({ code: "WRONG" })).text).toContain(
      "not the company&#39;s authentication code",
    );
    const { title, text } = await browser.send({ code: ` ${CODE.toLowerCase().replace("-", " ")} ` });
    expect(title).toBe("Grant access");
    expect(text).toContain(`for company ${COMPANY} only`);
  });

  it("is required for each company named", async () => {
    const browser = await pages.signedIn({ scope: `${COMPANY_SCOPE} company/99000070/company.read` });
    await browser.send({ code: CODE });
    expect(browser.page?.text).toContain("99000070");
    // That company has no code, so the person can only refuse.
    expect((await browser.send({ code: CODE })).status).toBe(400);
  });

  it("can be refused", async () => {
    const browser = await pages.signedIn({ scope: COMPANY_SCOPE });
    expect((await browser.send({ step: "decision", decision: "refuse" })).url).toContain(
      "error=access_denied",
    );
  });

  it("is asked for under the company's name once the register has it, and so is the consent", async () => {
    const read = async () => {
      const browser = await pages.signedIn({ scope: COMPANY_SCOPE });
      const { text } = browser.page ?? { text: "" };
      return { text, consent: (await browser.send({ code: CODE })).text };
    };
    const unknown = await read();
    expect(unknown.consent).toContain(`for company ${COMPANY} only<`);
    expect(unknown.text).toContain(`asks to act for company <strong>${COMPANY}</strong>.`);
    expect(unknown.text).toContain(`>Authentication code of ${COMPANY}<`);
    const company = { company_number: COMPANY, company_name: "A & B LTD", type: "ltd" };
    await pages.api.stores.mongo.writer.insertMissing(companyRecord, [toStored(companyRecord, company, 1)]);
    const known = await read();
    expect(known.consent).toContain(`for company A &amp; B LTD (${COMPANY}) only<`);
    expect(known.text).toContain(`asks to act for company <strong>A &amp; B LTD (${COMPANY})</strong>.`);
    expect(known.text).toContain(`>Authentication code of A &amp; B LTD (${COMPANY})<`);
  });
});
