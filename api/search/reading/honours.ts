/** Titles before a person's name, and honours and posts after it: lists of them, and the name without them. Pure. */
import { SURE_TITLES } from "../../../index-mappings/names/person-name.ts";
import { isAroundNames } from "./common-words.ts";

// Letters after names. Some are also names, so they are removed only when a query is read.
const LETTERS_BEHIND_NAMES = (
  "OBE CBE MBE KBE DBE GBE BEM CB KCB DCB GCB CMG KCMG DCMG CH OM KG KT LVO CVO KCVO MVO VC GC GM DSO DSC DFC MC AFC TD " +
  "RD VRD QPM QFSM KC QC JP DL MP MSP MEP MLA AM MS PC BA BSC BENG BCOM BED LLB LLM LLD MA MSC MENG MPHIL PHD DPHIL " +
  "EDD MD MBA MBCHB MBBS BDS FCA ACA FCCA ACCA CPA ACMA FCMA CIMA ACIB FCIB FRCS FRCP MRCP FRICS MRICS FRSA FRS FBA " +
  "CENG IENG FIET MIET ARIBA RIBA"
).split(" ");
const POSTS = (
  "HONS CHARTERED DECEASED DIRECTOR SECRETARY COMPANY CHAIRMAN CHAIRWOMAN CHAIR CEO CFO COO MANAGING EXECUTIVE NON " +
  "TRUSTEE PARTNER MEMBER OFFICER OWNER SHAREHOLDER PSC"
).split(" ");
const HONOURS = new Set([
  ...LETTERS_BEHIND_NAMES,
  ...POSTS,
  ..."JNR JR SNR SR JUNIOR SENIOR II III IV BT BART ESQ ESQUIRE RN RNR RAF".split(" "),
]);
// Only honours of more than two letters: two letters after a single word may be a surname, as in Wei MA.
const LETTERS_BEHIND_SURNAMES = new Set(LETTERS_BEHIND_NAMES.filter(({ length }) => length > 2));
const SHORT_LETTERS = new Set(LETTERS_BEHIND_NAMES.filter(({ length }) => length === 2));
const TITLES = new Set([
  ...SURE_TITLES,
  ...(
    "HON BARON EARL COUNT MARQUESS MARQUIS DUKE MAJ MAJOR COL BRIG GEN GENERAL SGT CDR COMMANDER ADMIRAL FATHER SISTER " +
    "BROTHER RABBI IMAM BISHOP CANON DEAN JUDGE JUSTICE THE RT RIGHT MOST VERY"
  ).split(" "),
]);

// Titles that are hardly ever surnames, unlike BISHOP, DEAN, JUSTICE and MAJOR.
const TITLES_ONLY =
  "MR MRS MISS MS MX MISTER DR DOCTOR SIR DAME PROF PROFESSOR REV REVD REVEREND CLLR COUNCILLOR CAPT LT SGT CDR".split(
    " ",
  );
const TITLED = `(?:${TITLES_ONLY.join("|")}) `;
// An AND between two people. It needs two words before it, since `Mr & Mrs Nomanby` is one name.
const AND_A_TITLE = new RegExp(`(?<=\\S \\S+) AND (?=${TITLED})`);
const BEHIND_A_WORD = new RegExp(`(?:^| )(\\S+) (${TITLED}.+)$`);
const BEHIND_NAMES = new Set([...HONOURS, ...TITLES_ONLY]);
const NO_SURNAMES = new Set([...LETTERS_BEHIND_SURNAMES, ...POSTS, ...TITLES_ONLY]);

// Titles that are also forenames. After another title they are forenames, `Mr Dean Smith`, unless that is one of the
// words that lead to a title, `The Earl Smith`.
const FORENAMES = new Set("BARON DEAN DUKE EARL JUSTICE MAJOR MARQUIS".split(" "));
const LEADS_TO_A_TITLE = new Set("THE RT RIGHT MOST VERY HON HONOURABLE".split(" "));

