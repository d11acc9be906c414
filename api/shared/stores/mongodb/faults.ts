/** Translates errors of the MongoDB driver: temporary faults, refused access, missing collections. */
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

// Fails operations under way when the driver's monitor gets no answer. The only error name without "Mongo".
const INTERRUPTED = "PoolClearedOnNetworkError";

// Faults of the connection and of a server that is starting, stopping or changing its primary.
const PASSING_FAULTS = [
  "MongoServerSelectionError",
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoPoolClearedError",
  INTERRUPTED,
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
  const details = error as { writeConcernError?: { errmsg?: string } };
  const reason = details.writeConcernError?.errmsg ?? writeConcernOf(error)?.errmsg ?? error.message;
  return `a write was not confirmed by as many members as w in MONGODB_URL asks for (${reason})`;
}

/** True for the server's error about a collection that does not exist. */
export function isNamespaceNotFound(error: unknown): boolean {
  return error instanceof Error && isOneOf(NOT_FOUND, (error as DriverError).code);
}

/** An error of the driver, with its members. */
interface DriverError extends Error {
  code?: unknown;
  hasErrorLabel?: (label: string) => boolean;
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
  return error instanceof Error && (error.name.startsWith("Mongo") || error.name === INTERRUPTED);
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
  if (!isOfMongo(error)) return false;
  if (isOneOf(DENIED, error.code)) return true;
  return error.name === "MongoPoolClearedError" && isDenied(error.cause);
}

function isPassing(error: unknown): boolean {
  if (error instanceof Error && isNetworkFault(error)) return true;
  if (!isOfMongo(error)) return false;
  const { name, errorResponse, hasErrorLabel } = error;
  if (errorResponse instanceof Error) return isPassing(errorResponse);
  if (PASSING_FAULTS.includes(name) || hasCode(error, PASSING)) return true;
  return hasErrorLabel?.call(error, "RetryableWriteError") === true;
}
