/** Owns the operations of an open store, its functions and those of its plain members: measured and traced. */
import type { Recorder } from "../metrics/metrics.ts";
import { CallerGoneError } from "../runtime/deadlines.ts";
import { UnavailableError } from "../runtime/errors.ts";
import { isInSpan, startSpan, typeOf, type SpanAttributes } from "../tracing/tracing.ts";

export type StoreName = UnavailableError["store"];

/** A function of a store. Most return promises; those that walk return generators. */
export type Operation = (...args: unknown[]) => unknown;

/** A store in which `replace` has made each operation anew, of itself and its name: `ping`, `records.fetchOne`. */
export function mapOperations<Part extends object>(
  part: Part,
  replace: (operation: Operation, name: string) => Operation,
  path = "",
): Part {
  const members = Object.entries(part).map(([key, member]: [string, unknown]) => {
    const name = path ? `${path}.${key}` : key;
    if (typeof member === "function") return [key, replace(member as Operation, name)] as const;
    return [key, isPlain(member) ? mapOperations(member, replace, name) : member] as const;
  });
  // The cast: the same members, of the same types.
  return Object.fromEntries(members) as Part;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A store whose operations are measured; what is no operation (connections, generators) is passed on as it is. */
export function measureStore<Store extends object>(store: Store, name: StoreName, metrics: Recorder): Store {
  const observe = (operation: string, seconds: number, error: unknown) => {
    const labels = { store: name, operation };
    metrics.observe("store_operation_seconds", labels, seconds);
    if (error === undefined) return;
    metrics.count("store_faults_total", { ...labels, kind: kindOf(error) });
  };
  return mapOperations(store, (operation, path) => (...args) => {
    const startedAt = performance.now();
    const result = operation(...args);
    if (result instanceof Promise) {
      const end = (error?: unknown) => observe(path, (performance.now() - startedAt) / 1000, error);
      // The caller gets the store's own promise, so that measuring delays nothing and hides no failure.
      result.then(
        () => end(),
        (error: unknown) => end(error ?? new Error(path)),
      );
    }
    return result;
  });
}

function kindOf(error: unknown): string {
  if (error instanceof CallerGoneError) return "abandoned";
  return error instanceof UnavailableError ? "unavailable" : "other";
}

// No operations, but what surrounds some. The guard of Redis is for BullMQ, which polls; batches have spans of their own.
const UNTRACED = new Set(["guard", "scanner.patiently"]);

/** A store whose operations have spans, within those of requests, loads and batches: others are only checks and waits. */
export function traceStore<Store extends object>(store: Store, system: StoreName): Store {
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
