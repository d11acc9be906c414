/** Stores of a worker that dies: between any two of its writes, or before it gets the answer to a write. */
import type { ElasticsearchStore } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore, RecordWriter } from "../../api/shared/stores/mongodb/mongo.ts";

type Operation = keyof RecordWriter | keyof DocumentStore | keyof ElasticsearchStore;

const WRITES: readonly Operation[] = [
  ...(["insertMissing", "replaceUnchanged"] as const),
  ...(["put", "putMissing", "raise", "amend", "amendIf", "remove"] as const),
  "write",
];
const writeNames = new Set<string | symbol>(WRITES);

/** Thrown when the worker dies; the message names the write at which it died. */
export class Killed extends Error {}

/** Waits for work that may die. Returns the write at which it died, or null if it did not. Throws any other error. */
export async function deathOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Killed) return error.message;
    throw error;
  }
}

/** Stores of a worker that dies at its n-th write: before the write, or (`isDone`) after it, without its answer. */
export function dyingAt(stores: Stores, n: number, isDone: boolean): Stores {
  let writes = 0;
  const guard = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || !writeNames.has(name)) return member;
        return async (...args: unknown[]) => {
          writes += 1;
          if (writes === n && !isDone) throw new Killed(String(name));
          const answer: unknown = await member.apply(target, args);
          if (writes >= n) throw new Killed(String(name));
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
