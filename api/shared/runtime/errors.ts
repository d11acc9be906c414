/** Owns the error family: code decides by class, never by the words of a message. */

/** One entry of an error body, as the public API documents it. */
export interface ErrorDetail {
  type: "ch:service" | "ch:validation";
  /** A key clients may test, such as `company-profile-not-found`. */
  error: string;
  location_type?: "query-parameter" | "json-path";
  location?: string;
  error_values?: Record<string, string>;
}

/** The error of a service, with a key that clients may test. */
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

  /** True when none were sent. */
  get isEmpty(): boolean {
    return this.message === "Empty Authorization header";
  }
}

/** A store is down or not ready: 503 for a request, another try for a job. */
export class UnavailableError extends Error {
  constructor(
    readonly store: "mongodb" | "elasticsearch" | "redis",
    cause: unknown,
  ) {
    super(`${store} is not available: ${messageOf(cause)}`, { cause });
    this.name = "UnavailableError";
  }
}

/** A store that has been found to be away: the operation was refused without asking it. */
export class AwayError extends UnavailableError {}

/** More is under way than can be answered in time: 503 for a request, which may come back. */
export class BusyError extends Error {
  constructor(
    message: string,
    /** When to come back, in seconds. */
    readonly retryAfterSeconds: number,
  ) {
    super(message);
    this.name = "BusyError";
  }
}

/** A store that answers, but lacks what must be made or opened in it; the message says what to do about that. */
export class NotReadyError extends UnavailableError {}

/** A store that answers, and turns work away because it has too much to do. */
export class OverloadedError extends UnavailableError {}

/** A store that refuses access: user, password or rights. Trying again changes nothing. */
export class DeniedError extends Error {
  constructor(
    readonly store: UnavailableError["store"],
    cause: unknown,
  ) {
    super(`${store} refuses access: ${messageOf(cause)}`, { cause });
    this.name = "DeniedError";
  }
}

/** True for a fault that passes by itself: an Elasticsearch that starts cannot read its users yet and refuses everybody. */
export function isPassing(error: unknown): error is UnavailableError | DeniedError {
  if (error instanceof DeniedError) return error.store === "elasticsearch";
  return error instanceof UnavailableError;
}

/** The index that was being built is not reached by its alias any more: taken into use, given up or deleted. */
export class BuildGoneError extends Error {
  constructor(alias: string) {
    super(`the alias ${alias} has no index`);
    this.name = "BuildGoneError";
  }
}

/** Elasticsearch does not take a document, now or later: a projection and its mapping do not fit, or the index is blocked. */
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
    /** The member or column at fault, empty for the row as a whole. */
    readonly field = "",
  ) {
    super(field ? `${field}: ${reason}` : reason);
    this.name = "RecordError";
  }
}

/** A source unfit to load: the load fails at once and is not tried again. */
export class SourceError extends Error {
  constructor(
    message: string,
    /** Path of the file at fault, if it is a single one. */
    readonly file?: string,
  ) {
    super(message);
    this.name = "SourceError";
  }
}

/** A file of no format that can be loaded. */
export class UnknownFormatError extends SourceError {}

/** A command that cannot do what was asked, said in one sentence for the person at the terminal. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** A record that MongoDB gives back, and whose text is not JSON: damaged on a disk, or by hand. */
export class UnreadableRecordError extends CommandError {
  constructor(
    readonly collection: string,
    readonly id: string,
    cause: unknown,
  ) {
    super(
      `record ${id} of ${collection} cannot be read, its stored text is damaged: ${renewing(collection, id)}`,
      {
        cause,
      },
    );
  }
}

/** How a record that is not what was loaded becomes so again. */
export function renewing(collection: string, id: string): string {
  return (
    `in MongoDB's shell run db.getCollection("${collection}").deleteOne({ _id: ${JSON.stringify(id)} }), ` +
    "then load its edition again, then npm run cli -- verify --repair"
  );
}

/** A load's files are no longer those with which it began: it cannot be resumed. */
export class ChangedFilesError extends CommandError {}

/** A load goes no further without --force. */
export class NeedsForceError extends CommandError {}

/** The words of anything thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return messageOf(thrown.errors[0]);
  return thrown instanceof Error ? thrown.message : String(thrown);
}
