/**
 * The facts in a query beside a name: company numbers with the words around them, postcodes, web and mail addresses.
 * Each fact is removed from the text, so that the name remains. Pure.
 */
import { findEnding, LINKED_PREFIX, withoutCountry } from "../../../index-mappings/names/company-name.ts";
import { foldText, wordsOf } from "../../../index-mappings/names/text.ts";
import { parseTypedNumber } from "../../shared/values/company-number.ts";
import { MONTH_NAME, takeBirth } from "./birth.ts";
import { isAroundNames } from "./common-words.ts";
import { arePlaces, isNoPlace } from "./places.ts";

/** The facts of a query, and the text without them. */
interface QueryFacts {
  /** Company numbers in the register's form. */
  numbers: string[];
  /** True for a company number, a telephone number, or one labelled as another kind, such as a charity number. */
  hasNumber: boolean;
  /** Without its space: `EC1A1BB`. */
  postcode: string | null;
  /** Host names of addresses: `QUILLORY PRESS.CO.UK` for `www.quillory-press.co.uk`. */
  domains: string[];
  /** The text before the @ of mail addresses: `JANE.QUORNSBY` for `jane.quornsby@quillory.com`. */
  mailboxes: string[];
  /** The rest of the text, folded, with a comma in place of each fact. */
  text: string;
}

// Replaces a fact. The comma shows that the words before it and after it are not one name.
const GAP = " , ";

// Prefixes of company numbers (bulk formats 1.6), except NO, which announces a number.
const NUMBER_PREFIX =
  "SC|NI|OC|SO|NC|LP|SL|NL|SG|FC|SF|NF|BR|OE|CE|CS|RS|IP|SP|RC|SR|NR|IC|SI|NV|AC|SA|NA|PC|GE|GS|GN|SE|ES|EN|FE|ZC|SZ|NZ|NP";
const PREFIX = `(?:(?:${NUMBER_PREFIX})[\\s-]?|${LINKED_PREFIX})`;
// Words before numbers of other kinds that look like company numbers.
const OTHER_KIND =
  "INVOICE|INV|ORDER|PO|ACCOUNT|ACCT?|A/C|SORT CODE|CUSTOMER|REFERENCE|REF|TEL|TELEPHONE|PHONE|MOBILE|FAX|VAT|CHARITY|FRN|FCA|SRA";
// Words before a company number: `Registered in England and Wales, company number 00912345`.
const COMPANY_LABEL =
  "COMPANY|COMPANIES HOUSE|CO|CH|UK|REGISTRATION|REGISTERED|REGD?|INCORPORATED|CRN|ID|NUMBER|NUM|NO|NR|IN|WITH|" +
  "UNDER|IS|ENGLAND(?:\\s*(?:AND|&)\\s*WALES)?|WALES|SCOTLAND|N(?:ORTHERN|\\.)?\\s?IRELAND";
const LABEL_WORD = `${COMPANY_LABEL}|${OTHER_KIND}`;
// In a spreadsheet cell, labels may be shorter or joined. N stands for n°, and for the N of N. Ireland.
const LABELS_OF_A_CELL = new RegExp(
  `\\b(?:(?:COMPANY|CO) HOUSE|(?:COMPANY|REGISTRATION)(?:NO|NUMBER)|REGNO|CONO|COMP|INCORPORATION|SOCIETY|E AND W|ENG|` +
    `SCOT(?:TISH)?|WELSH|NI|N|${COMPANY_LABEL})\\b`,
  "g",
);
const NUMBER_WITH_LABEL = new RegExp(
  `(?<label>(?:(?<![\\p{L}\\p{N}])(?:${LABEL_WORD})(?![\\p{L}\\p{N}])[\\s.:#,(-]*)*)(?<sign>[#(\\s]*)` +
    `(?<![\\p{L}\\p{N}])(?<number>${PREFIX}\\d{1,6}[A-Z]?|R\\d{7}|\\d{1,8})(?![\\p{L}\\p{N}])\\)?`,
  "gu",
);
// A label needs one of these words; the others only accompany it.
const NAMES_A_NUMBER =
  /\b(?:CRN|REGISTRATION|REGISTERED|REGD?|(?:COMPANY|CO)[\s.]+(?:ID|NUMBER|NUM|NO|NR))\b/;
