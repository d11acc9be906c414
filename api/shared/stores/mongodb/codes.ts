/**
 * The error codes of MongoDB that the service acts on, by MongoDB's names, in groups that are handled alike. MongoDB's
 * manual lists all: https://www.mongodb.com/docs/v8.0/reference/error-codes/
 */

export type Codes = Readonly<Record<string, number>>;

/** The server is starting, stopping or overloaded, has lost a cursor, or is no longer the primary. */
export const PASSING: Codes = {
  // Not caused by the command; FerretDB answers it when its PostgreSQL is down.
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

/** The server has ended an operation at its time limit (maxTimeMS). */
export const TOO_LONG: Codes = { MaxTimeMSExpired: 50 };

/** The disk is full, until an operator frees space. */
export const OUT_OF_DISK: Codes = { OutOfDiskSpace: 14031 };

/** Too few members of the replica set have confirmed a write in time, or can confirm it. */
export const UNCONFIRMED: Codes = {
  WriteConcernFailed: 64,
  UnknownReplWriteConcern: 79,
  CannotSatisfyWriteConcern: 100,
};

/** Wrong or missing credentials, missing rights, or an authentication mechanism that the server does not have. */
export const DENIED: Codes = { Unauthorized: 13, AuthenticationFailed: 18, MechanismUnavailable: 334 };

/** A collection that does not exist. */
export const NOT_FOUND: Codes = { NamespaceNotFound: 26 };

/** A document with this `_id`, or with this value of a unique index, already exists. */
export const DUPLICATE: Codes = { DuplicateKey: 11000 };

/** True when the group contains the code. */
export function isOneOf(codes: Codes, code: unknown): boolean {
  return Object.values(codes).includes(code as number);
}
