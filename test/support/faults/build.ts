/** Builds the current sources for the processes that a test starts, so that edits made meanwhile do not affect them. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { transformSync, version, type Options } from "@swc/core";

const IS_SOURCE = /\.tsx?$/;
// Sources, the data that they import, and what pages load in a browser.
const IS_NEEDED = /\.(tsx?|json|css|js|svg)$/;
const FOLDERS = ["api", "ingest", "index-mappings", "scripts", "test/support/mongodb"];

const PREFIX = "company-register-build-";
// Longer than any run: a build that has not been used for so long belongs to sources that have changed.
const UNUSED_MS = 24 * 3_600_000;

const OPTIONS: Options = {
  jsc: {
    target: "es2022",
    parser: { syntax: "typescript" },
    transform: { react: { runtime: "automatic", importSource: "hono/jsx" } },
    experimental: { keepImportAttributes: true },
  },
  module: { type: "es6" },
};

interface NeededFile {
  path: string;
  content: Buffer;
}

/**
 * Compiles the register into a temporary folder and returns its path; it has `ingest/main.js` and `scripts/cli.js`.
 * Types are not checked, so it takes a second instead of half a minute. All suites with the same sources share one
 * folder, and must not write into it or delete it. A later build deletes it when it has not been used for a day.
 */
export function buildRegister(): string {
  const files = FOLDERS.flatMap(readFolder);
  const target = join(tmpdir(), PREFIX + hashOf(files));
  if (existsSync(target)) utimesSync(target, new Date(), new Date());
  else writeBuild(files, target);
  removeUnused();
  return target;
}

function readFolder(folder: string): NeededFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => IS_NEEDED.test(name))
    .map((name) => join(folder, name))
    .sort()
    .map((path) => ({ path, content: readFileSync(path) }));
}

/** A hash of everything that a build depends on. The working folder counts too, because its packages are linked. */
function hashOf(files: readonly NeededFile[]): string {
  const replaced = IMPORT_OF_SOURCE.source;
  const hash = createHash("sha256").update(JSON.stringify([OPTIONS, version, replaced, resolve(".")]));
  for (const { path, content } of files) hash.update(`${path}\0${content.length}\0`).update(content);
  return hash.digest("hex").slice(0, 20);
}

/** Writes a draft and renames it, so that suites in other processes see the whole build or none. */
function writeBuild(files: readonly NeededFile[], target: string): void {
  const draft = mkdtempSync(join(tmpdir(), PREFIX));
  for (const file of files) {
    const path = join(draft, file.path);
    mkdirSync(dirname(path), { recursive: true });
    if (IS_SOURCE.test(path)) writeFileSync(path.replace(IS_SOURCE, ".js"), compile(file));
    else writeFileSync(path, file.content);
  }
  writeFileSync(join(draft, "package.json"), '{"type":"module"}');
  symlinkSync(resolve("node_modules"), join(draft, "node_modules"));
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process was faster.
    if (!existsSync(target)) throw error;
  }
}

const IMPORT_OF_SOURCE = /\b(from |import\(|import )"(\.{1,2}\/[^"]+)\.tsx?"/g;

function compile({ path, content }: NeededFile): string {
  const parser = { syntax: "typescript", tsx: path.endsWith(".tsx") } as const;
  const { code } = transformSync(content.toString(), {
    ...OPTIONS,
    filename: path,
    jsc: { ...OPTIONS.jsc, parser },
  });
  return code.replaceAll(IMPORT_OF_SOURCE, '$1"$2.js"');
}

/** Deletes builds that were not used for a day, and drafts that killed runs have left. */
function removeUnused(): void {
  const since = Date.now() - UNUSED_MS;
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs >= since) continue;
    try {
      rmSync(path, { recursive: true });
    } catch {
      // It belongs to another user, or another process is deleting it too.
    }
  }
}
