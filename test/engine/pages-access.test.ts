/** Who may see pages, how often, and the error pages that others see. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { addTestKey } from "../support/keys.ts";
import { startProcess } from "../support/oauth.ts";
import { faultsOf, openPage } from "../support/pages.ts";
import { basic, openRegister, TEST_KEY } from "../support/register.ts";

const NARROW_KEY = "a-key-that-searches-only";
const ELSEWHERE_KEY = "a-key-for-another-address";
const COMPANIES_KEY = "a-key-that-reads-companies-only";
const LIMIT = 5;

const closers: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));
const register = forAllTests(() => openRegister({ withWorker: false }));

/** Starts an API with these settings on the register, which is empty. */
async function start(settings: Partial<Config>, parts: Parameters<typeof startProcess>[2] = {}) {
  const { base, close } = await startProcess(register.config, settings, parts);
  closers.push(close);
  const open = (path: string, headers?: Record<string, string>) => openPage(base + path, headers);
  return { base, open };
}
type Api = Awaited<ReturnType<typeof start>>;

describe("pages that are off", () => {
  it("answer like addresses that do not exist", async () => {
    const { get } = register;
    for (const path of ["/", "/pages/search?q=a", "/pages/assets/style.css"]) {
      expect([(await get(path)).status, (await get("/elsewhere")).status]).toEqual([404, 404]);
      expect((await get(path, {})).status).toBe(401);
    }
  });
});

