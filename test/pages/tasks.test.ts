/** Ten tasks that people come for, with and without JavaScript, and some of them on a narrow screen. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { usePages, type Page } from "../support/browser.ts";
import { openRegister, TEST_KEY, type TestRegister } from "../support/register.ts";

const pages = usePages();

const WORDS = "Company, number, person or postcode";

describe.each([
  ["with JavaScript", true, 1280],
  ["without JavaScript", false, 1280],
  ["with JavaScript on a narrow screen", true, 390],
] as const)("%s", (_words, hasScript, width) => {
  let page: Page;
  beforeEach(async () => (page = await pages.browser.open(pages.register.base, { hasScript, width })));
  afterEach(async () => {
    await page.context().close();
    expect(pages.browser.complaints.splice(0)).toEqual([]);
  });

  /** A task whose pages are the same on a narrow screen, so it is not repeated there. */
  const itWide = (name: string, test: () => Promise<void>) => {
    if (width !== 390) it(name, test);
  };

  const heading = () => page.locator("h1").innerText();
  const follow = (name: string | RegExp, within = "main") =>
    page.locator(within).getByRole("link", { name, exact: true }).first().click();
  const search = async (q: string) => {
    await page.getByLabel(WORDS).fill(q);
    await page.getByLabel(WORDS).press("Enter");
    await page.waitForURL(/\/pages\/search\?/);
  };

  itWide("finds a company by a former name", async () => {
    await search("Brackenshaw Test Public Limited Company");
    expect(await page.locator(".results").innerText()).toContain("formerly");
    await follow("BRACKENSHAW-TEST HOLDINGS PLC");
    expect(await heading()).toBe("BRACKENSHAW-TEST HOLDINGS PLC");
    expect(await page.locator("main").innerText()).toContain("BRACKENSHAW TEST PUBLIC LIMITED COMPANY");
  });

  itWide("finds a company by its number without the zeros", async () => {
    await search("99061");
    await follow("LEADING ZEROS SAMPLE LIMITED");
    expect(await page.locator(".above").innerText()).toContain("00099061");
  });

  itWide("finds a company despite a misspelt name", async () => {
    await search("Quilfeather Holdings");
    await page.locator(".meant a").click();
    await page.waitForURL(/QUILLFEATHER/);
    await follow("QUILLFEATHER HOLDINGS LIMITED");
    expect(await heading()).toBe("QUILLFEATHER HOLDINGS LIMITED");
  });

  itWide("finds a company by its postcode", async () => {
    await search("PE30 1ZZ");
    await follow("QUILLFEATHER HOLDINGS LIMITED");
    expect(await page.locator("address").first().innerText()).toContain("PE30 1ZZ");
  });

  it("shows who controls a company, and links to the controller", async () => {
    await search("quillfeather holdings");
    await follow("QUILLFEATHER HOLDINGS LIMITED");
    await page.locator(".picture li a", { hasText: "Quillfeather Group P.L.C." }).click();
    expect(await heading()).toBe("QUILLFEATHER GROUP P.L.C.");
    await page.goBack();
    await follow("Control", ".tabs");
    expect(await page.locator(".cards").innerText()).toContain("Ownership of shares – 75% or more");
  });

  it("lists all companies of a person", async () => {
    await search("Barnaby Quillfeather");
    await follow("Officers", ".tabs");
    await follow("Barnaby QUILLFEATHER");
    expect(await page.locator("main h2").first().innerText()).toBe("14 appointments: 14 current, 0 resigned");
    expect(await page.locator(".card h3 a").count()).toBe(14);
    await page.locator(".card h3 a").first().click();
    expect(page.url()).toContain("/pages/company/");
  });

  itWide("shows whether somebody is disqualified", async () => {
    await follow("Disqualified officers");
    await page.getByLabel("Name of a disqualified officer").fill("Hermia Wrongdale");
    await page.getByRole("button", { name: "Search" }).click();
    await follow("Hermia WRONGDALE");
    expect(await page.locator(".tags").first().innerText()).toBe("Disqualified today");
  });

  itWide("finds companies that were dissolved before 2010", async () => {
    await follow("Advanced search");
    await page.getByLabel("Dissolved until").fill("2009-12-31");
    await page.locator("main").getByRole("button", { name: "Search" }).click();
    expect(await page.locator(".heading h2").innerText()).toBe("2 companies");
  });

  it("downloads a filtered list as a file", async () => {
    await follow("Advanced search");
    await page.getByLabel("Name has all of these words").fill("quillfeather");
    await page.locator("main").getByRole("button", { name: "Search" }).click();
    await page.locator(".facets").getByRole("link", { name: "Dissolved", exact: true }).click();
    await page.waitForURL(/company_status=dissolved/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("Download all as CSV").click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).split("\r\n").filter(Boolean);
    expect([download.suggestedFilename(), lines.length]).toEqual(["companies.csv", 3]);
  });

  it("goes back through the pages to the start", async () => {
    await search("quillfeather");
    await follow("Companies", ".tabs");
    const found = await heading();
    await follow("QUILLFEATHER TRADING LTD");
    await follow("Timeline", ".tabs");
    // The browser refuses to go back while a page is loading.
    await page.waitForURL(/\/timeline$/);
    await page.goBack();
    await page.goBack();
    expect([await heading(), await page.locator("#q").inputValue()]).toEqual([found, "quillfeather"]);
    await page.goBack();
    await page.goBack();
    expect(await heading()).toBe("Find a company, and who is behind it");
  });
});

