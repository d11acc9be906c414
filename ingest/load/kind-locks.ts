/** Locks kinds of record, so that one load at a time writes them. Its own batches run in parallel. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { kindLock, type Lock } from "../../api/shared/stores/redis/locks.ts";
import { outsideSpans } from "../../api/shared/tracing/tracing.ts";

const LOOK_MS = 250;

/** Waits for a lock and takes it. `onLocked` is called before each wait, counted from 1; it throws to stop. */
export async function waitForLock(
  { locks }: Pick<Stores["redis"], "locks">,
  name: string,
  onLocked: (wait: number) => void,
): Promise<Lock> {
  for (let wait = 1; ; wait += 1) {
    const lock = await outsideSpans(() => locks.acquire(name));
    if (lock) return lock;
    onLocked(wait);
    await sleep(LOOK_MS);
  }
}

/** Locks of kinds of record. */
export interface KindLocks {
  /** Throws OvertakenError when another process has had one of them since. */
  requireKept: () => Promise<void>;
  release: () => Promise<void>;
}

/** A load stood still for longer than its locks hold, and another process may have written since. It must write no more. */
export class OvertakenError extends CommandError {
  constructor() {
    super(
      "this process paused for longer than LOCK_MS, and another one may have written the same kinds of record meanwhile, so it stops here",
    );
  }
}

/** Takes the locks in a fixed order to avoid deadlocks; a killed load's locks expire. Throws CommandError. */
export async function lockKinds(
  redis: Pick<Stores["redis"], "locks">,
  collections: readonly string[],
  { isStopping, tell }: { isStopping: () => boolean; tell: (note: string) => void },
): Promise<KindLocks> {
  const stored: Lock[] = [];
  const requireKept = async () => {
    for (const lock of stored) if (!(await lock.isKept())) throw new OvertakenError();
  };
  const release = async () => {
    for (const lock of stored) await lock.release().catch(() => undefined);
  };
  try {
    for (const kind of [...new Set(collections)].sort()) {
      const onLocked = (wait: number) => {
        if (wait === 1) tell(`another load writes ${kind}; this load waits until it has ended`);
        if (isStopping())
          throw new CommandError("stopped while it waited for another load; nothing was loaded");
      };
      stored.push(await waitForLock(redis, kindLock(kind), onLocked));
    }
    return { requireKept, release };
  } catch (error) {
    await release();
    throw error;
  }
}
