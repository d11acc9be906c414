/** Owns placeholders: `{name}` in the texts of a case, and the values that take their place. */

/** Values by name. */
export type Values = Record<string, string>;

/** Puts the values in the place of their names; a name without a value stays as it is. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (name: string, word: string) => values[word] ?? name);
}

/** The same in every text of a value. */
export function fillDeep<T>(value: T, values: Values): T;
export function fillDeep(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fill(value, values);
  if (Array.isArray(value)) return value.map((item: unknown) => fillDeep(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillDeep(member, values)]));
}

/** Names of the placeholders in a value. */
export function placeholdersIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
