/** Owns the stored filing: one transaction of a company's filing history. */
import { descendingKey } from "../../core/dates.ts";
import { defineRecord, type StoredRecord } from "../define-record.ts";
import { locateById, SELF_LINK } from "../incoming-resource.ts";
import { filingMemberSchemas, type Filing } from "./members.ts";
import { normaliseFiling } from "./normalise.ts";

/** A type and not an interface: only a type has the index signature that keys need. */
export type FilingKeys = {
  company_number: string;
  category: string;
  filing_order: string;
};

export type StoredFiling = StoredRecord<Filing, FilingKeys>;

/** The address of a document's description. */
export const documentLinkSchema = { type: "string", format: "uri", maxLength: 500 };

const SEPARATOR = "\t";

const storedFilingSchema = {
  type: "object",
  additionalProperties: false,
  required: ["company_number", "transaction_id", "type", "date", "category", "description"],
  properties: {
    ...filingMemberSchemas,
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    links: {
      type: "object",
      additionalProperties: false,
      required: ["document_metadata"],
      properties: { document_metadata: documentLinkSchema },
    },
  },
};

export const filingRecord = defineRecord<Filing, FilingKeys>({
  name: "filing-history-item",
  collection: "filings",
  schema: storedFilingSchema,
  identify: (filing) => filing.transaction_id,
  keysOf: (filing) => ({
    company_number: filing.company_number,
    category: filing.category,
    filing_order: buildFilingOrder(filing),
  }),
  // Sorted by the index, which also holds the category, so that filtering fetches no other filings.
  indexes: [{ fields: ["company_number", "filing_order", "category"] }],
  incoming: {
    kinds: ["filing-history"],
    known: [storedFilingSchema, SELF_LINK],
    normalise: normaliseFiling,
    locate: locateById,
    addressOf: ({ company_number: company, transaction_id: id }) => ({
      kind: "filing-history",
      uri: `/company/${company}/filing-history/${id}`,
      id,
    }),
  },
});

/** Latest first; within a day the latest transaction first. Ends with the id, so that the order is total. */
function buildFilingOrder({ date, transaction_id: id }: Filing): string {
  return [descendingKey(date), descendingKey(transactionNumberOf(id)), id].join(SEPARATOR);
}

/** The ten digits at the start of a decoded transaction id; absent for ids of another form. */
function transactionNumberOf(id: string): string | undefined {
  return /^\d{10}/.exec(Buffer.from(id, "base64").toString("latin1"))?.[0];
}
