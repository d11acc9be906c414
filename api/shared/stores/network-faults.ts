/** Owns the faults of a connection as the operating system names them, which drivers pass on now and then as they are. */

const CODES: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "EAI_AGAIN", "ENOTFOUND"],
]);

/**
 * How long a connection to a store may take to come about, in milliseconds. A machine that has gone from the network does not
 * refuse it: the drivers' own 10 and 30 seconds are what a failover would then cost.
 */
export const CONNECT_MS = 3_000;

/** True for an error that says the network, or who is at its other end, was not there. */
export function isNetworkFault(error: Error): boolean {
  return CODES.has((error as NodeJS.ErrnoException).code);
}
