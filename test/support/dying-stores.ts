/** Owns the stores of a worker that dies: between any two of its writes, or before it hears of one that was done. */
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

/** What the work of a worker that died ends with; its message is the write at which it did. */
export class Killed extends Error {}

/** Waits for the work of a worker that may die; the write at which it did, null when it ended well. Throws what else it threw. */
export async function deathOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Killed) return error.message;
    throw error;
  }
}

/** The stores of a worker that dies at its n-th write: before the write is done, or before it hears of it. */
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
