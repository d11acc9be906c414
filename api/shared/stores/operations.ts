/**
 * Owns the operations of an open store, its functions and those of its plain members: refused while the store is unavailable,
 * measured, traced.
 *
 * One operation finds out that a store is unavailable, and the others are refused at once. An operation that fails, or has no
 * answer for half a second, has the store asked whether it is there: one short question for all of them. Only that question
 * decides: a query that is slow by itself takes no store off. While it fails, every operation is refused, those under way
 * included, and it is asked again in the background until it is answered.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Recorder } from "../metrics/metrics.ts";
import { CallerGoneError } from "../runtime/deadlines.ts";
import {
  AwayError,
  DeniedError,
  NotReadyError,
  OverloadedError,
  UnavailableError,
} from "../runtime/errors.ts";
import type { SpanAttributes } from "../tracing/spans.ts";
import { isInSpan, startSpan, typeOf } from "../tracing/tracing.ts";

export type StoreName = UnavailableError["store"];

/** A function of a store. Most return promises; those that walk return generators. */
type Operation = (...args: unknown[]) => unknown;

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

/**
 * A store that can be asked whether it is there. `ping` gives up by itself after so many milliseconds, for which it does not take
 * the lag of this process.
 */
interface Asked {
  ping: (withinMs: number) => Promise<void>;
  close: () => Promise<void>;
}

/** Which store, and who hears of it. */
export interface GateOptions {
  store: StoreName;
  /** Receives the reason when the store becomes unavailable, and `null` when it is available again. */
  onChange: (store: StoreName, reason: unknown) => void;
}

// Tuned: far above what lookups and searches take, so that a store is hardly ever asked while it is well.
const SLOW_MS = 500;
// Tuned: a store whose machine is busy answers late, and must not be taken for one that is unavailable.
const PING_MS = 700;
// How often one that is unavailable is asked.
const AGAIN_MS = 500;

/** A store whose operations are refused while it is unavailable: UnavailableError. */
export function gateStore<Store extends Asked>(store: Store, options: GateOptions): Store {
  const gate = new Gate((withinMs) => store.ping(withinMs), options);
  const gated = mapOperations(store, (operation, name) =>
    name === "ping" || name === "close" ? operation : gate.guard(operation),
  );
  const close = () => {
    gate.close();
    return store.close();
  };
  return { ...gated, close };
}

/** True for an error that shows that the store is there. */
function isAnswer(error: UnavailableError): boolean {
  return error instanceof NotReadyError || error instanceof OverloadedError;
}

class Gate {
  private reason: UnavailableError | undefined;
  private asking: Promise<void> | undefined;
  private isClosed = false;
  /** Refuses the operations under way. */
  private readonly underWay = new Set<(error: Error) => void>();

  constructor(
    private readonly ping: Asked["ping"],
    private readonly options: GateOptions,
  ) {}

  guard(operation: Operation): Operation {
    return (...args) => {
      if (this.reason) return Promise.reject(this.reason);
      const result = operation(...args);
      return result instanceof Promise ? this.watch(result) : result;
    };
  }

  close(): void {
    this.isClosed = true;
  }

  private watch<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.suspect(), SLOW_MS).unref();
      const end = () => {
        clearTimeout(timer);
        this.underWay.delete(reject);
      };
      this.underWay.add(reject);
      work.then(
        (value) => {
          end();
          resolve(value);
        },
        (error: Error) => {
          end();
          if (error instanceof UnavailableError && !isAnswer(error)) this.suspect();
          reject(error);
        },
      );
    });
  }

  private suspect(): void {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
  }

  private async ask(): Promise<void> {
    for (;;) {
      const fault = await this.findFault();
      if (this.isClosed) return;
      if (fault === null) break;
      if (!this.reason) this.refuse(fault);
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
    if (!this.reason) return;
    this.reason = undefined;
    this.options.onChange(this.options.store, null);
  }

  /** Why the store is unavailable; null when it answers, were it with a refusal. */
  private async findFault(): Promise<unknown> {
    try {
      await this.ping(PING_MS);
      return null;
    } catch (error) {
      return error instanceof DeniedError ? null : error;
    }
  }

  private refuse(fault: unknown): void {
    const { store, onChange } = this.options;
    this.reason = new AwayError(store, fault);
    onChange(store, fault);
    for (const reject of this.underWay) reject(this.reason);
    this.underWay.clear();
  }
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
