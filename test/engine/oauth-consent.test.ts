/** The OAuth 2.0 pages after the sign-in: companies' codes, granting and refusing. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { fetchAudit } from "../../api/shared/access/audit.ts";
import { GRANTS } from "../../api/shared/access/grants.ts";
import { people } from "../../api/shared/access/people.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { openPages, type Pages } from "../support/oauth-pages.ts";
import { Browser, CODE, COMPANY, startProcess, type Shown } from "../support/oauth.ts";

const HOUR_MS = 3_600_000;

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
beforeEach(() => pages.renew());
afterAll(() => pages.close());

describe("consent", () => {
  it("works only in the browser that signed in", async () => {
    const { page } = await pages.signedIn();
    const { status, title } = await new Browser().open(page?.url ?? "");
    expect([status, title]).toEqual([400, "This sign-in has ended"]);
  });

  it("is possible for a quarter of an hour", async () => {
    const browser = await pages.signedIn();
    pages.pass(HOUR_MS / 4);
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
    browser.page = { ...browser.page, url: browser.page?.url.replace(api.base, failing.base) } as Shown;
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
  const scope = `company/${COMPANY}/company.read`;

  it("is required before anything is granted, in whatever spelling", async () => {
    const browser = await pages.signedIn({ scope });
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
    const browser = await pages.signedIn({ scope: `${scope} company/99000070/company.read` });
    await browser.send({ code: CODE });
    expect(browser.page?.text).toContain("99000070");
    // That company has no code, so the person can only refuse.
    expect((await browser.send({ code: CODE })).status).toBe(400);
  });

  it("can be refused", async () => {
    const browser = await pages.signedIn({ scope });
    expect((await browser.send({ step: "decision", decision: "refuse" })).url).toContain(
      "error=access_denied",
    );
  });

  it("is not accepted for an hour after ten wrong ones, even if it is right", async () => {
    const browser = await pages.signedIn({ scope });
    for (let i = 0; i < 10; i += 1) expect((await browser.send({ code: `WRONG${i}` })).status).toBe(400);
    expect((await browser.send({ code: CODE })).status).toBe(429);
    pages.pass(HOUR_MS - 1);
    const again = await pages.signedIn({ scope });
    expect((await again.send({ code: CODE })).status).toBe(429);
    pages.pass(1);
    expect((await again.send({ code: CODE })).title).toBe("Grant access");
  });

  it("is accepted from others after one person's wrong ones, however many", async () => {
    const browser = await pages.signedIn({ scope });
    for (let i = 0; i < 31; i += 1) await browser.send({ code: `WRONG${i}` });
    await pages.addPerson();
    expect((await (await pages.signedIn({ scope })).send({ code: CODE })).title).toBe("Grant access");
  });

  it("is accepted from nobody after thirty wrong ones by several people", async () => {
    for (let person = 0; person < 3; person += 1) {
      await pages.addPerson();
      const browser = await pages.signedIn({ scope });
      for (let i = 0; i < 10; i += 1) expect((await browser.send({ code: `WRONG${i}` })).status).toBe(400);
    }
    await pages.addPerson();
    expect((await (await pages.signedIn({ scope })).send({ code: CODE })).status).toBe(429);
  });
});
