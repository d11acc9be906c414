/** Owns the titles that the API's names leave out, so that a name without a title says nothing of them. Pure. */
import type { NameElements } from "./members.ts";

// Titles that a list leaves out (API reference 6).
const PLAIN_TITLES = new Set(["mr", "mrs", "miss", "ms", "master"]);

export function isPlainTitle(title: string): boolean {
  return PLAIN_TITLES.has(title.toLowerCase().replace(/\.$/, ""));
}

/** The stated name with the plain title of an earlier one, if both are the same name; undefined: none is stated, as of a body. */
export function withPlainTitle(earlier?: NameElements, stated?: NameElements): NameElements | undefined {
  if (!earlier?.title || !stated || stated.title || !isPlainTitle(earlier.title)) return stated;
  return untitled(earlier) === untitled(stated) ? { title: earlier.title, ...stated } : stated;
}

/** Forenames and surname; files have capitals, and the API's lists a surname in capitals. */
function untitled({ forename = "", other_forenames = "", surname }: NameElements): string {
  const names = [`${forename} ${other_forenames}`, surname].map((name) => name.trim().replace(/\s+/g, " "));
  return names.join(",").toUpperCase();
}
