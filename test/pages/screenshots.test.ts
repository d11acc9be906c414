/** Takes and checks the screenshots of the documentation. UPDATE=1 also stores them; look at them before a commit. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { usePages, type Page } from "../support/browser.ts";

const FOLDER = "api/pages/screenshots";
// A picture of an empty background has less than 2,000 bytes.
const LEAST_BYTES = 8_000;
const MOST_BYTES = 150_000;
const MOST_BYTES_OF_ALL = 1_000_000;

const PAGES: [name: string, path: string, heading: string][] = [
  ["start", "/", "Find a company, and who is behind it"],
  ["results", "/pages/search?q=quillfeather&kind=company", "8 companies for “quillfeather”"],
  ["company", "/pages/company/99000066", "QUILLFEATHERS LTD"],
];
const VISITORS = [
  { scheme: "light", width: 1280, height: 900 },
  { scheme: "dark", width: 1280, height: 900 },
  { scheme: "light", width: 390, height: 844 },
  { scheme: "dark", width: 390, height: 844 },
] as const;
type Visitor = (typeof VISITORS)[number];
const fileOf = (name: string, { scheme, width }: Visitor) => `${name}-${width}-${scheme}.webp`;

const pages = usePages();

describe.each(VISITORS)("at a width of $width pixels, $scheme", (visitor) => {
  let page: Page;
  beforeAll(async () => {
    page = await pages.browser.open(pages.register.base, visitor);
  });
  afterAll(() => page.context().close());

  it.each(PAGES)(
    "the screenshot of %s, and the stored one, have the size of the window and a picture in it",
    async (name, path, heading) => {
      await page.goto(path);
      expect(await page.locator("h1").innerText()).toBe(heading);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(visitor.width);
      const picture = await takePicture(page);
      expectPicture(picture, visitor);
      const file = `${FOLDER}/${fileOf(name, visitor)}`;
      if (process.env.UPDATE === "1") writeFileSync(file, picture);
      expectPicture(readFileSync(file), visitor);
    },
  );
});

it("the folder has exactly these screenshots, which are small together", () => {
  const files = PAGES.flatMap(([name]) => VISITORS.map((visitor) => fileOf(name, visitor)));
  expect(readdirSync(FOLDER).toSorted()).toEqual(files.toSorted());
  const bytes = files.reduce((sum, file) => sum + readFileSync(`${FOLDER}/${file}`).length, 0);
  expect(bytes).toBeLessThan(MOST_BYTES_OF_ALL);
});

/** A screenshot of the window as WebP, half as large as the formats that the driver itself can write. */
async function takePicture(page: Page): Promise<Buffer> {
  const chromium = await page.context().newCDPSession(page);
  const { data } = await chromium.send("Page.captureScreenshot", { format: "webp", quality: 88 });
  return Buffer.from(data, "base64");
}

/** Expects a picture as large as the window, not empty, and small enough for a document. */
function expectPicture(picture: Buffer, { width, height }: Visitor): void {
  expect(sizeOf(picture)).toEqual({ width, height });
  expect(picture.length).toBeGreaterThan(LEAST_BYTES);
  expect(picture.length).toBeLessThan(MOST_BYTES);
}

/** Width and height of a WebP with an extended header, which has both minus one, in three bytes each. */
function sizeOf(picture: Buffer): { width: number; height: number } {
  expect(picture.toString("latin1", 8, 16)).toBe("WEBPVP8X");
  return { width: picture.readUIntLE(24, 3) + 1, height: picture.readUIntLE(27, 3) + 1 };
}
