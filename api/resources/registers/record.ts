/** Owns the stored registers of a company: for each register, the places it has moved to. */
import { defineRecord, type StoredRecord } from "../define-record.ts";
import { locateByCompany, SELF_LINK } from "../incoming-resource.ts";
import { registersSchema, type CompanyRegisters, type RegisterName } from "./members.ts";
import { DERIVED_LINKS, normaliseRegisters } from "./normalise.ts";

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
