/**
 * Owns what a text says around a person's name, by the words and signs that lead to it: a post, a firm, another name of the same
 * person, a nickname, the words of a page or of a searcher. Pure.
 */
import { MOST_SURNAME_WORDS } from "../../../index-mappings/names/person-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { hasDigit } from "./common-words.ts";
import { withoutHonours } from "./honours.ts";
import { BETWEEN_PARTS, isCompany, isName, MARKS, partsOf } from "./person-parts.ts";
import { hasPlace, isPlace } from "./places.ts";

// Two words, of which the first is a name.
const BEHIND_A_NAME = "(?<=\\S\\s+\\S+)[\\s,(]+";

// `Jane Quornsby née Smithers`, `Jane Quornsby (formerly van der Smith)`, `Jane Quornsby aka Janet Smithers`. AKA is a surname.
const LEADS_TO_OTHER_NAME =
  "NEE|(?:FORMERLY|PREVIOUSLY)(?:\\s+KNOWN\\s+AS)?|ALSO\\s+KNOWN\\s+AS|A\\s?/\\s?K\\s?/\\s?A|(?<=[(,]\\s*)AKA|" +
  "AKA(?=\\s+[^\\s,;|()]+\\s+\\p{L})";
const OTHER_NAME = new RegExp(`${BEHIND_A_NAME}(?:${LEADS_TO_OTHER_NAME})\\s+([^${MARKS}]+)`, "u");
// Limit: more words are no other name.
const MOST_WORDS = 4;

// `Jane Quornsby aka Smithers`: AKA is a surname as well, and A K A may be initials. Two words behind it are a name.
const ALIAS = /(?<=\S\s+\S+)[\s,]+A\s?K\s?A\s.*$/u;

// `Jane Quornsby c/o Quillory Press`, `Jane Quornsby T/A The Book Nook`, `Jane Quornsby of Quillory Press Ltd`
const LEADS_TO_A_FIRM =
  "C\\s?/\\s?O|ON BEHALF OF|T\\s?/\\s?AS?|TRADING AS|D\\s?/\\s?B\\s?/\\s?A|DBA|" +
  "(?:OF|AT|FROM)(?=\\s[^,;|]*\\s(?:LTD|LIMITED|PLC|LLP)\\b)";

// What ends a name, and all behind it.
const ENDS = [
  // The register's own pages: `Jane Mary QUORNSBY personal appointments - Find and update company information`.
  /(?<=\S\s+\S+)\s+(?:PERSONAL|TOTAL NUMBER OF) APPOINTMENTS\b.*$/u,
  // `Harold Nomanby, director of Quillory Ltd`
  /[\s,]+(?:IS\s+)?(?:AN?\s+|THE\s+)?(?:(?:MANAGING|COMPANY|FORMER)\s+)?(?:DIRECTOR|SECRETARY|CHAIRMAN|CHAIR|CEO|TRUSTEE|PARTNER|OWNER|MEMBER|SHAREHOLDER)\s+(?:OF|AT)\s.*$/u,
  new RegExp(`${BEHIND_A_NAME}(?:${LEADS_TO_OTHER_NAME}|${LEADS_TO_A_FIRM})\\s.*$`, "u"),
];

// What a searcher writes behind a name of two words; what follows may be a town.
const OF_A_SEARCHER =
  /\s(?<=\S\s+\S+\s)(?:COMPANIES HOUSE|REGISTERED (?:OFFICE|ADDRESS)|COMPANY DIRECTOR(?: SEARCH)?|DIRECTOR SEARCH)\b/gu;

// `Quillory Press Ltd: Jane Quornsby`; behind a comma an address has several parts.
const COMPANY_BEFORE =
  /^(?:[^,;:|\n\r\t()]|\([^,;:|\n\r\t()]*\))*\s(?:LTD|LIMITED|PLC|LLP)\b\.?(?:\s*(?:[;:|\n\r\t(]|,(?=[^,]*$))|\s[-/]+\s)/u;

// `John (Jack) Smith`, `Siu-Fong (Alice) Fung`: the query as it stands finds those who have both.
const NICKNAME = new RegExp(`\\(\\s*(\\p{L}+)\\s*\\)(\\s*\\p{L}[^${MARKS}]*)`, "u");

/** The parts of a folded text with a name, without what stands around it. */
export function partsOfName(text: string): string[][] {
  const name = ENDS.reduce((left, end) => left.replace(end, ""), text).replace(OF_A_SEARCHER, ",");
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
function withoutNickname(text: string): string {
  return text.replace(NICKNAME, (all, _nickname, behind: string, at: number) =>
    isName(wordsOf(text.slice(0, at))) ? all : ` ${behind}`,
  );
}

/** The words of a folded text around a nickname in brackets; none without one, and for a post: `Jane Quornsby (Director) Leeds`. */
export function aroundNickname(text: string): string[][] {
  const found = NICKNAME.exec(text);
  const before = text.slice(0, found?.index);
  const surname = wordsOf(found?.[2]);
  const isPost = withoutHonours(wordsOf(found?.[1]), 1, []).length === 0;
  const isInside = before !== "" && !BETWEEN_PARTS.test(before);
  if (!isInside || isPost || surname.length > MOST_SURNAME_WORDS || isNoName(surname)) return [];
  return [withoutHonours([...wordsOf(before), ...surname], 0, [])];
}

/** The words of another name in a folded text, and the text before it; null without one. */
export function otherNameIn(text: string): { before: string; words: string[] } | null {
  const found = OTHER_NAME.exec(text);
  const words = withoutHonours(wordsOf(found?.[1]), 0, []);
  const isOther = words.length <= MOST_WORDS && !hasPlace(words) && !isNoName(words);
  return found && isOther ? { before: text.slice(0, found.index), words } : null;
}

/** The text before a word that may lead to another name, or be a part of this one; null without it. */
export function beforeAlias(text: string): string | null {
  const before = text.replace(ALIAS, "");
  return before === text ? null : before;
}

function isNoName(words: string[]): boolean {
  return words.length === 0 || isPlace(words) || words.some(hasDigit);
}
