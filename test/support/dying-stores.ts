/** Owns the stores of a worker that dies: between any two of its writes, or before it hears of one that was done. */
import type { Stores } from "../../api/core/stores/index.ts";

const WRITES = new Set(
  ["insertMissing", "replaceHeld", "removeHeld", "put", "putMissing", "raise", "amend", "remove"].concat(
    "write",
  ),
);

/** What the work of a worker that died ends with. */
export class Killed extends Error {}

/** The stores of a worker that dies at its n-th write: before the write is done, or before it hears of it. */
export function dyingAt(stores: Stores, n: number, isDone: boolean): Stores {
  let writes = 0;
  const guard = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || !WRITES.has(String(name))) return member;
        return async (...args: unknown[]) => {
          writes += 1;
          if (writes === n && !isDone) throw new Killed();
          const answer: unknown = await member.apply(target, args);
          if (writes >= n) throw new Killed();
          return answer;
        };
      },
    });
  const { writer, documents } = stores.mongo;
  return {
    ...stores,
    mongo: { ...stores.mongo, writer: guard(writer), documents: guard(documents) },
    elasticsearch: guard(stores.elasticsearch),
  };
}
