/** Plain titles (Mr, Mrs, …). The API's names leave them out, so a name without one says nothing about it. Pure. */
import type { NameElements } from "./members.ts";

// Titles that lists leave out (API reference 6).
const PLAIN_TITLES = new Set(["mr", "mrs", "miss", "ms", "master"]);

export function isPlainTitle(title: string): boolean {
  return PLAIN_TITLES.has(title.toLowerCase().replace(/\.$/, ""));
}

/** `stated` with the plain title of `earlier`, if both are the same name otherwise. A body has no stated name. */
export function withPlainTitle(earlier?: NameElements, stated?: NameElements): NameElements | undefined {
  if (!earlier?.title || !stated || stated.title || !isPlainTitle(earlier.title)) return stated;
  return untitled(earlier) === untitled(stated) ? { title: earlier.title, ...stated } : stated;
}

/** Forenames, however they are split, and surname in capitals: files have both in capitals, lists only the surname. */
function untitled({ forename = "", other_forenames = "", surname }: NameElements): string {
  const forenames = `${forename} ${other_forenames}`.trim();
  return `${forenames},${surname}`.replace(/\s+/g, " ").toUpperCase();
}
