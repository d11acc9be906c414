/** Handles refused rows as a person would: exports them, mends them, and loads them again. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import type { RefusedRow } from "../../ingest/refused-rows/refused-rows.ts";
import { load } from "./load-command.ts";
import type { CommandRun, TestRegister } from "./register.ts";

let exportCount = 0;

/** Id of a load with refused rows, from the messages of the command. */
export function loadOf({ messages }: CommandRun): string {
  return /refused-rows list (\S+)/.exec(messages.join("\n"))?.[1] ?? "";
}

/** The refused rows of a load, as the command lists them with these options. */
export async function refusedRowsOf(
  register: TestRegister,
  id: string,
  options: Record<string, string> = {},
): Promise<RefusedRow[]> {
  const { printed } = await register.run(refusedRowsCommands.list, [id], { json: "true", ...options });
  return printed.map((line) => JSON.parse(line) as RefusedRow);
}

/** Exports the refused rows of a load into a file. */
export async function exportRows(register: TestRegister, folder: string, id: string): Promise<string> {
  const out = join(folder, `export-${(exportCount += 1)}.txt`);
  const { error } = await register.run(refusedRowsCommands.export, [id], { out });
  if (error) throw error;
  return out;
}

/** Exports the refused rows, changes the text with `mend` (decoded as Latin-1), and loads the file. */
export async function mendRows(
  register: TestRegister,
  { folder, id, mend = (text) => text }: { folder: string; id: string; mend?: (text: string) => string },
  options: Record<string, string> = {},
): Promise<CommandRun> {
  const out = await exportRows(register, folder, id);
  writeFileSync(out, mend(readFileSync(out, "latin1")), "latin1");
  return load(register, [out], { mends: id, ...options });
}
