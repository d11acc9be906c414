/** Owns the register view of officers: members of a register that the company keeps on the public register. */
import type { RecordReader } from "../define-resource.ts";
import type { RegisterType } from "../officer-appointment/order.ts";
import { isOnPublicRegister, registersRecord } from "../registers/record.ts";

/** True when the latest known place of a company's register is the public register. */
export type RegisterPlace = (
  records: RecordReader,
  companyNumber: string,
  type: RegisterType,
) => Promise<boolean>;

/** Reads the company's registers; without a stored record, no register counts as public. */
export const isRegisterPublic: RegisterPlace = async (records, companyNumber, type) => {
  const stored = await records.fetchOne(registersRecord, { _id: companyNumber });
  return stored !== null && isOnPublicRegister(stored, type);
};
