/** The pictures of pages that the documentation shows; UPDATE=1 takes them anew, for somebody to look at. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { openBrowser, type TestBrowser } from "../support/browser.ts";
import { openSamplePages } from "../support/pages.ts";
import type { TestRegister } from "../support/register.ts";

const FOLDER = "api/pages/screenshots";
const MOST_BYTES = 150_000;
const MOST_BYTES_OF_ALL = 1_000_000;

const PAGES: [name: string, path: string][] = [
  ["start", "/"],
  ["results", "/pages/search?q=quillfeather&kind=company"],
  ["company", "/pages/company/99000066"],
];
const VISITORS = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 1280 },
  { scheme: "light", width: 390 },
  { scheme: "dark", width: 390 },
] as const;
const fileOf = (name: string, { scheme, width }: (typeof VISITORS)[number]) =>
  `${name}-${width}-${scheme}.webp`;

const isUpdate = process.env.UPDATE === "1";
const files = PAGES.flatMap(([name]) => VISITORS.map((visitor) => fileOf(name, visitor)));

(isUpdate ? describe : describe.skip)("taken anew", () => {
  let register: TestRegister;
  let browser: TestBrowser;
  beforeAll(async () => {
    [register, browser] = [await openSamplePages(), await openBrowser()];
    mkdirSync(FOLDER, { recursive: true });
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await register.close();
  });

  it.each(PAGES)("%s", async (name, path) => {
    for (const visitor of VISITORS) {
      const page = await browser.open(register.base, visitor);
      await page.goto(path);
      // The driver itself writes no WebP, which is half as large.
      const chromium = await page.context().newCDPSession(page);
      const { data } = await chromium.send("Page.captureScreenshot", { format: "webp", quality: 88 });
      writeFileSync(`${FOLDER}/${fileOf(name, visitor)}`, Buffer.from(data, "base64"));
      await page.context().close();
    }
  });
});

it("are all there, and small", () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(files.toSorted());
  const sizes = files.map((file) => statSync(`${FOLDER}/${file}`).size);
  for (const size of sizes) expect(size).toBeLessThan(MOST_BYTES);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES_OF_ALL);
});
