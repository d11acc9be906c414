/**
 * Owns traces: spans of requests, loads, batches and store operations, for a collector of OpenTelemetry. Without its
 * address there are none, and nothing of OpenTelemetry's SDK is loaded.
 *
 * The current span follows the flow of the program by itself, so it is no argument, and neither is where spans go.
 */
import type { Span, SpanFacts, Tracing, TracingOptions } from "./spans.ts";

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
