/** Owns stores whose MongoDB goes away in the midst of a scan of a whole collection. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../../api/shared/settings/config.ts";
import { closeStores, openStores, type Stores } from "../../../api/shared/stores/index.ts";
import { patientStores } from "../../../ingest/patient-stores.ts";
import { openFaultProxy } from "../../../scripts/bench/fault-proxy.ts";

/** What happens to the first scan. */
export interface Leaving {
  /** How long it refuses connections, in milliseconds; absent: as long as the work lasts. */
  awayMs?: number;
  /** Chunks of the scan before, a thousand records each; 2 unless told. */
  chunksBefore?: number;
  /** True: not before something has been written to Elasticsearch. */
  isAfterWrite?: boolean;
}

/** Runs work on such stores, made patient; `told`: the faults that it was told it waits for. */
export async function whileLeaving<T>(
  config: Config,
  { patienceMs, ...leaving }: Leaving & { patienceMs: number },
  work: (stores: Stores) => Promise<T>,
): Promise<{ result: T; told: string[] }> {
  const told: string[] = [];
  const patience = {
    patienceMs,
    isStopping: () => false,
    onAway: ({ message }: Error) => told.push(message),
  };
  const result = await withLeavingStores(config, leaving, (stores) => work(patientStores(stores, patience)));
  return { result, told };
}

/** Runs work on such stores as they are. */
export async function withLeavingStores<T>(
  config: Config,
  { awayMs, chunksBefore = 2, isAfterWrite = false }: Leaving,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const proxy = await openFaultProxy(config.MONGODB_URL);
  const reached = openStores({ ...config, MONGODB_URL: proxy.address });
  const { stores, written } = watchWrites(reached);
  const leave = async () => {
    if (isAfterWrite) await written;
    await proxy.refuse();
    if (awayMs !== undefined) void sleep(awayMs).then(() => proxy.restore());
  };
  try {
    return await work(happensDuringScan(stores, { chunksBefore, happens: leave }));
  } finally {
    await closeStores(reached);
    await proxy.close();
  }
}

function watchWrites(stores: Stores): { stores: Stores; written: Promise<void> } {
  const { elasticsearch } = stores;
  let tell: () => void = () => undefined;
  const written = new Promise<void>((resolve) => (tell = resolve));
  const write: typeof elasticsearch.write = async (...given) => {
    const refused = await elasticsearch.write(...given);
    tell();
    return refused;
  };
  return { stores: { ...stores, elasticsearch: { ...elasticsearch, write } }, written };
}

/** Once. */
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
