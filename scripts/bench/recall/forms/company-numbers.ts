/** Forms of queries with a company's number, with or without its name. */
import type { CompanyTarget } from "../company-target.ts";
import { formsOf, FULL_NAME, text, type Form } from "../define-form.ts";

const LABELS = [
  "Company No.",
  "Company No:",
  "Company number",
  "Company Number:",
  "company registration number",
  "Co. No.",
];
const SHORT_LABELS = ["Reg no:", "Reg. No.", "registration no", "Registered no.", "Reg No"];

/** Queries with the number: only the target itself counts, whatever the names of others. */
export const companyNumberForms: readonly Form<CompanyTarget>[] = formsOf<CompanyTarget>(
  { least: FULL_NAME, facts: ["number"] },
  {
    "number alone": ({ number }) => number,
    "number without leading zeros": ({ number }) => withoutZeros(number),
    "number in groups": ({ number }) => number.replace(/^(..)(...)(...)$/, "$1 $2 $3"),
    "number in brackets": ({ number }) => `(${number})`,
    "name, ending, (number)": ({ name, number }) => `${name} (${number})`,
    "name, ending, number": ({ name, number }) => `${name} ${number}`,
    "name, number without zeros": ({ name, number }) => text`${name} ${withoutZeros(number)}`,
    "name - number": ({ name, number }) => `${name} - ${number}`,
    "name, labelled number": ({ name, number }, random) => `${name}, ${random.pick(LABELS)} ${number}`,
    "name (labelled number)": ({ name, number }, random) => `${name} (${random.pick(LABELS)} ${number})`,
    "number, name": ({ name, number }) => `${number} ${name}`,
    "number with a label": ({ number }, random) => `${random.pick(LABELS)} ${number}`,
    "number with a label, zeros lost": ({ number }, random) =>
      text`${random.pick(LABELS)} ${withoutZeros(number)}`,
    "#number": ({ number }) => `#${number}`,
    "reg no": ({ number }, random) => `${random.pick(SHORT_LABELS)} ${number}`,
    "CRN number": ({ number }, random) => `${random.pick(["CRN", "CRN:", "crn"])} ${number}`,
    "no number": ({ number }, random) => `${random.pick(["No.", "no", "Nr", "№"])} ${number}`,
    "registered in, number": ({ number }) => `Registered in ${registrarOf(number)} number ${number}`,
    "name, registered in, number": ({ name, number }) =>
      `${name}, registered in ${registrarOf(number)} no. ${number}`,
    "a sentence with a number": ({ name, number }) =>
      `${name} is a company registered in ${registrarOf(number)} (company number ${number})`,
    "link with a number": ({ number }) =>
      `https://find-and-update.company-information.service.gov.uk/company/${number}`,
  },
);

/** The number without its leading zeros; undefined if it has none. */
export function withoutZeros(number: string): string | undefined {
  return number.startsWith("0") ? number.replace(/^0+/, "") : undefined;
}

function registrarOf(number: string): string {
  if (number.startsWith("S")) return "Scotland";
  return number.startsWith("N") ? "Northern Ireland" : "England and Wales";
}