const DOTTED = /(?<![\p{L}\p{N}])(?:\p{L}{1,2}\.\s?)+\p{L}{1,2}(?![\p{L}\p{N}])\.?/gu;

// `Nomanby, J.P.`: two letters after a surname alone are initials.
const SURNAME_ALONE = /^[^\s,]+\s*,\s*$/u;

/**
 * A part of a query without honours at its end and titles at its front, `Mr & Mrs` included. Two words stay, since a
 * name has two, unless the second is an honour that is hardly a surname. One word before a comma is the surname, even
 * if it may be a title. `place` is the position of the part among the segments.
 */
export function withoutHonours(words: string[], place: number, segments: string[][]): string[] {
  const isBeforeComma = place === 0 && segments.length > 1 && words.length === 1;
  if (isBeforeComma && !isIn(NO_SURNAMES, words[0])) return words;
  if (words.every((word) => HONOURS.has(word) || TITLES.has(word)) && words.length < 2) return [];
  // After a surname alone, MA and BA may be forenames.
  const posts = segments[0]?.length === 1 ? NO_SURNAMES : HONOURS;
  if (place > 0 && words.every((word) => posts.has(word))) return [];
  let [start, end] = [0, words.length];
  // Honours go first: then DEAN stays as a forename if only a surname would be left without it.
  while (end - start > 2 && isIn(BEHIND_NAMES, words[end - 1])) end -= 1;
  while (end - start > 2 && (isIn(TITLES, words[start]) || (start > 0 && words[start] === "AND"))) start += 1;
  if (end - start === 2 && isIn(LETTERS_BEHIND_SURNAMES, words[end - 1])) end -= 1;
  return words.slice(start, end);
}

/**
 * Names that a title inside the text marks: of two people, `Mr J Nomanby & Mrs A Nomanby`, or after a word of a
 * document, `payment from Mr Harold Nomanby`. After other words it may lead to forenames: `Nomanby Mr Harold John`.
 */
export function namesByTitle(words: string[]): string[][] {
  const text = words.join(" ");
  const people = text.split(AND_A_TITLE);
  return people
    .map((person) => {
      const [, before = "", name = ""] = BEHIND_A_WORD.exec(person) ?? [];
      return isAroundNames(before) ? name : person;
    })
    .filter((name) => people.length > 1 || name !== text)
    .map((name) => withoutHonours(name.split(" "), 0, []));
}

/** True for a title after the word `before`, if any. The word may also be a name. */
export function isTitle(word: string | undefined, before: string | undefined): boolean {
  const isForename = isIn(FORENAMES, word) && before !== undefined && !LEADS_TO_A_TITLE.has(before);
  return isIn(TITLES, word) && !isForename;
}

/** True for an honour of two letters, which may be a surname: MA, OM. */
export function mayBeSurname(word: string | undefined): boolean {
  return isIn(SHORT_LETTERS, word);
}

/** A folded text with dotted honours as words: `O.B.E.`, `Ph. D`, `O.B.E. M.P.`. Other initials stay. */
export function joinHonours(text: string): string {
  return text.replace(DOTTED, (dotted, at: number) => joinHonour(dotted, text.slice(0, at)));
}

/** The dotted letters as honours, or unchanged. `before` is the text before them. */
function joinHonour(dotted: string, before: string): string {
  const parts = dotted.split(/\s+/).map(withoutDots);
  const letters = parts.join("");
  if (SURNAME_ALONE.test(before) && !LETTERS_BEHIND_SURNAMES.has(letters)) return dotted;
  if (HONOURS.has(letters)) return ` ${letters} `;
  return parts.every((part) => HONOURS.has(part)) ? ` ${parts.join(" ")} ` : dotted;
}

function withoutDots(text: string): string {
  return text.replaceAll(".", "");
}

function isIn(set: ReadonlySet<string>, word: string | undefined): boolean {
  return word !== undefined && set.has(word);
}
