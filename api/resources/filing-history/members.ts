/** Owns the members of a filing, as stored and as shown. */
import type { FromSchema } from "json-schema-to-ts";
import { DATE } from "../../shared/schemas/schemas.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { COMPANY_NUMBER, listOf, objectOf, textUpTo } from "../schemas.ts";
import { descriptionValuesSchema } from "./description-values.ts";

const FILED_ON = { ...DATE, description: "Day on which the filing was put on the register." } as const;
const WORD = textUpTo(100);
const CATEGORY = enumerationSchema("filing_history_category");
const ONE_SUBCATEGORY = enumerationSchema("filing_history_subcategory");
// Compat: one text, as in the published schema, or the list that live answers may have; stored unchanged.
const SUBCATEGORY = { anyOf: [ONE_SUBCATEGORY, listOf(20, ONE_SUBCATEGORY)] } as const;
// `legacy` marks filings from before the keys: their text is in `description_values.description`.
const DESCRIPTION = enumerationSchema("filing_history_description", ["legacy"]);
// Form code: `AA`, `NEWINC`, `GAZ1(A)`, `MODEL ARTICLES`, `4.2(Scot)`.
const TYPE = { ...textUpTo(50), description: "Code of the form, such as `AA`." } as const;

const annotationSchema = {
  title: "filing-annotation",
  description: "A note that was added to a filing.",
  ...objectOf(["category", "date", "description", "type"], {
    annotation: textUpTo(10_000),
    category: CATEGORY,
    date: { ...DATE, description: "Day of the note." },
    description: DESCRIPTION,
    description_values: descriptionValuesSchema,
    type: TYPE,
  }),
} as const;

const associatedFilingSchema = {
  title: "associated-filing",
  description: "A filing that came with another one.",
  ...objectOf(["type", "date", "description"], {
    type: TYPE,
    date: FILED_ON,
    description: DESCRIPTION,
    description_values: descriptionValuesSchema,
    category: CATEGORY,
    subcategory: SUBCATEGORY,
    action_date: DATE,
  }),
} as const;

const resolutionSchema = {
  title: "filing-resolution",
  description: "A resolution that is part of a filing.",
  ...objectOf(["category", "subcategory", "description", "type"], {
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

/** The address of a document's description, on another host; present when the image exists. */
export const documentLinkSchema = { type: "string", format: "uri", maxLength: 500 } as const;

/** A stored filing: what the API shows, without its own link and with its company. */
export const filingSchema = objectOf(
  ["company_number", "transaction_id", "type", "date", "category", "description"],
  {
    ...filingMemberSchemas,
    company_number: COMPANY_NUMBER,
    links: objectOf(["document_metadata"], { document_metadata: documentLinkSchema }),
  },
);

export type Filing = FromSchema<typeof filingSchema>;
