/** Owns the list of metrics: name, kind, labels, who tells it, and what it means. */

/** One metric; its full name begins with `company_register_`. */
export interface Metric {
  kind: "counter" | "gauge" | "histogram";
  labels: readonly string[];
  /** The processes that tell it. */
  of: readonly Component[];
  /** One sentence. */
  help: string;
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}

export type Component = "api" | "worker";

const BOTH = ["api", "worker"] as const;
const WORKER = ["worker"] as const;

// From a lookup of a millisecond to the longest wait for a store.
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30] as const;
// A batch of a thousand rows takes some hundred milliseconds.
const BATCH_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** Every metric of the service. Labels take their values from definitions, never from what a caller sends. */
export const metricList = {
  request_seconds: {
    kind: "histogram",
    labels: ["route", "status"],
    of: ["api"],
    buckets: REQUEST_BUCKETS,
    help: "Time from a request to the end of its answer, by the route's name (none: no route was reached) and the status (aborted: the client went away).",
  },
  deadlines_missed_total: {
    kind: "counter",
    labels: ["route"],
    of: ["api"],
    help: "Requests that were refused because REQUEST_TIMEOUT_MS had passed.",
  },
  requests_under_way: {
    kind: "gauge",
    labels: [],
    of: ["api"],
    help: "Connections on which a request is being answered, streams and downloads among them.",
  },
  stream_readers: {
    kind: "gauge",
    labels: ["stream"],
    of: ["api"],
    help: "Connections of this process on which an event stream is read.",
  },
  stream_bytes_total: {
    kind: "counter",
    labels: ["stream"],
    of: ["api"],
    help: "Bytes of events that have gone out on them.",
  },
  store_operation_seconds: {
    kind: "histogram",
    labels: ["store", "operation"],
    of: BOTH,
    buckets: REQUEST_BUCKETS,
    help: "Time that one operation of a store took, whether it went well or not.",
  },
  store_faults_total: {
    kind: "counter",
    labels: ["store", "operation", "kind"],
    of: BOTH,
    help: "Operations of a store that failed: because it was unavailable, because the caller had gone (abandoned), or with another error.",
  },
  up: {
    kind: "gauge",
    labels: ["store"],
    of: BOTH,
    help: "Whether a store answered when the metrics were asked for: 1, else 0.",
  },
  batch_seconds: {
    kind: "histogram",
    labels: ["source", "outcome"],
    of: WORKER,
    buckets: BATCH_BUCKETS,
    help: "Time that one try of a batch took, by what came of it: done, retried after a passing fault, or failed for good.",
  },
  rows_read_total: {
    kind: "counter",
    labels: ["source"],
    of: WORKER,
    help: "Rows of the batches that this worker has done.",
  },
  rows_total: {
    kind: "counter",
    labels: ["source", "outcome"],
    of: WORKER,
    help: "The same rows by what became of them: written, removed, unchanged, refused or skipped.",
  },
  queue_batches: {
    kind: "gauge",
    labels: ["state"],
    of: WORKER,
    help: "Batches in the queue by state; every worker tells the same.",
  },
  queue_oldest_batch_age_seconds: {
    kind: "gauge",
    labels: [],
    of: WORKER,
    help: "Time since the oldest batch was enqueued that waits for a worker, for its first try or another; 0 when none waits.",
  },
  loads_running: {
    kind: "gauge",
    labels: [],
    of: WORKER,
    help: "Loads that run, on whatever machine.",
  },
  refused_rows: {
    kind: "gauge",
    labels: [],
    of: WORKER,
    help: "Refused rows that are kept until they are mended and loaded, or discarded; counted once a minute.",
  },
  followed_stream_heard_timestamp_seconds: {
    kind: "gauge",
    labels: ["stream"],
    of: WORKER,
    help: "When the server whose stream is followed was last heard of, in seconds since 1970; noted twice a minute.",
  },
  followed_stream_delay_seconds: {
    kind: "gauge",
    labels: ["stream"],
    of: WORKER,
    help: "Time from when the last event of a followed stream was published to when it was written here.",
  },
  source_loaded_timestamp_seconds: {
    kind: "gauge",
    labels: ["source"],
    of: WORKER,
    help: "When a load of this format last succeeded, in seconds since 1970; time() less it is the source's age.",
  },
  source_production_timestamp_seconds: {
    kind: "gauge",
    labels: ["source"],
    of: WORKER,
    help: "The day of which the files of that load were, where they tell it, in seconds since 1970.",
  },
  index_created_timestamp_seconds: {
    kind: "gauge",
    labels: ["index"],
    of: WORKER,
    help: "When the live index was made, by its name, in seconds since 1970; time() less it is the index's age.",
  },
  index_version: {
    kind: "gauge",
    labels: ["index"],
    of: WORKER,
    help: "Version of the definition that the live index was made from.",
  },
  index_names_version: {
    kind: "gauge",
    labels: ["index"],
    of: WORKER,
    help: "Version of the name rules that the live index was built under.",
  },
} as const satisfies Record<string, Metric>;

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
