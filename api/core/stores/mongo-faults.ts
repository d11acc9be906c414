/** Owns the faults of MongoDB: which pass by themselves, and which tell of something that is not there. */
import { DeniedError, UnavailableError } from "../errors.ts";
import { isNetworkFault } from "./network-faults.ts";

// Faults of the connection and of a server that is starting, stopping or changing its primary.
const PASSING_FAULTS = [
  "MongoServerSelectionError",
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoPoolClearedError",
  "MongoTopologyClosedError",
  "MongoNotConnectedError",
  "MongoWaitQueueTimeoutError",
];

// The same as a server tells it: it is starting, stopping, overloaded, has lost a cursor or is not the primary any more.
// MongoDB's own list of error codes; InternalError (1) says nothing of what was asked, and is what FerretDB says without
// its PostgreSQL.
const PASSING_CODES = [
  1, 6, 7, 43, 89, 91, 112, 134, 189, 202, 237, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436,
];

// Not logged in, not allowed, and a way of logging in that the server does not know.
const DENIED_CODES = [13, 18, 334];

/** Runs an operation; a fault that passes becomes an UnavailableError, one of user or rights a DeniedError. */
export async function guard<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (isDenied(error)) throw new DeniedError("mongodb", error);
    throw isPassing(error) ? new UnavailableError("mongodb", error) : error;
  }
}

const NAMESPACE_NOT_FOUND = 26;

/** True for the answer to a question about a collection that does not exist. */
export function isNamespaceNotFound(error: unknown): boolean {
  return error instanceof Error && (error as DriverError).code === NAMESPACE_NOT_FOUND;
}

// Options, or keys, other than those of an index that is there.
const INDEX_CONFLICTS = [85, 86];

/** True when an index could not be made because another one has its name or its keys. */
export function isIndexConflict(error: unknown): boolean {
  return error instanceof Error && INDEX_CONFLICTS.includes((error as DriverError).code as number);
}

/** What the driver adds to an error. */
interface DriverError extends Error {
  code?: unknown;
  hasErrorLabel?: (label: string) => boolean;
  /** Of a bulk write that was broken off: the error that it met, whose name it hides. */
  errorResponse?: unknown;
}

/** A pool that was cleared says so to whoever waited; why is its cause. */
function isDenied(error: unknown): boolean {
  if (!(error instanceof Error) || !error.name.startsWith("Mongo")) return false;
  if (DENIED_CODES.includes((error as DriverError).code as number)) return true;
  return error.name === "MongoPoolClearedError" && isDenied(error.cause);
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isNetworkFault(error)) return true;
  if (!error.name.startsWith("Mongo")) return false;
  const { name, code, errorResponse, hasErrorLabel } = error as DriverError;
  if (errorResponse instanceof Error) return isPassing(errorResponse);
  if (PASSING_FAULTS.includes(name) || PASSING_CODES.includes(code as number)) return true;
  return hasErrorLabel?.call(error, "RetryableWriteError") === true;
}
