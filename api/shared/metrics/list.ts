/** The list of metrics: name, kind, labels, the processes that report it, and its meaning. */

/** One metric; its full name begins with `company_register_`. */
export interface Metric {
  kind: "counter" | "gauge" | "histogram";
  labels: readonly string[];
  /** The processes that report it. */
  of: readonly Component[];
  /** One sentence. */
  help: string;
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}

export type Component = "api" | "worker";

// From a lookup of a millisecond to the longest wait for a store.
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30] as const;
// A batch of a thousand rows takes some hundred milliseconds.
const BATCH_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** Every metric of the service. Values of labels come from definitions, never from a caller's input. */
export const metricList = {
  ...reportedBy(["api"], {
    request_seconds: {
      labels: ["route", "status"],
      buckets: REQUEST_BUCKETS,
      help: "Time from a request to the end of its answer, without event streams, by route (none: no route matched) and status (aborted: the client disconnected).",
    },
    deadlines_missed_total: {
      labels: ["route"],
      help: "Requests that were refused because REQUEST_TIMEOUT_MS had passed.",
    },
    requests_under_way: {
      labels: [],
      help: "Connections on which a request is being answered, including streams and downloads.",
    },
    stream_requests_total: {
      labels: ["route", "status"],
      help: "Ended requests to the event streams, by route (none: no route matched) and status (aborted: the reader disconnected).",
    },
    stream_readers: {
      labels: ["stream"],
      help: "Connections to this process that read an event stream.",
    },
    stream_bytes_total: {
      labels: ["stream"],
      help: "Bytes of events that this process has sent, by stream.",
    },
  }),
  ...reportedBy(["api", "worker"], {
    store_operation_seconds: {
      labels: ["store", "operation"],
      buckets: REQUEST_BUCKETS,
      help: "Time that one operation of a store took, whether it succeeded or not.",
    },
    store_faults_total: {
      labels: ["store", "operation", "kind"],
      help: "Operations of a store that failed: because the store was unavailable, because the client had disconnected (abandoned), or with another error.",
    },
    up: {
      labels: ["store"],
      help: "Whether a store answered when the metrics were read: 1 for yes, 0 for no.",
    },
  }),
  ...reportedBy(["worker"], {
    batch_seconds: {
      labels: ["source", "outcome"],
      buckets: BATCH_BUCKETS,
      help: "Time that one attempt at a batch took, by outcome: done, retried after a temporary fault, or failed for good.",
    },
    rows_total: {
      labels: ["source", "outcome"],
      help: "Rows of the batches that this worker has finished, by outcome: written, removed, unchanged, refused or skipped.",
    },
    queue_batches: {
      labels: ["state"],
      help: "Batches in the queue by state; every worker reports the same.",
    },
    queue_oldest_batch_age_seconds: {
      labels: [],
      help: "Age of the oldest batch that waits for a worker, for its first attempt or a retry; 0 if none waits.",
    },
    loads_running: {
      labels: [],
      help: "Running loads, on all machines.",
    },
    failed_loads: {
      labels: [],
      help: "Loads that failed, were interrupted or are partly undone, and that no later load has repaired.",
    },
    unfilled_indices: {
      labels: [],
      help: "Search indices that were created when records were already stored, and lack these until reindex or verify --repair has ended.",
    },
    refused_rows: {
      labels: [],
      help: "Refused rows that were neither corrected and loaded nor discarded, including the other rows of their groups.",
    },
    followed_stream_heard_timestamp_seconds: {
      labels: ["stream"],
      help: "Time of the last contact with the server of a followed stream, in seconds since 1970; 0 before the first; updated twice a minute.",
    },
    followed_stream_delay_seconds: {
      labels: ["stream"],
      help: "Time from the publication of the last event of a followed stream until it was written here.",
    },
    source_loaded_timestamp_seconds: {
      labels: ["source"],
      help: "When a load of this source last succeeded, in seconds since 1970; time() minus this is the age of the source.",
    },
    source_production_timestamp_seconds: {
      labels: ["source"],
      help: "The day of the files of the last successful load of this source, if they state it, in seconds since 1970.",
    },
  }),
};

/** The members of a metric in the list; kind and processes are derived. */
type Listed = Omit<Metric, "kind" | "of">;

/** By Prometheus's convention, the names of counters, and only these, end in `_total`. */
type KindOf<Name, Facts extends Listed> = Name extends `${string}_total`
  ? "counter"
  : Facts extends { buckets: unknown }
    ? "histogram"
    : "gauge";

function reportedBy<const List extends Record<string, Listed>>(of: Metric["of"], list: List) {
  const metrics = Object.entries(list).map(([name, facts]): [string, Metric] => {
    const kind = name.endsWith("_total") ? "counter" : facts.buckets ? "histogram" : "gauge";
    return [name, { kind, ...facts, of }];
  });
  // The cast: `KindOf` states the same rule as a type.
  return Object.fromEntries(metrics) as {
    [Name in keyof List]: List[Name] & { kind: KindOf<Name, List[Name]>; of: Metric["of"] };
  };
}

export type MetricName = keyof typeof metricList;

/** Metrics of one kind. */
export type NameOf<Kind extends Metric["kind"]> = {
  [Name in MetricName]: (typeof metricList)[Name]["kind"] extends Kind ? Name : never;
}[MetricName];

/** The labels of a metric, each with its value. */
export type LabelsOf<Name extends MetricName> = Record<(typeof metricList)[Name]["labels"][number], string>;

/** The full name of a metric. */
export function fullName(name: MetricName): string {
  return `company_register_${name}`;
}
