/** Owns the register view of officers: who is on a register of members that the company keeps on the public register. */
import type { RecordReader } from "../define-resource.ts";
import type { RegisterType } from "../officer-appointment/order.ts";

/** True when the latest known place of a company's register is the public register. */
export type RegisterPlace = (
  records: RecordReader,
  companyNumber: string,
  type: RegisterType,
) => Promise<boolean>;

/** No source fills registers, so that no register is known to be public and every register view is a 404. */
export const isRegisterPublic: RegisterPlace = () => Promise.resolve(false);