// Only after IN or REGISTERED. A name or address may end with a country: `Quillory Scotland, company no. 912345`.
const REGISTERED_IN = /\b(?:IN|REG\w*)[\s.:]+(SCOTLAND|N\S*\s?IRELAND)\b/;
// One of these words makes it a number of another kind, unless the label also names a company.
const NAMES_ANOTHER = new RegExp(`\\b(?:${OTHER_KIND})\\b`);
const NAMES_A_COMPANY = /\b(?:CRN|COMPANY)\b/;
const SAYS_NUMBER = /\b(?:NUMBER|NUM|NO|NR|ID|COMPANIES HOUSE)\b|#/;
// After NO alone, or in brackets, fewer digits are the number of a house or a year: `No. 12 High Street`, `(2009)`.
const DIGITS_AFTER_NO = 5;
// Without a label, fewer digits may be part of a name.
const DIGITS_ALONE = 6;
const DIGITS_AFTER_PREFIX = 4;
// In a query for a person: a year after initials, a forename or REGISTERED, `Smith, RC 1955`, `Nomanby, Reg 1936`.
const YEAR = /^(?:[A-Z]{2}[\s.:/-]+)?(?:18|19|20)\d\d$/;
const BEFORE_YEAR = /^(?:REG(?:D|ISTERED)?)?[\s.,]*$/;

// `Company number 0912 3456`, `Registered in England No. 0912 3456`: after a label the digits may be in groups.
const BEHIND_LABEL =
  "(?<=\\b(?:CRN|(?:COMPANY|CO|REGISTRATION|REGISTERED|REGD?|ENGLAND|WALES|SCOTLAND|IRELAND|WITH|UNDER)[\\s.,(]+" +
  "(?:NUMBER|NUM|NO|NR))[\\s.:#]*)";
const GROUPED_NUMBER = new RegExp(`${BEHIND_LABEL}\\d{1,4}(?:[\\s-]\\d{2,4}){1,3}(?![\\p{L}\\p{N}-])`, "gu");
const GROUPED_DIGITS = [7, 8];
// The first eight digits, if a group ends there: of `0912 3456` followed by the number of a house in the next line.
const FIRST_EIGHT = /^(?:\d[\s-]?){7}\d(?!\d)/;
// Six digits in other groups may be a number and a house: `Company no. 1234, 56 High Street` without its comma.
const SIX_IN_EQUAL_GROUPS = /^(?:\d{3}[\s-]\d{3}|\d\d[\s-]\d\d[\s-]\d\d)$/;
// `Company number 912,345`
const NUMBER_WITH_COMMAS = new RegExp(
  `${BEHIND_LABEL}\\d{1,3}(?:,\\d{3}){1,2}(?![\\p{L}\\p{N}-]|,\\d)`,
  "gu",
);
// `SC 123 456`: after a prefix, groups with the right number of digits are one number.
const GROUPED_WITH_PREFIX = new RegExp(
  `(?<![\\p{L}\\p{N}])${PREFIX}\\d{1,3}(?:[\\s-]\\d{2,3}){1,2}(?![\\p{L}\\p{N}-])`,
  "gu",
);
const DIGITS_WITH_PREFIX = 6;
// `S.C. 123456`. Four digits after initials are a year, so they do not match.
const DOTTED_PREFIX = /(?<![\p{L}\p{N}.])(?:S\.\s?[CO]|N\.\s?I|O\.\s?C)\.?\s?(?=\d{5,6}(?![\p{L}\p{N}]))/gu;
// At least nine digits, starting with a zero or with the country code.
const TELEPHONE =
  /(?<![\p{L}\p{N}])(?:(?:\+|00)44[\s-]?(?:\(0\)\s?)?\d{2,4}|\(?0\d{2,4}\)?)[\s-]\d{3,4}[\s-]?\d{3,4}(?![\p{L}\p{N}])/gu;

/** A postcode in a folded text; `B1 1ST FLOOR` has none. */
export const POSTCODE =
  /(?<![\p{L}\p{N}])(GIR|[A-Z]{1,2}\d[A-Z\d]?)\s*(\d[A-Z]{2})(?![\p{L}\p{N}]|\s+FLOOR)/u;

const LAST_PARTS =
  "COM|(?:UK|GB|EU)\\.COM|(?:CO|LTD|PLC|ORG|ME|AC|SCH|NHS)\\.UK|UK|ORG|NET|IO|BIZ|EU|INFO|COOP|WALES|CYMRU|SCOT|LONDON|AI|APP|TV";
