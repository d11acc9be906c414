/** Owns the time that stores take: every operation of an open store is measured, in this one place. */
import { CallerGoneError } from "../runtime/budget.ts";
import { UnavailableError } from "../runtime/errors.ts";
import { mapOperations, type Operation } from "../stores/operations.ts";
import type { Recorder } from "./metrics.ts";

/** Called with each operation that has ended. */
type Observe = (operation: string, seconds: number, error: unknown) => void;

/** A store whose operations are measured; what is no operation (connections, generators) is passed on as it is. */
export function measureStore<Store extends object>(
  store: Store,
  name: "mongodb" | "elasticsearch" | "redis",
  metrics: Recorder,
): Store {
  const observe: Observe = (operation, seconds, error) => {
    const labels = { store: name, operation };
    metrics.observe("store_operation_seconds", labels, seconds);
    if (error === undefined) return;
    metrics.count("store_faults_total", { ...labels, kind: kindOf(error) });
  };
  return mapOperations(store, (operation, path) => measure(operation, path, observe));
}

function kindOf(error: unknown): string {
  if (error instanceof CallerGoneError) return "abandoned";
  return error instanceof UnavailableError ? "unavailable" : "other";
}

function measure(operation: Operation, name: string, observe: Observe): Operation {
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
