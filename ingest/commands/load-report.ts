/** Owns what a person is told at the end of a load: totals, refused rows, how to go on. */
import type { CommandContext } from "../../api/core/define-command.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchDeadLetters } from "../dead-letters/dead-letters.ts";
import type { LoadRecord } from "../history/loads.ts";
import { formatCount, formatRefused, formatTotals } from "../progress.ts";

// Refused rows shown at the end; all of them are kept.
const SHOWN_LETTERS = 10;

/** What came of a load. */
export interface LoadOutcome {
  record: LoadRecord;
  fault: unknown;
  isJson: boolean;
  elapsedMs: number;
}

/** Tells it: totals to standard output, everything else to standard error. */
export async function report(
  context: CommandContext,
  stores: Stores,
  { record, fault, isJson, elapsedMs }: LoadOutcome,
): Promise<void> {
  const { counts, retired } = record;
  if (isJson)
    context.print(
      JSON.stringify({ load: record._id, state: record.state, files: record.files, counts, retired }),
    );
  else if (!fault || counts.read > 0) {
    for (const line of formatTotals(counts, elapsedMs)) context.print(line);
    if (retired !== undefined)
      context.print(`retired   ${formatCount(retired)} (held, but no longer in the edition)`);
  }
  if (counts.refused > 0) await tellRefused(context, stores, record);
  // Before the survey has ended nothing was written: the same command again is as good. Standard input is gone.
  if (fault && record.surveyed && !record.files.includes("-"))
    context.tell(`to go on where it stopped: npm run cli -- load --resume ${record._id}`);
}

async function tellRefused(
  context: CommandContext,
  stores: Stores,
  { _id, counts }: LoadRecord,
): Promise<void> {
  const letters = await fetchDeadLetters(stores.mongo.documents, _id, SHOWN_LETTERS).catch(() => []);
  for (const letter of letters) context.tell(formatRefused(letter));
  const more = counts.refused - letters.length;
  context.tell(
    `${more > 0 ? `and ${formatCount(more)} more; ` : ""}all of them: npm run cli -- dead-letters list ${_id}`,
  );
}
