/** A headless browser for tests of pages: the one that `npm run test:pages` names. */
import { afterAll, beforeAll } from "@jest/globals";
import { resolve } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

import { openSamplePages } from "./pages.ts";
import type { TestRegister } from "./register.ts";

export type { Page } from "playwright-core";

/** How a visitor's browser is set up. */
export interface Visitor {
  /** Whether JavaScript is enabled; true by default. */
  hasScript?: boolean;
  /** In pixels; 1280 by default. */
  width?: number;
  scheme?: "light" | "dark";
}

export interface TestBrowser {
  /** A new window on the start page of this address. */
  open: (base: string, visitor?: Visitor) => Promise<Page>;
  /** Errors that browsers reported so far (scripts, content policies, missing files), each with its address. */
  complaints: string[];
  close: () => Promise<void>;
}

/** What a test file uses; set before its first test runs. */
export interface OpenedPages {
  register: TestRegister;
  browser: TestBrowser;
  /** Called after the tests, last added first: tests add what must close before the browser and the register. */
  closers: (() => Promise<unknown>)[];
}

/** Pages of the sample register and a browser, opened before the tests of a file and closed after them. */
export function usePages(): OpenedPages {
  const closers: OpenedPages["closers"] = [];
  // The cast: `beforeAll` sets the other members.
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

/** Starts the browser. As root it runs without its sandbox, which Chromium does not allow for root. */
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
