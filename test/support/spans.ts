/** Keeps tracing spans in memory for a test, instead of sending them. */
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { openTracing } from "../../api/shared/tracing/opentelemetry.ts";
import { setTracing } from "../../api/shared/tracing/tracing.ts";

/** A span that has ended. */
export interface KeptSpan {
  name: string;
  kind: string;
  traceId: string;
  id: string;
  /** Undefined for a span that begins its trace. */
  parent: string | undefined;
  hasFailed: boolean;
  attributes: Record<string, unknown>;
  /** Ids of the traces that it links to. */
  links: string[];
}

/** Traces into memory until `end`. */
export function keepSpans({ requestPercent = 100 } = {}): { list: () => KeptSpan[]; end: () => void } {
  const exporter = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor({ exporter });
  setTracing(openTracing({ component: "api", requestPercent, processor }));
  return {
    list: () =>
      exporter.getFinishedSpans().map((span) => ({
        name: span.name,
        kind: SpanKind[span.kind].toLowerCase(),
        traceId: span.spanContext().traceId,
        id: span.spanContext().spanId,
        parent: span.parentSpanContext?.spanId,
        hasFailed: span.status.code === SpanStatusCode.ERROR,
        attributes: span.attributes,
        links: span.links.map(({ context }) => context.traceId),
      })),
    end: () => setTracing(undefined),
  };
}
