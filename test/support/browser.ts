/** A headless browser for tests of pages: the one that `npm run test:pages` names. */
import { afterAll, beforeAll } from "@jest/globals";
import { resolve } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

import { openSamplePages } from "./pages.ts";
import type { TestRegister } from "./register.ts";

export type { Page } from "playwright-core";

/** How a visitor's browser is. */
export interface Visitor {
  /** True unless told. */
  hasScript?: boolean;
  /** In pixels; 1280 unless told. */
  width?: number;
  scheme?: "light" | "dark";
}

export interface TestBrowser {
  /** A new window on the start page of this address. */
  open: (base: string, visitor?: Visitor) => Promise<Page>;
  /** What browsers have complained of since: scripts, policies, files that were not there; each with the address. */
  complaints: string[];
  close: () => Promise<void>;
}

/** What a test file uses: there once the first test runs. */
export interface OpenedPages {
  register: TestRegister;
  browser: TestBrowser;
  /** What else is closed after the tests, the last first, before the register. */
  closers: (() => Promise<unknown>)[];
}

/** The pages over the sample and a browser, for a test file: opened before its tests and closed after them. */
export function usePages(): OpenedPages {
  const closers: OpenedPages["closers"] = [];
  // The cast: see above.
  const opened = { closers } as OpenedPages;
  beforeAll(async () => {
    opened.register = await openSamplePages();
    closers.push(() => opened.register.close());
    opened.browser = await openBrowser();
    closers.push(() => opened.browser.close());
  }, 180_000);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });
  return opened;
}

/** Starts it. Root may run none in a sandbox. */
export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = process.env.CHROMIUM;
  if (!executablePath) throw new Error("CHROMIUM is not set: run these tests with 'npm run test:pages'");
  const browser: Browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    env: { ...process.env, FONTCONFIG_FILE: resolve("test/pages/fonts.conf") },
  });
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    complaints,
    open: async (base, { hasScript = true, width = 1280, scheme = "light" } = {}) => {
      const context = await browser.newContext({
        baseURL: base,
        javaScriptEnabled: hasScript,
        viewport: { width, height: width < 600 ? 844 : 900 },
        colorScheme: scheme,
        acceptDownloads: true,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(`${message.location().url}: ${message.text()}`);
      });
      page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
      await page.goto("/");
      return page;
    },
    close: async () => {
      for (const context of contexts) await context.close();
      await browser.close();
    },
  };
}
