/** Owns the stored registers of a company: for each register, the places it has moved to. */
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import type { Members } from "../../shared/values/members.ts";
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import { asList, asMembers, convert, dropDerived } from "../../shared/definitions/incoming-resource.ts";
import { defineCompanyRecord } from "../define-company-record.ts";
import { COMPANY_NUMBER, listOf, objectOf } from "../schemas.ts";

const LINK = { type: "string", minLength: 1, maxLength: 500, pattern: "^/" } as const;

/** One move of a register, as stored and as shown. */
export const registerMoveSchema = {
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
  // Stored only where it cannot be derived: no list of this API shows these registers.
  links: objectOf([], {
    members: LINK,
    usual_residential_address: LINK,
    llp_usual_residential_address: LINK,
  }),
});

/** The stored registers. */
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

const derivedRegisterSchema = {
  properties: {
    register_type: {},
    links: { properties: Object.fromEntries(DERIVED_LINKS.map((link) => [link, {}])) },
  },
};
const REGISTER_NAMES = Object.keys(registersSchema.properties.registers.properties);

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
        properties: Object.fromEntries(REGISTER_NAMES.map((name) => [name, derivedRegisterSchema])),
      },
    },
  },
  normalise: (members) => convert(members, "registers", normaliseEach),
});

/** True while the latest known place of a register is the public register. */
export function isOnPublicRegister(registers: CompanyRegisters["registers"], name: RegisterName): boolean {
  return registers[name]?.items[0]?.register_moved_to === "public-register";
}
