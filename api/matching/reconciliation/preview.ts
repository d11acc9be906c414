/** Owns the preview of an entity: a small page of HTML for a frame in another program. Pure. */
import { createHash } from "node:crypto";
import { Html, html } from "../../core/html.ts";
import type { SearchHit } from "../../search/define-search.ts";
import type { MatchType } from "../define-match.ts";
import { typeOf } from "./entities.ts";
import { propertiesOf, type PropertyValue } from "./properties.ts";

const STYLE =
  "body{margin:0;padding:10px;font:14px/1.4 system-ui,sans-serif;color:#1a1f2b;background:#fff}" +
  "h1{margin:0 0 6px;font-size:16px}dl{display:grid;grid-template-columns:auto 1fr;gap:2px 10px;margin:0}" +
  "dt{color:#4a5264}dd{margin:0;overflow-wrap:anywhere}";

/** What the page may load: its own style, known by its hash, and nothing else. Any page may frame it. */
export const PREVIEW_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const SHOWN_VALUES = 5;

/** The page of an entity: its properties, in words. */
export function previewPage(type: MatchType, hit: SearchHit): string {
  const values = propertiesOf(type).map((property) => ({
    ...property,
    shown: (property.values[type]?.(hit) ?? []).map(showValue),
  }));
  const title = values.find(({ id }) => id === "name")?.shown[0] ?? hit.id;
  const rows = values.filter(({ id, shown }) => id !== "name" && shown.length > 0);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <h1>${title}</h1>
        <dl>
          <dt>Type</dt>
          <dd>${typeOf(type).name}</dd>
          ${rows.map(
            ({ name, shown }) =>
              html`<dt>${name}</dt>
                <dd>${listOf(shown)}</dd>`,
          )}
        </dl>
      </body>
    </html>`.text;
}

function showValue(value: PropertyValue): string {
  if ("str" in value) return value.str;
  if ("int" in value) return String(value.int);
  return "date" in value ? value.date.slice(0, "YYYY-MM-DD".length) : value.name;
}

function listOf(shown: readonly string[]): string {
  const more = shown.length - SHOWN_VALUES;
  return shown.slice(0, SHOWN_VALUES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
