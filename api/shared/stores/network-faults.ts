/** Recognises the operating system's network errors, which drivers sometimes pass on unchanged. */

const CODES: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "EAI_AGAIN", "ENOTFOUND"],
]);

/**
 * Limit for opening a connection to a store, in milliseconds. A machine that has left the network does not refuse a
 * connection, so with the drivers' defaults of 10 and 30 seconds a failover would take that long.
 */
export const CONNECT_MS = 3_000;

/** True for an error that means that the network failed or the other end could not be reached. */
export function isNetworkFault(error: Error): boolean {
  return CODES.has((error as NodeJS.ErrnoException).code);
}
