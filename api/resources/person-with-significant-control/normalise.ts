/**
 * Owns the mapping of a raw person with significant control to the stored one, for the snapshot and for API-shaped lines.
 *
 * Unknown members and values that cannot be right, such as an impossible date, are dropped with a warning. A value of a wrong
 * type is passed on, and the record's schema refuses it. A new word of a list is kept, with a warning.
 */
import { RecordError } from "../../shared/runtime/errors.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import { isMembers, type Members } from "../../shared/values/members.ts";
import { companyNumberOf, idOf, type IncomingResource } from "../../shared/definitions/incoming-resource.ts";
import {
  descriptionOf,
  findPscKind,
  identificationMembersOf,
  membersOfKind,
  pscKinds,
  type PscKind,
} from "./kinds.ts";
import { birthDate } from "../rules.ts";
import { pscMemberSchemas, type NameElements, type Psc } from "./members.ts";
import {
  readAddress,
  readAsIs,
  readDate,
  readDigits,
  readEnd,
  readFlag,
  readLinks,
  readMembers,
  readObject,
  readOwnId,
  readStart,
  readText,
  readTexts,
  readWords,
  rulesFor,
  textOf,
  type RawRecord,
  type Rule,
  type Rules,
} from "./raw-members.ts";

// Its segment is not compared with the kind: files contain legal persons under the path of individuals.
const SELF = /^\/?company\/([^/]+)\/persons-with-significant-control\/[^/]+\/([^/]+)$/;
const STATEMENT = /\/persons-with-significant-control-statements\/([A-Za-z0-9_-]{27})$/;

const LINK_RULES: Rules = new Map([
  ...rulesFor(["self", "statement"], readText),
  // Its id is derived here, from what the snapshot has, too.
  ["persons_with_significant_control", () => undefined],
]);

const BIRTH_RULES: Rules = new Map(rulesFor(["day", "month", "year"], readAsIs));

const readBirth: Rule = (value, field, warnings) => {
  const read = isMembers(value) ? readMembers(value, BIRTH_RULES, warnings, `${field}.`) : value;
  return birthDate(read, field, { raw: {}, read: {}, path: "", warnings });
};

/** A member's rule follows from its schema, but for these. */
const OWN_RULES: Partial<Record<string, Rule>> = {
  ...{ address: readAddress, principal_office_address: readAddress },
  ...{ date_of_birth: readBirth, notified_on: readStart, ceased_on: readEnd },
  natures_of_control: readWords("psc_natures_of_control"),
  description: readWords("psc_super_secure_description"),
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

const DESCRIPTIONS: ReadonlySet<string> = new Set(enumerationKeys("psc_super_secure_description"));

/** The rules of a kind: its own members, and those that every record has. */
const rulesByKind = new Map(pscKinds.map((kind) => [kind, buildRules(kind)]));

function buildRules(kind: PscKind): Rules {
  const identification = readObject(
    new Map(
      identificationMembersOf(kind).map((member) => [
        member,
        member === "registration_number" ? readDigits : readText,
      ]),
    ),
  );
  const own = membersOfKind(kind).map((member): [string, Rule] => [
    member,
    member === "identification" ? identification : (MEMBER_RULES.get(member) ?? readAsIs),
  ]);
  const flags = kind.subject === "super-secure" ? [] : ["ceased"];
  // The last ones are read elsewhere, so here they are known and dropped.
  return new Map([...own, ["etag", readAsIs], ...rulesFor(["kind", "links", ...flags], () => undefined)]);
}

function readStatementId({ statement: link }: Members, warnings: string[]): string | undefined {
  if (link === undefined) return undefined;
  const id = STATEMENT.exec(textOf(link))?.[1];
  if (!id) warnings.push("links.statement: is not a link of this kind, dropped");
  return id;
}

/** As an API-shaped line has it. Throws RecordError. */
export function normaliseIncomingPsc(resource: IncomingResource, warnings: string[]): Psc {
  const { kind: resourceKind, uri, data } = resource;
  const kind = data.kind ?? pscKinds.find((candidate) => candidate.resourceKind === resourceKind)?.kind;
  if (findPscKind(kind)?.resourceKind !== resourceKind) {
    throw new RecordError(`does not belong to resource_kind ${resourceKind}`, "kind");
  }
  const companyNumber = companyNumberOf(resource);
  return normalisePsc({ companyNumber, uri, statedId: idOf(resource), data: { ...data, kind } }, warnings);
}

/** The stored person. Throws RecordError where it has no identity, two, or would be shown wrongly. */
export function normalisePsc(raw: RawRecord, warnings: string[]): Psc {
  const { companyNumber, data } = raw;
  const kind = findPscKind(data.kind);
  if (!kind) throw new RecordError(`is not known: ${textOf(data.kind).slice(0, 100) || "(none)"}`, "kind");
  const links = readLinks(data, LINK_RULES, warnings);
  const notification_id = readOwnId(raw, links.self, SELF);
  const statement_id = readStatementId(links, warnings);
  const members = readMembers(data, rulesByKind.get(kind) ?? new Map<string, Rule>(), warnings);
  // The cast: the record's schema checks members that are only copied.
  const psc = { ...members, notification_id, company_number: companyNumber, kind: kind.kind } as Psc;
  if (statement_id) psc.statement_id = statement_id;
  settle(psc, kind, data, warnings);
  return psc;
}

/** Members that depend on each other. */
function settle(psc: Psc, kind: PscKind, data: Members, warnings: string[]): void {
  if (kind.subject === "super-secure") {
    psc.description = checkDescription(psc.description, kind, warnings);
    psc.ceased ??= typeof data.ceased_on === "string";
    return;
  }
  // Live answers have `ceased` for every kind, beside its date; without the date it cannot be shown.
  if (readFlag(data.ceased, "ceased", warnings) === true && psc.ceased_on === undefined)
    throw new RecordError("is missing", "ceased_on");
  if (kind.subject !== "individual") return;
  const { day, ...birth } = (psc.date_of_birth ?? {}) as NonNullable<Psc["date_of_birth"]> & { day?: number };
  if (day !== undefined) {
    psc.date_of_birth = birth;
    psc.birth_day = day;
  }
  if (psc.name_elements) settleNames(psc, psc.name_elements, warnings);
}

function checkDescription(given: string | undefined, kind: PscKind, warnings: string[]): string {
  const description = descriptionOf(kind);
  if (given === undefined || given === description) return description;
  if (!DESCRIPTIONS.has(given)) return given;
  warnings.push("description: belongs to another kind, replaced");
  return description;
}

/** `other_forenames` is the older name of `middle_name`; a name may come only as elements. */
function settleNames(psc: Psc, elements: NameElements, warnings: string[]): void {
  const { other_forenames: older, ...current } = elements as NameElements & { other_forenames?: string };
  if (older !== undefined) psc.name_elements = { middle_name: older, ...current };
  if (elements.surname === undefined) {
    warnings.push("name_elements: has no surname, dropped");
    delete psc.name_elements;
  } else if (psc.name === undefined) {
    const { title, forename, middle_name = older, surname } = elements;
    psc.name = [title, forename, middle_name, surname].filter(Boolean).join(" ");
  }
}
