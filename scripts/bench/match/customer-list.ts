/** Makes a typical customer list: names from a register in six forms, each row with the company that it means. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import type { MatchQuestion } from "../../../api/matching/define-match.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import { nameKey } from "../../../index-mappings/names/company-name.ts";
import { foldText } from "../../../index-mappings/names/text.ts";
import type { Random } from "../random.ts";
import { toCompanyTarget } from "../recall/company-target.ts";
import { CASES, inCase, withSlips } from "../recall/wording.ts";

/** A company of the register, as the search index shows it. */
export interface ListedCompany extends ShownCompany {
  number: string;
}

/** The forms, in the order of the report. */
export const FORMS = [
  "clean",
  "ending dropped",
  "slip",
  "former name",
  "wrong town",
  "does not exist",
] as const;

export type ListForm = (typeof FORMS)[number];

/** A row of the list. */
export interface ListRow {
  form: ListForm;
  question: MatchQuestion;
  /** Number of the company that the row means; null if no company has the name. */
  target: string | null;
  /** Numbers of all companies that the row may mean: those of its name in its place (anywhere for a wrong town). */
  equals: ReadonlySet<string>;
}

// How many of a hundred rows have each form, on average.
const SHARES: Record<ListForm, number> = {
  clean: 25,
  "ending dropped": 20,
  slip: 20,
  "former name": 10,
  "wrong town": 10,
  "does not exist": 15,
};
const MOST_DRAWS = 1_000;

/** The names of a register, to draw rows from. */
interface ListedRegister {
  companies: readonly ListedCompany[];
  /** Companies by the keys of their current and former names. */
  byKey: ReadonlyMap<string, readonly ListedCompany[]>;
  /** Names that no company has or had. */
  absent: readonly string[];
}

/** Makes a register to draw from. `others`: other names; those that no company has or had become `absent`. */
export function listRegister(companies: readonly ListedCompany[], others: readonly string[]): ListedRegister {
  const byKey = new Map<string, ListedCompany[]>();
  for (const company of companies) {
    const { company_name, previous_company_names = [] } = company;
    const keys = [company_name, ...previous_company_names.map(({ name }) => name)].map(nameKey);
    for (const key of new Set(keys)) byKey.set(key, [...(byKey.get(key) ?? []), company]);
  }
  return { companies, byKey, absent: others.filter((name) => !byKey.has(nameKey(name))) };
}

/** Draws a list of `count` rows. */
export function drawList(register: ListedRegister, random: Random, count: number): ListRow[] {
  const forms = FORMS.flatMap((form) => Array.from({ length: SHARES[form] }, () => form));
  return Array.from({ length: count }, () => drawRow(random.pick(forms), register, random));
}

function drawRow(form: ListForm, register: ListedRegister, random: Random): ListRow {
  const { companies, byKey, absent } = register;
  for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
    const company = random.pick(companies);
    const other = random.pick(companies);
    const name = form === "does not exist" ? random.pick(absent) : nameIn(form, company, random);
    const place = placeIn(form, company, other, random);
    if (name === undefined || place === undefined) continue;
    const question = { type: "company" as const, name, ...place };
    if (form === "does not exist") return { form, question, target: null, equals: new Set() };
    const meant = form === "former name" ? company.previous_company_names?.[0]?.name : company.company_name;
    const namesakes = byKey.get(nameKey(meant ?? "")) ?? [];
    const equals = namesakes.filter(({ registered_office_address: address = {} }) => isIn(address, place));
    // A company of this name is in that town, and would be the right one: draw again.
    if (form === "wrong town" && equals.length > 0) continue;
    const numbers = form === "wrong town" ? namesakes : equals;
    return { form, question, target: company.number, equals: new Set(numbers.map(({ number }) => number)) };
  }
  throw new Error(`the register has no company for the form "${form}"`);
}

function isIn(address: Address, { postcode, town }: Pick<MatchQuestion, "postcode" | "town">): boolean {
  const isTown = town === undefined || foldText(address.locality ?? "").includes(foldText(town));
  return isTown && (postcode === undefined || address.postal_code === postcode);
}

function nameIn(form: ListForm, company: ListedCompany, random: Random): string | undefined {
  const style = random.pick(CASES);
  const { number, company_name: name, previous_company_names: previous = [] } = company;
  const target = toCompanyTarget({ number, name }, style);
  if (form === "ending dropped") return target.ending && target.core;
  if (form === "former name") return previous[0] && inCase(previous[0].name, style);
  if (form !== "slip") return target.name;
  const slipped = withSlips(target.core, random);
  return slipped && [slipped, target.ending].filter(Boolean).join(" ");
}

/** Half of the rows get a postcode, a quarter a town, a quarter neither; a row with a wrong town always has that. */
function placeIn(
  form: ListForm,
  { registered_office_address: own }: ListedCompany,
  { registered_office_address: others }: ListedCompany,
  random: Random,
): Pick<MatchQuestion, "postcode" | "town"> | undefined {
  if (form === "wrong town") {
    const isOther = own?.locality && others?.locality && own.locality !== others.locality;
    return isOther ? { town: others.locality } : undefined;
  }
  const address = form === "does not exist" ? others : own;
  const kind = random.below(4);
  if (kind < 2) return address?.postal_code ? { postcode: address.postal_code } : {};
  return kind === 2 && address?.locality ? { town: address.locality } : {};
}