describe("suggestions", () => {
  let page: Page;
  beforeEach(async () => (page = await pages.browser.open(pages.register.base)));
  afterEach(() => page.context().close());
  const field = () => page.getByRole("combobox", { name: WORDS });
  const options = () => page.getByRole("option");

  it("appear while a visitor types, and can be chosen with the keyboard alone", async () => {
    await page.keyboard.press("Tab");
    expect(await page.evaluate<string>("document.activeElement.textContent")).toContain(
      "Skip to the content",
    );
    await field().focus();
    await page.keyboard.type("quillf");
    await options().first().waitFor();
    expect(await field().getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const chosen = await field().getAttribute("aria-activedescendant");
    expect(await page.locator("[aria-selected=true]").getAttribute("id")).toBe(chosen);
    const name = await page.locator("[aria-selected=true] span").innerText();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/pages\/company\//);
    expect(await page.locator("h1").innerText()).toBe(name);
  });

  it("close on Escape and on leaving the field, and Enter searches for the typed text", async () => {
    await field().fill("quillf");
    await options().first().waitFor();
    const status = page.getByRole("status");
    expect(await status.innerText()).toMatch(/^\d suggestions$/);
    await page.keyboard.press("Escape");
    expect([await options().count(), await field().getAttribute("aria-expanded")]).toEqual([0, "false"]);
    expect(await status.innerText()).toBe("");
    await page.keyboard.type("e");
    await options().first().waitFor();
    await page.keyboard.press("Tab");
    expect(await options().count()).toBe(0);
    await field().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/pages\/search\?q=quillfe/);
  });

  it("are officers in a search for officers", async () => {
    await page.goto("/pages/search?kind=officer");
    await page.getByRole("combobox", { name: "Name of an officer" }).fill("barnaby quillf");
    await options().first().click();
    await page.waitForURL(/\/pages\/officer\//);
    expect(await page.locator("h1").innerText()).toBe("Barnaby QUILLFEATHER");
  });

  it("open the company on a click", async () => {
    await field().fill("leading zer");
    await options().first().click();
    await page.waitForURL(/\/pages\/company\/00099061/);
  });
});

describe("when pages need a key", () => {
  let register: TestRegister;
  beforeAll(async () => {
    register = await openRegister({ settings: { PAGES: "key" }, withWorker: false });
  }, 60_000);
  afterAll(() => register.close());

  it("a visitor enters the key once, and can make the browser forget it", async () => {
    const page = await pages.browser.open(register.base, { hasScript: false });
    await page.goto("/pages/advanced?company_status=active");
    expect(await page.locator("h1").innerText()).toBe("A key is needed");
    const enter = async (key: string) => {
      await page.getByLabel("Your key").fill(key);
      await page.getByRole("button", { name: "Open the register" }).click();
    };
    await enter("wrong");
    expect(await page.getByRole("alert").innerText()).toContain("does not know this key");
    await enter(TEST_KEY);
    await page.waitForURL(/\/pages\/advanced\?company_status=active$/);
    expect(await page.locator("h1").innerText()).toBe("Advanced search");
    await page.getByRole("button", { name: "Forget my key" }).click();
    expect(await page.locator("h1").innerText()).toBe("A key is needed");
    // The next user of the computer must not see these pages.
    await page.goBack();
    expect(page.url()).toContain("/pages/advanced?company_status=active");
    expect(await page.locator("h1").innerText()).toBe("A key is needed");
    await page.context().close();
  });

  it("a page from the browser's back-forward cache asks for the key again once it is forgotten", async () => {
    const page = await pages.browser.open(register.base);
    await page.getByLabel("Your key").fill(TEST_KEY);
    await page.getByRole("button", { name: "Open the register" }).click();
    await page.locator("footer button").waitFor();
    await page.context().clearCookies();
    // Under the test driver that cache is off, so the test sends the page the events that it would get.
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
    expect(await page.locator("h1").isVisible()).toBe(false);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.getByRole("heading", { name: "A key is needed" }).waitFor();
    await page.context().close();
  });
});

it("a download above the rate limit shows a page that says so", async () => {
  const settings = { PAGES: "open", ANONYMOUS_LIMIT: "2" };
  const register = await openRegister({ settings });
  try {
    await register.load("companies/dissolved-extract.csv");
    const page = await pages.browser.open(register.base);
    await page.goto("/pages/advanced?company_status=dissolved");
    await page.getByText("Download all as CSV").click();
    await page.waitForURL(/advanced\.csv/);
    expect(await page.locator("h1").innerText()).toBe("Too many pages in a short time");
    expect(await page.locator("main").innerText()).toContain("Come back in");
    await page.context().close();
  } finally {
    await register.close();
  }
});
