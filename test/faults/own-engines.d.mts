export type EngineName = "Elasticsearch" | "FerretDB" | "PostgreSQL" | "Redis";

/** Engines that may be harmed. */
export interface OwnEngines {
  /** Settings that lead to them. */
  addresses: Record<"ELASTICSEARCH_URL" | "MONGODB_URL" | "REDIS_URL", string>;
  signal: (name: EngineName, signal: NodeJS.Signals) => void;
  /** Starts an engine again that has been told to end, on the same data and port; does not wait until it answers. */
  restart: (name: EngineName) => Promise<void>;
  /** Removes what a Redis that has ended would read when it starts again. */
  forgetData: (name: "Redis") => void;
  close: () => Promise<void>;
}

export function startOwnEngines(): Promise<OwnEngines>;
