/** An Elasticsearch node or a Redis server, with the title by which it is killed and restarted. */
interface Part {
  title: string;
}

/** A cluster whose parts a test may kill. */
export interface OwnCluster {
  /** The settings with its addresses. */
  addresses: Record<"ELASTICSEARCH_URL" | "MONGODB_URL" | "REDIS_URL", string>;
  nodes: readonly (Part & { name: string; url: string })[];
  /** The Redis servers, one of which is the primary. */
  servers: readonly (Part & { port: number })[];
  sentinels: readonly (Part & { port: number })[];
  /** Host and port of the primary, according to a sentinel. */
  askSentinel: (port: number) => Promise<string[]>;
  /** The replication state of a Redis server: lines such as `role:slave`. */
  askReplication: (port: number) => Promise<string>;
  signal: (title: string, signal: NodeJS.Signals) => void;
  /** Waits until a part has ended, and starts it with the same data and port; does not wait until it answers. */
  restart: (title: string) => Promise<void>;
  close: () => Promise<void>;
}

export function startOwnCluster(): Promise<OwnCluster>;
