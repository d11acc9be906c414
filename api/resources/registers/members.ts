/** Owns the members of a company's registers, as stored and as shown. */
import { ETAG } from "../../core/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../core/enumerations.ts";

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
export const registersSchema = {
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