describe("pages for visitors with a key", () => {
  let api: Api;
  beforeAll(async () => {
    api = await start({ PAGES: "key" });
    const { documents } = register.stores.mongo;
    await addTestKey(documents, NARROW_KEY, { name: "narrow", scopes: ["search.read"] });
    await addTestKey(documents, ELSEWHERE_KEY, { name: "elsewhere", addresses: ["192.0.2.1"] });
    await addTestKey(documents, COMPANIES_KEY, { name: "companies", scopes: ["company/*/company.read"] });
  });
  const open: Api["open"] = (path, headers) => api.open(path, headers);

  it.each(["/", "/pages/company/99000064", "/pages/suggest?q=ab", "/pages/advanced.csv", "/pages/nowhere"])(
    "ask a visitor without a key for one: %s",
    async (path) => {
      const page = await open(path);
      expect([page.status, faultsOf(page)]).toEqual([401, []]);
      // Not Basic, for which a browser would show its own dialog instead of the page.
      expect(page.headers.get("www-authenticate")).toMatch(/^Form realm=/);
      expect(page.text("h1")).toBe("A key is needed");
      expect(page.root.querySelector("input[name=to]")?.getAttribute("value")).toBe(path);
    },
  );

  it("tell a program with a wrong key how to send it", async () => {
    const page = await open("/", basic("wrong"));
    expect([page.status, page.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ]);
    expect(page.root.querySelector("input[name=to]")).toBeNull();
  });

  /** Sends the key form; returns the redirect, the cookie and the text. */
  const enter = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams(fields);
    const answer = await fetch(`${api.base}/pages/key`, {
      ...{ method: "POST", redirect: "manual", body },
      headers: { origin: api.base, ...headers },
    });
    const [cookie = ""] = answer.headers.getSetCookie();
    const location = new URL(answer.headers.get("location") ?? "", answer.url).href;
    const text = await answer.text();
    return { status: answer.status, location: location.replace(api.base, ""), cookie, text };
  };

  it("open to a visitor who enters the right key, until the visitor leaves", async () => {
    const to = "/pages/search?q=abc&kind=company";
    const { status, location, cookie } = await enter({ key: ` ${TEST_KEY} `, to });
    expect([status, location]).toEqual([303, to]);
    expect(cookie).toMatch(/^register-key=[\w-]+; path=\/; samesite=lax; httponly$/);
    const page = await open(location, { cookie: cookie.split(";")[0] ?? "" });
    expect([page.status, page.text("footer button")]).toEqual([200, "Forget my key"]);
    expect(page.root.querySelector("footer form")?.getAttribute("action")).toBe("../pages/key");
    const left = await enter({});
    expect([left.location, left.cookie]).toEqual(["/", expect.stringMatching(/^register-key=;.*1970/)]);
    // The cookie opens only pages, never the API, which may some day allow changes.
    const ofApi = await fetch(`${api.base}/company/99000064`, { headers: { cookie } });
    expect(ofApi.status).toBe(401);
  });

  it.each(["wrong", "two words", "schlüssel", ":", "long".repeat(5000)])(
    "remove a wrong key from the cookie, with a message: %.10s",
    async (key) => {
      const { cookie } = await enter({ key });
      const page = await open("/", { cookie: cookie.split(";")[0] ?? "" });
      expect([page.status, faultsOf(page)]).toEqual([401, []]);
      expect(page.text(".alert")).toContain("does not know this key");
      expect(page.headers.getSetCookie()[0]).toMatch(/^register-key=;.*1970/);
    },
  );

  it.each(["https://evil.example/", "//evil.example/", "/company/1", "javascript:alert(1)", ""])(
    "redirect from the key form only to pages: %s",
    async (to) => {
      expect((await enter({ key: TEST_KEY, to })).location).toBe("/");
    },
  );

  it.each([
    [{ origin: "https://evil.example" }],
    [{ "sec-fetch-site": "cross-site" }],
    // A proxy that sends another host name than the browser's, without PUBLIC_URL.
    [{ origin: "https://register.example" }],
  ])("refuse a key from another site's form, with a message: %j", async (headers) => {
    const { status, cookie, text } = await enter({ key: TEST_KEY }, headers);
    expect([status, cookie]).toEqual([403, ""]);
    expect(text).toContain("ask its operator to set PUBLIC_URL");
  });

  it("accept a key from their own form through a proxy that sends another host", async () => {
    const headers = { origin: "https://register.example", "sec-fetch-site": "same-origin" };
    expect((await enter({ key: TEST_KEY }, headers)).cookie).toMatch(/^register-key=/);
  });

  it("limit their cookie to this host if the service uses TLS", async () => {
    const secure = await start({ PAGES: "key", PUBLIC_URL: "https://register.example" });
    const answer = await fetch(`${secure.base}/pages/key`, {
      ...{ method: "POST", redirect: "manual", body: new URLSearchParams({ key: TEST_KEY }) },
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-register-key=[\w-]+; path=\/; samesite=lax; secure; httponly$/,
    );
  });

  it("open with the right key", async () => {
    expect((await open("/", basic(TEST_KEY))).status).toBe(200);
  });

  it("open no more than the key opens at the API", async () => {
    const narrow = basic(NARROW_KEY);
    expect((await open("/pages/search?q=abc", narrow)).status).toBe(200);
    const refused = await open("/pages/company/99000064", narrow);
    expect([refused.status, refused.text("h1")]).toEqual([403, "Your key does not open this page"]);
    const companies = basic(COMPANIES_KEY);
    for (const path of ["/pages/search?q=abc", "/pages/suggest?q=abc", "/pages/advanced.csv"]) {
      expect([path, (await open(path, companies)).status]).toEqual([path, 403]);
      expect([path, (await open(path, narrow)).status]).toEqual([path, 200]);
    }
    const start = await open("/", companies);
    expect([start.status, start.text(".ways a")]).toEqual([200, "Browse from A to Z"]);
  });

  it("name the address as the reason for a refused key", async () => {
    const page = await open("/", basic(ELSEWHERE_KEY));
    expect([page.status, page.text("h1")]).toEqual([403, "Your key does not open this page"]);
    expect(page.text(".fault")).toContain("may not be used from your address");
  });

  it("load their files without a key", async () => {
    const { root, address } = await open("/");
    const style = root.querySelector("link[rel=stylesheet]")?.getAttribute("href") ?? "";
    const answer = await fetch(new URL(style, address));
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
  });
});

