/** Owns the register view of officers: who is on a register of members that the company keeps on the public register. */
import type { RecordReader } from "../define-resource.ts";
import type { RegisterType } from "../officer-appointment/order.ts";
import { isOnPublicRegister, registersRecord } from "../registers/record.ts";

/** True when the latest known place of a company's register is the public register. */
export type RegisterPlace = (
  records: RecordReader,
  companyNumber: string,
  type: RegisterType,
) => Promise<boolean>;

/** Asks the company's registers; of a company that has none held, no register is known to be public. */
export const isRegisterPublic: RegisterPlace = async (records, companyNumber, type) => {
  const stored = await records.fetchOne(registersRecord, { _id: companyNumber });
  return stored !== null && isOnPublicRegister(stored, type);
};
