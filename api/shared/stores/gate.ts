/**
 * Owns what a process knows of a store that is unavailable: one operation finds it out, and the others are refused at once.
 *
 * An operation that fails, or has no answer for half a second, has the store asked whether it is there: one short question
 * for all of them. Only that question decides: a query that is slow by itself takes no store off. While it fails, every
 * operation is refused, those under way included, and it is asked again in the background until it is answered.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AwayError, DeniedError, NotReadyError, UnavailableError } from "../runtime/errors.ts";
import { withinOwnLag } from "../runtime/deadlines.ts";
import { mapOperations, type Operation } from "./operations.ts";

/** A store that can be asked whether it is there. `ping` gives up by itself after so many milliseconds. */
interface Asked {
  ping: (withinMs: number) => Promise<void>;
  close: () => Promise<void>;
}

/** Which store, and who hears of it. */
export interface GateOptions {
  store: UnavailableError["store"];
  /** Receives the reason when the store becomes unavailable, and `null` when it is available again. */
  onChange: (store: UnavailableError["store"], reason: unknown) => void;
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
          if (error instanceof UnavailableError && !(error instanceof NotReadyError)) this.suspect();
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
      await withinOwnLag(PING_MS, this.ping(PING_MS));
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
