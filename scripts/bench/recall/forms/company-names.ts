/** Owns the forms in which a company's name is asked for by itself. */
import { parseCompanyName } from "../../../../index-mappings/names/company-name.ts";
import type { Random } from "../../random.ts";
import { beginningOf, twoWordsOf } from "../../search/kinds.ts";
import type { CompanyTarget } from "../company-target.ts";
import { FULL_NAME, SLIP, type Form } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";
import { withSlips } from "../wording.ts";
import { text } from "./text.ts";

type CompanyForm = Form<CompanyTarget>;

const WORDS_BEFORE = ["Messrs", "the firm", "the company", "M/s"];
const WORDS_BEHIND = ["invoice", "company", "accounts", "contact", "reviews", "head office"];
const ENDINGS = ["Limited", "Ltd", "Ltd.", "PLC", "LLP", "CIC"];
const PLAIN = /^[a-z0-9]+( [a-z0-9]+)*$/i;

/** What was asked for by name all along. */
export const baselineForms: readonly CompanyForm[] = [
  { name: "exact name", least: FULL_NAME, write: ({ name }) => name },
  { name: "name without ending", least: FULL_NAME, write: ({ core }) => core },
  { name: "lower case", least: FULL_NAME, write: ({ name }) => name.toLowerCase() },
  {
    name: "beginning of a name",
    write: ({ core }, random) => beginningOf(core, 3 + random.below(6)),
    fits: beginsWith,
  },
  { name: "two words, any order", write: twoWords, fits: hasWords },
  {
    name: "typing slip",
    least: SLIP,
    write: ({ core }, random) => withSlips(core, random),
  },
];

/** A legal ending that is not where, or not what, it is in the name. */
export const endingForms: readonly CompanyForm[] = [
  { name: "ending in front", least: FULL_NAME, write: ({ core, ending }) => text`${ending} ${core}` },
  {
    name: "ending in brackets, town",
    least: FULL_NAME,
    tells: ["town"],
    write: ({ core, ending, town }) => text`${core} (${ending}) ${town}`,
  },
  { name: "ending doubled", least: FULL_NAME, write: ({ name, ending }) => text`${name} ${ending}` },
  {
    name: "ending doubled, both spellings",
    least: FULL_NAME,
    write: ({ core, ending }) => ending && `${core} Ltd Limited`,
  },
  { name: "wrong ending", least: FULL_NAME, write: wrongEnding },
  {
    name: "ending and trailing signs",
    least: FULL_NAME,
    write: ({ core }, random) => `${core} Ltd${random.pick([".,", ".;", " -", ".:"])}`,
  },
];

/** Words and signs round a name. */
export const surplusForms: readonly CompanyForm[] = [
  {
    name: "surplus word in front",
    least: FULL_NAME,
    write: ({ name }, random) => `${random.pick(WORDS_BEFORE)} ${name}`,
  },
  {
    name: "surplus word behind",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} ${random.pick(WORDS_BEHIND)}`,
  },
  {
    name: "surplus word behind, no ending",
    least: FULL_NAME,
    write: ({ core }, random) => `${core} ${random.pick(WORDS_BEHIND)}`,
  },
  { name: "invoice from", least: FULL_NAME, write: ({ core }) => `Invoice from ${core} Ltd` },
  {
    name: "invoice with its number",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} invoice no ${1000 + random.below(9000)}`,
  },
  { name: "quotes round the name", least: FULL_NAME, write: ({ name }, random) => inQuotes(name, random) },
  {
    name: "name and VAT number",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} VAT GB ${threeDigits(random)} 4567 89`,
  },
  {
    name: "name and telephone",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} Tel: 020 7946 0${threeDigits(random)}`,
  },
  { name: "website", least: FULL_NAME, write: ({ core }) => website(core, "", ".co.uk") },
  { name: "website with www", least: FULL_NAME, write: ({ core }) => website(core, "www.", ".com") },
  {
    name: "website with https",
    least: FULL_NAME,
    write: ({ core }) => website(core, "https://www.", ".co.uk/"),
  },
  {
    name: "e-mail address",
    least: FULL_NAME,
    write: ({ core }, random) => website(core, `${random.pick(["info", "accounts", "sales"])}@`, ".co.uk"),
  },
  {
    name: "and for &",
    least: FULL_NAME,
    write: ({ name }) => (name.includes(" & ") ? name.replace(" & ", " and ") : undefined),
  },
  {
    name: "& without spaces",
    least: FULL_NAME,
    write: ({ name }) => (name.includes(" & ") ? name.replace(" & ", "&") : undefined),
  },
  {
    name: "space for hyphen",
    least: FULL_NAME,
    write: ({ name }) => (/\w-\w/.test(name) ? name.replaceAll("-", " ") : undefined),
  },
  {
    name: "hyphen for space",
    least: FULL_NAME,
    write: ({ core }) => (core.includes(" ") && PLAIN.test(core) ? core.replaceAll(" ", "-") : undefined),
  },
];

