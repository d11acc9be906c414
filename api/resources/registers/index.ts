/** Owns a company's registers: GET /company/:company_number/registers. */
import { ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource } from "../define-resource.ts";
import { COMPANY_NUMBER, envelopeOf, objectOf } from "../schemas.ts";
import {
  isOnPublicRegister,
  registerMoveSchema,
  registersRecord,
  type CompanyRegisters,
  type RegisterName,
} from "./record.ts";
import example from "./example.json" with { type: "json" };

const OFFICERS = "officers?register_view=true&register_type=";

/** A register's own link: its member, and the list of this API that it leads to, where one shows the register. */
const LINKS: Record<RegisterName, { member: string; list?: string }> = {
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

// Compat: the specification requires the other five (2.2); one that is not stored is shown without a move.
const OPTIONAL: readonly RegisterName[] = ["llp_members", "llp_usual_residential_address"];

const schema = {
  title: "company-registers",
  description: "Where a company keeps its registers.",
  ...envelopeOf([], {
    company_number: COMPANY_NUMBER,
    etag: ETAG,
    kind: { const: "registers" },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/registers$"),
    registers: envelopeOf(OPTIONAL, Object.fromEntries(NAMES.map((name) => [name, schemaOf(name)]))),
  }),
};

function schemaOf(name: RegisterName) {
  const type = name.replaceAll("_", "-");
  return {
    title: `${type}-register`,
    description: `The register of type \`${type}\`, and its place.`,
    ...envelopeOf(["links"], {
      items: { type: "array", items: registerMoveSchema, description: "Its moves, newest first." },
      links: objectOf([], { [LINKS[name].member]: { type: "string", pattern: "^/" } }),
      register_type: { const: type },
    }),
  };
}

function presentRegister({ company_number, registers }: CompanyRegisters, name: RegisterName) {
  const register = registers[name];
  const { member, list } = LINKS[name];
  const body = { items: register?.items ?? [], register_type: name.replaceAll("_", "-") };
  if (list === undefined) return register?.links ? { ...body, links: register.links } : body;
  if (!isOnPublicRegister(registers, name)) return body;
  return { ...body, links: { [member]: `/company/${company_number}/${list}` } };
}

export const registers = defineResource({
  name: "registers",
  aliases: ["company-registers", "company-register"],
  path: "/company/:company_number/registers",
  scope: "company.read",
  summary: "Where a company keeps its statutory registers.",
  record: registersRecord,
  notFound: "company-registers-not-found",
  read: (records, { company_number = "" }) => records.fetchOne(registersRecord, { _id: company_number }),
  etag: etagOf,
  schema,
  present: (stored) => {
    const { company_number, registers } = stored.data;
    const shown = NAMES.filter((name) => !OPTIONAL.includes(name) || registers[name]);
    return {
      company_number,
      etag: etagOf(stored),
      kind: "registers",
      links: { self: `/company/${company_number}/registers` },
      registers: Object.fromEntries(shown.map((name) => [name, presentRegister(stored.data, name)])),
    };
  },
  example,
});
