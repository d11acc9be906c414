/** The enumerations of the specification: lists of words with their labels, in `enumerations.json` as published. */
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

/** The published label of a key; undefined if the list has none, or an empty text. */
export function enumerationLabel(name: EnumerationName, key: string): string | undefined {
  const list = enumerations[name] as unknown as Record<string, unknown>;
  const label = list[key]; // not a text for a key such as `constructor`
  return typeof label === "string" && label !== "" ? label : undefined;
}

/** The nature of a business: from SIC 2007, else from SIC 2003; empty for a code that neither has. */
export function describeSic(code: string): string {
  const now = enumerationLabel("sic_2007_condensed", code);
  // Codes of 2003 have four digits; some files write them with five.
  return now ?? enumerationLabel("sic_2003", code.replace(/^0+/, "").padStart(4, "0")) ?? "";
}

/** The members of `description_values` that the descriptions of filings refer to. */
export function descriptionMembers(): string[] {
  return [...new Set(Object.values(enumerations.filing_history_description).flat())];
}

/** The labels of the keys of a schema whose title is the name of a list; undefined if none of the keys has a label. */
export function labelsOfTitle(title: string, keys: readonly string[]): string[] | undefined {
  const list = title.replaceAll("-", "_") as EnumerationName; // checked below: a title need not be the name of a list
  const labels = keys.map((key) => (enumerations[list] ? (enumerationLabel(list, key) ?? "") : ""));
  return labels.some((label) => label !== "") ? labels : undefined;
}

/** Values of `company_status` for companies that exist, and have no insolvency or similar procedure. */
export const ACTIVE_STATUSES: ReadonlySet<string> = new Set(["active", "open", "registered"]);

/** Values of `company_status` for companies that no longer exist. */
export const ENDED_STATUSES: ReadonlySet<string> = new Set(
  "dissolved closed converted-closed removed".split(" "),
);

/**
 * JSON Schema of a member whose words are a published list; its title is the list's name. It also takes other words:
 * lists grow, and a new word must not make a record invalid (API reference 5). `readWord` warns of new words. `more`:
 * known words that the published list does not have.
 */
export function enumerationSchema(name: EnumerationName, more: readonly string[] = []) {
  const listed = [...enumerationKeys(name), ...more];
  return growingList({ title: name.replaceAll("_", "-"), type: "string", enum: listed } as const);
}

/** JSON Schema of a word of this list, or of any other word. */
export function growingList<const S extends object>(list: S) {
  // Limit: 300 is more than the longest word of all lists.
  return { anyOf: [list, { type: "string", minLength: 1, maxLength: 300 }] } as const;
}

/**
 * Returns a word in the spelling of its list, whatever its letter case. A word that is not on the list is returned
 * without the spaces around it, after a call of `warn`. A value that is not a text is returned unchanged.
 */
export function readWord(
  field: string,
  word: unknown,
  known: ReadonlySet<unknown>,
  warn: (warning: string) => void,
): unknown {
  // The fast path: nearly every word already has the spelling of its list.
  if (known.has(word) || typeof word !== "string") return word;
  const trimmed = word.trim();
  const plain = trimmed.toLowerCase();
  if (known.has(plain)) return plain;
  warn(notOnList(field, trimmed));
  return trimmed || word;
}

/** The warning about a word that is not on the list of its member. The word is stored nevertheless. */
export function notOnList(field: string, word: string): string {
  return `${field}: "${word.slice(0, 100)}" is not on the list`;
}
