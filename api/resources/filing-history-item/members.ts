/** Owns the members of a filing, as stored and as shown: schemas, closed lists, and the types beside them. */
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { descriptionValuesSchema, type DescriptionValues } from "./description-values.ts";

/** A note that was added to a filing. */
export interface Annotation {
  annotation?: string;
  category: string;
  date: string;
  description: string;
  description_values?: DescriptionValues;
  type: string;
}

/** A filing that came with another one. */
export interface AssociatedFiling {
  type: string;
  date: string;
  description: string;
  description_values?: DescriptionValues;
  category?: string;
  subcategory?: string | string[];
  action_date?: string;
}

export interface Resolution {
  category: string;
  subcategory: string | string[];
  description: string;
  type: string;
  receive_date?: string;
  date?: string;
  description_values?: DescriptionValues;
  barcode?: string;
  document_id?: string;
  delta_at?: string;
}

/** Members of a filing without its links. */
export interface FilingMembers {
  transaction_id: string;
  type: string;
  date: string;
  category: string;
  subcategory?: string | string[];
  description: string;
  description_values?: DescriptionValues;
  action_date?: string;
  barcode?: string;
  pages?: number;
  paper_filed?: true;
  annotations?: Annotation[];
  associated_filings?: AssociatedFiling[];
  resolutions?: Resolution[];
}

/** A stored filing: what the API shows, without its own link and with its company. */
export type Filing = FilingMembers & {
  company_number: string;
  /** Absolute address of the document's description, on another host; present when the image exists. */
  links?: { document_metadata: string };
};

const DATE = { type: "string", format: "date" };
const FILED_ON = { ...DATE, description: "Day on which the filing was put on the register." };
const WORD = { type: "string", minLength: 1, maxLength: 100 };
const CATEGORY = enumerationSchema("filing_history_category");
const ONE_SUBCATEGORY = enumerationSchema("filing_history_subcategory");
// Compat: one text, as in the published schema, or the list that live answers may have; stored unchanged.
const SUBCATEGORY = {
  anyOf: [ONE_SUBCATEGORY, { type: "array", minItems: 1, maxItems: 20, items: ONE_SUBCATEGORY }],
};
// `legacy` marks filings from before the keys: their text is in `description_values.description`.
const DESCRIPTION = enumerationSchema("filing_history_description", ["legacy"]);
// Form code: `AA`, `NEWINC`, `GAZ1(A)`, `MODEL ARTICLES`, `4.2(Scot)`.
const TYPE = { type: "string", minLength: 1, maxLength: 50, description: "Code of the form, such as `AA`." };

const annotationSchema = {
  title: "filing-annotation",
  description: "A note that was added to a filing.",
  type: "object",
  additionalProperties: false,
  required: ["category", "date", "description", "type"],
  properties: {
    annotation: { type: "string", minLength: 1, maxLength: 10_000 },
    category: CATEGORY,
    date: { ...DATE, description: "Day of the note." },
    description: DESCRIPTION,
    description_values: descriptionValuesSchema,
    type: TYPE,
  },
};

const associatedFilingSchema = {
  title: "associated-filing",
  description: "A filing that came with another one.",
  type: "object",
  additionalProperties: false,
  required: ["type", "date", "description"],
  properties: {
    type: TYPE,
    date: FILED_ON,
    description: DESCRIPTION,
    description_values: descriptionValuesSchema,
    category: CATEGORY,
    subcategory: SUBCATEGORY,
    action_date: DATE,
  },
};

const resolutionSchema = {
  title: "filing-resolution",
  description: "A resolution that is part of a filing.",
  type: "object",
  additionalProperties: false,
  required: ["category", "subcategory", "description", "type"],
  properties: {
    category: enumerationSchema("filing_history_resolution_category"),
    subcategory: SUBCATEGORY,
    description: DESCRIPTION,
    type: TYPE,
    receive_date: DATE,
    date: { ...DATE, description: "Day of the resolution." },
    description_values: descriptionValuesSchema,
    barcode: WORD,
    document_id: WORD,
    delta_at: WORD,
  },
};

/** JSON Schemas of `FilingMembers`, to be spread into the `properties` of a view. */
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
  annotations: { type: "array", minItems: 1, maxItems: 1000, items: annotationSchema },
  associated_filings: { type: "array", minItems: 1, maxItems: 1000, items: associatedFilingSchema },
  resolutions: { type: "array", minItems: 1, maxItems: 1000, items: resolutionSchema },
};
