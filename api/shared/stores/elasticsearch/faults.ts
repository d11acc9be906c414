/** Translates errors of Elasticsearch and its client: temporary faults, refused access, work for an operator. */
import { errors } from "@elastic/elasticsearch";
import { endOf, type Budget } from "../../runtime/deadlines.ts";
import {
  DeniedError,
  NotReadyError,
  OverloadedError,
  UnavailableError,
  messageOf,
} from "../../runtime/errors.ts";

// The engine's queue is full, or it lacks the memory for a query.
const OVERLOADED = 429;
/** Statuses of temporary faults: rejected under load (429), or not ready, also according to a proxy (502, 503, 504). */
export const PASSING_STATUS: ReadonlySet<number> = new Set([OVERLOADED, 502, 503, 504]);

// Error types of the engine when it loses a node, or a node's copy of a shard, while it answers.
const COPY_LOST: ReadonlySet<string> = new Set([
  "node_closed_exception",
  "node_disconnected_exception",
  "node_not_connected_exception",
  "no_shard_available_action_exception",
  "unavailable_shards_exception",
  "shard_not_found_exception",
  "index_shard_closed_exception",
  "already_closed_exception",
  // The copy that found the hits was lost before they were read.
  "search_context_missing_exception",
]);

/** Error types of an engine that starts, stops or has lost a node. Their statuses do not show it. */
export const PASSING_TYPES: ReadonlySet<string> = new Set([
  ...COPY_LOST,
  // `prepare` creates the indices. Before that, and while a starting engine reads its state, the service is not ready.
  "index_not_found_exception",
  // An operator has closed the index, and opens it again.
  "index_closed_exception",
  "task_cancelled_exception",
  "master_not_discovered_exception",
]);

/** The engine's description of a fault; for a search over several shards, `root_cause` has the faults of the shards. */
export interface EngineFault {
  type?: string;
  reason?: string;
  root_cause?: { type?: string }[];
}

/** True if a copy of a shard was lost while the engine answered; a retry reaches another copy. */
export function isCopyLost(fault: EngineFault | string | undefined): boolean {
  return typesIn(fault).some((type) => COPY_LOST.has(type));
}

/** Runs an operation and translates its failure. When `budget` has ended, throws what ended it. */
export async function guard<T>(operation: () => Promise<T>, budget?: Budget): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (budget?.signal.aborted) throw endOf(budget, "elasticsearch");
    throw translate(error);
  }
}

/** The same for each item of a generator. */
export async function* guardEach<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const next = await guard(() => items.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await items.return(undefined);
  }
}

function translate(error: unknown): unknown {
  if (error instanceof errors.ResponseError) return translateAnswer(error);
  if (error instanceof errors.ProductNotSupportedError)
    return new UnavailableError("elasticsearch", "the server at its address is not Elasticsearch");
  const isUnreached =
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError;
  return isUnreached ? new UnavailableError("elasticsearch", error) : error;
}

function translateAnswer(error: errors.ResponseError): Error {
  const { statusCode = 0 } = error;
  const types = typesIn(faultOf(error));
  // Not by status 403 alone: an index that takes no writes answers it, too.
  if (statusCode === 401 || types[0] === "security_exception")
    return new DeniedError("elasticsearch", reasonOf(error));
  const lack = LACKS[types[0] ?? ""];
  if (lack !== undefined) return new NotReadyError("elasticsearch", lack);
  if (statusCode === OVERLOADED) return new OverloadedError("elasticsearch", error);
  const isPassing = PASSING_STATUS.has(statusCode) || types.some((type) => PASSING_TYPES.has(type));
  return isPassing ? new UnavailableError("elasticsearch", error) : error;
}

// Faults that an operator ends, by the engine's error type.
const LACKS: Record<string, string> = {
  index_not_found_exception: "its indices have not been created (run `npm run cli -- prepare`)",
  index_closed_exception: "an index is closed (`npm run cli -- doctor` says which one, and how to open it)",
  // An older server refuses the version in the client's media type.
  media_type_header_exception: "the server is older than this release needs (use Elasticsearch 9)",
};

/** The error for a fault of one document, in an answer that is successful as a whole. */
export function errorOf(fault: EngineFault): Error {
  const types = typesIn(fault);
  const lack = LACKS[types[0] ?? ""];
  if (lack !== undefined) return new NotReadyError("elasticsearch", lack);
  const reason = fault.reason ?? types[0];
  if (types.some((type) => PASSING_TYPES.has(type))) return new UnavailableError("elasticsearch", reason);
  return new Error(`a document cannot be read: ${reason}`);
}

/** The engine's reason; the client's message has only the type. */
function reasonOf(error: errors.ResponseError): string {
  const fault = faultOf(error);
  return (typeof fault === "object" ? fault.reason : undefined) ?? messageOf(error);
}

/** The engine's error type; empty if the answer has none, as a proxy's may. */
export function typeOf(error: errors.ResponseError): string {
  return typesIn(faultOf(error))[0] ?? "";
}

function faultOf({ body }: errors.ResponseError): EngineFault | string | undefined {
  return ((body ?? {}) as { error?: EngineFault | string }).error;
}

/** The engine's error types of a fault and its causes. */
function typesIn(fault: EngineFault | string | undefined): string[] {
  if (typeof fault !== "object") return [];
  return [fault, ...(fault.root_cause ?? [])].map(({ type = "" }) => type);
}
