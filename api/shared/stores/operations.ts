/**
 * Wraps the operations of an open store: its functions, and those of its plain members. Three wrappers exist: a gate
 * that refuses operations while the store is unavailable, metrics, and traces.
 *
 * The gate is a circuit breaker. When an operation fails, or has no answer after half a second, the gate pings the
 * store, once for all such operations. Only the ping decides, so a slow query does not make a store unavailable. While
 * the ping fails, the gate refuses every operation, those under way included, and pings again until it gets an answer.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Recorder } from "../metrics/metrics.ts";
import { ClientDisconnectedError } from "../runtime/deadlines.ts";
import {
  KnownUnavailableError,
  DeniedError,
  NotReadyError,
  OverloadedError,
  UnavailableError,
} from "../runtime/errors.ts";
import type { SpanAttributes } from "../tracing/spans.ts";
import { isInSpan, startSpan, typeOf } from "../tracing/tracing.ts";

export type StoreName = UnavailableError["store"];

/** A function of a store. Most return promises; those that page through everything return generators. */
type Operation = (...args: unknown[]) => unknown;

/** A copy of a store with each operation replaced. `replace` also gets its name: `ping`, `records.fetchOne`. */
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
  // The cast: the copy has the same members, of the same types.
  return Object.fromEntries(members) as Part;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** What the gate needs of a store. */
interface Pinged {
  /** Rejects after `withinMs` milliseconds without an answer; a delay of this process does not count as silence. */
  ping: (withinMs: number) => Promise<void>;
  close: () => Promise<void>;
}

export interface GateOptions {
  store: StoreName;
  /** Receives the reason when the store becomes unavailable, and `null` when it is available again. */
  onChange: (store: StoreName, reason: unknown) => void;
}

// Tuned: far above the time of lookups and searches, so that a healthy store is hardly ever pinged.
const SLOW_MS = 500;
// Tuned: a store on a busy machine answers late, and must not count as unavailable.
const PING_MS = 700;
// Pause between two pings of an unavailable store.
const AGAIN_MS = 500;

/** A store whose operations reject with a KnownUnavailableError while it is unavailable. */
export function gateStore<Store extends Pinged>(store: Store, options: GateOptions): Store {
  const gate = new Gate((withinMs) => store.ping(withinMs), options);
  const gated = mapOperations(store, (operation, name) =>
    name === "ping" ? operation : gate.guard(operation),
  );
  const close = () => {
    gate.close();
    return store.close();
  };
  return { ...gated, close };
}

/** True for an error with which the store itself answered, so that it is reachable. */
function isAnswer(error: UnavailableError): boolean {
  return error instanceof NotReadyError || error instanceof OverloadedError;
}

class Gate {
  private reason: UnavailableError | undefined;
  private pinging: Promise<void> | undefined;
  private isClosed = false;
  /** Rejects the operations under way, one function for each. */
  private readonly underWay = new Set<(error: Error) => void>();

  constructor(
    private readonly ping: Pinged["ping"],
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
    this.pinging ??= this.pingUntilAnswered().finally(() => (this.pinging = undefined));
  }

  private async pingUntilAnswered(): Promise<void> {
    while (!this.isClosed) {
      const fault = await this.findFault();
      if (this.isClosed) return;
      if (fault === null) return this.accept();
      if (!this.reason) this.refuse(fault);
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }

  /** Why the store is unavailable; null when it answers, even if it denies access. */
  private async findFault(): Promise<unknown> {
    try {
      await this.ping(PING_MS);
      return null;
    } catch (error) {
      return error instanceof DeniedError ? null : error;
    }
  }

  private accept(): void {
    if (!this.reason) return;
    this.reason = undefined;
    this.options.onChange(this.options.store, null);
  }

  private refuse(fault: unknown): void {
    const { store, onChange } = this.options;
    this.reason = new KnownUnavailableError(store, fault);
    onChange(store, fault);
    for (const reject of this.underWay) reject(this.reason);
    this.underWay.clear();
  }
}

/** A store whose operations are timed, and their failures counted, if they return promises; others are left alone. */
export function measureStore<Store extends object>(store: Store, name: StoreName, metrics: Recorder): Store {
  return mapOperations(store, (operation, path) => (...args) => {
    const startedAt = performance.now();
    const result = operation(...args);
    if (result instanceof Promise) {
      const labels = { store: name, operation: path };
      const end = () =>
        metrics.observe("store_operation_seconds", labels, (performance.now() - startedAt) / 1_000);
      const fail = (error: unknown) => {
        end();
        metrics.count("store_faults_total", { ...labels, kind: kindOf(error) });
      };
      // The caller gets the store's own promise: measuring delays nothing, and an unhandled failure stays visible.
      result.then(end, fail);
    }
    return result;
  });
}

function kindOf(error: unknown): string {
  if (error instanceof ClientDisconnectedError) return "abandoned";
  return error instanceof UnavailableError ? "unavailable" : "other";
}

// These surround other operations. The guard of Redis is for BullMQ, which polls; batches have spans of their own.
const UNTRACED = new Set(["guard", "scanner.patiently"]);

/** A store whose operations have spans, within a request, load or batch; those outside only check and wait. */
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
      // The caller gets the store's own promise. If the result is no promise, the span never ends, so it is not sent.
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

/** The collection or indices of an operation, if its first argument names them; never an id or a text. */
function targetOf(name: string, first: unknown): string | undefined {
  if (typeof first === "object" && first !== null && "collection" in first) return String(first.collection);
  // The indices of a search are a list, which is written with commas.
  return name.startsWith("documents.") || name === "search" || name === "write" ? String(first) : undefined;
}
