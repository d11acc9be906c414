/** Translates errors of the MongoDB driver: temporary faults, refused access, missing collections. */
import { MongoError } from "mongodb";
import { endOf, type Budget, LateError } from "../../runtime/deadlines.ts";
import { DeniedError, UnavailableError } from "../../runtime/errors.ts";
import { isNetworkFault } from "../network-faults.ts";
import {
  DENIED,
  isOneOf,
  NOT_FOUND,
  OUT_OF_DISK,
  PASSING,
  TOO_LONG,
  UNCONFIRMED,
  type Codes,
} from "./codes.ts";

// Faults of the connection and of a server that is starting, stopping or changing its primary.
const PASSING_FAULTS = [
  "MongoServerSelectionError",
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoPoolClearedError",
  // Fails operations under way when the driver's monitor gets no answer.
  "PoolClearedOnNetworkError",
  "MongoNotConnectedError",
  "MongoWaitQueueTimeoutError",
];

/**
 * Runs an operation, unless `budget` has ended. A failure to reach the server becomes an UnavailableError, a refused
 * login or right a DeniedError. When `budget` has ended, throws what ended it.
 */
export async function guard<T>(operation: () => Promise<T>, budget?: Budget): Promise<T> {
  try {
    budget?.signal.throwIfAborted();
    return await operation();
  } catch (error) {
    if (budget?.signal.aborted) throw endOf(budget, "mongodb");
    if (hasCode(error, TOO_LONG)) throw new UnavailableError("mongodb", new LateError());
    if (isDenied(error)) throw new DeniedError("mongodb", error);
    if (isUnconfirmed(error)) throw new UnavailableError("mongodb", describeUnconfirmed(error as Error));
    if (hasCode(error, OUT_OF_DISK)) throw new UnavailableError("mongodb", NO_ROOM);
    if (CLOSED_HERE.includes((error as Error).name)) throw new UnavailableError("mongodb", CLOSED);
    throw isPassing(error) ? new UnavailableError("mongodb", error) : error;
  }
}

const CLOSED_HERE = ["MongoTopologyClosedError", "MongoClientClosedError"];
const CLOSED = "this process closed its connection because it is stopping";
const NO_ROOM = "its disk is full, so it takes no writes (free some space, or use a larger disk)";

function describeUnconfirmed(error: Error): string {
  const reason = writeConcernOf(error)?.errmsg ?? error.message;
  return `a write was not confirmed by as many members as w in MONGODB_URL asks for (${reason})`;
}

/** True for the server's error about a collection that does not exist. */
export function isNamespaceNotFound(error: unknown): boolean {
  return isOfMongo(error) && isOneOf(NOT_FOUND, error.code);
}

/** An error of the driver, with the members of its classes. */
interface DriverError extends MongoError {
  /** Of an interrupted bulk write: the error that interrupted it. The error's own name does not show it. */
  errorResponse?: unknown;
  /** Of a bulk write: the errors of single documents. */
  writeErrors?: { code?: number } | { code?: number }[];
  /** Of a bulk write: its result. */
  result?: { getWriteConcernError?: () => { code?: number; errmsg?: string } | undefined };
}

/** True when the error, or the error of one document of a bulk write, has a code of the group. */
function hasCode(error: unknown, codes: Codes): boolean {
  if (!isOfMongo(error)) return false;
  return [error, ...[error.writeErrors ?? []].flat()].some(({ code }) => isOneOf(codes, code));
}

function isOfMongo(error: unknown): error is DriverError {
  return error instanceof MongoError;
}

/** True when too few members of the replica set have confirmed a write, so that it may be lost. */
export function isUnconfirmed(error: unknown): boolean {
  if (!isOfMongo(error)) return false;
  const isTold = error.name === "MongoWriteConcernError" || writeConcernOf(error) !== undefined;
  return isTold || isOneOf(UNCONFIRMED, error.code);
}

function writeConcernOf(error: Error) {
  return (error as DriverError).result?.getWriteConcernError?.();
}

/** When the driver clears a connection pool, waiting operations fail; the cause of their error is the reason. */
function isDenied(error: unknown): boolean {
  return isOfMongo(error) && (isOneOf(DENIED, error.code) || isDenied(error.cause));
}

function isPassing(error: unknown): boolean {
  if (error instanceof Error && isNetworkFault(error)) return true;
  if (!isOfMongo(error)) return false;
  if (error.errorResponse instanceof Error) return isPassing(error.errorResponse);
  if (PASSING_FAULTS.includes(error.name) || hasCode(error, PASSING)) return true;
  return error.hasErrorLabel("RetryableWriteError");
}
