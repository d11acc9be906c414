/** Stores whose MongoDB becomes unavailable during a scan of a whole collection. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../../api/shared/settings/config.ts";
import { closeStores, openStores, type Stores } from "../../../api/shared/stores/index.ts";
import { patientStores } from "../../../ingest/patient-stores.ts";
import { openFaultProxy } from "../../../scripts/bench/fault-proxy.ts";

/** When and how long MongoDB is unavailable during the first scan. */
export interface Leaving {
  /** How long it refuses connections, in milliseconds; by default until the work ends. */
  awayMs?: number;
  /** Chunks that the scan reads before, a thousand records each; 2 by default. */
  chunksBefore?: number;
  /** True to wait until something has been written to Elasticsearch. */
  isAfterWrite?: boolean;
}

/** Runs work on such stores, which wait until MongoDB comes back. `messages`: messages of the faults that they waited for. */
export async function whileLeaving<T>(
  config: Config,
  { patienceMs, ...leaving }: Leaving & { patienceMs: number },
  work: (stores: Stores) => Promise<T>,
): Promise<{ result: T; messages: string[] }> {
  const messages: string[] = [];
  const patience = {
    patienceMs,
    isStopping: () => false,
    onUnavailable: ({ message }: Error) => messages.push(message),
  };
  const result = await withLeavingStores(config, leaving, (stores) => work(patientStores(stores, patience)));
  return { result, messages };
}

/** Runs work on such stores, which do not wait for MongoDB. */
export async function withLeavingStores<T>(
  config: Config,
  { awayMs, chunksBefore = 2, isAfterWrite = false }: Leaving,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const proxy = await openFaultProxy(config.MONGODB_URL);
  const opened = openStores({ ...config, MONGODB_URL: proxy.address });
  const { stores, written } = watchWrites(opened);
  const leave = async () => {
    if (isAfterWrite) await written;
    await proxy.refuse();
    if (awayMs !== undefined) void sleep(awayMs).then(() => proxy.restore());
  };
  try {
    return await work(happensDuringScan(stores, { chunksBefore, happens: leave }));
  } finally {
    await closeStores(opened);
    await proxy.close();
  }
}

/** Stores whose first write to Elasticsearch resolves `written`. */
function watchWrites(stores: Stores): { stores: Stores; written: Promise<void> } {
  const { elasticsearch } = stores;
  let noteWrite: () => void = () => undefined;
  const written = new Promise<void>((resolve) => (noteWrite = resolve));
  const write: typeof elasticsearch.write = async (...given) => {
    const refused = await elasticsearch.write(...given);
    noteWrite();
    return refused;
  };
  return { stores: { ...stores, elasticsearch: { ...elasticsearch, write } }, written };
}

/** Stores that call `happens` once: after `chunksBefore` chunks of the first scan that has so many. */
function happensDuringScan(
  stores: Stores,
  { chunksBefore, happens }: { chunksBefore: number; happens: () => Promise<unknown> },
): Stores {
  const { scanner } = stores.mongo;
  let isDone = false;
  const scan: typeof scanner.scan = async function* (...given) {
    let chunks = 0;
    for await (const chunk of scanner.scan(...given)) {
      yield chunk;
      if (isDone || (chunks += 1) < chunksBefore) continue;
      isDone = true;
      await happens();
    }
  };
  return { ...stores, mongo: { ...stores.mongo, scanner: { ...scanner, scan } } };
}
