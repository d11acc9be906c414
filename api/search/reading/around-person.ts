/** Owns the other names that a text gives a person beside the first: née, formerly, also known as; a nickname. Pure. */
import { MOST_SURNAME_WORDS } from "../../../index-mappings/names/person-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { hasDigit } from "./common-words.ts";
import { hasPlace, isPlace } from "./places.ts";
import { withoutHonours } from "./honours.ts";
import { isCompany, isName, partsOf } from "./person-parts.ts";

// `Harold Nomanby, director of Quillory Ltd`
const POST =
  /[\s,]+(?:IS\s+)?(?:AN?\s+|THE\s+)?(?:(?:MANAGING|COMPANY|FORMER)\s+)?(?:DIRECTOR|SECRETARY|CHAIRMAN|CHAIR|CEO|TRUSTEE|PARTNER|OWNER|MEMBER|SHAREHOLDER)\s+(?:OF|AT)\s.*$/u;

// `Jane Quornsby c/o Quillory Press`, `Jane Quornsby née Smithers`, `Jane Quornsby T/A The Book Nook`, `Jane Quornsby of
// Quillory Press Ltd`; behind two words, of which the first is a name.
const BESIDE =
  /(?<=\S\s+\S+)[\s,(]+(?:C\s?\/\s?O|NEE|FORMERLY|PREVIOUSLY|(?:OF|AT|FROM)(?=\s[^,;|]*\s(?:LTD|LIMITED|PLC|LLP)\b)|ON BEHALF OF|T\s?\/\s?AS?|TRADING AS|D\s?\/\s?B\s?\/\s?A|A\s?\/\s?K\s?\/\s?A|DBA|(?<=[(,]\s*)AKA|AKA(?=\s+[^\s,;|()]+\s+\p{L})|ALSO KNOWN AS)\s.*$/u;
// `Quillory Press Ltd: Jane Quornsby`; behind a comma an address has several parts.
const COMPANY_BEFORE =
  /^(?:[^,;:|\n\r\t()]|\([^,;:|\n\r\t()]*\))*\s(?:LTD|LIMITED|PLC|LLP)\b\.?(?:\s*(?:[;:|\n\r\t(]|,(?=[^,]*$))|\s[-/]+\s)/u;

// `John (Jack) Smith`: the query as it stands finds those who have both.
const NICKNAME = /\(\s*\p{L}+\s*\)(?=\s*\p{L})/u;

// `Jane Quornsby aka Smithers`: AKA is a surname as well, and A K A may be initials. Two words behind it are a name.
export const ALIAS = /(?<=\S\s+\S+)[\s,]+A\s?K\s?A\s.*$/u;

// The register's own pages: `Jane Mary QUORNSBY personal appointments - Find and update company information`.
const PAGE = /(?<=\S\s+\S+)\s+(?:PERSONAL|TOTAL NUMBER OF) APPOINTMENTS\b.*$/u;

// What a searcher writes behind a name of two words; what follows may be a town.
const AROUND =
  /\s(?<=\S\s+\S+\s)(?:COMPANIES HOUSE|REGISTERED (?:OFFICE|ADDRESS)|COMPANY DIRECTOR(?: SEARCH)?|DIRECTOR SEARCH)\b/gu;

// `Jane Quornsby née Smithers`, `Jane Quornsby (formerly van der Smith)`, `Jane Quornsby aka Janet Smithers`. AKA is a surname.
const OTHER_NAME =
  /(?<=\S\s+\S+)[\s,(]+(?:NEE|(?:FORMERLY|PREVIOUSLY)(?:\s+KNOWN\s+AS)?|ALSO\s+KNOWN\s+AS|A\s?\/\s?K\s?\/\s?A|(?<=[(,]\s*)AKA|AKA(?=\s+[^\s,;|()]+\s+\p{L}))\s+([^,;|()\n\r\t]+)/u;
// `Siu-Fong (Alice) Fung`
const AROUND_NICKNAME = /^([^,;|()\n\r\t]+)\(\s*(\p{L}+)\s*\)\s*(\p{L}[^,;|()\n\r\t]*)/u;

// Limit: more words are no other name.
const MOST_WORDS = 4;

export function segmentsOf(named: string): string[][] {
  const name = named.replace(PAGE, "").replace(POST, "").replace(BESIDE, "").replace(AROUND, ",");
  const parts = partsOf(withoutNickname(behindCompany(name)));
  return parts.filter((words, place) => place === 0 || !isCompany(words));
}

/** What stands behind the name of a company, unless that is an address. */
function behindCompany(text: string): string {
  const behind = text.replace(COMPANY_BEFORE, "");
  const [name = []] = partsOf(behind);
  return isName(name) && !name.some(hasDigit) && !isPlace(name) ? behind : text;
}

/** Behind a whole name brackets have something else: `Jane Quornsby (Director) Leeds`. */
function withoutNickname(name: string): string {
  return name.replace(NICKNAME, (all, at: number) => (isName(wordsOf(name.slice(0, at))) ? all : " "));
}

/** The words of another name in a folded text, and the text before it; null without one. */
export function otherNameIn(text: string): { before: string; words: string[] } | null {
  const found = OTHER_NAME.exec(text);
  const words = withoutHonours(wordsOf(found?.[1]), 0, []);
  const isName = words.length > 0 && words.length <= MOST_WORDS && !hasPlace(words) && !isNoName(words);
  return found && isName ? { before: text.slice(0, found.index), words } : null;
}

/** The words of a folded text around a nickname in brackets; null without one, and for a post: `Jane Quornsby (Director) Leeds`. */
export function aroundNickname(text: string): string[] | null {
  const [, before, nickname, behind] = AROUND_NICKNAME.exec(text) ?? [];
  const surname = wordsOf(behind);
  const isPost = withoutHonours(wordsOf(nickname), 1, []).length === 0;
  if (isPost || surname.length > MOST_SURNAME_WORDS || isNoName(surname)) return null;
  return withoutHonours([...wordsOf(before), ...surname], 0, []);
}

function isNoName(words: string[]): boolean {
  return words.length === 0 || isPlace(words) || words.some(hasDigit);
}
