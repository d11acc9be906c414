/** The preview of an entity: a small HTML page that another program shows in a frame. */
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import { formatLongDate } from "../../shared/values/dates.ts";
import { describeSic, enumerationLabel, type EnumerationName } from "../../shared/values/enumerations.ts";
import { renderDocument } from "../../shared/html/document.tsx";
import { readStyles } from "../../shared/html/files.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import type { MatchType } from "../define-match.ts";
import { typeOf } from "./entities.ts";
import { propertiesOf, type PropertyValue } from "./properties.ts";

const SHOWN_VALUES = 5;

/**
 * Makes the function that renders previews. A preview loads no files, so that its address, which may contain a key, is
 * not sent anywhere; its style is in the page.
 */
export function openPreviews() {
  const style = readStyles(["theme", "facts", "preview"]);
  // Allows only its own style, by a hash. Without frame-ancestors, any page may show it in a frame.
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return (type: MatchType, hit: SearchHit) => ({
    page: renderDocument(<Entity type={type} hit={hit} style={style} />),
    policy,
  });
}

/** The properties of an entity, in words. Always in light colours, like the programs around it. */
function Entity({ type, hit, style }: { type: MatchType; hit: SearchHit; style: string }) {
  const values = propertiesOf(type).map((property) => ({
    ...property,
    shown: (property.values[type]?.(hit) ?? []).map((value) => showValue(property.id, value)),
  }));
  const title = values.find(({ id }) => id === "name")?.shown[0] ?? hit.id;
  const facts: [name: string, shown: string[]][] = [
    ["Type", [typeOf(type).name]],
    ...values
      .filter(({ id, shown }) => id !== "name" && shown.length > 0)
      .map(({ name, shown }): [string, string[]] => [name, shown]),
  ];
  return (
    <html lang="en" data-theme="light">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <dl class="short">
            {facts.map(([name, shown]) => (
              <div>
                <dt>{name}</dt>
                <dd>{listOf(shown)}</dd>
              </div>
            ))}
          </dl>
        </main>
      </body>
    </html>
  );
}

// Properties whose values are codes, and the enumeration with their labels.
const CODED: Record<string, EnumerationName> = { company_status: "company_status", type: "company_type" };

/** Writes codes and dates in words; other values stay as they are. */
function showValue(property: string, value: PropertyValue): string {
  if ("int" in value) return String(value.int);
  if ("date" in value) {
    const day = value.date.slice(0, "YYYY-MM-DD".length);
    return day >= "9999" ? "no end" : formatLongDate(day);
  }
  if (!("str" in value)) return value.name;
  const { str } = value;
  if (property === "sic_codes") return `${str} ${describeSic(str)}`.trim();
  const list = CODED[property];
  return (list && enumerationLabel(list, str)) ?? str;
}

function listOf(shown: readonly string[]): string {
  const more = shown.length - SHOWN_VALUES;
  return shown.slice(0, SHOWN_VALUES).join("; ") + (more > 0 ? ` and ${more} more` : "");
}
