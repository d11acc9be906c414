/**
 * Owns the error codes of MongoDB that the service acts on, by MongoDB's names for them, in groups of the same consequence. Its
 * manual lists all: https://www.mongodb.com/docs/v8.0/reference/error-codes/
 */

export type Codes = Readonly<Record<string, number>>;

/** The server is starting, stopping or overloaded, has lost a cursor, or is not the primary any more. */
export const PASSING: Codes = {
  // Says nothing of what was asked, and is what FerretDB says without its PostgreSQL.
  InternalError: 1,
  HostUnreachable: 6,
  HostNotFound: 7,
  CursorNotFound: 43,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  WriteConflict: 112,
  ReadConcernMajorityNotAvailableYet: 134,
  PrimarySteppedDown: 189,
  NetworkInterfaceExceededTimeLimit: 202,
  CursorKilled: 237,
  ExceededTimeLimit: 262,
  SocketException: 9001,
  NotWritablePrimary: 10107,
  InterruptedAtShutdown: 11600,
  InterruptedDueToReplStateChange: 11602,
  StaleConfig: 13388,
  NotPrimaryNoSecondaryOk: 13435,
  NotPrimaryOrSecondary: 13436,
};

/** The server has ended what took longer than it was to take. */
export const TOO_LONG: Codes = { MaxTimeMSExpired: 50 };

/** No room on the disk, until an operator makes some. */
export const OUT_OF_DISK: Codes = { OutOfDiskSpace: 14031 };

/** Too few members can confirm a write, or confirm it in time. */
export const UNCONFIRMED: Codes = {
  WriteConcernFailed: 64,
  UnknownReplWriteConcern: 79,
  CannotSatisfyWriteConcern: 100,
};

/** Not logged in, not allowed, and a way of logging in that the server does not know. */
export const DENIED: Codes = { Unauthorized: 13, AuthenticationFailed: 18, MechanismUnavailable: 334 };

/** A collection that does not exist. */
export const NOT_FOUND: Codes = { NamespaceNotFound: 26 };

/** A document of this `_id`, or of this value of a unique index, is there. */
export const DUPLICATE: Codes = { DuplicateKey: 11000 };

/** True when it is the code of one of them. */
export function isOneOf(codes: Codes, code: unknown): boolean {
  return Object.values(codes).includes(code as number);
}
