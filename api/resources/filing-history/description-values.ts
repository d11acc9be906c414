/** Owns `description_values`: the values that a reader inserts into the text of a filing's description key. */
import { DATE } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { listOf, objectOf, textUpTo } from "../schemas.ts";

const TEXT = textUpTo(10_000);

const DATES = {
  appointment_date: "Day of the appointment.",
  brought_down_date: "Day to which a liquidator's account was brought down.",
  case_end_date: "Day on which the case ended.",
  case_start_date: "Day on which the case began.",
  cessation_date: "Day on which the control ceased.",
  change_date: "Day of the change.",
  charge_creation_date: "Day on which the charge was created.",
  close_date: "Day on which the establishment was closed.",
  date: "Day of the event that the filing reports.",
  incorporation_date: "Day on which the company was incorporated.",
  made_up_date: "Day to which the document was made up.",
  mortgage_satisfaction_date: "Day on which the charge was satisfied.",
  new_date: "The day that stands in place of another.",
  notification_date: "Day on which the company was notified.",
  property_acquired_date: "Day on which the charged property was acquired.",
  removal_date: "Day of the removal.",
  resolution_date: "Day of the resolution.",
  termination_date: "Day on which the appointment ended.",
  withdrawal_date: "Day of the withdrawal.",
};
const TEXTS = {
  branch_number: "Number of the UK establishment.",
  case_number: "Number of the insolvency case.",
  change_address: "The address as it was changed.",
  change_details: "What was changed.",
  change_name: "The name as it was changed.",
  change_type: "What kind of change it was.",
  charge_number: "Number or code of the charge.",
  company_number: "Number of the company.",
  company_type: "Legal form of the company.",
  default_address: "The registrar's address, which the company was given in place of its own.",
  description: "The text itself, where the key stands for no sentence.",
  form_attached: "Form that came with the filing.",
  form_type: "Code of the form.",
  new_address: "The address from that day on.",
  new_jurisdiction: "The jurisdiction from that day on.",
  officer_address: "Address of the officer.",
  officer_name: "Name of the officer.",
  old_address: "The address until then.",
  old_jurisdiction: "The jurisdiction until then.",
  original_description: "Description of the filing that this one is about.",
  psc_name: "Name of the person with significant control.",
  representative_details: "Who represents the company.",
  res_type: "Kind of resolution.",
};

const capitalSchema = listOf(1000, {
  title: "capital",
  description: "An amount of share capital.",
  ...objectOf([], {
    currency: TEXT,
    // As it was filed: `1,000.25`.
    figure: TEXT,
    date: { ...DATE, description: "Day of the amount." },
    description: { ...TEXT, description: "What the amount is, in words." },
  }),
});

/** Every name that a description of `enums:filing_history_description` uses, and those of the API reference 7.8. */
export const descriptionValuesSchema = {
  title: "description-values",
  description:
    "Values for the sentence that `description` stands for. Which members there are depends on the key.",
  minProperties: 1,
  ...objectOf([], {
    ...membersOf(DATES, DATE),
    ...membersOf(TEXTS, TEXT),
    capital: { ...capitalSchema, description: "Amounts of share capital." },
    alt_capital: { ...capitalSchema, description: "Further amounts of share capital." },
  }),
};

function membersOf(words: Record<string, string>, schema: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(words).map(([name, description]) => [name, { ...schema, description }]),
  );
}
