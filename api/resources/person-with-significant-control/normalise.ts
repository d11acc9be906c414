/**
 * Maps a raw person with significant control to the stored one, for the snapshot and for API-shaped lines.
 *
 * Members of other kinds, and values that cannot be right, such as an impossible date, are dropped with a warning. A
 * value of a wrong type is passed on, and the record's schema refuses it. An unknown word is kept, with a warning.
 */
import { RecordError } from "../../shared/runtime/errors.ts";
import { DERIVED } from "../../shared/schemas/read-members.ts";
import { BIRTH, FLAG } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import { pickMembers, type Members } from "../../shared/values/members.ts";
import {
  asDigits,
  companyNumberOf,
  convert,
  idOf,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import {
  descriptionOf,
  findPscKind,
  identificationMembersOf,
  membersOfKind,
  pscKinds,
  type PscKind,
} from "./kinds.ts";
import { pscMemberSchemas, type NameElements, type Psc, type PscMember } from "./members.ts";
import { compileRawReader, readOwnId, textOf, type RawRecord } from "./raw-record.ts";

// Its segment is not compared with the kind: files contain legal persons under the path of individuals.
const SELF = /^\/?company\/([^/]+)\/persons-with-significant-control\/[^/]+\/([^/]+)$/;
const STATEMENT = /\/persons-with-significant-control-statements\/([A-Za-z0-9_-]{27})$/;

const readers = new Map(pscKinds.map((kind) => [kind, compileRawReader(schemaOf(kind))]));

/** JSON Schema of a raw person of a kind: the kind's own members, and those that every record has. */
function schemaOf(kind: PscKind): JsonSchema {
  const { identification, name_elements, ...others } = pickMembers(
    pscMemberSchemas,
    // The cast: the kinds name members of persons.
    membersOfKind(kind) as PscMember[],
  );
  return {
    // Every answer has this list, even if it is empty.
    required: ["natures_of_control"],
    properties: {
      ...others,
      ...(others.date_of_birth && { date_of_birth: BIRTH }),
      // `other_forenames` is the older name of `middle_name`.
      ...(name_elements && {
        name_elements: { properties: { ...name_elements.properties, other_forenames: {} } },
      }),
      ...(identification && {
        identification: {
          properties: Object.fromEntries(identificationMembersOf(kind).map((member) => [member, {}])),
        },
      }),
      ceased: FLAG,
      etag: {},
      kind: DERIVED,
      // Not read: the id that joins a person's notifications is derived, because the snapshot has none (`identity.ts`).
      links: { properties: { self: {}, statement: {}, persons_with_significant_control: DERIVED } },
    },
  };
}

const DESCRIPTIONS: ReadonlySet<string> = new Set(enumerationKeys("psc_super_secure_description"));

function readStatementId({ statement: link }: Members, warnings: string[]): string | undefined {
  if (link === undefined) return undefined;
  const id = STATEMENT.exec(textOf(link))?.[1];
  if (!id) warnings.push("links.statement: is not a link of this kind, dropped");
  return id;
}

/** The stored person from an API-shaped line. Throws RecordError. */
export function normaliseIncomingPsc(resource: IncomingResource, warnings: string[]): Psc {
  const { kind: resourceKind, uri, data } = resource;
  const kind = data.kind ?? pscKinds.find((candidate) => candidate.resourceKind === resourceKind)?.kind;
  if (findPscKind(kind)?.resourceKind !== resourceKind) {
    throw new RecordError(`does not belong to resource_kind ${resourceKind}`, "kind");
  }
  const companyNumber = companyNumberOf(resource);
  return normalisePsc({ companyNumber, uri, statedId: idOf(resource), data: { ...data, kind } }, warnings);
}

/** The stored person. Throws RecordError if it has no id or two different ones, or would be shown wrongly. */
export function normalisePsc(raw: RawRecord, warnings: string[]): Psc {
  const { companyNumber, data } = raw;
  const kind = findPscKind(data.kind);
  const read = kind && readers.get(kind);
  if (!read) throw new RecordError(`is not known: ${textOf(data.kind).slice(0, 100) || "(none)"}`, "kind");
  const { links, members } = read(raw, warnings);
  const notification_id = readOwnId(raw, links.self, SELF);
  const statement_id = readStatementId(links, warnings);
  const own = { notification_id, company_number: companyNumber, kind: kind.kind };
  // The cast: the record's schema checks members that are only copied.
  const psc: Psc = { ...members, ...own };
  if (statement_id) psc.statement_id = statement_id;
  settle(psc, kind, data, warnings);
  return psc;
}

/** Corrects members that depend on each other. */
function settle(psc: Psc, kind: PscKind, data: Members, warnings: string[]): void {
  if (kind.subject === "super-secure") {
    psc.description = checkDescription(psc.description, kind, warnings);
    psc.ceased ??= typeof data.ceased_on === "string";
    return;
  }
  // Live answers have `ceased` beside its date for every kind. Without the date it could not be shown.
  if (psc.ceased === true && psc.ceased_on === undefined) throw new RecordError("is missing", "ceased_on");
  delete psc.ceased;
  if (psc.identification) psc.identification = convert(psc.identification, "registration_number", asDigits);
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
