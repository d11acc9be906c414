/** Writes codes, dates, counts and addresses in words, for pages. Pure. */
import type { Address } from "../shared/values/address.ts";
import { formatLongDate, formatMonthYear } from "../shared/values/dates.ts";
import { descriptionMembers, enumerationLabel, type EnumerationName } from "../shared/values/enumerations.ts";
import type { BirthDate } from "../resources/officer-appointment/members.ts";
import type { Filing } from "./answers.ts";

// The published list has the same words for four types of company; these tell three of them apart.
const OWN_WORDS: Partial<Record<EnumerationName, ReadonlyMap<string, string>>> = {
  company_type: new Map([
    ["icvc-securities", "Investment company with variable capital (securities)"],
    ["icvc-warrant", "Investment company with variable capital (warrant)"],
    ["icvc-umbrella", "Investment company with variable capital (umbrella)"],
  ]),
};

/** The published words for a code; if the list has none, the code itself as words: `not-listed` is "Not listed". */
export function wordsOf(list: EnumerationName, code: string): string {
  return OWN_WORDS[list]?.get(code) ?? enumerationLabel(list, code) ?? spellOut(code);
}

/** Writes `annual-return` or `annual_return` as `Annual return`. */
export function spellOut(code: string): string {
  const words = code
    .replaceAll(/[-_]+/g, " ")
    .replaceAll(/\bpsc(s?)\b/g, "PSC$1")
    .replaceAll(/\buk\b/g, "UK")
    // The codes of statements have this misspelling.
    .replace("signficant", "significant")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The words that name values at the end of a description's code, such as `name` and `date` in `with-name-date`. Some
 * codes use words that no value is called by; the last five are of these.
 */
const VALUE_MEMBERS = [...descriptionMembers(), "acquisition", "capital", "currency", "figure", "treasury"];
const VALUE_WORDS = new Set(VALUE_MEMBERS.flatMap((member) => member.split("_")));

// Most codes end in -company, as partnerships have codes of their own. It stays in "to public limited company".
const KIND_OF_COMPANY =
  /(?<!by|dissolved|dormant|interest|investment|limited|overseas|private|public|subsidiary)-company$/;

/** A filing in words; the free text of old filings is shown unchanged. */
export function describeFiling(filing: Described): string {
  const { description, description_values: values, category = "filing" } = filing;
  const text = values?.description;
  if (typeof text === "string" && text !== "") return text;
  return describeFilingCode(description ?? category);
}

/** A filing, or another one that is part of it. */
type Described = Partial<Pick<Filing, "description" | "description_values" | "category">>;

/**
 * The code of a description in words: `appoint-person-director-company-with-name-date` is "Appoint person director". It
 * leaves out the kind of company, and the values at the end, which are shown separately. Accounts are named by their
 * type.
 */
export function describeFilingCode(code: string): string {
  const [, accounts] = /^accounts(?:-amended)?-with-accounts-type-(.+)$/.exec(code) ?? [];
  if (accounts) return `${spellOut(accounts)} accounts${code.includes("-amended-") ? ", amended" : ""}`;
  const [end = "", ...before] = code
    .replace(/-limited-liability-partnership$/, "")
    .split("-with-")
    .reverse();
  const isValues = before.length > 0 && end.split("-").every((word) => VALUE_WORDS.has(word));
  const whole = isValues ? before.reverse().join("-with-") : code;
  return spellOut(whole.replace(KIND_OF_COMPANY, "").replace("-company-with-made-up-date", ""));
}

/** Writes `2005-12-21` as `21 December 2005`; empty without a date, and for 9999-12-31, "without an end". */
export function showDate(date: string | undefined | null): string {
  if (!date || date >= "9999") return "";
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatLongDate(date) : date;
}

/** Writes a month and year as `March 1947`; empty without one. */
export function showMonth(month: Pick<BirthDate, "month" | "year"> | undefined): string {
  return month ? formatMonthYear(month) : "";
}

/** Writes a count as `1,234 companies`; `one` and `many` are the words for one and for several. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}

/**
 * The `description` of a search result, shortened for a list of facts. The API must keep the original's sentence, pages
 * need not. It leaves out "Disqualified" (an officer without a date of birth), as the disqualification may have ended.
 */
export function describeFound(description: string | null | undefined): string {
  return (description ?? "")
    .replace(/^Total number of appointments (\d+)/, (_all, count) => countOf(Number(count), "appointment"))
    .replace(/^Disqualified$/, "")
    .replaceAll(" - ", " · ");
}

/** The lines of an address, in order. */
export function addressLines(address: Address): string[] {
  const { care_of, po_box, premises, address_line_1, ...rest } = address;
  const { address_line_2, locality, region, country, postal_code } = rest;
  const first = [premises, address_line_1].filter(Boolean).join(" ");
  return [
    // Some sources include these words in the member, others do not.
    care_of && `c/o ${care_of.replace(/^c\/o\s+/i, "")}`,
    po_box && `PO Box ${po_box.replace(/^p\.?\s*o\.?\s*box\s*/i, "")}`,
    ...[first, address_line_2, locality, region, postal_code, country],
  ].filter((line): line is string => Boolean(line));
}

/** Words for the reasons of search results (`api/search/ranking/tiers.ts`) whose codes do not tell a visitor enough. */
const REASONS: Record<string, string> = {
  "legally-equivalent-name": "Legally the same name",
  "surname-and-first-forename": "Same surname and first forename",
  surname: "Same surname",
  "surname-and-other-forename": "Same surname and another forename",
  "begins-with-words": "Name begins with these words",
  "begins-with-letters": "Name begins with these letters",
  "all-words": "All words in the name",
  "surname-and-beginnings-of-forenames": "Same surname and beginnings of forenames",
  "first-forename": "Same first forename",
  "beginnings-of-words": "Words begin with these letters",
  "near-spelling": "Similar spelling",
  "most-words": "Most words in the name",
  postcode: "Postcode of the address",
  "name-among-other-words": "Name within your words",
  "surname-and-most-forenames": "Same surname and most forenames",
  "near-spelling-of-most-words": "Similar spelling of most words",
};

/** The reason of a search result, in words. */
export function reasonWords(reason: string): string {
  return REASONS[reason] ?? spellOut(reason);
}
