/** Puts a query together. Pure. */

/** Template tag: the text, or undefined if a value is missing or empty. */
export function text(parts: TemplateStringsArray, ...values: (string | undefined)[]): string | undefined {
  if (values.some((value) => !value)) return undefined;
  return String.raw({ raw: parts }, ...values);
}
