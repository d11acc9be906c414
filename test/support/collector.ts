/** An OpenTelemetry collector for tests: receives spans as OTLP JSON over HTTP, and keeps them. */
import { serve } from "./serve.ts";

/** A span that a service sent. */
export interface SentSpan {
  /** Name of the service that sent it. */
  service: string;
  name: string;
  traceId: string;
  id: string;
  /** Empty for a span that begins its trace. */
  parent: string;
  /** Ids of the other traces that it links to. */
  linked: string[];
  attributes: Record<string, unknown>;
}

export interface Collector {
  endpoint: string;
  spans: SentSpan[];
  close: () => Promise<void>;
}

interface Attributes {
  attributes?: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface OtlpSpan extends Attributes {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string }[];
}
interface Request {
  resourceSpans: { resource: Attributes; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** Starts a collector on a free port of this machine. */
export async function openCollector(): Promise<Collector> {
  const spans: SentSpan[] = [];
  const { base: endpoint, close } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/traces") spans.push(...readSpans(Buffer.concat(chunks).toString()));
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  return { endpoint, spans, close };
}

function readSpans(text: string): SentSpan[] {
  // The cast: the format of OTLP.
  const { resourceSpans } = JSON.parse(text) as Request;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(toRecord(resource)["service.name"]);
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({
        ...{ service, name: span.name, traceId: span.traceId, id: span.spanId },
        ...{ parent: span.parentSpanId ?? "", attributes: toRecord(span) },
        linked: (span.links ?? []).map(({ traceId }) => traceId),
      }));
  });
}

function toRecord({ attributes = [] }: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}
