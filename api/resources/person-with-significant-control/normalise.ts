/**
 * Owns the mapping of a raw person with significant control to the stored one, for the snapshot and for API-shaped lines.
 *
 * Unknown members, and the birth years 0 and 9999, which mean "unknown", are dropped from both with a
 * warning. API-shaped input is refused for values that cannot be right, such as an impossible date: it comes record by
 * record from a service that can be read again. The snapshot drops the same values with a warning: it is one file for
 * the whole register. A value of a wrong type or outside its closed list is passed on, and the record's schema
 * refuses it in both.
 */
import { parseCompanyNumber } from "../../shared/values/company-number.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { isMembers } from "../../shared/values/members.ts";
import { companyNumberOf, type IncomingResource } from "../../shared/definitions/incoming-resource.ts";
import { descriptionOf, findPscKind, pscKinds, type PscKind } from "./kinds.ts";
import type { NameElements, Psc } from "./members.ts";
import {
  formatLoss,
  readMembers,
  readObject,
  readText,
  refuseFaults,
  textOf,
  type Losses,
  type Rules,
} from "./raw-members.ts";
import { rulesOfKind } from "./rules.ts";

const SELF = /^\/company\/([^/]+)\/persons-with-significant-control\/[^/]+\/([^/]+)$/;
const STATEMENT = /\/persons-with-significant-control-statements\/([^/]+)$/;
const NOTIFICATIONS = /^\/persons-with-significant-control\/([^/]+)\/notifications$/;

const RULES: Rules = new Map([
  ["self", readText],
  ["statement", readText],
  ["persons_with_significant_control", readObject(new Map([["notifications", readText]]))],
]);

/** The facts in the links. */
interface PscLinks {
  company: string;
  id: string;
  statementId?: string;
  pscId?: string;
}

/**
 * Reads the links; `uri` is used when there is no link to the resource itself. Its segment is not compared with
 * the kind: files contain legal persons under the path of individuals. Throws RecordError without an identity.
 */
function readPscLinks(raw: unknown, uri: string | undefined, losses: Losses): PscLinks {
  const links = isMembers(raw) ? readMembers(raw, RULES, losses, "links.") : {};
  const [, company, id] = SELF.exec(textOf(links.self ?? uri)) ?? [];
  if (!company || !id)
    throw new RecordError("has no link to the resource itself, so its id is unknown", "links.self");
  const read: PscLinks = { company, id };
  const statementId = readId(links.statement, STATEMENT, "links.statement", losses);
  if (statementId) read.statementId = statementId;
  const joined = links.persons_with_significant_control;
  const notifications = isMembers(joined) ? joined.notifications : joined;
  const pscId = readId(notifications, NOTIFICATIONS, "links.persons_with_significant_control", losses);
  if (pscId) read.pscId = pscId;
  return read;
}

function readId(link: unknown, pattern: RegExp, field: string, losses: Losses): string | undefined {
  if (link === undefined) return undefined;
  const id = typeof link === "string" ? pattern.exec(link)?.[1] : undefined;
  if (!id) losses.faults.push({ field, reason: "is not a link of this kind", done: "dropped" });
  return id;
}

/** A raw person with its place. */
interface RawPsc {
  companyNumber: string;
  /** The address of the resource where `links.self` is absent. */
  uri?: string;
  data: Record<string, unknown>;
}

/** The person, and the values that were dropped. */
interface NormalisedPsc {
  psc: Psc;
  losses: Losses;
}

/** API-shaped input: any fault is a refusal. Throws RecordError. */
export function normaliseIncomingPsc(resource: IncomingResource, warn: (warning: string) => void): Psc {
  const { kind: resourceKind, uri, data } = resource;
  const kind = data.kind ?? pscKinds.find((candidate) => candidate.resourceKind === resourceKind)?.kind;
  if (findPscKind(kind)?.resourceKind !== resourceKind) {
    throw new RecordError(`does not belong to resource_kind ${resourceKind}`, "kind");
  }
  const companyNumber = companyNumberOf(resource);
  const { psc, losses } = normalisePsc({ companyNumber, uri, data: { ...data, kind } });
  refuseFaults(losses);
  for (const loss of losses.leftOut) warn(formatLoss(loss));
  if (resource.id && resource.id !== psc.notification_id) {
    throw new RecordError("differs from the id of the resource", "resource_id");
  }
  return psc;
}

/** The stored person. Throws RecordError where it has no identity, two, or would be shown wrongly. */
export function normalisePsc({ companyNumber, uri, data }: RawPsc): NormalisedPsc {
  const kind = findPscKind(data.kind);
  if (!kind) throw new RecordError(`is not known: ${textOf(data.kind).slice(0, 100) || "(none)"}`, "kind");
  const losses: Losses = { faults: [], leftOut: [] };
  const links = readPscLinks(data.links, uri, losses);
  if (parseCompanyNumber(links.company) !== companyNumber) {
    throw new RecordError(`is of company ${links.company}, not of ${companyNumber}`, "links.self");
  }
  const members = readMembers(data, rulesOfKind(kind), losses);
  // The cast: the record's schema checks members that are only copied.
  const psc = {
    ...members,
    notification_id: links.id,
    company_number: companyNumber,
    kind: kind.kind,
  } as Psc;
  if (links.statementId) psc.statement_id = links.statementId;
  if (links.pscId) addPscId(psc, links.pscId, kind, losses);
  settle(psc, kind, data, losses);
  return { psc, losses };
}

/** Members that depend on each other. */
function settle(psc: Psc, kind: PscKind, data: Record<string, unknown>, losses: Losses): void {
  if (kind.subject === "super-secure") {
    psc.description = checkDescription(psc.description, kind, losses);
    if (psc.ceased === undefined && typeof data.ceased_on === "string") psc.ceased = true;
    return;
  }
  // Live answers have `ceased` for every kind, beside its date; without the date it cannot be shown.
  if (data.ceased === true && psc.ceased_on === undefined) throw new RecordError("is missing", "ceased_on");
  if (kind.subject !== "individual") return;
  const { day, ...birth } = (psc.date_of_birth ?? {}) as NonNullable<Psc["date_of_birth"]> & { day?: number };
  if (day !== undefined) {
    psc.date_of_birth = birth;
    psc.birth_day = day;
  }
  if (psc.name_elements) settleNames(psc, psc.name_elements, losses);
}

function addPscId(psc: Psc, pscId: string, { subject }: PscKind, losses: Losses): void {
  if (subject !== "super-secure") psc.psc_id = pscId;
  else
    losses.faults.push({
      field: "links.persons_with_significant_control",
      reason: "is not allowed for super-secure persons",
      done: "dropped",
    });
}

function checkDescription(given: string | undefined, kind: PscKind, losses: Losses): string {
  const description = descriptionOf(kind);
  if (given !== undefined && given !== description) {
    losses.faults.push({ field: "description", reason: "belongs to another kind", done: "replaced" });
  }
  return description;
}

/** `other_forenames` is the older name of `middle_name`; a name may come only as elements. */
function settleNames(psc: Psc, elements: NameElements, losses: Losses): void {
  const { other_forenames: older, ...current } = elements as NameElements & { other_forenames?: string };
  if (older !== undefined) psc.name_elements = { middle_name: older, ...current };
  if (elements.surname === undefined) {
    losses.faults.push({ field: "name_elements", reason: "has no surname", done: "dropped" });
    delete psc.name_elements;
  } else if (psc.name === undefined) {
    const { title, forename, middle_name = older, surname } = elements;
    psc.name = [title, forename, middle_name, surname].filter(Boolean).join(" ");
  }
}
