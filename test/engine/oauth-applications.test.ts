/** The page that shows people the applications with access in their name, and lets them end it. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { applications } from "../../api/shared/access/applications.ts";
import { fetchAudit } from "../../api/shared/access/audit.ts";
import { fetchGrants, GRANTS } from "../../api/shared/access/grants.ts";
import { people } from "../../api/shared/access/people.ts";
import { webClients } from "../../api/shared/access/web-clients.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { formatLongDate, toDay } from "../../api/shared/values/dates.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openFlow } from "../support/oauth-flow.ts";
import {
  Browser,
  COMPANY,
  PASSWORD,
  addTestClient,
  addTestPerson,
  startProcess,
  type TestClient,
  type ShownPage,
} from "../support/oauth.ts";
import { toStored } from "../support/stored.ts";

const SIGN_IN_MS = 900_000;

const flow = forAllTests(openFlow);
let email: string;
let browser: Browser;
let count = 0;
beforeEach(async () => {
  email = `person-${(count += 1)}@example.org`;
  await addTestPerson(flow.first.stores, email);
  browser = new Browser();
});

/** Signs in and returns the page. */
async function openPage(base = flow.first.base): Promise<ShownPage> {
  await browser.open(`${base}/oauth2/applications`);
  return browser.send({ email, password: PASSWORD });
}

