/** Creates spans with OpenTelemetry's SDK, and sends them to a collector. Only loaded when traces are configured. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as SdkSpan,
  type SpanContext,
} from "@opentelemetry/api";
import { parseKeyPairsIntoRecord, parseTraceParent, setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TracerProvider,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";
import { messageOf } from "../runtime/errors.ts";
import { within } from "../runtime/deadlines.ts";
import type { Span, SpanFacts, Tracing, TracingOptions } from "./spans.ts";

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

// Retries included. Spans that the collector has not accepted by then are lost.
const SEND_MS = 2_500;
// A silent collector delays the end of a process by at most this. SEND_MS is shorter, so the loss is still reported.
const CLOSE_MS = 3_000;
// Limit: spans that wait to be sent, some 15 MB. Further spans are lost.
const MOST_WAITING = 8_192;
const TOLD_AGAIN_MS = 600_000;

/** Starts tracing to the collector of the settings. */
export function openExport({ config, component, onFault }: TracingOptions): Tracing {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  const tell = openFaults((reason) => onFault(`${endpoint}: ${reason}`));
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers: parseKeyPairsIntoRecord(headers),
    timeoutMillis: SEND_MS,
  });
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize: MOST_WAITING });
  const tracing = openTracing({ component, requestPercent: config.TRACES_PERCENT, processor });
  // The first fault ends the flush. Shut down the exporter too, or requests under way keep the process alive.
  const close = () => tracing.close().finally(() => exporter.shutdown());
  return { ...tracing, close: () => within(CLOSE_MS, close()).catch(tell) };
}

/** Passes the SDK's warnings to `onFault`, at most one in ten minutes; returns the function that passes on others. */
function openFaults(onFault: TracingOptions["onFault"]): (reason: unknown) => void {
  let toldAt = -Infinity;
  const tell = (reason: unknown) => {
    if (performance.now() - toldAt < TOLD_AGAIN_MS) return;
    toldAt = performance.now();
    onFault(messageOf(reason));
  };
  const ignore = () => undefined;
  const logger = { verbose: ignore, debug: ignore, info: ignore, warn: tell, error: tell };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler(tell);
  return tell;
}

/** Starts tracing to a processor. `requestPercent`: traced share of the requests without a `traceparent`. */
export function openTracing({
  component,
  requestPercent,
  processor,
}: {
  component: TracingOptions["component"];
  requestPercent: number;
  processor: SpanProcessor;
}): Tracing {
  const provider = new TracerProvider({
    resource: describeProcess(component),
    sampler: new ParentBasedSampler({ root: sampleRequests(requestPercent) }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("company-register");
  // Neither the context nor the provider is registered globally: store clients that use OpenTelemetry would add spans
  // with addresses and ids.
  const contexts = new AsyncLocalStorage<Context>();
  const fetchContext = () => contexts.getStore() ?? ROOT_CONTEXT;
  return {
    start: (facts, work) => {
      const { context, links } = originOf(facts, fetchContext());
      const { name, kind, attributes = {} } = facts;
      const span = tracer.startSpan(name, { ...(kind && { kind: KINDS[kind] }), attributes, links }, context);
      return contexts.run(trace.setSpan(context, span), work, toSpan(span));
    },
    leave: (work) => contexts.run(ROOT_CONTEXT, work),
    current: () => {
      const context = trace.getSpanContext(fetchContext());
      if (!context) return undefined;
      const { traceId, spanId, traceFlags } = context;
      const flags = traceFlags & TraceFlags.SAMPLED ? "01" : "00";
      return { traceId, traceparent: `00-${traceId}-${spanId}-${flags}` };
    },
    isRecording: () => trace.getSpan(fetchContext())?.isRecording() === true,
    close: () => provider.shutdown(),
  };
}

/** Each kind of process is a service. The variables OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
function describeProcess(component: TracingOptions["component"]): Resource {
  const attributes = {
    "service.name": `company-register-${component}`,
    "service.instance.id": randomUUID(),
  };
  return defaultResource()
    .merge(resourceFromAttributes(attributes))
    .merge(detectResources({ detectors: [envDetector] }));
}

function sampleRequests(percent: number): Sampler {
  const requests = new TraceIdRatioBasedSampler(percent / 100);
  return {
    shouldSample: (context, traceId, _name, kind) =>
      kind === SpanKind.SERVER
        ? requests.shouldSample(context, traceId)
        : { decision: SamplingDecision.RECORD_AND_SAMPLED },
    toString: () => `Requests{${percent} %}`,
  };
}

/** The context in which a span begins, and its links to other traces. */
function originOf({ from = [] }: SpanFacts, current: Context) {
  const traces = new Map<string, SpanContext>();
  for (const header of from) {
    const context = header === undefined ? null : parseTraceParent(header);
    if (context && !traces.has(context.traceId)) traces.set(context.traceId, context);
  }
  const [first, ...others] = traces.values();
  if (!first) return { context: current, links: [] };
  if (others.length > 0)
    return { context: ROOT_CONTEXT, links: [...traces.values()].map((context) => ({ context })) };
  return { context: trace.setSpanContext(ROOT_CONTEXT, { ...first, isRemote: true }), links: [] };
}

function toSpan(span: SdkSpan): Span {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    rename: (name) => void span.updateName(name),
    fail: (type) => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", type),
    end: () => span.end(),
  };
}