const HOST_NAME = "(?:[\\p{L}\\p{N}-]+\\.)*?(?<![\\p{L}\\p{N}-])(?!WWW\\.)([\\p{L}\\p{N}-]{2,})\\.";
const END_OF_ADDRESS = "(?:\\/\\S*)?(?![\\p{L}\\p{N}.])";
const DOMAIN = new RegExp(
  `(?:HTTPS?:\\/\\/)?(?:([\\p{L}\\p{N}._-]+)@)?${HOST_NAME}(${LAST_PARTS})${END_OF_ADDRESS}`,
  "gu",
);
// After HTTP, WWW or @, any last part makes it an address, such as SHOP or COM.AU.
const LED_DOMAIN = new RegExp(
  `(?:HTTPS?:\\/\\/|(?=WWW\\.)|([\\p{L}\\p{N}._-]*[\\p{L}\\p{N}])@)${HOST_NAME}` +
    `(${LAST_PARTS}|COM?\\.\\p{L}{2,}(?!-)|\\p{L}{2,}(?!-))${END_OF_ADDRESS}`,
  "gu",
);

// The name of a month needs a day and a year: 12 MARCH ROAD is a house. 0912-34-56 is a company number in groups.
const DATE = [
  "\\d{1,2}[/.-]\\d{1,2}[/.-](?:\\d{4}|\\d{2})",
  "(?:18|19|20)\\d\\d[/.-](?:0?[1-9]|1[0-2])[/.-](?:0?[1-9]|[12]\\d|3[01])",
  `\\d{1,2}(?:ST|ND|RD|TH)?(?:\\s+OF)?[\\s-]+${MONTH_NAME}(?:[.,]?\\s+|-)(?:\\d{4}|\\d{2}(?=\\s*(?:,|$)))`,
  `${MONTH_NAME}\\.?\\s+\\d{1,2}(?:ST|ND|RD|TH)?,?\\s+\\d{4}`,
].join("|");
// Amounts and dates are useless for a search, and not part of a name.
const AMOUNT_OR_DATE = new RegExp(
  `[£$€]\\s?\\d[\\d,.]*|(?<![\\p{L}\\p{N}])(?:\\d[\\d,]*\\.\\d\\d|${DATE})(?![\\p{L}\\p{N}])`,
  "gu",
);
// In the address of this API, or of a web page about a company.
const NUMBER_IN_ADDRESS = /\/COMPANY\/([A-Z0-9]{8})(?![A-Z0-9])/;

// Every fact has a digit, except a web address, which has a dot. Most queries have neither.
const DIGIT = /\d/;
const DIGIT_OR_DOT = /[\d.]/;

/** The text with a comma in place of each amount of money and each date. */
export function withoutAmounts(text: string): string {
  return DIGIT.test(text) ? text.replace(AMOUNT_OR_DATE, GAP) : text;
}

/** Removes the facts from a folded query. `isPerson`: a year after initials is that of birth, no company number. */
export function takeFacts(folded: string, { isPerson = false } = {}): QueryFacts {
  if (!DIGIT_OR_DOT.test(folded))
    return { numbers: [], hasNumber: false, postcode: null, domains: [], mailboxes: [], text: folded };
  const { numbers, domains, mailboxes, text: withoutAddresses } = takeAddresses(folded);
  let hasOther = false;
  let postcode: string | null = null;
  const rest = withoutAddresses.replace(TELEPHONE, () => {
    hasOther = true;
    return GAP;
  });
  const text = joinNumbers(rest)
    // The postcode goes first: otherwise the search for numbers would take a part of it.
    .replace(POSTCODE, (_all, outward: string, inward: string) => {
      postcode = outward + inward;
      return GAP;
    })
    .replace(NUMBER_WITH_LABEL, (all, label: string, sign: string, number: string) => {
      const isYear = isPerson && YEAR.test(number) && BEFORE_YEAR.test(label + sign);
      const isMeant = !isYear && isMeantAsNumber(label + sign, number);
      if (isMeant && isOfAnotherKind(label)) {
        hasOther = true;
        return GAP;
      }
      const found = isMeant ? parseTypedNumber(prefixOf(label, number) + withoutSeparators(number)) : null;
      if (!found) return all;
      numbers.push(found);
      // Label words that do not announce a number belong to the text before it, so they stay.
      return (NAMES_A_NUMBER.test(label) || SAYS_NUMBER.test(label) ? "" : label) + GAP;
    });
  const hasNumber = hasOther || numbers.length > 0;
  return { numbers: [...new Set(numbers)], hasNumber, postcode, domains, mailboxes, text };
}

/**
 * The company number in a spreadsheet cell, if only labels, countries and legal endings surround it. Null for several,
 * and for numbers of other registers: `HRB 123456`, `2019/123456`. Any words may follow a complete number: `00912345
 * (active)`.
 */
