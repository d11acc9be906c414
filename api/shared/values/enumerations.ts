/** Owns the lists of words of the specification, read from `enumerations.json` (spellings kept as published). */
import enumerations from "./enumerations.json" with { type: "json" };

type Enumerations = typeof enumerations;

/** Name of a list: `company_status`, `officer_role`, … */
export type EnumerationName = Exclude<keyof Enumerations, "_about">;

/** The names of all lists, in the order published. */
export function enumerationNames(): EnumerationName[] {
  return Object.keys(enumerations).filter((name): name is EnumerationName => name !== "_about");
}

/** The keys of a list, in the order published. */
export function enumerationKeys(name: EnumerationName): string[] {
  const list: unknown = enumerations[name];
  return Array.isArray(list) ? (list as string[]) : Object.keys(list as object);
}

/** The label published for a key, or undefined where the list has none. */
export function enumerationLabel(name: EnumerationName, key: string): string | undefined {
  const list = enumerations[name] as unknown as Record<string, unknown>;
  const label = list[key]; // a word such as `constructor` gives no text
  return typeof label === "string" ? label : undefined;
}

/** The nature of a business, from the present list or else the former one; empty for a code of neither. */
export function describeSic(code: string): string {
  const now = enumerationLabel("sic_2007_condensed", code);
  // The former codes have four digits, also where files have five.
  return now ?? enumerationLabel("sic_2003", code.replace(/^0+/, "").padStart(4, "0")) ?? "";
}

/** The members of `description_values` that the descriptions of filings speak of. */
export function descriptionMembers(): string[] {
  return [...new Set(Object.values(enumerations.filing_history_description).flat())];
}

/** The labels published for the keys of the list that a schema has its title from; undefined where it has none. */
export function labelsOfTitle(title: string, keys: readonly string[]): string[] | undefined {
  const list = title.replaceAll("-", "_") as EnumerationName; // another word is the name of no list
  const labels = keys.map((key) => (enumerations[list] ? (enumerationLabel(list, key) ?? "") : ""));
  return labels.some((label) => label !== "") ? labels : undefined;
}

/** Values of `company_status` of companies that exist, without insolvency or other trouble. */
export const ACTIVE_STATUSES: ReadonlySet<string> = new Set(["active", "open", "registered"]);

/** Values of companies that no longer exist. */
export const ENDED_STATUSES: ReadonlySet<string> = new Set(
  "dissolved closed converted-closed removed".split(" "),
);

/**
 * JSON Schema of a word of a list, titled after it, or of another: lists grow, and a new word must not cost the record that has it
 * (API reference 5). `readWord` warns of a new word. `more`: words that are not in the published list.
 */
export function enumerationSchema(name: EnumerationName, more: readonly string[] = []) {
  const listed = [...enumerationKeys(name), ...more];
  return growingList({ title: name.replaceAll("_", "-"), type: "string", enum: listed } as const);
}

/** JSON Schema of a word of this list, or of another. */
export function growingList<const S extends object>(list: S) {
  // Limit: longer than any of the lists has.
  return { anyOf: [list, { type: "string", minLength: 1, maxLength: 300 }] } as const;
}

/**
 * The word as its list has it, in whatever letter case it came. A word that is not on the list is returned without the blanks
 * around it, and `warn` is told. What is no text is returned as it came.
 */
export function readWord(
  field: string,
  word: unknown,
  known: ReadonlySet<unknown>,
  warn: (warning: string) => void,
): unknown {
  // Nearly every word is as the list has it.
  if (known.has(word) || typeof word !== "string") return word;
  const trimmed = word.trim();
  const plain = trimmed.toLowerCase();
  if (known.has(plain)) return plain;
  warn(notOnList(field, trimmed));
  return trimmed || word;
}

/** The warning of a word that is not on the list of its member; it is stored all the same. */
export function notOnList(field: string, word: string): string {
  return `${field}: "${word.slice(0, 100)}" is not on the list`;
}
