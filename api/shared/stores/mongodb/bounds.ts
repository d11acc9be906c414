/** Owns what bounds one read of MongoDB. */
import type { Budget } from "../../runtime/budget.ts";

/** What has the driver and the server end a read with its budget. */
interface Bounds {
  /** Ends the wait for a server, a connection or an answer; the connection of a command under way is closed. */
  signal?: AbortSignal;
  /** Has the server itself end the read, which may have lost sight of whom it is for. */
  maxTimeMS?: number;
}

/** The options of a read; none without a budget. */
export function boundsOf(budget: Budget | undefined): Bounds {
  return budget ? { signal: budget.signal, maxTimeMS: budget.leftMs() } : {};
}
