/** Owns a company's registers: GET /company/:company_number/registers. */
import { ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { etagOf, type StoredRecord } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import {
  isOnPublicRegister,
  registerMoveSchema,
  registersRecord,
  type CompanyRegisters,
  type RegisterName,
} from "./record.ts";
import example from "./example.json" with { type: "json" };

type StoredRegisters = StoredRecord<CompanyRegisters>;

/** A register's own link: its member, and the list of this API that it leads to, where one shows the register. */
interface RegisterLink {
  member: string;
  list?: string;
}

const OFFICERS = "officers?register_view=true&register_type=";

const LINKS: Record<RegisterName, RegisterLink> = {
  directors: { member: "directors_register", list: `${OFFICERS}directors` },
  llp_members: { member: "llp_members", list: `${OFFICERS}llp_members` },
  llp_usual_residential_address: { member: "llp_usual_residential_address" },
  members: { member: "members" },
  persons_with_significant_control: {
    member: "persons_with_significant_control_register",
    list: "persons-with-significant-control?register_view=true",
  },
  secretaries: { member: "secretaries_register", list: `${OFFICERS}secretaries` },
  usual_residential_address: { member: "usual_residential_address" },
};
const NAMES = Object.keys(LINKS) as RegisterName[];

// Compat: the specification requires these five (2.2); one that is not stored is shown without a move.
const REQUIRED: readonly RegisterName[] = [
  "directors",
  "members",
  "persons_with_significant_control",
  "secretaries",
  "usual_residential_address",
];

const schema = {
  title: "company-registers",
  description: "Where a company keeps its registers.",
  type: "object",
  additionalProperties: false,
  required: ["company_number", "etag", "kind", "links", "registers"],
  properties: {
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    etag: ETAG,
    kind: { const: "registers" },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/registers$"),
    registers: {
      type: "object",
      additionalProperties: false,
      required: REQUIRED,
      properties: Object.fromEntries(NAMES.map((name) => [name, buildRegisterSchema(name)])),
    },
  },
};

const version1: ResourceVersion<StoredRegisters> = {
  version: 1,
  schema,
  present: (stored) => ({
    company_number: stored.data.company_number,
    etag: etagOf(stored),
    kind: "registers",
    links: { self: `/company/${stored.data.company_number}/registers` },
    registers: Object.fromEntries(
      NAMES.filter((name) => REQUIRED.includes(name) || stored.data.registers[name]).map((name) => [
        name,
        presentRegister(stored, name),
      ]),
    ),
  }),
};

function buildRegisterSchema(name: RegisterName): Record<string, unknown> {
  const type = name.replaceAll("_", "-");
  return {
    title: `${type}-register`,
    description: `The register of type \`${type}\`, and its place.`,
    type: "object",
    additionalProperties: false,
    required: ["items", "register_type"],
    properties: {
      items: { type: "array", items: registerMoveSchema, description: "Its moves, newest first." },
      links: {
        type: "object",
        additionalProperties: false,
        properties: { [LINKS[name].member]: { type: "string", pattern: "^/" } },
      },
      register_type: { const: type },
    },
  };
}

function presentRegister(stored: StoredRegisters, name: RegisterName): Record<string, unknown> {
  const register = stored.data.registers[name];
  const { member, list } = LINKS[name];
  const body = { items: register?.items ?? [], register_type: name.replaceAll("_", "-") };
  if (list === undefined) return register?.links ? { ...body, links: register.links } : body;
  if (!isOnPublicRegister(stored, name)) return body;
  return { ...body, links: { [member]: `/company/${stored.data.company_number}/${list}` } };
}

export const registers = defineResource({
  name: "registers",
  aliases: ["company-registers", "company-register"],
  path: "/company/:company_number/registers",
  scope: "company.read",
  summary: "Where a company keeps its statutory registers.",
  record: registersRecord,
  parameters: {},
  notFound: "company-registers-not-found",
  read: (records, { company_number = "" }) => records.fetchOne(registersRecord, { _id: company_number }),
  etag: etagOf,
  versions: [version1],
  example,
});
