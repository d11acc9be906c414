/** Owns the mapping of a raw statement to the stored one. It refuses and drops the same as for persons. */
import { isMembers } from "../../core/members.ts";
import { parseCompanyNumber } from "../../core/company-number.ts";
import { RecordError } from "../../core/errors.ts";
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import {
  formatLoss,
  readAsIs,
  readDate,
  readEnd,
  readMembers,
  readText,
  refuseFaults,
  rulesFor,
  textOf,
  type Losses,
  type Rule,
  type Rules,
} from "../person-with-significant-control/raw-members.ts";
import type { PscStatement } from "./members.ts";

export const STATEMENT_KIND = "persons-with-significant-control-statement";

const SELF = /^\/company\/([^/]+)\/persons-with-significant-control-statements\/([^/]+)$/;
const LINK_RULES: Rules = new Map(rulesFor(["self", "person_with_significant_control"], readText));
const RULES: Rules = new Map<string, Rule>([
  ...rulesFor(["etag", "statement", "restrictions_notice_withdrawal_reason", "notification_id"], readAsIs),
  ["linked_psc_name", readText],
  ["notified_on", readDate],
  ["ceased_on", readEnd],
  // Checked or read separately.
  ...rulesFor(["kind", "links"], () => undefined),
]);

/** A raw statement with its place. */
export interface RawStatement {
  companyNumber: string;
  /** The address of the resource where `links.self` is absent. */
  uri?: string;
  data: Record<string, unknown>;
}

/** API-shaped input: any fault is a refusal. Throws RecordError. */
export function normaliseIncomingStatement(
  resource: IncomingResource,
  warn: (warning: string) => void,
): PscStatement {
  const { uri, id, data } = resource;
  const { statement, losses } = normaliseStatement({ companyNumber: companyNumberOf(resource), uri, data });
  refuseFaults(losses);
  for (const loss of losses.leftOut) warn(formatLoss(loss));
  if (id && id !== statement.statement_id) {
    throw new RecordError("differs from the id of the resource", "resource_id");
  }
  return statement;
}

/** The stored statement, and the values that were dropped. Throws RecordError without an identity, or with two. */
export function normaliseStatement(raw: RawStatement): { statement: PscStatement; losses: Losses } {
  const { companyNumber, uri, data } = raw;
  if (data.kind !== undefined && data.kind !== STATEMENT_KIND) throw new RecordError("is not known", "kind");
  const losses: Losses = { faults: [], leftOut: [] };
  const links = isMembers(data.links) ? readMembers(data.links, LINK_RULES, losses, "links.") : {};
  const [, company, id] = SELF.exec(textOf(links.self ?? uri)) ?? [];
  if (!company || !id)
    throw new RecordError("has no link to the resource itself, so its id is unknown", "links.self");
  if (parseCompanyNumber(company) !== companyNumber) {
    throw new RecordError(`is of company ${company}, not of ${companyNumber}`, "links.self");
  }
  const members = readMembers(data, RULES, losses);
  // The cast: the record's schema checks members that are only copied.
  const statement = { ...members, statement_id: id, company_number: companyNumber } as PscStatement;
  const { person_with_significant_control: person } = links;
  if (person !== undefined) statement.person_with_significant_control = person as string;
  return { statement, losses };
}
