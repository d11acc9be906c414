/** Stops a load whose file is refused row after row: most likely it is not what its load was told, and not a few bad rows. */
import { CommandError } from "../../api/core/errors.ts";
import { formatCount } from "../progress.ts";
import type { BatchCounts } from "../queue/queue.ts";

// Limit: fewer refused rows than this stop no load, so that small files load as far as they can.
const FEWEST_REFUSED = 100;

/** What has become of the rows of a file so far. */
export type FileCounts = Pick<BatchCounts, "read" | "refused">;

/** Throws CommandError when more than `mostPercent` of the rows were refused. `load`: its id; null in a dry run. */
export function guardRefusals(
  file: string,
  { read, refused }: FileCounts,
  { mostPercent, load }: { mostPercent: number; load: string | null },
): void {
  if (refused < FEWEST_REFUSED || refused * 100 <= read * mostPercent) return;
  const share = `${formatCount(refused)} of ${formatCount(read)} rows`;
  const most = `more than ${mostPercent} % (REFUSED_MAX_PERCENT)`;
  if (load === null)
    throw new CommandError(
      `${file}: ${share} would be refused, ${most}: the load would stop; --force goes on`,
    );
  throw new CommandError(
    `${file}: ${share} were refused so far, ${most}. npm run cli -- dead-letters list ${load} says why: when the format ` +
      `or the encoding was wrong, load the file anew with --as or --encoding; to take what is left of it, load --resume ${load} --force`,
  );
}
