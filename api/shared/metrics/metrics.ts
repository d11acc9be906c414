/** The metrics of a process, created from the list, in the text format of Prometheus. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import {
  fullName,
  metricList,
  type Component,
  type LabelsOf,
  type Metric,
  type MetricName,
  type NameOf,
} from "./list.ts";

/** The value of a gauge at one moment. */
export type Sample = {
  [Name in NameOf<"gauge">]: { metric: Name; labels: LabelsOf<Name>; value: number };
}[NameOf<"gauge">];

/** Receives counts and times. */
export interface Recorder {
  count: <Name extends NameOf<"counter">>(name: Name, labels: LabelsOf<Name>, by?: number) => void;
  /** Adds a time to a histogram, in seconds. */
  observe: <Name extends NameOf<"histogram">>(name: Name, labels: LabelsOf<Name>, seconds: number) => void;
}

export interface Metrics extends Recorder {
  /** Replaces all samples of these gauges. */
  replace: (names: readonly NameOf<"gauge">[], samples: readonly Sample[]) => void;
  /** All metrics in the text format of Prometheus. */
  write: () => Promise<string>;
  contentType: string;
}

/** Creates the metrics of a component, including those of the Node.js process. Each call creates new ones. */
export function createMetrics(component: Component): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<MetricName, Counter>();
  const gauges = new Map<MetricName, Gauge>();
  const histograms = new Map<MetricName, Histogram>();
  for (const [key, metric] of Object.entries(metricList) as [MetricName, Metric][]) {
    if (!metric.of.includes(component)) continue;
    const options = { name: fullName(key), help: metric.help, labelNames: [...metric.labels] };
    const registers = [registry];
    if (metric.kind === "counter") counters.set(key, new Counter({ ...options, registers }));
    else if (metric.kind === "gauge") gauges.set(key, makeGauge({ ...options, registers }));
    else histograms.set(key, new Histogram({ ...options, buckets: [...(metric.buckets ?? [])], registers }));
  }
  return {
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    observe: (name, labels, seconds) => histograms.get(name)?.observe(labels, seconds),
    replace: (names, samples) => {
      for (const name of names) empty(gauges.get(name));
      for (const { metric, labels, value } of samples) gauges.get(metric)?.set(labels, value);
    },
    write: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** A gauge without a value. A new gauge without labels would report 0. */
function makeGauge(options: ConstructorParameters<typeof Gauge>[0]): Gauge {
  const gauge = new Gauge(options);
  empty(gauge);
  return gauge;
}

function empty(gauge: Gauge | undefined): void {
  gauge?.reset();
  gauge?.remove({});
}
