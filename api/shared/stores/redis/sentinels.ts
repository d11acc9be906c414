/** Owns what is told while no sentinel can be reached: the client asks them again for ever, and keeps every command meanwhile. */
import type { Redis } from "ioredis";
import { UnavailableError } from "../../runtime/errors.ts";

type WhileReachable = <T>(work: Promise<T>) => Promise<T>;

// What the client says each time that it has asked all of them in vain; without an error where they answer that they know none.
const IN_VAIN = /^All sentinels are unreachable(?:.*Last error: (?<fault>.*))?/;
const REFUSED = /^(NOAUTH|WRONGPASS|NOPERM)\b/;

function describeVain(fault: string | undefined): string {
  if (fault === undefined) return "its sentinels know no primary of the name in REDIS_URL";
  if (REFUSED.test(fault)) return `its sentinels name no primary (${fault})`;
  return "none of its sentinels can be reached";
}

/** Work on a connection by sentinels: it rejects with an UnavailableError once all of them were asked in vain. */
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