describe("pages for everybody", () => {
  let api: Api;
  beforeAll(async () => {
    api = await start({ PAGES: "open" });
  });
  const open: Api["open"] = (path, headers) => api.open(path, headers);

  it("say that the register is empty", async () => {
    const page = await open("/");
    expect([page.status, faultsOf(page)]).toEqual([200, []]);
    expect(page.text(".note")).toContain("This register is empty");
    expect(page.text(".coverage")).toContain("Companies not loaded");
    const alphabet = await open("/pages/alphabet");
    expect([alphabet.text(".note"), alphabet.text(".nothing")]).toEqual([page.text(".note"), ""]);
    for (const path of ["/pages/alphabet", "/pages/advanced?company_status=active", "/pages/search?q=abc"]) {
      expect([path, (await open(path)).status]).toEqual([path, 200]);
    }
  });

  it.each([
    [404, "/pages/company/12345678", "This page does not exist"],
    [404, "/pages/company/nonsense", "This page does not exist"],
    [404, "/pages/nowhere", "This page does not exist"],
    [404, "/pages/assets/style.css", "This page does not exist"],
    [400, "/pages/advanced?incorporated_from=yesterday", "The register does not understand this request"],
    [400, `/pages/search?q=${"a".repeat(161)}`, "The register does not understand this request"],
    [416, "/pages/search?q=abc&page=100", "That is too far down the list"],
    [401, "/", "A key is needed", basic("wrong")],
  ])("answer %i at %s with an error page", async (status, path, title, headers = {}) => {
    const page = await open(path, headers);
    expect([page.status, page.text("h1"), faultsOf(page)]).toEqual([status, title, []]);
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  it("link from too far down a list to its first page", async () => {
    const page = await open("/pages/advanced?company_status=active&page=401");
    expect([page.status, page.root.querySelectorAll(".fault li").length]).toEqual([416, 0]);
    const first = page.links(".fault").get("Go back to the first page");
    expect(first).toBe(`${api.base}/pages/advanced?company_status=active`);
  });

  it("name the invalid field", async () => {
    const page = await open("/pages/advanced?incorporated_from=yesterday");
    expect(page.text(".fault li")).toBe(
      "Incorporated from is not right: “yesterday”. A day is written as 2026-11-23.",
    );
  });

  it("tell how long a text may be", async () => {
    const page = await open(`/pages/search?q=${"a".repeat(161)}`);
    expect(page.text(".fault li")).toBe("The search has more than 160 characters. Leave words out.");
  });

  it.each(["/", "/pages/search"])("accept no form by POST: %s", async (path) => {
    const answer = await fetch(api.base + path, { method: "POST", body: "q=abc" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([405, "text/html; charset=utf-8"]);
  });

  it("leave the API closed", async () => {
    expect((await fetch(`${api.base}/company/99000064`)).status).toBe(401);
  });
});

it("pages are counted by address, and say when to come back", async () => {
  const now = new Date();
  // A fixed moment: otherwise the window of counted calls could end during the test. The address is that of no other.
  const settings = { PAGES: "open", ANONYMOUS_LIMIT: LIMIT, TRUSTED_PROXIES: 1 } as const;
  const api = await start(settings, { clock: () => now });
  const address = { "x-forwarded-for": "203.0.113.7" };
  const open = (path: string, headers = {}) => api.open(path, { ...address, ...headers });
  expect((await open("/", basic(TEST_KEY))).status).toBe(200);
  const { root } = await open("/");
  const script = root.querySelector("script")?.getAttribute("src") ?? "";
  for (let i = 1; i < LIMIT; i += 1) expect((await open("/pages/advanced")).status).toBe(200);
  const refused = await open("/pages/advanced");
  expect([refused.status, refused.text("h1")]).toEqual([429, "Too many pages in a short time"]);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(300);
  expect(refused.text()).toContain("Come back in");
  expect(refused.text()).toContain("with one key, or from one address without a key");
  // Files that pages load are not counted, and a key still opens pages.
  expect((await fetch(new URL(script, `${api.base}/`), { headers: address })).status).toBe(200);
  expect((await open("/", basic(TEST_KEY))).status).toBe(200);
});

it("pages queue as searches do, and say when too many are running", async () => {
  const { open } = await start({ PAGES: "open", SEARCHES_AT_ONCE: 1, SEARCHES_WAITING: 0 });
  const pages = await Promise.all(Array.from({ length: 12 }, () => open("/pages/search?q=abc")));
  const busy = pages.filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThan(0);
  expect(pages.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(busy[0]?.headers.get("retry-after")).toBe("1");
  expect(busy[0]?.text("h1")).toBe("The register cannot answer just now");
});

it("pages say that a store is unavailable", async () => {
  const search = () => Promise.reject(new UnavailableError("elasticsearch", "down"));
  const { open } = await start(
    { PAGES: "open" },
    { alter: (stores) => ({ ...stores, elasticsearch: { ...stores.elasticsearch, search } }) },
  );
  const page = await open("/pages/search?q=abc");
  expect([page.status, page.headers.get("retry-after"), faultsOf(page)]).toEqual([503, "2", []]);
  expect((await open("/")).status).toBe(200);
});
