/**
 * Ends the wait for Redis when no sentinel leads to a primary. The client itself asks the sentinels again for ever, and
 * keeps every command meanwhile.
 */
import type { Redis } from "ioredis";
import { UnavailableError } from "../../runtime/errors.ts";

type WhileReachable = <T>(work: Promise<T>) => Promise<T>;

// The client's message after each failed round. Sentinels that answer, but know no primary, leave no last error in it.
const IN_VAIN = /^All sentinels are unreachable(?:.*Last error: (?<fault>.*))?/;
const REFUSED = /^(NOAUTH|WRONGPASS|NOPERM)\b/;

function describeVain(fault: string | undefined): string {
  if (fault === undefined) return "its sentinels know no primary of the name in REDIS_URL";
  if (REFUSED.test(fault)) return `its sentinels name no primary (${fault})`;
  return "none of its sentinels can be reached";
}

/** Makes a function that waits for work on the connection; it rejects with UnavailableError after a failed round. */
export function watchSentinels(connection: Redis): WhileReachable {
  const waiting = new Set<(fault: Error) => void>();
  connection.on("error", ({ message }: Error) => {
    const found = IN_VAIN.exec(message);
    if (!found) return;
    const away = describeVain(found.groups?.fault);
    for (const giveUp of waiting) giveUp(new UnavailableError("redis", away));
  });
  return async (work) => {
    if (connection.status === "ready") return work;
    let giveUp: (fault: Error) => void = () => undefined;
    const away = new Promise<never>((_resolve, reject) => (giveUp = reject));
    waiting.add(giveUp);
    try {
      return await Promise.race([work, away]);
    } finally {
      waiting.delete(giveUp);
    }
  };
}
