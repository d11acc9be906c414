/** The service in front of the cluster's stores: two API processes, a proxy, and clients that never pause. */
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { startApi } from "../support/faults/processes.ts";
import { addTestKey } from "../support/keys.ts";
import { startClients, type Clients } from "./clients.ts";
import { openProxy, type Proxy } from "./proxy.ts";

const KEY = "key-of-the-clients";
const APIS = 2;

/** A running service with its clients. */
export interface Service {
  proxy: Proxy;
  clients: Clients;
  /** Kills one API process; returns its port. */
  killApi: () => Promise<number>;
  /** Starts it again on the same port. */
  restartApi: () => Promise<void>;
  /** Ends the processes; the clients must have ended. */
  close: () => Promise<void>;
}

/** Opens a service over prepared stores, and starts its clients. */
export async function openService(build: string, config: Config, stores: Stores): Promise<Service> {
  await addTestKey(stores.mongo.documents, KEY, { name: "clients" });
  const start = (port: number) => startApi(build, { ...config, PORT: port, HOST: "127.0.0.1" });
  const apis = await Promise.all(Array.from({ length: APIS }, () => start(0)));
  const proxy = await openProxy(apis.map(({ port }) => port));
  const clients = startClients(proxy.address, KEY);
  const [victim] = apis;
  if (!victim) throw new Error("no API was started");
  return {
    proxy,
    clients,
    killApi: async () => {
      victim.program.kill("SIGKILL");
      await victim.program.ended;
      return victim.port;
    },
    restartApi: async () => {
      victim.program = (await start(victim.port)).program;
    },
    close: async () => {
      await proxy.close();
      for (const { program } of apis) program.kill("SIGTERM");
      await Promise.all(apis.map(({ program }) => program.ended));
    },
  };
}
