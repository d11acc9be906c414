/** Owns `description_values`: what a reader puts into the text that a filing's description key stands for. */

/** An amount of capital: `figure` is the text that was filed, `1,000.25`. */
export interface Capital {
  currency?: string;
  figure?: string;
  date?: string;
  description?: string;
}

export type DescriptionValues = Record<string, string | Capital[]>;

const TEXT = { type: "string", minLength: 1, maxLength: 10_000 };
const DATE = { type: "string", format: "date" };

const DATES = [
  "appointment_date",
  "brought_down_date",
  "case_end_date",
  "case_start_date",
  "cessation_date",
  "change_date",
  "charge_creation_date",
  "close_date",
  "date",
  "incorporation_date",
  "made_up_date",
  "mortgage_satisfaction_date",
  "new_date",
  "notification_date",
  "property_acquired_date",
  "removal_date",
  "resolution_date",
  "termination_date",
  "withdrawal_date",
];
const TEXTS = [
  "branch_number",
  "case_number",
  "change_address",
  "change_details",
  "change_name",
  "change_type",
  "charge_number",
  "company_number",
  "company_type",
  "default_address",
  "description",
  "form_attached",
  "form_type",
  "new_address",
  "new_jurisdiction",
  "officer_address",
  "officer_name",
  "old_address",
  "old_jurisdiction",
  "original_description",
  "psc_name",
  "representative_details",
  "res_type",
];

const capitalSchema = {
  type: "array",
  minItems: 1,
  maxItems: 1000,
  items: {
    type: "object",
    additionalProperties: false,
    properties: { currency: TEXT, figure: TEXT, date: DATE, description: TEXT },
  },
};

/** Every name that a description of `enums:filing_history_description` uses, and those of the API reference 7.8. */
export const descriptionValuesSchema = {
  type: "object",
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ...Object.fromEntries(DATES.map((name) => [name, DATE])),
    ...Object.fromEntries(TEXTS.map((name) => [name, TEXT])),
    capital: capitalSchema,
    alt_capital: capitalSchema,
  },
};
