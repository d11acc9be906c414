/** Owns the faults of a connection as the operating system names them, which drivers pass on now and then as they are. */

const CODES: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "EAI_AGAIN", "ENOTFOUND"],
]);

/** True for an error that says the network, or who is at its other end, was not there. */
export function isNetworkFault(error: Error): boolean {
  return CODES.has((error as NodeJS.ErrnoException).code);
}
