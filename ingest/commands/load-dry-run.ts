/** Owns `load --dry-run` as a command: how far it is, and what a load would do, for people and for machines. */
import type { CommandContext } from "../../api/core/define-command.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { runDry, type DryRunOutcome } from "../load/dry-run.ts";
import type { FileOpener } from "../load/spool.ts";
import { formatCount, formatRefused, formatWarnings } from "../progress.ts";
import type { LoadRequest } from "./load.ts";
import { StatusLine } from "./status-line.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;
const COMPARED = "compared with what is stored now, and not with what earlier batches would write";

/** Says what a load would do; the exit code is the one that it would have. Throws what it would throw. */
export async function previewAndTell(
  context: CommandContext,
  stores: Stores,
  request: LoadRequest,
  open: FileOpener,
): Promise<number> {
  const { config, isStopping } = context;
  let status = "";
  const line = new StatusLine(context, () => status);
  try {
    const outcome = await runDry({
      ...{ stores, aim: request, open },
      limits: { rows: config.BATCH_ROWS, bytes: config.BATCH_BYTES },
      completeMinPercent: config.COMPLETE_MIN_PERCENT,
      refusedMaxPercent: config.REFUSED_MAX_PERCENT,
      observer: {
        watch: ({ label }, phase) => ({
          onProgress: (rows) => (status = `${phase} ${label}: ${formatCount(rows)} rows`),
          isStopping,
        }),
        onNote: context.tell,
      },
    });
    line.clear();
    // What guards whole editions, and stops a load, is told after what the rows would do.
    tell(context, outcome, request.isJson);
    if (outcome.fault) throw outcome.fault;
    return outcome.counts.refused > 0 ? EXIT_REFUSED : EXIT_OK;
  } finally {
    line.clear();
  }
}

function tell(
  context: CommandContext,
  { counts, created, retired, letters }: DryRunOutcome,
  isJson: boolean,
): void {
  const { read, written, unchanged, removed, refused, skipped, warnings } = counts;
  const rows = { read, created, changed: written - created, unchanged, removed, refused, skipped };
  if (isJson) return context.print(JSON.stringify({ ...rows, warnings, retired, refused_rows: letters }));
  context.print(`nothing was written; ${COMPARED}, a load would have:`);
  for (const [name, count] of Object.entries(rows)) context.print(`${name.padEnd(10)}${formatCount(count)}`);
  if (retired !== undefined)
    context.print(`retired   ${formatCount(retired)} (held, but not in the edition)`);
  for (const line of formatWarnings(warnings)) context.print(line);
  for (const letter of letters) context.tell(formatRefused(letter));
  const more = refused - letters.length;
  if (more > 0) context.tell(`and ${formatCount(more)} more`);
}
