/** Runs the command `reindex` in tests, and reads the indices that it leaves. */
import { expect } from "@jest/globals";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { openRegister, type TestRegister } from "./register.ts";

/** What the command prints with --json. */
interface Result {
  indices: {
    index: string;
    built: string;
    former: string;
    documents: number;
    pruned: string[];
    repaired?: number;
  }[];
  fault?: string;
}

/** Opens a register with these files of the sample. Its locks expire soon after a reindex is interrupted. */
export async function openLoaded(...files: string[]): Promise<TestRegister> {
  const register = await openRegister({ settings: { LOCK_MS: "1500" } });
  expect(await register.load(...files)).toMatchObject({ exitCode: 0 });
  return register;
}

/** Runs the command. */
export async function reindex(register: TestRegister, args: string[], options: Record<string, string> = {}) {
  const run = await register.run(reindexCommand, args, { json: "true", ...options });
  const data = run.printed.length > 0 ? (JSON.parse(run.printed.join("\n")) as Result) : null;
  return { ...run, data };
}

/** The indices behind an alias, oldest first. */
export function listIndices({ stores }: TestRegister, name: IndexName) {
  return stores.elasticsearch.builds.list(name);
}

/** The names of these indices, oldest first. */
export async function listNames(register: TestRegister, name: IndexName): Promise<string[]> {
  return (await listIndices(register, name)).map((one) => one.name);
}

/** The name of the index that the alias points to. */
export async function liveName(register: TestRegister, name: IndexName): Promise<string | undefined> {
  return (await listIndices(register, name)).find(({ isLive }) => isLive)?.name;
}

/** True if `verify` finds no differences between the stores. */
export async function isEqual(register: TestRegister): Promise<boolean> {
  return (await register.run(verifyCommand, [], { show: "20" })).exitCode === 0;
}
