/** Passwords and codes sent at once: how many wrong ones are checked, and that right ones never count as guesses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { scrypt, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import type { Stores } from "../../api/shared/stores/index.ts";
import { openPages, type Pages } from "../support/oauth-pages.ts";
import { Browser, CODE, COMPANY, PASSWORD, startProcess, type Shown } from "../support/oauth.ts";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
beforeEach(() => pages.renew());
afterAll(() => pages.close());

/** Sends `count` sign-ins at once, each from its own browser; returns their answers. */
async function signInAtOnce(count: number, password: string, base = pages.api.base): Promise<Shown[]> {
  const browsers = Array.from({ length: count }, () => new Browser());
  const address = pages.addressOf().replace(pages.api.base, base);
  await Promise.all(browsers.map((browser) => browser.open(address)));
  return Promise.all(
    browsers.map((browser) => browser.send({ email: pages.email(), password }, { origin: pages.api.base })),
  );
}

/** Counts the answers of each status and title. */
function countAnswers(shown: Shown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, title } of shown)
    counts[`${status} ${title}`] = (counts[`${status} ${title}`] ?? 0) + 1;
  return counts;
}

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

it("right codes of a company sent at once do not count as guesses", async () => {
  const browsers = [];
  for (let i = 0; i < 14; i += 1)
    browsers.push(await pages.signedIn({ scope: `company/${COMPANY}/company.read` }));
  const shown = await Promise.all(browsers.map((browser) => browser.send({ code: CODE })));
  expect(countAnswers(shown)).toEqual({ "200 Grant access": 14 });
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
  const held = new Promise<void>((resolve) => (release = resolve));
  const alter = (stores: Stores): Stores => {
    const { documents } = stores.mongo;
    const fetch: typeof documents.fetch = async (collection, id) => {
      if (collection === "company_codes") await held;
      return documents.fetch(collection, id);
    };
    return { ...stores, mongo: { ...stores.mongo, documents: { ...documents, fetch } } };
  };
  const crowded = await startProcess(config, { PUBLIC_URL: api.base }, { clock, alter });
  const browser = await pages.signedIn({ scope: `company/${COMPANY}/company.read` });
  browser.page = { ...browser.page, url: browser.page?.url.replace(api.base, crowded.base) } as Shown;
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

/** Hashes at a cost that takes many times as long to check as the service's own; the hash names its cost. */
async function hashSlowly(password: string): Promise<string> {
  const cost = { N: 2 ** 15, r: 8, p: 20 };
  const hash = await promisify<string, string, number, ScryptOptions, Buffer>(scrypt)(password, "salt", 32, {
    ...cost,
    maxmem: 2 ** 27,
  });
  return `scrypt:${cost.N}:${cost.r}:${cost.p}:${btoa("salt")}:${hash.toString("base64")}`;
}
