/** Owns stores of patient work whose MongoDB goes away in the midst of a scan of a whole collection. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../../api/core/config.ts";
import { closeStores, openStores, type Stores } from "../../../api/core/stores/index.ts";
import { patientStores } from "../../../ingest/patient-stores.ts";
import { openFaultProxy } from "./fault-proxy.ts";

/** What happens to the first scan. */
export interface Leaving {
  patienceMs: number;
  /** How long it refuses connections, in milliseconds; absent: as long as the work lasts. */
  awayMs?: number;
  /** True: not before something has been written to Elasticsearch. */
  isAfterWrite?: boolean;
}

// Of the scan, a thousand records each.
const CHUNKS_BEFORE = 2;

/** Runs work on such stores; `told`: the faults that it was told it waits for. */
export async function whileLeaving<T>(
  config: Config,
  leaving: Leaving,
  work: (stores: Stores) => Promise<T>,
): Promise<{ result: T; told: string[] }> {
  const proxy = await openFaultProxy(config.MONGODB_URL);
  const reached = openStores({ ...config, MONGODB_URL: proxy.address });
  const { stores, written } = watchWrites(reached);
  const leave = async () => {
    if (leaving.isAfterWrite) await written;
    await proxy.refuse();
    if (leaving.awayMs !== undefined) void sleep(leaving.awayMs).then(() => proxy.restore());
  };
  const told: string[] = [];
  const patience = {
    patienceMs: leaving.patienceMs,
    isStopping: () => false,
    onAway: ({ message }: Error) => told.push(message),
  };
  try {
    return { result: await work(patientStores(happensDuringScan(stores, leave), patience)), told };
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
function happensDuringScan(stores: Stores, happens: () => Promise<unknown>): Stores {
  const { scanner } = stores.mongo;
  let isDone = false;
  const scan: typeof scanner.scan = async function* (...given) {
    let chunks = 0;
    for await (const chunk of scanner.scan(...given)) {
      yield chunk;
      if (isDone || (chunks += 1) < CHUNKS_BEFORE) continue;
      isDone = true;
      await happens();
    }
  };
  return { ...stores, mongo: { ...stores.mongo, scanner: { ...scanner, scan } } };
}
