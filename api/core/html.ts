/** Owns HTML made of text: everything put into a page is escaped, unless it is HTML made here. */

/** HTML that may be put into other HTML as it is. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML with values in it: texts are escaped, lists are joined, what is absent is nothing. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[] | undefined)[]
): Html {
  return new Html(parts.map((part, i) => part + (i < values.length ? show(values[i]) : "")).join(""));
}

function show(value: string | Html | readonly Html[] | undefined): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string") return value.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
  return value.map(({ text }) => text).join("");
}
