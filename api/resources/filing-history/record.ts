/** The stored filing: one transaction of a company's filing history. Also maps an API-shaped filing to it. */
import { descendingKey, toDay } from "../../shared/values/dates.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import type { Members } from "../../shared/values/members.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  asDigits,
  asMembers,
  companyNumberOf,
  convert,
  dropDerived,
  idOf,
  locateById,
  SELF_LINK,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import type { StoredOf } from "../define-resource.ts";
import { filingSchema, type Filing } from "./members.ts";

/** Members with filings that belong to this one; they have members in common with it. */
const PARTS = ["annotations", "associated_filings", "resolutions"];
const HOUR_MS = 3_600_000;

/** The filing to store; the record's schema checks it afterwards. Throws RecordError. */
function normaliseFiling(resource: IncomingResource): Filing {
  const [company_number, transaction_id] = [companyNumberOf(resource), idOf(resource)];
  const own = dropDerived(resource.data, "transaction_id", [transaction_id]);
  const filing = PARTS.reduce(
    (members, part) =>
      convert(members, part, (items) =>
        (items as unknown[]).map((item) => normaliseCommon(asMembers(item, part))),
      ),
    normaliseCommon(own),
  );
  // The cast: the record's schema checks it afterwards.
  return { ...filing, transaction_id, company_number } as Filing;
}

/** Normalises the members that a filing and the filings that belong to it have in common. */
function normaliseCommon(members: Members): Members {
  const dated = convert(members, "action_date", normaliseActionDate);
  return convert(dated, "description_values", normaliseValues);
}

/**
 * Older filings give midnight in British time, as milliseconds. In summer that is 23:00 UTC of the day before; an added
 * hour gives the intended day.
 */
function normaliseActionDate(value: unknown): unknown {
  if (typeof value !== "number") return value;
  const moment = new Date(value + HOUR_MS);
  if (Number.isNaN(moment.getTime())) throw new RecordError("is not a valid date and time", "action_date");
  return toDay(moment);
}

function normaliseValues(value: unknown): Members {
  const values = Object.entries(asMembers(value, "description_values"));
  return Object.fromEntries(values.map(([name, item]) => [name, normaliseValue(name, item)]));
}

function normaliseValue(name: string, value: unknown): unknown {
  if (!name.endsWith("capital")) return asDigits(value);
  return (value as unknown[]).map((item) =>
    convert(asMembers(item, `description_values.${name}`), "figure", asDigits),
  );
}

export const filingRecord = defineRecord({
  name: "filing-history-item",
  collection: "filings",
  schema: filingSchema,
  identify: (filing: Filing) => filing.transaction_id,
  keysOf: (filing: Filing) => ({
    company_number: filing.company_number,
    category: filing.category,
    filing_order: buildFilingOrder(filing),
  }),
  // The index gives the order. It also has the category, so a filter fetches no filings that it leaves out.
  indexes: [{ fields: ["company_number", "filing_order", "category"] }],
  incoming: {
    kinds: ["filing-history"],
    known: [filingSchema, SELF_LINK],
    normalise: normaliseFiling,
    locate: locateById,
    addressOf: ({ company_number: company, transaction_id: id }) => ({
      kind: "filing-history",
      uri: `/company/${company}/filing-history/${id}`,
      id,
    }),
  },
});

export type StoredFiling = StoredOf<typeof filingRecord>;

/** Latest first; within a day the latest transaction first. The id at the end makes the order total. */
function buildFilingOrder({ date, transaction_id: id }: Filing): string {
  return [descendingKey(date), descendingKey(transactionNumberOf(id)), id].join("\t");
}

/** The ten digits at the start of a decoded transaction id; undefined for ids of another form. */
function transactionNumberOf(id: string): string | undefined {
  return /^\d{10}/.exec(Buffer.from(id, "base64").toString("latin1"))?.[0];
}
