/**
 * Traces requests, loads, batches and store operations for an OpenTelemetry collector. Without the collector's address
 * no spans exist, and OpenTelemetry's SDK is not loaded.
 *
 * The current span follows the asynchronous flow of the program by itself, so functions do not pass it on.
 */
import type { Span, SpanFacts, Tracing, TracingOptions } from "./spans.ts";

let tracing: Tracing | undefined;

/** Sets where spans go from now on; undefined: tracing is off. */
export function setTracing(to: Tracing | undefined): void {
  tracing = to;
}

/** Starts tracing if the settings name a collector. Call it before the stores are opened. */
export async function startTracing(options: TracingOptions): Promise<void> {
  if (options.config.OTEL_EXPORTER_OTLP_ENDPOINT === "") return;
  const { openExport } = await import("./opentelemetry.ts");
  setTracing(openExport(options));
}

/** Sends the last spans and stops tracing, within three seconds. */
export async function stopTracing(): Promise<void> {
  const ended = tracing?.close();
  setTracing(undefined);
  await ended;
}

/** True when tracing is on. */
export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Runs work in a new span, which ends with the work. */
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

/** Begins a span that the caller must end. Throws an Error while tracing is off. */
export function startSpan<T>(facts: SpanFacts, work: (span: Span) => T): T {
  if (!tracing) throw new Error("there are no spans: ask isTracing");
  return tracing.start(facts, work);
}

/** Runs work outside any span: polling a store would fill the trace. */
export function outsideSpans<T>(work: () => T): T {
  return tracing ? tracing.leave(work) : work();
}

/** True within a span that will be sent. */
export function isInSpan(): boolean {
  return tracing?.isRecording() === true;
}

/** The member that continues the trace elsewhere, in the headers of a request or in a job. Empty without a trace. */
export function traceContext(): { traceparent?: string } {
  const current = tracing?.current();
  return current ? { traceparent: current.traceparent } : {};
}

/** The trace's fields for a log line; empty when the current span will not be sent. */
export function traceFields(): { traceId?: string } {
  const current = isInSpan() ? tracing?.current() : undefined;
  return current ? { traceId: current.traceId } : {};
}

/** The class of an error. */
export function typeOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
