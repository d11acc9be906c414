/**
 * The files that every HTML page loads (the style sheet and the logo), and the content security policy of pages:
 * nothing inline, nothing from other hosts. A file's name contains a hash of its content, so caches may keep it.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export interface PageFile {
  /** `style-0123456789abcdef.css`. */
  name: string;
  type: string;
  text: string;
}

// The published style sheet, and our own, which follow it in the file.
const BASE_STYLE = "@picocss/pico/css/pico.classless.min.css";
const STYLES = ["theme", "frame", "facts", "forms"];

/** `Cache-Control` of files that never change under their name. A year is the longest time that caches use. */
export const FOR_EVER = "public, max-age=31536000, immutable";

/** Makes a file whose name contains a hash of its content. */
export function toPageFile(name: string, ending: string, type: string, text: string): PageFile {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { name: `${name}-${hash}.${ending}`, type, text };
}

let files: { style: PageFile; mark: PageFile } | undefined;

/** The style sheet and the logo that all pages load; read from disk at the first call. */
export function sharedFiles(): { style: PageFile; mark: PageFile } {
  files ??= {
    style: toStyle([
      readFileSync(createRequire(import.meta.url).resolve(BASE_STYLE), "utf8"),
      readStyles(STYLES),
    ]),
    mark: toPageFile("mark", "svg", "image/svg+xml", readAsset("mark.svg")),
  };
  return files;
}

/** Joins several texts to one style sheet. */
export function toStyle(texts: readonly string[]): PageFile {
  return toPageFile("style", "css", "text/css; charset=utf-8", texts.join("\n"));
}

/** Our own style sheets of these names as one text. */
export function readStyles(names: readonly string[]): string {
  return names.map((name) => readAsset(`${name}.css`)).join("\n");
}

function readAsset(file: string): string {
  return readFileSync(new URL(`assets/${file}`, import.meta.url), "utf8");
}

// `data:` because the style sheet contains its icons as data: images.
const POLICY = ["default-src 'none'", "style-src 'self'", "img-src 'self' data:", "base-uri 'none'"];

/** The policy with further directives. Pages add `form-action` and `frame-ancestors` as they need. */
export function contentPolicy(...more: readonly string[]): string {
  return [...POLICY, ...more].join("; ");
}
