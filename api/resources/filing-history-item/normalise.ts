/** Owns the mapping of an API-shaped filing to the stored one: one form for members that come in several. */
import { toDay } from "../../core/dates.ts";
import { RecordError } from "../../core/errors.ts";
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import {
  asList,
  asMembers,
  convert,
  dropDerived,
  dropEmpty,
  dropSelfLink,
  type Members,
} from "../loose-members.ts";
import type { Filing } from "./members.ts";

const PARTS = ["annotations", "associated_filings", "resolutions"];
const HOUR_MS = 3_600_000;

/** The filing to store; the record's schema checks it afterwards. Throws RecordError. */
export function normaliseFiling(resource: IncomingResource): Filing {
  const company_number = companyNumberOf(resource);
  const own = dropSelfLink(dropDerived(resource.data, "transaction_id", [resource.id]));
  const filing = PARTS.reduce(normaliseParts, normaliseCommon(own));
  // The cast: the record's schema checks it afterwards.
  return { ...dropFalse(filing, "paper_filed"), transaction_id: resource.id, company_number } as Filing;
}

/** Filings that belong to the filing, which share its members; an empty list means nothing. */
function normaliseParts(filing: Members, part: string): Members {
  const normalise = (item: unknown) => normaliseCommon(asMembers(item, part));
  return dropEmpty(
    convert(filing, part, (items) => asList(items).map(normalise)),
    part,
  );
}

function normaliseCommon(members: Members): Members {
  const dated = convert(members, "action_date", normaliseActionDate);
  const converted = convert(dropEmpty(dated, "subcategory"), "description_values", normaliseValues);
  return dropEmpty(converted, "description_values");
}

/** Older filings have milliseconds; the added hour moves midnight of summer time to the intended day. */
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
  if (!name.endsWith("capital")) return toText(value);
  return asList(value).map((item) =>
    convert(asMembers(item, `description_values.${name}`), "figure", toText),
  );
}

function toText(value: unknown): unknown {
  return typeof value === "number" ? String(value) : value;
}

/** A flag that is present only when true. */
function dropFalse(members: Members, member: string): Members {
  const { [member]: value, ...rest } = members;
  return value === false ? rest : members;
}
