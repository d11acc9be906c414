/**
 * Owns the files that every page of HTML loads, the style sheet and the mark, whose names change with their content, and the
 * content policy of pages: nothing inline, nothing from other hosts.
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

// The published style sheet, and below it what all our pages need besides.
const BASE_STYLE = "@picocss/pico/css/pico.classless.min.css";
const STYLES = ["theme", "frame", "facts", "forms"];

/** Files never change under their name: a year, the maximum of caches. */
export const FOR_EVER = "public, max-age=31536000, immutable";

/** A file under a name made of its content. */
export function toPageFile(name: string, ending: string, type: string, text: string): PageFile {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { name: `${name}-${hash}.${ending}`, type, text };
}

let files: { style: PageFile; mark: PageFile } | undefined;

/** The style sheet and the mark, which pages of all kinds load; read at the first call. */
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

/** A style sheet of several texts. */
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

// The style sheet has its icons as data: images.
const POLICY = ["default-src 'none'", "style-src 'self'", "img-src 'self' data:", "base-uri 'none'"];

/** The policy with what a page needs besides; where its forms lead, and who may frame it, each page says itself. */
export function contentPolicy(...more: readonly string[]): string {
  return [...POLICY, ...more].join("; ");
}
