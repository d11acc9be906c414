/** Owns the locks by which one load at a time writes a kind of record: its own batches run side by side, another load waits. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandContext } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";

// Between two looks whether the other one has ended.
const LOOK_MS = 250;

/** Takes a lock, waiting for whoever holds it. `onHeld` is called before each wait, the first is 1; what it throws ends it. */
export async function waitForLock(
  { locks }: Pick<Stores["redis"], "locks">,
  name: string,
  onHeld: (wait: number) => void,
): Promise<Lock> {
  for (let wait = 1; ; wait += 1) {
    const lock = await locks.acquire(name);
    if (lock) return lock;
    onHeld(wait);
    await sleep(LOOK_MS);
  }
}

/**
 * Takes the locks of these collections, waiting as long as another load holds one; the function returned gives them back.
 * They are taken in one order, so that no two loads wait for each other, and lost with the lock of a load that was killed.
 * Throws CommandError once the person has asked to stop.
 */
export async function lockKinds(
  redis: Pick<Stores["redis"], "locks">,
  collections: readonly string[],
  { isStopping, tell }: Pick<CommandContext, "isStopping" | "tell">,
): Promise<() => Promise<void>> {
  const held: Lock[] = [];
  const release = async () => {
    for (const lock of held) await lock.release().catch(() => undefined);
  };
  try {
    for (const kind of [...new Set(collections)].sort()) {
      const onHeld = (wait: number) => {
        if (wait === 1) tell(`another load writes ${kind}: this one waits until it has ended`);
        if (isStopping())
          throw new CommandError("stopped while it waited for another load; nothing was loaded");
      };
      held.push(await waitForLock(redis, `write:${kind}`, onHeld));
    }
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}
