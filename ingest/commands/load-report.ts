/** Owns what a person is told of a load: how far the reading of a file is, and at the end totals, refused rows, how to go on. */
import type { CommandContext, GivenOptions } from "../../api/core/define-command.ts";
import { fetchDeadLetters, type DeadLetter } from "../dead-letters/dead-letters.ts";
import type { DryRunOutcome } from "../load/dry-run.ts";
import type { LoadRun } from "../load/open-file.ts";
import { formatCount, formatRefused, formatTotals, formatWarnings } from "../progress.ts";
import type { BatchProducer } from "../queue/batch-producer.ts";
import { showProgress } from "./long-work.ts";

// Refused rows shown at the end; all of them are kept.
const SHOWN_LETTERS = 10;
// Nothing written for this long although batches wait: most likely no worker runs.
const IDLE_MS = 10_000;

/** What was asked for, and what it takes. */
export interface LoadCall extends Omit<LoadRun, "watch"> {
  context: CommandContext;
  given: GivenOptions;
}

/** Shows how far each reading of a file is, and says when nothing is written for long. `producer`: absent in a dry run. */
export function watchLoad({ context, record }: LoadCall, producer?: BatchProducer): LoadRun["watch"] {
  return (input, phase) => {
    const { totalBytes } = input;
    const shareOf = () => (totalBytes ? Math.min(input.readBytes() / totalBytes, 1) : undefined);
    const doing = phase === "survey" ? "checking " : producer ? "" : "comparing ";
    const progress = showProgress(context, { what: `${doing}${input.label}`, shareOf });
    let before = record.counts.read;
    const look = async () => {
      const isIdle = record.counts.read === before;
      before = record.counts.read;
      if (!isIdle || !producer || phase === "survey") return;
      const hasNoWorker = (await producer.countWorkers().catch(() => -1)) === 0;
      const advice = hasNoWorker
        ? "but no worker is running; start one (node dist/ingest/main.js), the load will go on by itself"
        : "and none has been written for a while; the worker's log says why";
      context.tell(`batches are waiting, ${advice}`);
    };
    const timer = setInterval(() => void look(), IDLE_MS).unref();
    const end = () => {
      clearInterval(timer);
      progress.end();
    };
    return { ...progress, end };
  };
}

/** Tells what came of a load: totals to standard output, everything else to standard error. */
export async function report(
  { context, stores, record, given }: LoadCall,
  fault: unknown,
  elapsedMs: number,
): Promise<void> {
  const { _id: load, state, files, counts, retired, surveyed } = record;
  if (given.json) context.print(JSON.stringify({ load, state, files, counts, retired }));
  else if (!fault || counts.read > 0) {
    for (const line of formatTotals(counts, elapsedMs)) context.print(line);
    if (retired !== undefined)
      context.print(`retired   ${formatCount(retired)} (held, but no longer in the edition)`);
  }
  if (counts.refused > 0) {
    const letters = await fetchDeadLetters(stores.mongo.documents, load, SHOWN_LETTERS).catch(() => []);
    const more = tellRefused(context, letters, counts.refused);
    context.tell(`${more && `${more}; `}all of them: npm run cli -- dead-letters list ${load}`);
  }
  // Before the survey has ended nothing was written: the same command again is as good. Standard input is gone.
  if (fault && surveyed && !files.includes("-"))
    context.tell(`to go on where it stopped: npm run cli -- load --resume ${load}`);
}

/** Tells what a load would do. */
export function reportDry({ context, record, given }: LoadCall, { created, letters }: DryRunOutcome): void {
  const { counts, retired } = record;
  const { read, written, unchanged, removed, refused, skipped, warnings } = counts;
  const rows = { read, created, changed: written - created, unchanged, removed, refused, skipped };
  if (given.json) return context.print(JSON.stringify({ ...rows, warnings, retired, refused_rows: letters }));
  context.print(
    "nothing was written; compared with what is stored now, and not with what earlier batches would write, a load would have:",
  );
  for (const [name, count] of Object.entries(rows)) context.print(`${name.padEnd(10)}${formatCount(count)}`);
  if (retired !== undefined)
    context.print(`retired   ${formatCount(retired)} (held, but not in the edition)`);
  for (const line of formatWarnings(warnings)) context.print(line);
  const more = tellRefused(context, letters, refused);
  if (more) context.tell(more);
}

/** Tells these of so many refused rows; returns how many more there are, in words. */
function tellRefused({ tell }: CommandContext, letters: readonly DeadLetter[], refused: number): string {
  for (const letter of letters) tell(formatRefused(letter));
  const more = refused - letters.length;
  return more > 0 ? `and ${formatCount(more)} more` : "";
}
