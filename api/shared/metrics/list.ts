/** Owns the list of metrics: name, kind, labels, which processes report it, and what it means. */

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
    help: "Time from a request to the end of its answer, by route (none: no route was reached) and status (aborted: the client disconnected).",
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
    help: "Connections on which a request is being answered, streams and downloads included.",
  },
  stream_readers: {
    kind: "gauge",
    labels: ["stream"],
    of: ["api"],
    help: "Connections to this process that read an event stream.",
  },
  stream_bytes_total: {
    kind: "counter",
    labels: ["stream"],
    of: ["api"],
    help: "Bytes of events that were sent on them.",
  },
  store_operation_seconds: {
    kind: "histogram",
    labels: ["store", "operation"],
    of: BOTH,
    buckets: REQUEST_BUCKETS,
    help: "Time that one operation of a store took, whether it succeeded or not.",
  },
  store_faults_total: {
    kind: "counter",
    labels: ["store", "operation", "kind"],
    of: BOTH,
    help: "Operations of a store that failed: because the store was unavailable, because the client had disconnected (abandoned), or with another error.",
  },
  up: {
    kind: "gauge",
    labels: ["store"],
    of: BOTH,
    help: "Whether a store answered when the metrics were read: 1 for yes, 0 for no.",
  },
  batch_seconds: {
    kind: "histogram",
    labels: ["source", "outcome"],
    of: WORKER,
    buckets: BATCH_BUCKETS,
    help: "Time that one attempt at a batch took, by outcome: done, retried after a temporary fault, or failed for good.",
  },
  rows_read_total: {
    kind: "counter",
    labels: ["source"],
    of: WORKER,
    help: "Rows of the batches that this worker has finished.",
  },
  rows_total: {
    kind: "counter",
    labels: ["source", "outcome"],
    of: WORKER,
    help: "The same rows by outcome: written, removed, unchanged, refused or skipped.",
  },
  queue_batches: {
    kind: "gauge",
    labels: ["state"],
    of: WORKER,
    help: "Batches in the queue by state; every worker reports the same.",
  },
  queue_oldest_batch_age_seconds: {
    kind: "gauge",
    labels: [],
    of: WORKER,
    help: "Age of the oldest batch that waits for a worker, for its first attempt or a retry; 0 if none waits.",
  },
  loads_running: {
    kind: "gauge",
    labels: [],
    of: WORKER,
    help: "Running loads, on all machines.",
  },
  refused_rows: {
    kind: "gauge",
    labels: [],
    of: WORKER,
    help: "Refused rows that were neither mended and loaded nor discarded; counted once a minute.",
  },
  followed_stream_heard_timestamp_seconds: {
    kind: "gauge",
    labels: ["stream"],
    of: WORKER,
    help: "Last contact with the server whose stream is followed, in seconds since 1970; updated twice a minute.",
  },
  followed_stream_delay_seconds: {
    kind: "gauge",
    labels: ["stream"],
    of: WORKER,
    help: "Time from the publication of the last event of a followed stream until it was written here.",
  },
  source_loaded_timestamp_seconds: {
    kind: "gauge",
    labels: ["source"],
    of: WORKER,
    help: "When a load of this format last succeeded, in seconds since 1970; time() minus this is the age of the source.",
  },
  source_production_timestamp_seconds: {
    kind: "gauge",
    labels: ["source"],
    of: WORKER,
    help: "The day of the files of that load, if they state it, in seconds since 1970.",
  },
  index_created_timestamp_seconds: {
    kind: "gauge",
    labels: ["index"],
    of: WORKER,
    help: "When the live index was created, according to its name, in seconds since 1970; time() minus this is its age.",
  },
  index_version: {
    kind: "gauge",
    labels: ["index"],
    of: WORKER,
    help: "Version of the definition with which the live index was built.",
  },
  index_names_version: {
    kind: "gauge",
    labels: ["index"],
    of: WORKER,
    help: "Version of the name rules with which the live index was built.",
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
