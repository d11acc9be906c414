/**
 * The list of settings: name, default, bounds and one sentence of help for each. The check of the environment, the
 * command `settings` and scripts/docs/settings.md are derived from it.
 */
import { SEARCH_WINDOW } from "../schemas/query-parameters.ts";

/** One setting, read from the environment variable of its name or from the file that `<NAME>_FILE` names. */
export interface Setting {
  /** If it is a number, the setting is a whole number. */
  default: string | number;
  help: string;
  /** The only allowed texts. */
  values?: readonly string[];
  /** For a number; default: 0. */
  minimum?: number;
  maximum?: number;
  /** The pattern of a text that is not empty, and its description for the error message. */
  form?: { pattern: RegExp; words: string };
  /** Masked wherever settings are shown. */
  secret?: boolean;
}

export const settings = {
  ELASTICSEARCH_URL: {
    default: "http://127.0.0.1:9200",
    secret: true,
    help: "Address of Elasticsearch, with user and password if needed; for a cluster, comma-separated addresses of several nodes.",
  },
  MONGODB_URL: {
    default: "mongodb://127.0.0.1:27017",
    secret: true,
    help: "Address of MongoDB, or of the members of its replica set.",
  },
  REDIS_URL: {
    default: "redis://127.0.0.1:6379",
    secret: true,
    help: "Address of Redis, or of its sentinels: redis+sentinel://HOST:PORT,HOST:PORT/NAME.",
  },
  DATABASE_NAME: {
    default: "company_register",
    // MongoDB allows such names on every system.
    form: {
      pattern: /^[^/\\. "$*<>:|?\0]{1,63}$/,
      words: '1 to 63 characters long, without spaces and / \\ . " $ * < > : | ?',
    },
    help: "MongoDB database of the register.",
  },
  INDEX_PREFIX: {
    default: "register-",
    // Elasticsearch allows such names.
    form: {
      pattern: /^[a-z0-9][a-z0-9._-]{0,99}$/,
      words: "lower-case letters, digits and . _ -, beginning with a letter or digit",
    },
    help: "Prefix of the names of all search indices and aliases.",
  },
  QUEUE_PREFIX: {
    default: "register",
    help: "Prefix of all Redis keys.",
  },
  HOST: {
    default: "127.0.0.1",
    help: "Network address the API listens on.",
  },
  PORT: {
    default: 8080,
    maximum: 65_535,
    help: "Port the API listens on; 0 for any free port.",
  },
  PRIVATE_HOST: {
    default: "127.0.0.1",
    help: "Network address for METRICS_PORT and WORKER_PORT; keep these ports off the public network.",
  },
  METRICS_PORT: {
    default: 0,
    maximum: 65_535,
    help: "Port on which the API serves `/healthz` and `/metrics`; 0 for none.",
  },
  WORKER_PORT: {
    default: 0,
    maximum: 65_535,
    help: "Port on which the worker serves `/healthz`, `/readyz` and `/metrics`; 0 for none.",
  },
  STREAM_PORT: {
    default: 0,
    maximum: 65_535,
    help: "Port on which the API serves the event streams; 0 for none.",
  },
  STREAM_HOST: {
    default: "",
    form: {
      pattern: /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/,
      words: "a host name in lower-case letters, without a port",
    },
    help: "Host name under which the API's own port (`PORT`) serves the event streams; if empty, it does not serve them.",
  },
  STREAM_CONNECTIONS: {
    default: 20,
    minimum: 1,
    maximum: 10_000,
    help: "Maximum number of connections that one application may have to the event streams of one process at the same time.",
  },
  STREAM_DAYS: {
    default: 7,
    minimum: 1,
    maximum: 365,
    help: "Number of days for which stream events are kept, so that readers can continue after a break; older timepoints get 416.",
  },
  FOLLOW_KEY: {
    default: "",
    secret: true,
    help: "Stream key for the server that `follow` reads from, if the command line gives none.",
  },
  TRUSTED_PROXIES: {
    default: 0,
    maximum: 10,
    help: "Number of proxies in front of the API, which trusts as many addresses at the end of `X-Forwarded-For`, and above 0 also `…-Proto` and `…-Host`.",
  },
  PUBLIC_URL: {
    default: "",
    form: {
      pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
      words: "an http or https address without a query",
    },
    help: "Public address of the API, also used as the OAuth issuer; if empty, the API uses the address of each request.",
  },
  ACCESS_TOKEN_SECONDS: {
    default: 3_600,
    minimum: 1,
    maximum: 86_400,
    help: "Lifetime of an access token, in seconds.",
  },
  REFRESH_TOKEN_SECONDS: {
    default: 7_776_000,
    minimum: 1,
    maximum: 31_536_000,
    help: "Lifetime of a refresh token, in seconds from its last use.",
  },
  RATE_LIMIT: {
    default: 0,
    maximum: 1_000_000_000,
    help: "Maximum number of calls in five minutes for an application that has no limit of its own; 0 for no limit.",
  },
  ANONYMOUS_LIMIT: {
    default: 600,
    minimum: 1,
    maximum: 1_000_000_000,
    help: "Maximum number of calls in five minutes from one address without a valid key; sign-in pages are counted separately.",
  },
  VENDOR: {
    default: "company-register",
    form: {
      pattern: /^[a-z0-9][a-z0-9-]*$/,
      words: "lower-case letters, digits and hyphens, beginning with a letter or digit",
    },
    help: "The vendor word of media types: `application/vnd.<vendor>.<resource>+json; version=1`.",
  },
  DOCS_KEY: {
    default: "",
    help: "API key that `/docs` shows to every visitor and fills in; only for an open register such as the demo.",
  },
  // Off by default: pages show everything in the register, people included, and an upgrade must not show that to
  // everybody who reaches the port. `key` shows no more than the API does; `open` needs no key.
  PAGES: {
    default: "off",
    values: ["off", "key", "open"],
    help: "Pages for people at `/`: `off`, `key` for visitors who enter an API key, or `open` for everybody.",
  },
  LOG_LEVEL: {
    default: "info",
    values: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    help: "Lowest level of log lines: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent` for none.",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: "",
    form: {
      pattern: /^https?:\/\/[^\s?#@]+$/,
      words: "an http or https address without user and query",
    },
    help: "Address of an OpenTelemetry collector that receives traces by OTLP over HTTP at `/v1/traces`; no traces if empty.",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: "",
    secret: true,
    form: {
      pattern: /^[^=,\s]+=[^,]+(,\s*[^=,\s]+=[^,]+)*$/,
      words: "name=value, comma-separated if several",
    },
    help: "Headers for the collector: name=value, comma-separated, with special characters percent-encoded (%20).",
  },
  TRACES_PERCENT: {
    default: 100,
    maximum: 100,
    help: "Share of the requests without a `traceparent` header that are traced, in %; loads are always traced.",
  },
  SEARCH_WINDOW: {
    default: SEARCH_WINDOW,
    minimum: 1,
    // Limit: Elasticsearch returns no page that ends after hit 10,000, and a page has at most 100 items.
    maximum: 9_900,
    help: "Offset from which `/search` and the searches under it answer 416; pages by cursor have no such limit.",
  },
  WORKER_THREADS: {
    default: 0,
    maximum: 64,
    help: "Number of threads of one worker process, which write batches; 0 for one per processor, at most four.",
  },
  WORKER_CONCURRENCY: {
    // Tuned: a thread prepares one batch while the stores write the other; a third would only use memory.
    default: 2,
    minimum: 1,
    maximum: 64,
    help: "Number of batches that one thread of a worker writes at the same time.",
  },
  BATCH_ROWS: {
    // Tuned: lines of fixed width are short, and 2,000 instead of 1,000 of them halve the overhead of batches.
    default: 2000,
    minimum: 1,
    maximum: 20_000,
    help: "Maximum number of rows in a batch.",
  },
  BATCH_BYTES: {
    // Tuned: 1,500 companies. Their search documents take most of a worker's memory.
    default: 750_000,
    minimum: 1_000,
    maximum: 20_000_000,
    help: "Maximum number of bytes in a batch; a single group of rows that belong together may exceed it.",
  },
  QUEUE_DEPTH: {
    // Feeds ten threads: two batches each at work, and as many that wait.
    default: 40,
    minimum: 1,
    maximum: 1_000,
    help: "Maximum number of batches of one load in the queue; at this number the load pauses reading.",
  },
  COMPLETE_MIN_PERCENT: {
    default: 95,
    maximum: 100,
    help: "Minimum size of a company CSV edition, of an edition with --complete and of a new search index, in % of what it replaces.",
  },
  REFUSED_MAX_PERCENT: {
    default: 10,
    maximum: 100,
    help: "Maximum share of refused rows in a file, in %, applied once 100 are refused; above it the load stops, unless --force is given.",
  },
  REQUEST_TIMEOUT_MS: {
    // Tuned: with the rest of an answer's time, no client waits two seconds.
    default: 1_500,
    minimum: 100,
    maximum: 600_000,
    help: "Maximum time for an answer of the API, in milliseconds, then 503; for a download, the time for each page.",
  },
  SEARCHES_AT_ONCE: {
    default: 0,
    maximum: 10_000,
    help: "Maximum number of searches that one process runs at once, at most half for one application; 0 for four per processor.",
  },
  SEARCHES_WAITING: {
    // Tuned: two processors answer so many in a third of a second.
    default: 64,
    maximum: 100_000,
    help: "Maximum number of searches that wait for their turn in one process, at most half for one application; others get 503 at once.",
  },
  DOWNLOADS_AT_ONCE: {
    default: 16,
    minimum: 1,
    maximum: 10_000,
    help: "Maximum number of CSV downloads that one process runs at once, at most half for one application; others get 503.",
  },
  STORE_TIMEOUT_MS: {
    default: 30_000,
    minimum: 100,
    maximum: 600_000,
    help: "Maximum time that worker and commands wait for an answer from a store, in milliseconds; 30 minutes for scans and index builds.",
  },
  LOCK_MS: {
    default: 30_000,
    minimum: 1_000,
    maximum: 600_000,
    help: "How long the batches and loads of a killed process stay locked, in milliseconds.",
  },
  KEEP_ALIVE_MS: {
    default: 75_000,
    // Node takes 0 as no limit.
    minimum: 1_000,
    maximum: 3_600_000,
    help: "How long the API keeps an idle connection, in milliseconds; must be longer than the proxy keeps it, usually 60 seconds.",
  },
  DRAIN_MS: {
    default: 0,
    maximum: 600_000,
    help: "How long the API still answers after a stop signal, in milliseconds, while `/readyz` is red, so that a proxy notices.",
  },
  SHUTDOWN_MS: {
    default: 10_000,
    maximum: 600_000,
    help: "How long requests and batches under way may continue after a stop signal, in milliseconds.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
