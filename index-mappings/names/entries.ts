/** The entries of the nested field `names`: the name of a company, a body or a person, as the index stores it. */
import { nameStarts, parseCompanyName, type CompanyName } from "./company-name.ts";
import { parsePersonName, type PersonForms, type PersonNameParts } from "./person-name.ts";

/** The members that every entry has besides the forms of its name. */
interface EntryFacts {
  /** The name as it is shown. */
  name: string;
  /** False for previous and former names. */
  current: boolean;
  /** The day a previous name ceased. */
  ceased?: string | undefined;
}

/** One entry of the nested field `names`. */
export type NameEntry = EntryFacts & Record<string, unknown>;

/** The entry of a company's or a body's name, and the name that was parsed for it. */
export function buildCompanyEntry(facts: EntryFacts): { entry: NameEntry; name: CompanyName } {
  const { name: shown, current, ceased } = facts;
  const name = parseCompanyName(shown);
  const { key, end, words } = name;
  const forms = { name: shown, current, ceased, key, end, starts: nameStarts(words), text: words.join(" ") };
  return { name, entry: forms };
}

/** The entry of a name, and what the name contributes to the document as a whole. */
export interface ReadName {
  entry: NameEntry;
  orderKey: string;
  /** Number of a person's forenames, or of words of a body's name: among equal matches, fewer come first. */
  words: number;
}

/** Reads the name of a person, or of a body, which has no parts; null if a person's name has nothing to search for. */
export function readName(facts: EntryFacts, parts: PersonNameParts | undefined): ReadName | null {
  if (!parts) {
    const { entry, name } = buildCompanyEntry(facts);
    return { entry, orderKey: name.key, words: name.words.length };
  }
  const name = parsePersonName(parts);
  return (
    name && { entry: buildPersonEntry(facts, name.forms), orderKey: name.orderKey, words: name.forenames }
  );
}

/** Copies member by member, because spreading two objects takes six times as long. */
function buildPersonEntry({ name, current, ceased }: EntryFacts, forms: PersonForms): NameEntry {
  const { surname, first, others, full, given, person, letters, run } = forms;
  const entry = { name, current, ceased, surname, first, others, full, given, person, letters, run };
  return entry satisfies EntryFacts & PersonForms;
}

/** Honorifics that are shown before a name (API reference, part 6); all others are omitted. */
export const SHOWN_HONORIFIC = /^(sir|lord|dr|doctor)$/i;

/** `Forename Others SURNAME`, with the honorific before it where one is shown. */
export function personTitle(parts: PersonNameParts & { title?: string | undefined }): string {
  const title = parts.title?.trim().replace(/\.$/, "") ?? "";
  const honorific = SHOWN_HONORIFIC.test(title)
    ? title.charAt(0).toUpperCase() + title.slice(1).toLowerCase()
    : "";
  const { forename, other_forenames, surname } = parts;
  return [honorific, forename, other_forenames, surname?.toUpperCase()].filter(Boolean).join(" ");
}
