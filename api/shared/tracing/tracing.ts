/**
 * Owns traces: spans of requests, loads, batches and store operations, for a collector of OpenTelemetry. Without its
 * address there are none, and nothing of OpenTelemetry's SDK is loaded.
 *
 * The current span follows the flow of the program by itself, so it is no argument, and neither is where spans go.
 */
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

let tracing: Tracing | undefined;

/** Spans go there from now on; undefined: there are none. */
export function setTracing(to: Tracing | undefined): void {
  tracing = to;
}

/** Begins to trace if the settings name a collector; to be called before stores are opened. */
export async function startTracing(options: TracingOptions): Promise<void> {
  if (options.config.OTEL_EXPORTER_OTLP_ENDPOINT === "") return;
  const { openExport } = await import("./opentelemetry.ts");
  setTracing(openExport(options));
}

/** Sends the last spans and ends tracing: within three seconds, whatever the collector does. */
export async function stopTracing(): Promise<void> {
  const ended = tracing?.close();
  setTracing(undefined);
  await ended;
}

/** True when there are spans. */
export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Does work in a span of its own, which ends with it. */
export function inSpan<T>(facts: SpanFacts, work: () => Promise<T>): Promise<T> {
  if (!tracing) return work();
  return tracing.start(facts, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.fail(typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Begins a span whose end is the caller's to say. Only to be called while there are spans. */
export function startSpan<T>(facts: SpanFacts, work: (span: Span) => T): T {
  if (!tracing) throw new Error("there are no spans: ask isTracing");
  return tracing.start(facts, work);
}

/** Does work outside any span: a wait that asks a store again and again would fill the trace. */
export function outsideSpans<T>(work: () => T): T {
  return tracing ? tracing.leave(work) : work();
}

/** True within a span that will be sent. */
export function isInSpan(): boolean {
  return tracing?.isRecording() === true;
}

/** What continues the trace elsewhere: a header of a request, a member of a job. Empty without a trace. */
export function traceContext(): { traceparent?: string } {
  const current = tracing?.current();
  return current ? { traceparent: current.traceparent } : {};
}

/** What a log line says of the trace; empty without one that is sent. */
export function traceFields(): { traceId?: string } {
  const current = isInSpan() ? tracing?.current() : undefined;
  return current ? { traceId: current.traceId } : {};
}

/** The class of an error. */
export function typeOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
