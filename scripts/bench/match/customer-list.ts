/** Owns a customer list as people have one: names of a register in six forms, each row with the company that it means. Pure. */
import type { MatchQuestion } from "../../../api/matching/define-match.ts";
import type { ShownCompany } from "../../../index-mappings/companies/document.ts";
import type { Random } from "../random.ts";
import { toCompanyTarget } from "../recall/company-target.ts";
import { CASES, inCase, withSlips } from "../recall/wording.ts";

/** A company of the register, as the search shows it. */
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
  /** Number of the company that is meant; null: there is none. */
  target: string | null;
}

// How many of a hundred rows have each form.
const SHARES: Record<ListForm, number> = {
  clean: 25,
  "ending dropped": 20,
  slip: 20,
  "former name": 10,
  "wrong town": 10,
  "does not exist": 15,
};
const MOST_DRAWS = 1_000;

/** Draws a list. `absent`: names that no company has or had. */
export function drawList(
  companies: readonly ListedCompany[],
  absent: readonly string[],
  random: Random,
  count: number,
): ListRow[] {
  const forms = FORMS.flatMap((form) => Array.from({ length: SHARES[form] }, () => form));
  return Array.from({ length: count }, () => drawRow(random.pick(forms), companies, absent, random));
}

function drawRow(
  form: ListForm,
  companies: readonly ListedCompany[],
  absent: readonly string[],
  random: Random,
): ListRow {
  for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
    const company = random.pick(companies);
    const other = random.pick(companies);
    const name = form === "does not exist" ? random.pick(absent) : nameIn(form, company, random);
    const place = placeIn(form, company, other, random);
    if (name === undefined || place === undefined) continue;
    const target = form === "does not exist" ? null : company.number;
    return { form, target, question: { type: "company", name, ...place } };
  }
  throw new Error(`the register has no company for the form "${form}"`);
}

function nameIn(form: ListForm, company: ListedCompany, random: Random): string | undefined {
  const style = random.pick(CASES);
  const { number, company_name: name, previous_company_names: previous = [] } = company;
  const target = toCompanyTarget({ number, name, status: "", created: "", sic: "", locality: "" }, style);
  if (form === "ending dropped") return target.ending && target.core;
  if (form === "former name") return previous[0] && inCase(previous[0].name, style);
  if (form !== "slip") return target.name;
  const slipped = withSlips(target.core, random);
  return slipped && [slipped, target.ending].filter(Boolean).join(" ");
}

/** Half of the rows have a postcode, half of the others a town; one in a wrong town always has one. */
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
