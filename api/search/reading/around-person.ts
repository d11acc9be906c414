/**
 * Finds a person's name in a text by the words and signs around it: a post, a firm, another name of the same person, a
 * nickname, and words from web pages or search boxes. Pure.
 */
import { MOST_SURNAME_WORDS } from "../../../index-mappings/names/person-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { hasDigit } from "./common-words.ts";
import { withoutHonours } from "./honours.ts";
import { BETWEEN_PARTS, isCompany, isName, MARKS, partsOf } from "./person-parts.ts";
import { hasPlace, isPlace } from "./places.ts";

// After at least two words, which may be a name.
const BEHIND_A_NAME = "(?<=\\S\\s+\\S+)[\\s,(]+";

// `Jane Quornsby née Smithers`, `Jane Quornsby (formerly van der Smith)`, `Jane Quornsby aka Janet Smithers`. AKA is
// also a surname, so it needs a comma or bracket before it, or two words after it.
const LEADS_TO_OTHER_NAME =
  "NEE|(?:FORMERLY|PREVIOUSLY)(?:\\s+KNOWN\\s+AS)?|ALSO\\s+KNOWN\\s+AS|A\\s?/\\s?K\\s?/\\s?A|(?<=[(,]\\s*)AKA|" +
  "AKA(?=\\s+[^\\s,;|()]+\\s+\\p{L})";
const OTHER_NAME = new RegExp(`${BEHIND_A_NAME}(?:${LEADS_TO_OTHER_NAME})\\s+([^${MARKS}]+)`, "u");
// Limit: a text of more words is not taken for another name.
const MOST_WORDS = 4;

// `Jane Quornsby aka Smithers`. AKA may also be a surname, and A K A may be initials.
const ALIAS = /(?<=\S\s+\S+)[\s,]+A\s?K\s?A\s.*$/u;

// `Jane Quornsby c/o Quillory Press`, `Jane Quornsby T/A The Book Nook`, `Jane Quornsby of Quillory Press Ltd`
const LEADS_TO_A_FIRM =
  "C\\s?/\\s?O|ON BEHALF OF|T\\s?/\\s?AS?|TRADING AS|D\\s?/\\s?B\\s?/\\s?A|DBA|" +
  "(?:OF|AT|FROM)(?=\\s[^,;|]*\\s(?:LTD|LIMITED|PLC|LLP)\\b)";

// Words that end a name, with all the text after them.
const ENDS = [
  // The register's own pages: `Jane Mary QUORNSBY personal appointments - Find and update company information`.
  /(?<=\S\s+\S+)\s+(?:PERSONAL|TOTAL NUMBER OF) APPOINTMENTS\b.*$/u,
  // `Harold Nomanby, director of Quillory Ltd`
  /[\s,]+(?:IS\s+)?(?:AN?\s+|THE\s+)?(?:(?:MANAGING|COMPANY|FORMER)\s+)?(?:DIRECTOR|SECRETARY|CHAIRMAN|CHAIR|CEO|TRUSTEE|PARTNER|OWNER|MEMBER|SHAREHOLDER)\s+(?:OF|AT)\s.*$/u,
  new RegExp(`${BEHIND_A_NAME}(?:${LEADS_TO_OTHER_NAME}|${LEADS_TO_A_FIRM})\\s.*$`, "u"),
];

// Search words after a name of at least two words. The text after them may be a town, so it is kept.
const OF_A_SEARCHER =
  /\s(?<=\S\s+\S+\s)(?:COMPANIES HOUSE|REGISTERED (?:OFFICE|ADDRESS)|COMPANY DIRECTOR(?: SEARCH)?|DIRECTOR SEARCH)\b/gu;

// `Quillory Press Ltd: Jane Quornsby`. A comma must be the last one: several parts after a comma are an address.
const COMPANY_BEFORE =
  /^(?:[^,;:|\n\r\t()]|\([^,;:|\n\r\t()]*\))*\s(?:LTD|LIMITED|PLC|LLP)\b\.?(?:\s*(?:[;:|\n\r\t(]|,(?=[^,]*$))|\s[-/]+\s)/u;

// `John (Jack) Smith`, `Siu-Fong (Alice) Fung`. People whose record has both names are found by the unchanged query.
const NICKNAME = new RegExp(`\\(\\s*(\\p{L}+)\\s*\\)(\\s*\\p{L}[^${MARKS}]*)`, "u");

/** The words of a folded text in parts, without the text around the name. */
export function partsOfName(text: string): string[][] {
  const name = ENDS.reduce((left, end) => left.replace(end, ""), text).replace(OF_A_SEARCHER, ",");
  const parts = partsOf(withoutNickname(behindCompany(name)));
  return parts.filter((words, place) => place === 0 || !isCompany(words));
}

/** The text after the name of a company, if it is a person's name; otherwise the unchanged text. */
function behindCompany(text: string): string {
  const behind = text.replace(COMPANY_BEFORE, "");
  const [name = []] = partsOf(behind);
  return isName(name) && !name.some(hasDigit) && !isPlace(name) ? behind : text;
}

/** The text without a nickname in brackets. After a whole name brackets have something else, such as a post. */
function withoutNickname(text: string): string {
  return text.replace(NICKNAME, (all, _nickname, behind: string, at: number) =>
    isName(wordsOf(text.slice(0, at))) ? all : ` ${behind}`,
  );
}

/** The words around a nickname in brackets; none without one, or for a post: `Jane Quornsby (Director) Leeds`. */
export function aroundNickname(text: string): string[][] {
  const found = NICKNAME.exec(text);
  const before = text.slice(0, found?.index);
  const surname = wordsOf(found?.[2]);
  const isPost = withoutHonours(wordsOf(found?.[1]), 1, []).length === 0;
  const isInside = before !== "" && !BETWEEN_PARTS.test(before);
  if (!isInside || isPost || surname.length > MOST_SURNAME_WORDS || isNoName(surname)) return [];
  return [withoutHonours([...wordsOf(before), ...surname], 0, [])];
}

/** Another name of the same person in a folded text, and the text before it; null without one. */
export function otherNameIn(text: string): { before: string; words: string[] } | null {
  const found = OTHER_NAME.exec(text);
  const words = withoutHonours(wordsOf(found?.[1]), 0, []);
  const isOther = words.length <= MOST_WORDS && !hasPlace(words) && !isNoName(words);
  return found && isOther ? { before: text.slice(0, found.index), words } : null;
}

/** The text before an AKA, which may lead to another name or be a part of this one; null without it. */
export function beforeAlias(text: string): string | null {
  const before = text.replace(ALIAS, "");
  return before === text ? null : before;
}

function isNoName(words: string[]): boolean {
  return isPlace(words) || words.some(hasDigit);
}
