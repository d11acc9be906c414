/** Owns the stored registers of a company: for each register, the places it has moved to. */
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import type { Members } from "../../shared/values/members.ts";
import { ETAG } from "../../shared/schemas/schemas.ts";
import { defineRecord, type StoredRecord } from "../../shared/definitions/define-record.ts";
import {
  asList,
  asMembers,
  companyNumberOf,
  convert,
  dropDerived,
  dropSelfLink,
  locateByCompany,
  SELF_LINK,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";

const LINK = { type: "string", minLength: 1, maxLength: 500, pattern: "^/" } as const;

/** One move of a register, as stored and as shown. */
export const registerMoveSchema = {
  title: "register-move",
  description: "A move of a register to another place.",
  type: "object",
  additionalProperties: false,
  required: ["moved_on", "register_moved_to"],
  properties: {
    moved_on: { type: "string", format: "date" },
    register_moved_to: enumerationSchema("register_locations"),
    links: {
      type: "object",
      additionalProperties: false,
      required: ["filing"],
      properties: { filing: { type: "string", pattern: "^/company/[A-Z0-9]{8}/filing-history/[^/]{1,60}$" } },
    },
  },
} as const;

const registerSchema = {
  type: "object",
  additionalProperties: false,
  required: ["items"],
  properties: {
    // Newest first.
    items: { type: "array", minItems: 1, maxItems: 1000, items: registerMoveSchema },
    // Stored only where it cannot be derived: no list of this API shows these registers.
    links: {
      type: "object",
      additionalProperties: false,
      properties: { members: LINK, usual_residential_address: LINK, llp_usual_residential_address: LINK },
    },
  },
} as const;

/** The stored registers. */
const registersSchema = {
  type: "object",
  additionalProperties: false,
  required: ["company_number", "registers"],
  properties: {
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    etag: ETAG,
    registers: {
      type: "object",
      additionalProperties: false,
      properties: {
        directors: registerSchema,
        llp_members: registerSchema,
        llp_usual_residential_address: registerSchema,
        members: registerSchema,
        persons_with_significant_control: registerSchema,
        secretaries: registerSchema,
        usual_residential_address: registerSchema,
      },
    },
  },
} as const;

/** The registers of a company as stored. */
export type CompanyRegisters = FromSchema<typeof registersSchema>;

/** A register's name among the members of `registers`. */
export type RegisterName = keyof CompanyRegisters["registers"];

/** Links to lists of this API, rebuilt at read; both spellings of the LLP's occur. */
const DERIVED_LINKS = [
  "directors_register",
  "secretaries_register",
  "persons_with_significant_control_register",
  "llp_members",
  "llp_members_register",
];

/** The registers to store; the record's schema checks them afterwards. Throws RecordError. */
function normaliseRegisters(resource: IncomingResource): CompanyRegisters {
  const company_number = companyNumberOf(resource);
  const own = dropDerived(resource.data, "kind", ["registers"]);
  const content = convert(dropSelfLink(own), "registers", normaliseEach);
  // The cast: the record's schema checks it afterwards.
  return { ...dropDerived(content, "company_number", [company_number]), company_number } as CompanyRegisters;
}

function normaliseEach(value: unknown): Members {
  const registers = Object.entries(asMembers(value, "registers"));
  const moved = registers.map(([name, register]) => [name, normaliseRegister(name, register)] as const);
  // A register without a move states nothing: answers show it only because the published schema requires it.
  return Object.fromEntries(moved.filter(([, { items }]) => !Array.isArray(items) || items.length > 0));
}

function normaliseRegister(name: string, value: unknown): Members {
  const given = asMembers(value, `registers.${name}`);
  const register = dropDerived(given, "register_type", [name.replaceAll("_", "-"), name]);
  const { links, ...rest } = convert(register, "items", (items) => asList(items).toSorted(compareMoves));
  if (links === undefined) return rest;
  const others = Object.entries(asMembers(links, `registers.${name}.links`)).filter(
    ([link]) => !DERIVED_LINKS.includes(link),
  );
  return others.length > 0 ? { ...rest, links: Object.fromEntries(others) } : rest;
}

/** Newest first. */
function compareMoves(a: unknown, b: unknown): number {
  return movedOn(b).localeCompare(movedOn(a));
}

function movedOn(move: unknown): string {
  const { moved_on } = (move ?? {}) as { moved_on?: unknown };
  return typeof moved_on === "string" ? moved_on : "";
}

/** Derived members of each register. */
const derivedRegisterSchema = {
  properties: {
    register_type: {},
    links: { properties: Object.fromEntries(DERIVED_LINKS.map((link) => [link, {}])) },
  },
};

const derivedSchema = {
  properties: {
    kind: {},
    registers: {
      properties: Object.fromEntries(
        Object.keys(registersSchema.properties.registers.properties).map((name) => [
          name,
          derivedRegisterSchema,
        ]),
      ),
    },
  },
};

/** Registers, by company number. */
export const registersRecord = defineRecord({
  name: "registers",
  collection: "registers",
  schema: registersSchema,
  identify: (registers: CompanyRegisters) => registers.company_number,
  // Every read is by company number, which is `_id`.
  keysOf: () => ({}),
  indexes: [],
  incoming: {
    kinds: ["registers"],
    known: [registersSchema, derivedSchema, SELF_LINK],
    normalise: normaliseRegisters,
    locate: locateByCompany,
  },
});

/** True while the latest known place of a register is the public register. */
export function isOnPublicRegister(
  { data }: Pick<StoredRecord<CompanyRegisters>, "data">,
  name: RegisterName,
): boolean {
  return data.registers[name]?.items[0]?.register_moved_to === "public-register";
}
