/** The registers of a company, and the places each has moved to: GET /company/:company_number/registers. */
import {
  DATE,
  ETAG,
  linkSchema,
  COMPANY_NUMBER,
  objectWithOptional,
  listOf,
  objectOf,
} from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { DERIVED } from "../../shared/schemas/read-members.ts";
import type { Members } from "../../shared/values/members.ts";
import { asMembers, convert, dropDerived } from "../../shared/definitions/incoming-resource.ts";
import { defineResource, type StoredOf } from "../define-resource.ts";
import { defineCompanyRecord, readOfCompany } from "../define-company-record.ts";
import example from "./example.json" with { type: "json" };

const LINK = { type: "string", minLength: 1, maxLength: 500, pattern: "^/" } as const;

/** One move of a register, as stored and as shown. */
const registerMoveSchema = {
  title: "register-move",
  description: "A move of a register to another place.",
  ...objectOf(["moved_on", "register_moved_to"], {
    moved_on: DATE,
    register_moved_to: enumerationSchema("register_locations"),
    links: objectOf(["filing"], {
      filing: { type: "string", pattern: "^/company/[A-Z0-9]{8}/filing-history/[^/]{1,60}$" },
    }),
  }),
} as const;

const registerSchema = objectOf(["items"], {
  // Newest first.
  items: listOf(1000, registerMoveSchema),
  // Links to registers that no list of this API shows, so they cannot be derived.
  links: objectOf([], {
    members: LINK,
    usual_residential_address: LINK,
    llp_usual_residential_address: LINK,
  }),
});

const registersSchema = objectOf(["company_number", "registers"], {
  company_number: COMPANY_NUMBER,
  etag: ETAG,
  registers: objectOf([], {
    directors: registerSchema,
    llp_members: registerSchema,
    llp_usual_residential_address: registerSchema,
    members: registerSchema,
    persons_with_significant_control: registerSchema,
    secretaries: registerSchema,
    usual_residential_address: registerSchema,
  }),
});

type CompanyRegisters = FromSchema<typeof registersSchema>;

/** A register's name among the members of `registers`. */
type RegisterName = keyof CompanyRegisters["registers"];

/** Links to lists of this API, which are derived at read. The link of LLP members has two spellings. */
const DERIVED_LINKS = [
  "directors_register",
  "secretaries_register",
  "persons_with_significant_control_register",
  "llp_members",
  "llp_members_register",
];

function normaliseEach(value: unknown): Members {
  const registers = Object.entries(asMembers(value, "registers"));
  const moved = registers.map(([name, register]) => [name, normaliseRegister(name, register)] as const);
  // A register without a move states nothing: answers show it only because the published schema requires it.
  return Object.fromEntries(moved.filter(([, { items }]) => !Array.isArray(items) || items.length > 0));
}

function normaliseRegister(name: string, value: unknown): Members {
  const given = asMembers(value, `registers.${name}`);
  const register = dropDerived(given, "register_type", [name.replaceAll("_", "-"), name]);
  return convert(register, "items", (items) => (items as unknown[]).toSorted(compareMoves));
}

/** Newest first. */
function compareMoves(a: unknown, b: unknown): number {
  return movedOn(b).localeCompare(movedOn(a));
}

function movedOn(move: unknown): string {
  const { moved_on } = (move ?? {}) as { moved_on?: unknown };
  return typeof moved_on === "string" ? moved_on : "";
}

const derivedRegisterSchema = {
  properties: {
    register_type: {},
    links: { properties: Object.fromEntries(DERIVED_LINKS.map((link) => [link, DERIVED])) },
  },
};
const NAMES = Object.keys(registersSchema.properties.registers.properties) as RegisterName[];

/** Registers, by company number. */
export const registersRecord = defineCompanyRecord<CompanyRegisters>({
  name: "registers",
  collection: "registers",
  schema: registersSchema,
  kinds: ["registers"],
  shownKinds: ["registers"],
  derived: {
    properties: {
      kind: {},
      registers: {
        properties: Object.fromEntries(NAMES.map((name) => [name, derivedRegisterSchema])),
      },
    },
  },
  normalise: (members) => convert(members, "registers", normaliseEach),
});

/** False for a resource in which no register has a move. */
export function hasRegisters({ registers }: CompanyRegisters): boolean {
  return Object.keys(registers).length > 0;
}

/** True while the latest known place of a register is the public register. */
export function isOnPublicRegister(registers: CompanyRegisters["registers"], name: RegisterName): boolean {
  return registers[name]?.items[0]?.register_moved_to === "public-register";
}

const OFFICERS = "officers?register_view=true&register_type=";

/** The link of each register: its member, and the list of this API that it leads to, if a list shows the register. */
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

// Compat: the specification requires the other five (2.2), so they are always shown, if need be without a move.
const OPTIONAL: readonly RegisterName[] = ["llp_members", "llp_usual_residential_address"];

const schema = {
  title: "company-registers",
  description: "Where a company keeps its registers.",
  ...objectWithOptional([], {
    company_number: COMPANY_NUMBER,
    etag: ETAG,
    kind: { const: "registers" },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/registers$"),
    registers: objectWithOptional(OPTIONAL, Object.fromEntries(NAMES.map((name) => [name, schemaOf(name)]))),
  }),
};

function schemaOf(name: RegisterName) {
  const type = name.replaceAll("_", "-");
  return {
    title: `${type}-register`,
    description: `The register of type \`${type}\`, and its place.`,
    ...objectWithOptional(["links"], {
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
  read: readOfCompany(registersRecord, hasRegisters),
  hasEtag: true,
  schema,
  present: (stored: StoredOf<typeof registersRecord>) => {
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
