/**
 * Owns the mapping of a raw person with significant control to the stored one, for the snapshot and for API-shaped lines.
 *
 * Unknown members, and the birth years 0 and 9999, which mean "unknown", are dropped from both with a
 * warning. API-shaped input is refused for values that cannot be right, such as an impossible date: it comes record by
 * record from a service that can be read again. The snapshot drops the same values with a warning: it is one file for
 * the whole register. A value of a wrong type or outside its closed list is passed on, and the record's schema
 * refuses it in both.
 */
import { RecordError } from "../../shared/runtime/errors.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { isMembers, type Members } from "../../shared/values/members.ts";
import { companyNumberOf, type IncomingResource } from "../../shared/definitions/incoming-resource.ts";
import {
  descriptionOf,
  findPscKind,
  identificationMembersOf,
  membersOfKind,
  pscKinds,
  type PscKind,
} from "./kinds.ts";
import { pscMemberSchemas, type NameElements, type Psc } from "./members.ts";
import {
  readAddress,
  readAsIs,
  readDate,
  readEnd,
  readFlag,
  readMembers,
  readObject,
  readOwnId,
  readText,
  readTexts,
  requireWhole,
  rulesFor,
  textOf,
  type Losses,
  type RawRecord,
  type Rule,
  type Rules,
} from "./raw-members.ts";

// Its segment is not compared with the kind: files contain legal persons under the path of individuals.
const SELF = /^\/company\/([^/]+)\/persons-with-significant-control\/[^/]+\/([^/]+)$/;
const STATEMENT = /\/persons-with-significant-control-statements\/([^/]+)$/;
const NOTIFICATIONS = /^\/persons-with-significant-control\/([^/]+)\/notifications$/;

const LINK_RULES: Rules = new Map([
  ...rulesFor(["self", "statement"], readText),
  ["persons_with_significant_control", readObject(new Map([["notifications", readText]]))],
]);

const readNumber: Rule = (value) =>
  typeof value === "string" && /^\d{1,4}$/.test(value) ? Number(value) : value;
const BIRTH_RULES: Rules = new Map(rulesFor(["day", "month", "year"], readNumber));
// Years that mean "unknown" in real snapshots (bulk formats 2.2).
const UNKNOWN_YEARS: ReadonlySet<unknown> = new Set([0, 9999]);

const readBirth: Rule = (value, field, losses) => {
  if (!isMembers(value)) return value;
  const birth = readMembers(value, BIRTH_RULES, losses, `${field}.`);
  if (isWithin(birth.month, 1, 12) && isWithin(birth.year, 1000, 9998)) return birth;
  if (UNKNOWN_YEARS.has(birth.year)) {
    const reason = `the year ${String(birth.year)} stands for unknown`;
    losses.leftOut.push({ field, reason, done: "dropped" });
  } else losses.faults.push({ field, reason: "not a month from 1 to 12", done: "dropped" });
  return undefined;
};

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** A member's rule follows from its schema, but for these. */
const OWN_RULES: Partial<Record<string, Rule>> = {
  ...{ address: readAddress, principal_office_address: readAddress },
  ...{ date_of_birth: readBirth, ceased_on: readEnd, natures_of_control: readAsIs },
};

function ruleOf(member: string, schema: JsonSchema): Rule {
  const own = OWN_RULES[member];
  if (own) return own;
  if (isMembers(schema.properties)) return readObject(rulesOf(schema.properties));
  if (schema.type === "boolean") return readFlag;
  if (schema.type === "array") return readTexts;
  return schema.format === "date" ? readDate : readText;
}

function rulesOf(schemas: Members): Map<string, Rule> {
  return new Map(
    Object.entries(schemas).map(([member, schema]) => [member, ruleOf(member, schema as JsonSchema)]),
  );
}

const MEMBER_RULES = rulesOf(pscMemberSchemas);
const { properties: nameMembers } = pscMemberSchemas.name_elements;
// `other_forenames` is the older name of `middle_name`.
MEMBER_RULES.set(
  "name_elements",
  readObject(rulesOf({ ...nameMembers, other_forenames: nameMembers.middle_name })),
);

/** The rules of a kind: its own members, and those that every record has. */
const rulesByKind = new Map(pscKinds.map((kind) => [kind, buildRules(kind)]));

function buildRules(kind: PscKind): Rules {
  const identification = readObject(new Map(rulesFor(identificationMembersOf(kind), readText)));
  const own = membersOfKind(kind).map((member): [string, Rule] => [
    member,
    member === "identification" ? identification : (MEMBER_RULES.get(member) ?? readAsIs),
  ]);
  const flags = kind.subject === "super-secure" ? [] : ["ceased"];
  // The last ones are read elsewhere, so here they are known and dropped.
  return new Map([...own, ["etag", readAsIs], ...rulesFor(["kind", "links", ...flags], () => undefined)]);
}

/** The ids in the links. */
function readLinkedIds(links: Members, losses: Losses) {
  const joined = links.persons_with_significant_control;
  const notifications = isMembers(joined) ? joined.notifications : joined;
  return {
    statement_id: readId(links.statement, STATEMENT, "links.statement", losses),
    psc_id: readId(notifications, NOTIFICATIONS, "links.persons_with_significant_control", losses),
  };
}

function readId(link: unknown, pattern: RegExp, field: string, losses: Losses): string | undefined {
  if (link === undefined) return undefined;
  const id = typeof link === "string" ? pattern.exec(link)?.[1] : undefined;
  if (!id) losses.faults.push({ field, reason: "is not a link of this kind", done: "dropped" });
  return id;
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
  requireWhole(resource, psc.notification_id, losses, warn);
  return psc;
}

/**
 * The stored person, and the values that were dropped. Throws RecordError where it has no identity, two, or would be shown
 * wrongly.
 */
export function normalisePsc(raw: RawRecord): { psc: Psc; losses: Losses } {
  const { companyNumber, data } = raw;
  const kind = findPscKind(data.kind);
  if (!kind) throw new RecordError(`is not known: ${textOf(data.kind).slice(0, 100) || "(none)"}`, "kind");
  const losses: Losses = { faults: [], leftOut: [] };
  const links = isMembers(data.links) ? readMembers(data.links, LINK_RULES, losses, "links.") : {};
  const notification_id = readOwnId(raw, links.self, SELF);
  const { statement_id, psc_id } = readLinkedIds(links, losses);
  const members = readMembers(data, rulesByKind.get(kind) ?? new Map<string, Rule>(), losses);
  // The cast: the record's schema checks members that are only copied.
  const psc = { ...members, notification_id, company_number: companyNumber, kind: kind.kind } as Psc;
  if (statement_id) psc.statement_id = statement_id;
  if (psc_id) addPscId(psc, psc_id, kind, losses);
  settle(psc, kind, data, losses);
  return { psc, losses };
}

/** Members that depend on each other. */
function settle(psc: Psc, kind: PscKind, data: Members, losses: Losses): void {
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
