/** Owns the forms in which a company is asked for by its number, with or without its name. */
import type { CompanyTarget } from "../company-target.ts";
import { FULL_NAME, type Form } from "../define-form.ts";

const LABELS = [
  "Company No.",
  "Company No:",
  "Company number",
  "Company Number:",
  "company registration number",
  "Co. No.",
];

const numberForms: readonly Omit<Form<CompanyTarget>, "tells" | "least">[] = [
  { name: "number alone", write: ({ number }) => number },
  { name: "number without leading zeros", write: ({ number }) => withoutZeros(number) },
  { name: "name, ending, (number)", write: ({ name, number }) => `${name} (${number})` },
  { name: "name, ending, number", write: ({ name, number }) => `${name} ${number}` },
  { name: "name - number", write: ({ name, number }) => `${name} - ${number}` },
  {
    name: "name, labelled number",
    write: ({ name, number }, random) => `${name}, ${random.pick(LABELS)} ${number}`,
  },
  {
    name: "name (labelled number)",
    write: ({ name, number }, random) => `${name} (${random.pick(LABELS)} ${number})`,
  },
  { name: "number, name", write: ({ name, number }) => `${number} ${name}` },
  { name: "number with a label", write: ({ number }, random) => `${random.pick(LABELS)} ${number}` },
  { name: "#number", write: ({ number }) => `#${number}` },
  {
    name: "reg no",
    write: ({ number }, random) =>
      `${random.pick(["Reg no:", "Reg. No.", "registration no", "Registered no."])} ${number}`,
  },
  { name: "CRN number", write: ({ number }, random) => `${random.pick(["CRN", "CRN:", "crn"])} ${number}` },
  {
    name: "number with a label, zeros lost",
    write: ({ number }, random) => withLabel(withoutZeros(number), random.pick(LABELS)),
  },
  {
    name: "registered in, number",
    write: ({ number }) => `Registered in England and Wales number ${number}`,
  },
  {
    name: "name, registered in, number",
    write: ({ name, number }) => `${name}, registered in England & Wales no. ${number}`,
  },
  {
    name: "a sentence with a number",
    write: ({ name, number }) => `${name} is a company registered in England (company number ${number})`,
  },
];

/** Number forms; the number names one company, whatever others are called. */
export const companyNumberForms: readonly Form<CompanyTarget>[] = numberForms.map((form) => ({
  ...form,
  least: FULL_NAME,
  tells: ["number"],
}));

function withoutZeros(number: string): string | undefined {
  return number.startsWith("0") ? number.replace(/^0+/, "") : undefined;
}

function withLabel(number: string | undefined, label: string): string | undefined {
  return number && `${label} ${number}`;
}
