/** Owns the locks by which one load at a time writes a kind of record: its own batches run side by side, another load waits. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Lock } from "../../api/core/stores/redis-locks.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";

const LOCKS = "write:";
// Between two looks whether the other load has ended.
const LOOK_MS = 250;

/** Who waits. */
export interface KindWait {
  isStopping: () => boolean;
  /** Told once for each kind that another load holds. */
  onNote: (note: string) => void;
}

/**
 * Takes the locks of these kinds of record, waiting as long as another load holds one; the function returned gives
 * them back. They are taken in one order, so that no two loads wait for each other. A load that was killed loses its own
 * as it loses the lock of the load. Throws CommandError once the person has asked to stop.
 */
export async function lockKinds(
  { locks }: Pick<Stores["redis"], "locks">,
  fills: readonly RecordDefinition[],
  wait: KindWait,
): Promise<() => Promise<void>> {
  const kinds = fills.map(({ collection }) => collection);
  const held: Lock[] = [];
  const release = async () => {
    for (const lock of held) await lock.release().catch(() => undefined);
  };
  try {
    for (const kind of [...new Set(kinds)].sort()) held.push(await take(locks, kind, wait));
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

async function take(locks: Stores["redis"]["locks"], kind: string, wait: KindWait): Promise<Lock> {
  for (let look = 1; ; look += 1) {
    const lock = await locks.acquire(`${LOCKS}${kind}`);
    if (lock) return lock;
    if (look === 1) wait.onNote(`another load writes ${kind}: this one waits until it has ended`);
    if (wait.isStopping())
      throw new CommandError("stopped while it waited for another load; nothing was loaded");
    await sleep(LOOK_MS);
  }
}
