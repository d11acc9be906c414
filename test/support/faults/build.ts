/** Owns a build of the sources as they are now, for processes that a test starts: edits made meanwhile do not reach it. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { transformSync } from "@swc/core";

const IS_SOURCE = /\.tsx?$/;
// Sources, the data that they import, and what pages load in a browser.
const IS_NEEDED = /\.(tsx?|json|css|js|svg)$/;
const FOLDERS = ["api", "ingest", "index-mappings", "scripts", "test/support/mongodb"];

/**
 * Compiles the register into a temporary folder and returns it; `ingest/main.js` and `scripts/cli.js` are in it. Types
 * are not checked, which makes it a second's work instead of half a minute's.
 */
export function buildRegister(): string {
  const target = mkdtempSync(join(tmpdir(), "company-register-build-"));
  for (const file of FOLDERS.flatMap(listFiles)) {
    const path = join(target, file);
    mkdirSync(dirname(path), { recursive: true });
    if (IS_SOURCE.test(file)) writeFileSync(path.replace(IS_SOURCE, ".js"), compile(file));
    else cpSync(file, path);
  }
  writeFileSync(join(target, "package.json"), '{"type":"module"}');
  symlinkSync(resolve("node_modules"), join(target, "node_modules"));
  return target;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => IS_NEEDED.test(name))
    .map((name) => join(folder, name));
}

function compile(file: string): string {
  const { code } = transformSync(readFileSync(file, "utf8"), {
    filename: file,
    jsc: {
      target: "es2022",
      parser: { syntax: "typescript", tsx: file.endsWith(".tsx") },
      transform: { react: { runtime: "automatic", importSource: "hono/jsx" } },
      experimental: { keepImportAttributes: true },
    },
    module: { type: "es6" },
  });
  return code.replaceAll(/\b(from |import\(|import )"(\.{1,2}\/[^"]+)\.tsx?"/g, '$1"$2.js"');
}
