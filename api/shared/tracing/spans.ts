/** Owns what spans are: what is asked of them, and what makes them. */
import type { Config } from "../settings/config.ts";

/** What spans say beside their names; names are those of OpenTelemetry's semantic conventions where it has one. */
export type SpanAttributes = Record<string, string | number>;

/** What a span says. Nothing of a person: no path, no query, no key, no name of a person or company. */
export interface SpanFacts {
  /** One of few values: traces are grouped by it. */
  name: string;
  /** Absent: work inside this process. */
  kind?: "server" | "client" | "producer" | "consumer";
  attributes?: SpanAttributes;
  /**
   * Where the work comes from, as `traceparent` headers; others are ignored. The span continues their trace; of several
   * traces it continues none, and links to each. Default: the current span.
   */
  from?: readonly (string | undefined)[];
}

/** A span that has begun; it is sent once it has ended. */
export interface Span {
  set: (attributes: SpanAttributes) => void;
  rename: (name: string) => void;
  /** Marks it as failed. `type`: the class of the error, or a status; never its message, which may quote a record. */
  fail: (type: string) => void;
  end: () => void;
}

export interface Tracing {
  start: <T>(facts: SpanFacts, work: (span: Span) => T) => T;
  leave: <T>(work: () => T) => T;
  /** The current span; undefined when there is none. */
  current: () => { traceId: string; traceparent: string } | undefined;
  /** True when the current span will be sent: its trace is, and it has not ended. */
  isRecording: () => boolean;
  /** Sends what has ended, as far as it is taken in time, and ends. */
  close: () => Promise<void>;
}

export interface TracingOptions {
  config: Config;
  component: "api" | "worker" | "cli";
  /** Called when spans cannot be sent: at once, then every ten minutes. */
  onFault: (reason: string) => void;
}