/** Gives a client access; returns its tokens. */
async function grantAccess({ id: client_id, secret: client_secret }: TestClient, scope: string) {
  const back = await new Browser().grant(flow.addressOf({ client_id, scope }), email);
  const code = back.searchParams.get("code") ?? "";
  const given = { grant_type: "authorization_code", code, client_id, client_secret };
  const { body } = await flow.ask(given);
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

const addClient = (name: string) => addTestClient(flow.first.stores, { name });

describe("the page of a person's applications", () => {
  it("asks for the password first, and shows only the person's own applications", async () => {
    await grantAccess(flow.app, "search.read");
    const asked = await browser.open(`${flow.first.base}/oauth2/applications`);
    expect([asked.status, asked.title]).toEqual([200, "Sign in"]);
    expect(asked.text).not.toContain("Refuse");
    expect((await browser.send({ email, password: "wrong" })).text).toContain(
      "E-mail address or password is wrong.",
    );
    const { title, text } = await browser.send({ email, password: PASSWORD });
    expect(title).toBe("Applications with access");
    expect(text).toContain(">Billing</h2>");
    await addTestPerson(flow.first.stores, (email = `other-${email}`));
    expect((await openPage()).text).toContain("No application has access in your name.");
  });

  it("shows each application once, with all that it may do, since when, and its last use", async () => {
    const other = await addClient("<Ledger> & Co");
    await flow.first.stores.mongo.writer.insertMissing(companyRecord, [
      toStored(companyRecord, { company_number: COMPANY, company_name: "A & B LTD", type: "ltd" }, 1),
    ]);
    await grantAccess(other, "search.read");
    await grantAccess(other, `search.read company/${COMPANY}/company.read`);
    const { text, headers } = await openPage();
    expect(text.match(/<h2.*?<\/h2>/g)).toHaveLength(1);
    expect(text).toContain(">&lt;Ledger&gt; &amp; Co</h2>");
    expect(text.match(/<li>.*?<\/li>/g)?.sort()).toEqual([
      `<li>Read records of companies, for company A &amp; B LTD (${COMPANY}) only</li>`,
      "<li>Search the register</li>",
    ]);
    const today = formatLongDate(toDay(new Date()));
    expect(text).toContain(`Access granted on ${today}, last used on ${today}.`);
    expect(headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("mentions no last use of an application that has not used its access yet", async () => {
    await new Browser().grant(flow.addressOf({ scope: "search.read" }), email);
    expect((await openPage()).text).toContain(`Access granted on ${formatLongDate(toDay(new Date()))}.`);
  });

  it("ends one application's access in every process, and leaves others alone", async () => {
    const other = await addClient("Ledger");
    const ended = [
      await grantAccess(flow.app, "user/profile.read"),
      await grantAccess(flow.app, "user/profile.read"),
    ];
    const kept = await grantAccess(other, "user/profile.read");
    await openPage();
    const { title, text } = await browser.send({}, {}, "End access of Billing");
    expect(title).toBe("Applications with access");
    expect(text).toContain("<title>Access ended: Applications with access");
    expect(text).toContain("<strong>Billing</strong> can no longer act in your name.");
    expect(text.match(/<h2.*?<\/h2>/g)).toEqual([expect.stringContaining("Ledger")]);
    for (const { base } of [flow.first, flow.second]) {
      for (const { access } of ended)
        expect((await flow.call("/user/profile", access, base)).status).toBe(401);
      expect((await flow.call("/user/profile", kept.access, base)).status).toBe(200);
    }
    for (const { refresh: refresh_token } of ended)
      expect(
        await flow.ask({ grant_type: "refresh_token", refresh_token, ...flow.credentials() }),
      ).toMatchObject({ body: { error: "invalid_grant" } });
    const [line] = await fetchAudit(flow.first.stores.mongo.documents, 1);
    expect(line).toMatchObject({ action: "grant revoked", by: email, details: { client: flow.app.id } });
  });

  it("opens from the consent page without another password", async () => {
    await grantAccess(flow.app, "search.read");
    await browser.open(flow.addressOf({ scope: "search.read" }));
    const { text, url } = await browser.send({ email, password: PASSWORD });
    const [, href = ""] = /<a href="(applications[^"]*)"/.exec(text) ?? [];
    expect((await browser.open(new URL(href, url).href)).title).toBe("Applications with access");
  });

  it("works only in the browser that signed in, and not as a consent page", async () => {
    const { url } = await openPage();
    expect((await new Browser().open(url)).title).toBe("Sign in");
    expect((await browser.open(url.replace("applications", "consent"))).title).toBe("This sign-in has ended");
  });

  it("has a button that signs out", async () => {
    const { url } = await openPage();
    expect((await browser.send({}, {}, "Sign out")).title).toBe("Sign in");
    expect((await browser.open(url)).title).toBe("Sign in");
  });

  it("asks for the password again after a quarter of an hour, with a message", async () => {
    let now = Date.now();
    const settings = { PUBLIC_URL: flow.first.base };
    const process = await startProcess(flow.config, settings, { clock: () => new Date(now) });
    await grantAccess(flow.app, "search.read");
    const origin = { origin: flow.first.base };
    await browser.open(`${process.base}/oauth2/applications`);
    await browser.send({ email, password: PASSWORD }, origin);
    now += SIGN_IN_MS;
    const { status, title, text } = await browser.send({}, origin, "End access");
    expect([status, title]).toEqual([400, "Sign in"]);
    expect(text).toContain("Your sign-in has ended. Sign in again.");
    expect(await grantsOf()).toHaveLength(1);
    expect((await browser.send({ email, password: PASSWORD }, origin)).title).toBe(
      "Applications with access",
    );
    await process.close();
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["of another site", {}, { "sec-fetch-site": "cross-site" }],
    ["of another origin", {}, { origin: "https://evil.example" }],
    ["without its form token", { word: "" }, {}],
  ])("refuses a form %s", async (_what, fields, headers) => {
    await grantAccess(flow.app, "search.read");
    await openPage();
    const { status, title } = await browser.send(fields, headers, "End access");
    expect([status, title]).toEqual([403, "This page was out of date"]);
    expect(await grantsOf()).toHaveLength(1);
  });

  it("does not report access as ended for an application that still has it or does not exist", async () => {
    await grantAccess(flow.app, "search.read");
    const { url } = await openPage();
    for (const ended of [flow.app.application._id, "nobody"])
      expect((await browser.open(`${url}&ended=${ended}`)).text).not.toContain("no longer act");
  });

  it("leaves out applications that were removed", async () => {
    const gone = await addClient("Gone");
    await grantAccess(gone, "search.read");
    await applications.remove(flow.first.stores.mongo.documents, gone.application);
    expect((await openPage()).text).toContain("No application has access in your name.");
  });

  it("explains that a store is unavailable", async () => {
    const alter = (stores: Stores): Stores => {
      const { documents } = stores.mongo;
      const fetchAll: typeof documents.fetchAll = (collection, ...asked) =>
        collection === GRANTS
          ? Promise.reject(new UnavailableError("mongodb", "away"))
          : documents.fetchAll(collection, ...asked);
      return { ...stores, mongo: { ...stores.mongo, documents: { ...documents, fetchAll } } };
    };
    const failing = await startProcess(flow.config, {}, { alter });
    const { status, title } = await openPage(failing.base);
    await failing.close();
    expect([status, title]).toEqual([503, "The register is not available"]);
  });
});

it.each(["application", "web client", "person"] as const)(
  "an access token ends with its %s: at once in a process that has not seen it",
  async (removed) => {
    const { documents } = flow.first.stores.mongo;
    const client = await addClient(`Without its ${removed}`);
    const { access } = await grantAccess(client, "user/profile.read");
    expect((await flow.call("/user/profile", access)).status).toBe(200);
    const [person] = await people.fetchAll(documents, { email });
    if (removed === "application") await applications.remove(documents, client.application);
    else if (removed === "web client") await webClients.remove(documents, { _id: client.id });
    else await people.remove(documents, { _id: person?._id ?? "" });
    expect((await flow.call("/user/profile", access, flow.second.base)).status).toBe(401);
  },
);

async function grantsOf() {
  const { documents } = flow.first.stores.mongo;
  const [person] = await documents.list("people", { email }, 1);
  return (await fetchGrants(documents, new Date())).filter((grant) => grant.person === person?._id);
}