export function takeNumberAlone(folded: string): string | null {
  const { numbers, postcode, domains, text } = takeFacts(folded);
  const [number, ...others] = numbers;
  if (number === undefined || others.length > 0) return null;
  const isComplete = isPrefixed(number) || folded.includes(number);
  if (!isComplete && (postcode !== null || domains.length > 0)) return null;
  const [before = ""] = text.split(GAP);
  const words = wordsOf(isComplete ? before : text);
  const left = words.join(" ").replace(LABELS_OF_A_CELL, "").split(" ").filter(Boolean);
  return left.every((word) => isNoPlace(word) || findEnding(["", word]).length > 0) ? number : null;
}

/** The company number in a text of only words that ask for it: `Company number 00912345`, `directors of 00912345`. */
export function takeNumberAsked(folded: string): string | null {
  const { numbers, postcode, domains, text } = takeFacts(folded);
  const [number, ...others] = numbers;
  const isAlone = others.length === 0 && postcode === null && domains.length === 0;
  return number !== undefined && isAlone && wordsOf(text).every(isAroundNames) ? number : null;
}

/** The postcode in a folded text that has at most its town, county or country beside it; else null. */
export function takePostcodeAlone(folded: string): string | null {
  const { numbers, postcode, domains, text } = takeFacts(folded);
  const left = wordsOf(text).filter((word) => !isNoPlace(word));
  const isAlone = numbers.length === 0 && domains.length === 0 && (left.length === 0 || arePlaces(left));
  return isAlone ? postcode : null;
}

/** Removes web and mail addresses from a folded query. */
function takeAddresses(folded: string): Pick<QueryFacts, "numbers" | "domains" | "mailboxes" | "text"> {
  const [numbers, domains, mailboxes]: [string[], string[], string[]] = [[], [], []];
  const take = (address: string, mailbox: string | undefined, name: string, last: string) => {
    if (mailbox !== undefined) mailboxes.push(mailbox);
    const number = NUMBER_IN_ADDRESS.exec(address)?.[1];
    if (number) numbers.push(number);
    else domains.push(`${name.replaceAll("-", " ")}.${last}`);
    return GAP;
  };
  const text = folded.replace(LED_DOMAIN, take).replace(DOMAIN, take);
  return { numbers, domains, mailboxes, text };
}

function joinNumbers(text: string): string {
  return withoutCountry(text)
    .replace(DOTTED_PREFIX, (prefix) => prefix.replace(/[.\s]/g, ""))
    .replace(NUMBER_WITH_COMMAS, (number) => number.replaceAll(",", ""))
    .replace(GROUPED_NUMBER, (grouped) =>
      SIX_IN_EQUAL_GROUPS.test(grouped)
        ? withoutSeparators(grouped)
        : joinGroups(grouped, GROUPED_DIGITS).replace(FIRST_EIGHT, withoutSeparators),
    )
    .replace(GROUPED_WITH_PREFIX, (grouped) => joinGroups(grouped, [DIGITS_WITH_PREFIX]));
}

/** True for a query with a number, a postcode or, if it is for a person, a date of birth. */
export function hasFacts(q: string, { isPerson }: { isPerson: boolean }): boolean {
  const { numbers, postcode, text } = takeFacts(foldText(q), { isPerson });
  return numbers.length > 0 || postcode !== null || (isPerson && takeBirth(text).born !== null);
}

function joinGroups(grouped: string, counts: readonly number[]): string {
  return counts.includes(grouped.replace(/\D/g, "").length) ? withoutSeparators(grouped) : grouped;
}

function withoutSeparators(number: string): string {
  return number.replace(/(?<=^[A-Z]{2})\D+(?=\d)/, "").replace(/[\s-]/g, "");
}

function isMeantAsNumber(label: string, number: string): boolean {
  if (NAMES_A_NUMBER.test(label) && !isOfAnotherKind(label)) return true;
  const digits = number.replace(/\D/g, "").length;
  if (SAYS_NUMBER.test(label) || label.includes("(")) return digits >= DIGITS_AFTER_NO || isPrefixed(number);
  return digits >= DIGITS_ALONE || (isPrefixed(number) && digits >= DIGITS_AFTER_PREFIX);
}

/** The prefix that the country of a label stands for: `Registered in Scotland No. 90312` is SC090312. */
function prefixOf(label: string, number: string): string {
  const isBare = NAMES_A_NUMBER.test(label) && /^\d{1,6}$/.test(number);
  const country = isBare ? REGISTERED_IN.exec(label)?.[1] : undefined;
  return country === undefined ? "" : country === "SCOTLAND" ? "SC" : "NI";
}

function isOfAnotherKind(label: string): boolean {
  return NAMES_ANOTHER.test(label) && !NAMES_A_COMPANY.test(label);
}

function isPrefixed(number: string): boolean {
  return /^[A-Z]/.test(number);
}
