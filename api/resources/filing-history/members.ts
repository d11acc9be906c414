/** JSON Schemas of the members of a filing, as stored and as shown. */
import type { FromSchema } from "json-schema-to-ts";
import { DATE, COMPANY_NUMBER, listOf, objectOf, textUpTo } from "../../shared/schemas/schemas.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";

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

/** Every value that a sentence of `enums:filing_history_description` uses, and those of the API reference 7.8. */
const descriptionValuesSchema = {
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

function membersOf<Name extends string, S extends JsonSchema>(words: Record<Name, string>, schema: S) {
  const members = Object.entries<string>(words).map(([name, description]) => [
    name,
    { ...schema, description },
  ]);
  // The cast: `Object.entries` types names as plain strings.
  return Object.fromEntries(members) as Record<Name, S>;
}

const FILED_ON = { ...DATE, description: "Day on which the filing was put on the register." } as const;
const WORD = textUpTo(100);
const CATEGORY = enumerationSchema("filing_history_category");
const ONE_SUBCATEGORY = enumerationSchema("filing_history_subcategory");
// Compat: one text, as in the published schema, or a list, as in some live answers; stored unchanged.
const SUBCATEGORY = { anyOf: [ONE_SUBCATEGORY, listOf(20, ONE_SUBCATEGORY)] } as const;
// `legacy` marks filings from before the keys: their text is in `description_values.description`.
const DESCRIPTION = {
  ...enumerationSchema("filing_history_description", ["legacy"]),
  description: "Code of the sentence that describes the filing, or `legacy`.",
} as const;
// Form code: `AA`, `NEWINC`, `GAZ1(A)`, `MODEL ARTICLES`, `4.2(Scot)`.
const TYPE = { ...textUpTo(50), description: "Code of the form, such as `AA`." } as const;

// For a part whose form it does not know, the original passes on the form's text; where the form has none, nothing.
const PART_DESCRIPTION = {
  ...TEXT,
  description: "Code of the sentence that describes it, or the text.",
} as const;

const annotationSchema = {
  title: "filing-annotation",
  description: "A note that was added to a filing.",
  ...objectOf(["date", "description"], {
    annotation: textUpTo(10_000),
    category: CATEGORY,
    date: { ...DATE, description: "Day of the note." },
    description: PART_DESCRIPTION,
    description_values: descriptionValuesSchema,
    type: TYPE,
  }),
} as const;

const associatedFilingSchema = {
  title: "associated-filing",
  description: "A filing that came with another one.",
  ...objectOf(["type", "date"], {
    type: TYPE,
    date: FILED_ON,
    description: PART_DESCRIPTION,
    description_values: descriptionValuesSchema,
    category: CATEGORY,
    subcategory: SUBCATEGORY,
    action_date: DATE,
  }),
} as const;

const resolutionSchema = {
  title: "filing-resolution",
  description: "A resolution that is part of a filing.",
  ...objectOf(["category", "type"], {
    category: enumerationSchema("filing_history_resolution_category"),
    subcategory: SUBCATEGORY,
    description: PART_DESCRIPTION,
    type: TYPE,
    receive_date: DATE,
    date: { ...DATE, description: "Day of the resolution." },
    description_values: descriptionValuesSchema,
    barcode: WORD,
    document_id: WORD,
    delta_at: WORD,
  }),
} as const;

/** JSON Schemas of the members without the links, to be spread into the `properties` of a view. */
export const filingMemberSchemas = {
  transaction_id: { type: "string", pattern: "^[A-Za-z0-9_=-]{1,60}$" },
  type: TYPE,
  date: FILED_ON,
  category: CATEGORY,
  subcategory: SUBCATEGORY,
  description: DESCRIPTION,
  description_values: descriptionValuesSchema,
  action_date: DATE,
  barcode: WORD,
  pages: { type: "integer", minimum: 0, maximum: 1_000_000 },
  paper_filed: { const: true },
  annotations: listOf(1000, annotationSchema),
  associated_filings: listOf(1000, associatedFilingSchema),
  resolutions: listOf(1000, resolutionSchema),
} as const;

/** The address of a document's metadata, on another host; present when the image exists. */
export const documentLinkSchema = { type: "string", format: "uri", maxLength: 500 } as const;

/** JSON Schema of a stored filing: what the API shows, but with the company number and without the link to itself. */
export const filingSchema = objectOf(
  ["company_number", "transaction_id", "type", "date", "category", "description"],
  {
    ...filingMemberSchemas,
    company_number: COMPANY_NUMBER,
    links: objectOf(["document_metadata"], { document_metadata: documentLinkSchema }),
  },
);

export type Filing = FromSchema<typeof filingSchema>;
