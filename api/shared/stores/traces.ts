/** Owns the spans of store operations. */
import { isInSpan, startSpan, typeOf, type SpanAttributes } from "../tracing/tracing.ts";
import { mapOperations, type Operation } from "./operations.ts";

// No operations, but what surrounds some. The guard of Redis is for BullMQ, which polls; batches have spans of their own.
const UNTRACED = new Set(["guard", "scanner.patiently"]);

/**
 * A store each of whose operations has a span, within the span of a request, load or batch: outside of them there are only
 * checks and waits that would begin a trace every second.
 */
export function traceStore<Store extends object>(
  store: Store,
  system: "mongodb" | "elasticsearch" | "redis",
): Store {
  return mapOperations(store, (operation, name) =>
    UNTRACED.has(name) ? operation : traceOperation(operation, name, system),
  );
}

function traceOperation(operation: Operation, name: string, system: string): Operation {
  return (...args) => {
    if (!isInSpan()) return operation(...args);
    const target = targetOf(name, args[0]);
    const attributes: SpanAttributes = { "db.system.name": system, "db.operation.name": name };
    if (target !== undefined) attributes["db.collection.name"] = target;
    const spanName = target === undefined ? name : `${name} ${target}`;
    return startSpan({ name: spanName, kind: "client", attributes }, (span) => {
      const result = operation(...args);
      // The caller gets the store's own promise; a span of anything else is never ended, and so not sent.
      if (result instanceof Promise) {
        const fail = (error: unknown) => {
          span.fail(typeOf(error));
          span.end();
        };
        result.then(() => span.end(), fail);
      }
      return result;
    });
  };
}

/** The collection or the indices that an operation asks, of the arguments that say it: others are ids and texts. */
function targetOf(name: string, first: unknown): string | undefined {
  if (typeof first === "object" && first !== null && "collection" in first) return String(first.collection);
  if (name.startsWith("documents.")) return String(first);
  if (name === "search" && Array.isArray(first)) return first.join(",");
  return name === "write" ? String(first) : undefined;
}
