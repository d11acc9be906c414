/** An API with the store limits of a real API process, over stores that can freeze: each is behind a proxy. */
import { performance } from "node:perf_hooks";
import { buildApp } from "../../api/app.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { openFaultProxy, type FaultProxy } from "../../scripts/bench/fault-proxy.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { basic, type TestRegister } from "./register.ts";
import { addressOf } from "./serve.ts";

/** An answer, and how long it took. */
export interface TimedAnswer {
  status: number;
  headers: Headers;
  body: unknown;
  milliseconds: number;
}

export interface RequestsApi {
  base: string;
  proxies: Record<"mongodb" | "elasticsearch" | "redis", FaultProxy>;
  /** Reports of the stores: name, and whether it is unavailable. */
  changes: [store: string, isAway: boolean][];
  /** Calls with a key. */
  call: (path: string, key: string, init?: RequestInit) => Promise<TimedAnswer>;
  close: () => Promise<void>;
}

/** Starts it over the stores of a register; `elasticsearchUrl` replaces the address of Elasticsearch's proxy. */
export async function openRequestsApi(
  { config }: Pick<TestRegister, "config">,
  {
    elasticsearchUrl,
    settings,
    clock = () => new Date(),
  }: { elasticsearchUrl?: string; settings?: Partial<Config>; clock?: () => Date } = {},
): Promise<RequestsApi> {
  const proxies = {
    mongodb: await openFaultProxy(config.MONGODB_URL),
    elasticsearch: await openFaultProxy(config.ELASTICSEARCH_URL),
    redis: await openFaultProxy(config.REDIS_URL),
  };
  const changes: RequestsApi["changes"] = [];
  const addresses = {
    MONGODB_URL: proxies.mongodb.address,
    ELASTICSEARCH_URL: elasticsearchUrl ?? proxies.elasticsearch.address,
    REDIS_URL: proxies.redis.address,
  };
  const onChange = (store: string, reason: unknown) => changes.push([store, reason !== null]);
  const stores = openStores({ ...config, ...addresses }, { forRequests: { onChange } });
  const log = createLogger("silent", "api");
  const app = buildApp({ config: { ...config, ...settings }, stores, log, clock });
  const server = app.listen(0, "127.0.0.1");
  const base = await addressOf(server);
  return {
    base,
    proxies,
    changes,
    call: async (path, key, init) => {
      const startedAt = performance.now();
      const answer = await fetch(base + path, { ...init, headers: { ...basic(key), ...init?.headers } });
      const text = await answer.text();
      const milliseconds = performance.now() - startedAt;
      const isJson = answer.headers.get("content-type")?.includes("json") === true;
      const body: unknown = isJson ? JSON.parse(text) : text;
      return { status: answer.status, headers: answer.headers, body, milliseconds };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const proxy of Object.values(proxies)) await proxy.restore();
      await closeStores(stores);
      for (const proxy of Object.values(proxies)) await proxy.close();
    },
  };
}
