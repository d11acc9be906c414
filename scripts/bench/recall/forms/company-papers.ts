/** Forms of queries copied from invoices, statements, letters and the web. */
import type { Random } from "../../random.ts";
import type { CompanyTarget } from "../company-target.ts";
import { formsOf, FULL_NAME, text, type Form } from "../define-form.ts";

const WORDS_BEFORE = ["Messrs", "the firm", "the company", "M/s"];
const LABELS_BEFORE = ["Attn:", "FAO", "Re:", "Payee:", "Bill to:", "a/c"];
const WORDS_BEHIND = ["invoice", "company", "accounts", "contact", "reviews", "head office"];
const STATES = ["(dissolved)", "(in liquidation)", "- active", "(in administration)"];
const QUOTES = [`""`, "“”", "''", "‘’", "«»"];
const TRADING_FIRST = [
  "Blue Lantern",
  "The Copper Kettle",
  "Brightside",
  "Jumping Bean",
  "Old Forge",
  "Marigold",
];
const TRADING_SECOND = ["Café", "Motors", "Interiors", "Bakery", "Plumbing & Heating", "Tuition", "Kitchens"];
const LETTERS_AND_DIGITS = /^[a-z0-9]+( [a-z0-9]+)*$/i;

/** Queries with surplus words, signs and numbers around a name. */
export const surplusForms: readonly Form<CompanyTarget>[] = formsOf<CompanyTarget>(
  { least: FULL_NAME },
  {
    "surplus word in front": ({ name }, random) => `${random.pick(WORDS_BEFORE)} ${name}`,
    "surplus word in front, no ending": ({ core }, random) => `${random.pick(WORDS_BEFORE)} ${core}`,
    "surplus label in front": ({ name }, random) => `${random.pick(LABELS_BEFORE)} ${name}`,
    "surplus word behind": ({ name }, random) => `${name} ${random.pick(WORDS_BEHIND)}`,
    "surplus word behind, no ending": ({ core }, random) => `${core} ${random.pick(WORDS_BEHIND)}`,
    "surplus state": ({ name }, random) => `${name} ${random.pick(STATES)}`,
    "invoice from": ({ core }) => `Invoice from ${core} Ltd`,
    "invoice with its number": ({ name }, random) => `${name} invoice no ${1000 + random.below(9000)}`,
    "bank statement": ({ core }, random) => `BACS ${core} LTD REF ${digits(random, 6)}`,
    "date, name, amount": ({ name }, random) => `12/03/2024 ${name} £${digits(random, 3)}.50`,
    "quotes round the name": ({ name }, random) => inQuotes(name, random),
    "quotes round the name, ending": ({ core, ending }, random) => text`${inQuotes(core, random)} ${ending}`,
    "brackets round the name": ({ name }) => `(${name})`,
    "name and VAT number": ({ name }, random) => `${name} VAT GB ${digits(random, 3)} 4567 89`,
    "name and telephone": ({ name }, random) => `${name} Tel: 020 7946 0${digits(random, 3)}`,
    "who owns": ({ name }) => `who owns ${name}?`,
  },
);

/** Queries with domain names and e-mail addresses; only a name of letters and digits makes one. */
export const webForms: readonly Form<CompanyTarget>[] = formsOf<CompanyTarget>(
  { least: FULL_NAME },
  {
    website: ({ core }) => webName(core, "", ".co.uk"),
    "website with www": ({ core }) => webName(core, "www.", ".com"),
    "website with https": ({ core }) => webName(core, "https://www.", ".co.uk/"),
    "website with hyphens": ({ core }) => webName(core, "www.", ".co.uk", "-"),
    "e-mail address": ({ core }, random) =>
      webName(core, `${random.pick(["info", "accounts", "sales"])}@`, ".co.uk"),
    "name and website": ({ name, core }) => text`${name} ${webName(core, "www.", ".co.uk")}`,
  },
);

/** Queries with a name under which the company trades or has traded. */
export const tradingForms: readonly Form<CompanyTarget>[] = [
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME },
    {
      "name t/a something": ({ name }, random) => `${name} t/a ${tradingName(random)}`,
      "name T/A, no ending": ({ core }, random) => `${core} T/A ${tradingName(random)}`,
      "something t/a name": ({ name }, random) => `${tradingName(random)} t/a ${name}`,
      "trading as": ({ name }, random) => `${name} trading as ${tradingName(random)}`,
      "(trading as ...)": ({ name }, random) => `${name} (trading as ${tradingName(random)})`,
      "something, a trading name of": ({ name }, random) =>
        `${tradingName(random)} is a trading name of ${name}`,
      formerly: ({ name }, random) => `${name} (formerly ${tradingName(random)} Ltd)`,
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, facts: ["town"] },
    {
      "name t/a something, town": ({ name, town }, random) =>
        text`${name} t/a ${tradingName(random)}, ${town}`,
    },
  ),
];

function tradingName(random: Random): string {
  return `${random.pick(TRADING_FIRST)} ${random.pick(TRADING_SECOND)}`;
}

function inQuotes(name: string, random: Random): string {
  const [open, close] = random.pick(QUOTES);
  return `${open}${name}${close}`;
}

function webName(core: string, before: string, behind: string, between = ""): string | undefined {
  if (!LETTERS_AND_DIGITS.test(core)) return undefined;
  return `${before}${core.toLowerCase().replaceAll(" ", between)}${behind}`;
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => 1 + random.below(9)).join("");
}
