/** A node of Elasticsearch, or a server of Redis, by the title under which it is ended and started again. */
interface Part {
  title: string;
}

/** A cluster whose parts may be harmed. */
export interface OwnCluster {
  /** Settings that lead to it. */
  addresses: Record<"ELASTICSEARCH_URL" | "MONGODB_URL" | "REDIS_URL", string>;
  nodes: readonly (Part & { name: string; url: string })[];
  /** The Redis servers, one of which is the primary. */
  servers: readonly (Part & { port: number })[];
  sentinels: readonly (Part & { port: number })[];
  /** Host and port of the primary, as a sentinel knows it. */
  askSentinel: (port: number) => Promise<string[]>;
  /** What a Redis server says of its replication: lines such as `role:slave`. */
  askReplication: (port: number) => Promise<string>;
  signal: (title: string, signal: NodeJS.Signals) => void;
  /** Starts a part again that has been told to end, on the same data and port; does not wait until it answers. */
  restart: (title: string) => Promise<void>;
  close: () => Promise<void>;
}

export function startOwnCluster(): Promise<OwnCluster>;