/** Names under which a company trades. */
export const tradingForms: readonly CompanyForm[] = [
  {
    name: "name t/a something",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} t/a ${tradingName(random)}`,
  },
  {
    name: "name T/A, no ending",
    least: FULL_NAME,
    write: ({ core }, random) => `${core} T/A ${tradingName(random)}`,
  },
  {
    name: "something t/a name",
    least: FULL_NAME,
    write: ({ name }, random) => `${tradingName(random)} t/a ${name}`,
  },
  {
    name: "trading as",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} trading as ${tradingName(random)}`,
  },
  {
    name: "(trading as ...)",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} (trading as ${tradingName(random)})`,
  },
  {
    name: "name t/a something, town",
    least: FULL_NAME,
    tells: ["town"],
    write: ({ name, town }, random) => text`${name} t/a ${tradingName(random)}, ${town}`,
  },
  {
    name: "formerly",
    least: FULL_NAME,
    write: ({ name }, random) => `${name} (formerly ${tradingName(random)} Ltd)`,
  },
];

const TRADING_FIRST = [
  "Blue Lantern",
  "The Copper Kettle",
  "Brightside",
  "Jumping Bean",
  "Old Forge",
  "Twistle",
  "Marigold",
];
const TRADING_SECOND = ["Café", "Motors", "Interiors", "Bakery", "Plumbing & Heating", "Tuition", "Kitchens"];

function tradingName(random: Random): string {
  return `${random.pick(TRADING_FIRST)} ${random.pick(TRADING_SECOND)}`;
}

function twoWords({ name, core }: CompanyTarget, random: Random): string | undefined {
  const words = twoWordsOf(name, random);
  return core.split(" ").length > 2 && words.includes(" ") ? words : undefined;
}

/** Whether a name has every word of the query. */
function hasWords({ names }: FoundItem, _target: CompanyTarget, query: string): boolean {
  const asked = parseCompanyName(query).words;
  return names.some((name) => {
    const { words } = parseCompanyName(name);
    return asked.every((word) => words.includes(word));
  });
}

/** Whether a name begins with the letters of the query. */
export function beginsWith({ names }: FoundItem, _target: unknown, query: string): boolean {
  const { key } = parseCompanyName(query);
  return names.some((name) => parseCompanyName(name).key.startsWith(key));
}

function wrongEnding({ core, ending }: CompanyTarget, random: Random): string | undefined {
  if (!ending) return undefined;
  const own = parseCompanyName(`${core} ${ending}`).end;
  const others = ENDINGS.filter((other) => parseCompanyName(`${core} ${other}`).end !== own);
  return `${core} ${random.pick(others)}`;
}

function inQuotes(name: string, random: Random): string {
  const [open, close] = random.pick([`""`, "“”", "''", "‘’", "«»"]);
  return `${open}${name}${close}`;
}

function website(core: string, before: string, behind: string): string | undefined {
  return PLAIN.test(core) ? `${before}${core.toLowerCase().replaceAll(" ", "")}${behind}` : undefined;
}

function threeDigits(random: Random): string {
  return String(100 + random.below(900));
}
