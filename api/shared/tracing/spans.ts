/** The types of spans, independent of OpenTelemetry's SDK. */
import type { Config } from "../settings/config.ts";

/** Attributes of a span, named by OpenTelemetry's semantic conventions where these have a name. */
export type SpanAttributes = Record<string, string | number>;

/** The facts of a span. They never identify anybody: no path, query, key, or name of a person or company. */
export interface SpanFacts {
  /** One of few values, because tools group traces by it. */
  name: string;
  /** Absent: work inside this process. */
  kind?: "server" | "client" | "producer" | "consumer";
  attributes?: SpanAttributes;
  /**
   * The origins of the work, as `traceparent` headers; invalid ones are ignored. The span continues their trace. If
   * they belong to several traces, it begins a new one and links to each. Default: the current span.
   */
  from?: readonly (string | undefined)[];
}

/** A span that has begun. It is sent once it has ended. */
export interface Span {
  set: (attributes: SpanAttributes) => void;
  rename: (name: string) => void;
  /** Marks it as failed. `type`: the class of the error, or a status; never a message, which may quote a record. */
  fail: (type: string) => void;
  end: () => void;
}

export interface Tracing {
  start: <T>(facts: SpanFacts, work: (span: Span) => T) => T;
  leave: <T>(work: () => T) => T;
  /** The current span; undefined when there is none. */
  current: () => { traceId: string; traceparent: string } | undefined;
  /** True when the current span will be sent: its trace is sampled, and it has not ended. */
  isRecording: () => boolean;
  /** Sends ended spans, as far as the collector accepts them in time, and stops. */
  close: () => Promise<void>;
}

export interface TracingOptions {
  config: Config;
  component: "api" | "worker" | "cli";
  /** Called when spans cannot be sent: at once, then at most every ten minutes. */
  onFault: (reason: string) => void;
}
