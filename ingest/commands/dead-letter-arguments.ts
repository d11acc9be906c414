/** Owns what the commands for refused rows are told: which load, which row. */
import { CommandError } from "../../api/core/errors.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchDeadLetter, fetchDeadLetters, type DeadLetter } from "../dead-letters/dead-letters.ts";
import { fetchLoad, rowsFileOf } from "../history/loads.ts";

/** Throws CommandError for a load that neither has a record nor refused rows. */
export async function requireLoad(documents: DocumentStore, load: string): Promise<void> {
  if (await fetchLoad(documents, load)) return;
  if ((await fetchDeadLetters(documents, load, 1)).length > 0) return;
  throw new CommandError(
    `there is no load ${load}; 'npm run cli -- dead-letters list' names those that have refused rows`,
  );
}

/** Throws CommandError for a load that has not ended, unless it is forced: such a one may still refuse rows. */
export async function requireEnded(documents: DocumentStore, load: string, isForced: boolean): Promise<void> {
  const record = await fetchLoad(documents, load);
  if (record?.state !== "running" || isForced) return;
  throw new CommandError(
    `load ${load} has not ended; wait for it. If it was killed and will not be resumed, say --force`,
  );
}

/** The letter of a row, named `FILE:LINE`, or by the line alone where the load has one file. Throws CommandError. */
export async function findLetter(documents: DocumentStore, load: string, row: string): Promise<DeadLetter> {
  const [, file, line = ""] = /^(?:(.*):)?(\d{1,10})$/s.exec(row) ?? [];
  if (line === "") throw new CommandError(`a row is named FILE:LINE, not "${row}"`);
  const letter = await fetchDeadLetter(documents, {
    load,
    file: file ?? (await onlyFileOf(documents, load)),
    line: Number(line),
  });
  if (letter) return letter;
  throw new CommandError(
    `load ${load} holds no refused row ${row}; 'npm run cli -- dead-letters list ${load}' names them all`,
  );
}

async function onlyFileOf(documents: DocumentStore, load: string): Promise<string> {
  const record = await fetchLoad(documents, load);
  const files = record?.surveyed?.map(rowsFileOf) ?? record?.files ?? [];
  const [only] = files;
  if (only !== undefined && files.length === 1) return only;
  throw new CommandError(`load ${load} is of ${files.length} files; name the row as FILE:LINE`);
}
