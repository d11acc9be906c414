/** Owns the putting together of a query. Pure. */

/** A text of which every part is there; else undefined. */
export function text(parts: TemplateStringsArray, ...values: (string | undefined)[]): string | undefined {
  if (values.some((value) => !value)) return undefined;
  return String.raw({ raw: parts }, ...values);
}
