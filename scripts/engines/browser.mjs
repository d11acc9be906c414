// Owns the browser of the tests of pages: Chromium, from Debian where there is none, and a font like those people have.

import { existsSync } from "node:fs";
import { ensureCommand, ensureInstalled, findCommand } from "./debian.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const fontFolder = "/usr/share/fonts/opentype/inter";

/** The path of a browser, which is installed first when it is missing. */
export async function ensureBrowser() {
  const found = names.map(findCommand).find(Boolean);
  if (found) return found;
  const command = await ensureCommand("chromium", "chromium");
  await ensureInstalled("fonts-inter", () => (existsSync(fontFolder) ? fontFolder : undefined));
  return command;
}
