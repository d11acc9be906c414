/** The classes of errors. Code decides by class, never by the words of a message. */

/** One entry of an error body, as the public API documents it. */
export interface ErrorDetail {
  type: "ch:service" | "ch:validation";
  /** A key clients may test, such as `company-profile-not-found`. */
  error: string;
  location_type?: "query-parameter" | "json-path";
  location?: string;
  error_values?: Record<string, string>;
}

/** An entry of type `ch:service`, with a key that clients may test. */
export function serviceError(error: string): ErrorDetail {
  return { type: "ch:service", error };
}

/** A request that cannot be answered: the route replies with `status` and the details. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly details: ErrorDetail[],
  ) {
    super(details.map((detail) => detail.error).join(", "));
    this.name = "ApiError";
  }
}

/** Bad or missing credentials: 401 with the flat body of the original's gateway. */
export class AuthenticationError extends Error {
  constructor(
    message: "Empty Authorization header" | "Invalid Authorization",
    /** True when a bearer token was sent, so the answer follows RFC 6750. */
    readonly isBearer = false,
  ) {
    super(message);
    this.name = "AuthenticationError";
  }

  /** True when no credentials were sent. */
  get isEmpty(): boolean {
    return this.message === "Empty Authorization header";
  }
}

/** A store is down or not ready. A request gets 503, a job is retried. */
export class UnavailableError extends Error {
  constructor(
    readonly store: "mongodb" | "elasticsearch" | "redis",
    cause: unknown,
  ) {
    super(`${store} is not available: ${messageOf(cause)}`, { cause });
    this.name = "UnavailableError";
  }
}

/** A store that is known to be unavailable: the operation was refused without asking it (`stores/operations.ts`). */
export class KnownUnavailableError extends UnavailableError {}

/** Too much work is under way to answer in time. A request gets 503, with the time after which to retry. */
export class BusyError extends Error {
  constructor(
    message: string,
    /** Seconds after which to retry. */
    readonly retryAfterSeconds: number,
  ) {
    super(message);
    this.name = "BusyError";
  }
}

/** A store that answers, but in which something must be created or opened first; the message says what to do. */
export class NotReadyError extends UnavailableError {}

/** A store that answers, but rejects work because it has too much to do. */
export class OverloadedError extends UnavailableError {}

/** A store that refuses access: wrong user or password, or missing rights. A retry does not help. */
export class DeniedError extends Error {
  constructor(
    readonly store: UnavailableError["store"],
    cause: unknown,
  ) {
    super(`${store} refuses access: ${messageOf(cause)}`, { cause });
    this.name = "DeniedError";
  }
}

/** True for a temporary fault. A starting Elasticsearch cannot read its users yet, so it refuses everybody. */
export function isPassing(error: unknown): error is UnavailableError | DeniedError {
  if (error instanceof DeniedError) return error.store === "elasticsearch";
  return error instanceof UnavailableError;
}

/** The alias of an index being built no longer exists: the index went live, was given up, or was deleted. */
export class BuildGoneError extends Error {
  constructor(alias: string) {
    super(`the alias ${alias} has no index`);
    this.name = "BuildGoneError";
  }
}

/** Elasticsearch refuses a document for good: it does not fit its mapping, or the index is blocked. */
export class RefusedDocumentError extends Error {
  constructor(
    /** Name of the index. */
    readonly index: string,
    { count, id, reason }: { count: number; id: string; reason: string },
  ) {
    super(`index ${index} rejected ${count} documents, the first ${id}: ${reason}`);
    this.name = "RefusedDocumentError";
  }
}

/** One bad row: it is refused, and the load continues. */
export class RecordError extends Error {
  constructor(
    readonly reason: string,
    /** The invalid member or column; empty for the row as a whole. */
    readonly field = "",
  ) {
    super(field ? `${field}: ${reason}` : reason);
    this.name = "RecordError";
  }
}

/** A source that cannot be loaded: the load fails at once and is not retried. */
export class SourceError extends Error {
  constructor(
    message: string,
    /** Path of the invalid file, if it is a single one. */
    readonly file?: string,
  ) {
    super(message);
    this.name = "SourceError";
  }
}

/** A file of no known format. */
export class UnknownFormatError extends SourceError {}

/** A command cannot do what was asked. The message is one sentence for the person at the terminal. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** A stored record whose text is not JSON: the disk or a person has damaged it. */
export class UnreadableRecordError extends CommandError {
  constructor(
    readonly collection: string,
    readonly id: string,
    cause: unknown,
  ) {
    super(
      `record ${id} of ${collection} cannot be read, its stored text is damaged: ${repairSteps(collection, id)}`,
      {
        cause,
      },
    );
  }
}

/** The steps by which an operator restores a damaged record. */
export function repairSteps(collection: string, id: string): string {
  return (
    `in MongoDB's shell run db.getCollection("${collection}").deleteOne({ _id: ${JSON.stringify(id)} }), ` +
    "then load its edition again, then npm run cli -- verify --repair"
  );
}

/** A load cannot be resumed, because its files have changed since it began. */
export class ChangedFilesError extends CommandError {}

/** A load continues only with --force. */
export class NeedsForceError extends CommandError {}

/** The message of anything thrown; of an AggregateError, that of its first error. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return messageOf(thrown.errors[0]);
  return thrown instanceof Error ? thrown.message : String(thrown);
}
