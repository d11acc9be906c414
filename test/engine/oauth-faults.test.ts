/** OAuth 2.0 errors tell developers and people enough to correct the request. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { openFlow, type Flow } from "../support/oauth-flow.ts";
import { Browser, CODE, COMPANY, EMAIL, PASSWORD, REDIRECT, addTestClient } from "../support/oauth.ts";
import { toStored } from "../support/stored.ts";

let flow: Flow;
beforeAll(async () => {
  flow = await openFlow();
});
afterAll(() => flow.close());

const addressOf = (changes: Record<string, string> = {}) => {
  const asked = { client_id: flow.app.id, redirect_uri: REDIRECT, scope: "search.read", ...changes };
  return `${flow.first.base}/oauth2/authorise?${new URLSearchParams(asked).toString()}`;
};

describe("the error for wrong scopes names the problem", () => {
  const many = Array.from({ length: 21 }, (_, i) => `company/${10000001 + i}/company.read`).join(" ");
  it.each([
    ["no scope", "", "a request names at least one scope"],
    ["an unknown scope", "search.read everything", "there is no scope everything"],
    [
      "a URL that is no scope",
      "https://a.example/unheard.of",
      "there is no scope https://a.example/unheard.of",
    ],
    ["too many scopes", many, "a request names at most 20 scopes, not 21"],
    ["a long scope", "x".repeat(3_000), `there is no scope ${"x".repeat(100)}…`.replace("…", "...")],
  ])("%s", async (_what, scope, words) => {
    const { url } = await new Browser().open(addressOf({ scope }));
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      error: "invalid_scope",
      error_description: `Invalid scope: ${words}`,
    });
  });

  it("a scope that the application may not request", async () => {
    const { id } = await addTestClient(flow.first.stores, { name: "Narrow", scopes: ["search.read"] });
    const { url } = await new Browser().open(addressOf({ client_id: id, scope: "search.read company.read" }));
    const words = "Invalid scope: this application may not ask for company.read";
    expect(new URL(url).searchParams.get("error_description")).toBe(words);
  });
});

describe("the token endpoint", () => {
  const send = async (init: RequestInit, query: Record<string, string> = {}) => {
    const address = `${flow.first.base}/oauth2/token?${new URLSearchParams(query).toString()}`;
    const answer = await fetch(address, { method: "POST", ...init });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const getRefresh = async () => {
    const { refresh_token = "" } = await flow.getTokens(await flow.discover());
    return { grant_type: "refresh_token", refresh_token, ...flow.credentials() };
  };

  it("answers a body of another type that it expects a form", async () => {
    const given = await getRefresh();
    const form = new FormData();
    for (const [name, value] of Object.entries(given)) form.set(name, value);
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(given) };
    for (const init of [json, { body: form }, { body: new URLSearchParams(given).toString() }])
      expect(await send(init)).toEqual({
        status: 400,
        body: {
          error: "invalid_request",
          error_description: "The body must be of the type application/x-www-form-urlencoded",
        },
      });
    // A content type does not matter if the body is empty or the parameters are in the query.
    expect((await send(json, given)).status).toBe(200);
  });

  it("takes the client from the parameters, whatever key and password the header has", async () => {
    const { client_secret, ...given } = await getRefresh();
    const refresh = async (authorization: string, parameters: Record<string, string>) =>
      (await send({ headers: { authorization }, body: new URLSearchParams(parameters) })).status;
    const key = `Basic ${btoa("a-key-of-the-api:x")}`;
    expect(await refresh(key, { ...given, client_secret })).toBe(200);
    expect(await refresh(key, { ...given, client_secret: "wrong" })).toBe(401);
    // Clients that authenticate with HTTP Basic may also name themselves in the form.
    expect(await refresh(`Basic ${btoa(`${given.client_id}:${client_secret}`)}`, given)).toBe(200);
    expect(await refresh(key, given)).toBe(401);
  });
});

describe("a browser", () => {
  it("that sent no cookie is told to allow cookies", async () => {
    const browser = new Browser();
    await browser.open(addressOf());
    browser.cookies.clear();
    const { status, title, text } = await browser.send({ email: EMAIL, password: PASSWORD });
    expect([status, title]).toEqual([403, "Sign in"]);
    expect(text).toContain(
      "Your browser sent no cookie. Allow cookies of this site, which signing in needs, then try again.",
    );
    // The browser may only have lost the former cookie.
    expect((await browser.send({ email: EMAIL, password: PASSWORD })).title).toBe("Grant access");
  });

  it("gets another message for a form from another site, which arrives without a cookie", async () => {
    const browser = new Browser();
    await browser.open(addressOf());
    browser.cookies.clear();
    const { text } = await browser.send(
      { email: EMAIL, password: PASSWORD },
      { "sec-fetch-site": "cross-site" },
    );
    expect(text).toContain("This page was out of date.");
  });

  it("shows the name of the company that a client asks for, on each page, once the register has it", async () => {
    const open = async () => {
      const browser = new Browser();
      await browser.open(addressOf({ scope: `company/${COMPANY}/company.read` }));
      const { text } = await browser.send({ email: EMAIL, password: PASSWORD });
      return { text, consent: (await browser.send({ code: CODE })).text };
    };
    const { text: unknown, consent: ofUnknown } = await open();
    expect(ofUnknown).toContain(`for company ${COMPANY} only<`);
    expect(unknown).toContain(`asks to act for company <strong>${COMPANY}</strong>.`);
    expect(unknown).toContain(`>Authentication code of ${COMPANY}<`);
    const company = { company_number: COMPANY, company_name: "A & B LTD", type: "ltd" };
    await flow.first.stores.mongo.writer.insertMissing(companyRecord, [toStored(companyRecord, company, 1)]);
    const { text: known, consent } = await open();
    expect(consent).toContain(`for company A &amp; B LTD (${COMPANY}) only<`);
    expect(known).toContain(`asks to act for company <strong>A &amp; B LTD (${COMPANY})</strong>.`);
    expect(known).toContain(`>Authentication code of A &amp; B LTD (${COMPANY})<`);
  });
});
