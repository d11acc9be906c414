/** Owns the time that stores take: every operation of an open store is measured, in this one place. */
import { UnavailableError } from "../errors.ts";
import type { Metrics } from "./metrics.ts";

/** Told of each operation that has ended. */
type Observe = (operation: string, seconds: number, error: unknown) => void;

/** A store whose operations are measured; what is no operation (connections, generators) is passed on as it is. */
export function measureStore<Store extends object>(
  store: Store,
  name: "mongodb" | "elasticsearch" | "redis",
  metrics: Metrics,
): Store {
  return measureAll(store, "", (operation, seconds, error) => {
    const labels = { store: name, operation };
    metrics.observe("store_operation_seconds", labels, seconds);
    if (error === undefined) return;
    const kind = error instanceof UnavailableError ? "unavailable" : "other";
    metrics.count("store_faults_total", { ...labels, kind });
  });
}

/** Members of plain objects, `records.fetchOne` and the like, are operations by that name. */
function measureAll<Part extends object>(part: Part, path: string, observe: Observe): Part {
  const members = Object.entries(part).map(([key, member]: [string, unknown]) => {
    const name = path ? `${path}.${key}` : key;
    if (typeof member === "function") return [key, measure(member as AnyFunction, name, observe)] as const;
    return [key, isPlain(member) ? measureAll(member, name, observe) : member] as const;
  });
  // The cast: the same members, of the same types.
  return Object.fromEntries(members) as Part;
}

type AnyFunction = (...args: unknown[]) => unknown;

function measure(operation: AnyFunction, name: string, observe: Observe): AnyFunction {
  return (...args) => {
    const startedAt = performance.now();
    const result = operation(...args);
    if (result instanceof Promise) {
      const end = (error?: unknown) => observe(name, (performance.now() - startedAt) / 1000, error);
      // The caller gets the store's own promise, so that measuring delays nothing and hides no failure.
      result.then(
        () => end(),
        (error: unknown) => end(error ?? new Error(name)),
      );
    }
    return result;
  };
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
