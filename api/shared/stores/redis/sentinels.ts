/** Owns what is told while no sentinel can be reached: the client asks them again for ever, and keeps every command meanwhile. */
import type { Redis } from "ioredis";
import { UnavailableError } from "../../runtime/errors.ts";

type WhileReachable = <T>(work: Promise<T>) => Promise<T>;

// What the client says each time that it has asked all of them in vain.
const AWAY = "All sentinels are unreachable";

/** Work on a connection by sentinels: it rejects with an UnavailableError once all of them were asked in vain. */
export function watchSentinels(connection: Redis): WhileReachable {
  const waiting = new Set<(fault: Error) => void>();
  connection.on("error", ({ message }: Error) => {
    if (!message.startsWith(AWAY)) return;
    for (const giveUp of waiting)
      giveUp(new UnavailableError("redis", "none of its sentinels can be reached"));
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
