/** Runs the command `verify` over a register of the sample, in tests. */
import { expect } from "@jest/globals";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { walkGroups } from "../../ingest/projection/groups.ts";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { openRegister, type TestRegister } from "./register.ts";

/** Files of the sample with records for every index. */
export const FILES = [
  "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
  "officers/Prod195_4321_ew_1_01112026010001.dat",
  "disqualified/Prod192_4287.txt",
  "psc/psc-snapshot-2026-11-01_1of2.txt",
  "psc/psc-snapshot-2026-11-01_2of2.txt",
];

/** What the command prints with --json. */
export interface Report {
  equal: boolean;
  indices: {
    index: IndexName;
    expected: number;
    found: number;
    missing: number;
    extra: number;
    different: number;
    repaired?: object;
    named: { id: string; kind: string; what?: string }[];
  }[];
}

/** Opens a register with records in every index. */
export async function openFilled(): Promise<TestRegister> {
  const register = await openRegister();
  expect(await register.load(...FILES)).toMatchObject({ exitCode: 0 });
  return register;
}

/** Runs the command, and throws its error if it fails. */
export async function verify(register: TestRegister, options: Record<string, string> = {}) {
  const run = await register.run(verifyCommand, [], { json: "true", ...options });
  if (run.error) throw run.error;
  return { exitCode: run.exitCode, report: JSON.parse(run.printed.join("\n")) as Report };
}

/** The first `count` ids of an index, in order. */
export async function fetchFirstIds(
  { stores }: TestRegister,
  name: IndexName,
  count: number,
): Promise<string[]> {
  for await (const groups of walkGroups(stores.mongo, findIndex(name)))
    return groups.slice(0, count).map(({ id }) => id);
  return [];
}
