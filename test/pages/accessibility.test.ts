/** Every kind of page is accessible: axe finds no faults, nothing is cut off, and the browser reports no errors. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import axe from "axe-core";
import { usePages, type Page } from "../support/browser.ts";
import { CODE, EMAIL, PASSWORD } from "../support/oauth.ts";
import { openOtherPages, type OtherPages } from "../support/other-pages.ts";
import { TEST_KEY } from "../support/register.ts";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const OF_COLOURS = axe
  .getRules(TAGS)
  .flatMap(({ ruleId, tags }) => (tags.includes("cat.color") ? ruleId : []));

const WIDE = 1280;

/** A page of each kind, with as much content as the sample allows. */
const PAGES: [name: string, path: string, status?: number][] = [
  ["the start", "/"],
  ["results of all kinds", "/pages/search?q=quillfeather"],
  ["results with facets", "/pages/search?q=quillfeather&kind=company"],
  ["filtered results", "/pages/search?q=quillfeather&kind=company&company_status=dissolved"],
  ["results by a former name", "/pages/search?q=brackenshaw+test+public+limited+company"],
  ["no results", "/pages/search?q=zzzzxxyyqq"],
  ["results with a suggested spelling", "/pages/search?q=quilfeather+holdings"],
  ["a search for the disqualified", "/pages/search?kind=disqualified"],
  ["a company", "/pages/company/99000066"],
  ["a company with insolvency cases", "/pages/company/99000035"],
  ["people", "/pages/company/99000064/people"],
  ["control", "/pages/company/99000050/control"],
  ["filings", "/pages/company/99000064/filings"],
  ["charges", "/pages/company/99000050/charges"],
  ["insolvency", "/pages/company/99000035/insolvency"],
  ["establishments", "/pages/company/FC099001/establishments"],
  ["the timeline", "/pages/company/99000050/timeline"],
  ["an officer", "/pages/officer/IxHiPNuKxmXWTl1jzrkVwPyt8ts"],
  ["a disqualified officer", "/pages/disqualified/natural/9rtHLuSNdATI0Gea9v0MT3qVxn0"],
  ["the alphabet", "/pages/alphabet?from=Q"],
  ["the advanced search", "/pages/advanced"],
  ["results of the advanced search", "/pages/advanced?company_name_includes=quillfeather"],
  ["the page of a missing company", "/pages/company/12345678", 404],
  ["a form with an invalid field", "/pages/advanced?incorporated_from=yesterday", 400],
  ["a page past the search window", "/pages/search?q=abc&page=100", 416],
];

/** Pages besides the register's own, and how to get to each. */
const OTHERS: [name: string, walk: (page: Page) => Promise<unknown>][] = [
  ["sign-in", (page) => page.goto(others.signIn)],
  ["a refused sign-in", (page) => others.submit(page, { email: EMAIL, password: "wrong" })],
  ["the form for a company's code", (page) => others.submit(page, { email: EMAIL, password: PASSWORD })],
  ["a refused company code", (page) => others.submit(page, { code: "K7M2-0000" })],
  ["consent", (page) => others.submit(page, { code: CODE })],
  ["a person's own sign-in", (page) => page.goto(others.applications)],
  ["applications with access", (page) => others.submit(page, { email: EMAIL, password: PASSWORD })],
  ["applications after one access has been ended", (page) => endAccess(page)],
  ["an invalid request of an application", (page) => page.goto("/oauth2/authorise?client_id=nobody")],
  [
    "a preview of the reconciliation service",
    (page) => page.goto(`/reconcile/key/${TEST_KEY}/preview/99000064`),
  ],
  ["the form for a key", (page) => page.goto(others.keyed)],
  ["a refused key", (page) => others.submit(page, { key: "wrong" })],
  ["the page after a key is entered", (page) => others.submit(page, { key: TEST_KEY })],
];

/** Ends the access of the first application with the keyboard, by the accessible name of its button. */
async function endAccess(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^End access of Ledger \d$/ }).first();
  await Promise.all([page.waitForEvent("load"), button.press("Enter")]);
  await page.getByRole("status").waitFor();
}

/** Runs in the browser: the text of the element with the focus, and whether its outline is visible. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return { words: element.textContent, isVisible: outlineStyle !== "none" && outlineWidth !== "0px" };
})()`;

const pages = usePages();
let others: OtherPages;
beforeAll(async () => {
  others = await openOtherPages();
  pages.closers.push(others.close);
});

describe.each([WIDE, 390])("at a width of %i pixels", (width) => {
  let page: Page;
  beforeAll(async () => {
    page = await pages.browser.open(pages.register.base, { width });
  });
  afterAll(() => page.context().close());

  it.each(PAGES)("%s is accessible", async (_name, path, status = 200) => {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(status);
    await expectFaultless(page, width);
  });

  // In this order, because each page leads to the next.
  it.each(OTHERS)("%s is accessible", async (_name, walk) => {
    await walk(page);
    await expectFaultless(page, width);
  });

  it("the list of suggestions is accessible", async () => {
    await page.goto("/");
    await page.getByRole("combobox").fill("quillf");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await expectAccessible(page, width);
  });
});

it("a printed page has no header, and dark text on light whatever the colour scheme", async () => {
  const page = await pages.browser.open(pages.register.base, { scheme: "dark" });
  await page.goto("/pages/company/99000064");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("body > header").isVisible()).toBe(false);
  expect(await page.locator("main dl").first().isVisible()).toBe(true);
  const colours =
    "[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.body).color]";
  expect(await page.evaluate<string[]>(colours)).toEqual(["rgb(252, 252, 251)", "rgb(35, 41, 46)"]);
});

it("the start page fits on the narrowest screen in a wide font, which some machines use instead of ours", async () => {
  const page = await pages.browser.open(pages.register.base, { width: 320 });
  await page.evaluate("document.documentElement.style.letterSpacing = '0.08em'");
  await expectToFit(page, 320);
});

it("every link and field shows that it has the focus", async () => {
  const page = await pages.browser.open(pages.register.base);
  await page.goto("/pages/company/99000064");
  const stops = await page.locator("a[href], button, input:not([type=hidden])").count();
  for (let i = 0; i < stops; i += 1) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate<{ words: string; isVisible: boolean }>(FOCUSED);
    expect(seen).toMatchObject({ isVisible: true });
  }
});

/** Expects no faults from axe, nothing cut off, and no errors in the browser. */
async function expectFaultless(page: Page, width: number): Promise<void> {
  await expectAccessible(page, width);
  // A browser reports every page with an error status as one that it failed to load.
  const complaints = pages.browser.complaints
    .splice(0)
    .filter((one) => !one.startsWith(`${page.url()}: Failed to load resource`));
  expect(complaints).toEqual([]);
}

/**
 * Expects no faults from axe and nothing cut off. In the dark scheme it checks only colours, at one width, since nothing
 * else differs there.
 */
async function expectAccessible(page: Page, width: number): Promise<void> {
  await page.evaluate(SOURCE);
  await expectToFit(page, width);
  expect(await violationsOf(page, { type: "tag", values: TAGS })).toEqual([]);
  if (width !== WIDE) return;
  // Without reduced motion, axe could read colours in the middle of a transition.
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  expect(OF_COLOURS).toContain("color-contrast");
  expect(await violationsOf(page, { type: "rule", values: OF_COLOURS })).toEqual([]);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
}

async function expectToFit(page: Page, width: number): Promise<void> {
  // Up to two pixels can come from rounding, and nobody sees them.
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width + 2);
}

/** The faults that axe finds, in words. */
async function violationsOf(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  const options = JSON.stringify({ runOnly });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
