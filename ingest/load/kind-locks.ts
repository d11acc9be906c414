/** Locks kinds of record, so that only one load at a time writes them. The batches of that load run in parallel. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { kindLock, type Lock } from "../../api/shared/stores/redis/locks.ts";
import { outsideSpans } from "../../api/shared/tracing/tracing.ts";

const LOOK_MS = 250;

/** Waits for a lock and takes it. `onLocked` gets the number of each wait, from 1, before it; it may throw to stop. */
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
  /** Throws OvertakenError if another process may have held one of them since. */
  requireKept: () => Promise<void>;
  release: () => Promise<void>;
}

/** The process paused until its locks expired, so another one may have written since. This one must write no more. */
export class OvertakenError extends CommandError {
  constructor() {
    super(
      "this process paused for longer than LOCK_MS, and another one may have written the same kinds of record meanwhile, so it stops here",
    );
  }
}

/**
 * Waits for the locks and takes them in a fixed order, to avoid deadlocks. The locks of a killed load expire. Throws
 * CommandError if the user asks to stop during the wait.
 */
export async function lockKinds(
  redis: Pick<Stores["redis"], "locks">,
  collections: readonly string[],
  { isStopping, tell }: { isStopping: () => boolean; tell: (note: string) => void },
): Promise<KindLocks> {
  const held: Lock[] = [];
  const requireKept = async () => {
    for (const lock of held) if (!(await lock.isKept())) throw new OvertakenError();
  };
  const release = async () => {
    for (const lock of held) await lock.release().catch(() => undefined);
  };
  try {
    for (const kind of [...new Set(collections)].sort()) {
      const onLocked = (wait: number) => {
        if (wait === 1) tell(`another load writes ${kind}; this load waits until it has ended`);
        if (isStopping())
          throw new CommandError("stopped while it waited for another load; nothing was loaded");
      };
      held.push(await waitForLock(redis, kindLock(kind), onLocked));
    }
    return { requireKept, release };
  } catch (error) {
    await release();
    throw error;
  }
}
