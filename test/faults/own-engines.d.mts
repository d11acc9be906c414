export type EngineName = "Elasticsearch" | "FerretDB" | "PostgreSQL" | "Redis";

/** Engines that a test may kill, freeze or restart. */
export interface OwnEngines {
  /** The settings with their addresses. */
  addresses: Record<"ELASTICSEARCH_URL" | "MONGODB_URL" | "REDIS_URL", string>;
  signal: (name: EngineName, signal: NodeJS.Signals) => void;
  /** Waits until an engine has ended, and starts it with the same data and port; does not wait until it answers. */
  restart: (name: EngineName) => Promise<void>;
  /** Deletes the data of a Redis that has ended. */
  forgetData: (name: "Redis") => void;
  close: () => Promise<void>;
}

export function startOwnEngines(): Promise<OwnEngines>;
