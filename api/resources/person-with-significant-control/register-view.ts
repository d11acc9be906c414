/** Owns the register view: the answers while a company keeps its register of control on the public register. */
import { isOnPublicRegister, registersRecord } from "../registers/record.ts";
import type { RecordReader } from "../define-resource.ts";

const REGISTER = "persons_with_significant_control";

/** The query parameter of all resources with this view. */
export const registerView = {
  kind: "boolean",
  description:
    "Only entries since the register moved to the public register: those that are active, or ceased from that day on.",
} as const;

/**
 * The day on which the register moved to the public register, where it still is (the election period's first);
 * null when it is not there.
 */
export async function fetchPublicSince(records: RecordReader, companyNumber: string): Promise<string | null> {
  const registers = await records.fetchOne(registersRecord, { _id: companyNumber });
  if (!registers || !isOnPublicRegister(registers, REGISTER)) return null;
  return registers.data.registers[REGISTER]?.items[0]?.moved_on ?? null;
}
