/** Rules for Prometheus and the dashboard for Grafana: their queries are PromQL, and use metrics that exist. */
import { describe, expect, it } from "@jest/globals";
import { parser } from "@prometheus-io/lezer-promql";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { downloads } from "../../../api/search/index.ts";
import { fullName, metricList, type MetricName } from "../../../api/shared/metrics/list.ts";
import { sources } from "../../../ingest/sources/index.ts";

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Panel {
  type: string;
  title: string;
  description?: string;
  targets?: { expr: string }[];
  gridPos: { h: number; w: number; x: number; y: number };
}

const alerts = parse(readFileSync("scripts/monitoring/alerts.yaml", "utf8")) as {
  groups: { rules: Rule[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync("scripts/monitoring/dashboard.json", "utf8")) as {
  panels: Panel[];
};
const panels = dashboard.panels.filter(({ type }) => type !== "row");
/** The queries of all rules and panels, with their titles. */
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** The names under which Prometheus has a metric, with its labels. */
const known = new Map(
  (Object.keys(metricList) as MetricName[]).flatMap((name) => {
    const { kind, labels } = metricList[name];
    const endings = kind === "histogram" ? ["_bucket", "_count", "_sum"] : [""];
    return endings.map((ending): [string, readonly string[]] => [
      fullName(name) + ending,
      ending === "_bucket" ? [...labels, "le"] : labels,
    ]);
  }),
);

/** The texts of all nodes of a kind in a query. */
function nodesOf(expr: string, ...kinds: string[]): string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, from, to }) => {
      if (kinds.includes(name)) found.push(expr.slice(from, to));
    },
  });
  return found;
}

/** The values in the matchers of a label, such as `a` and `b` in `source=~"a|b"`. */
function valuesOf(expr: string, label: string): string[] {
  const matchers = expr.matchAll(new RegExp(`\\b${label}[=!]~?"([^"]*)"`, "g"));
  return [...matchers].flatMap(([, values = ""]) => values.split("|"));
}

describe.each(queries)("%s", (_title, expr) => {
  it("is PromQL", () => {
    expect(nodesOf(expr, "⚠")).toEqual([]);
  });

  it("uses metrics and labels that exist", () => {
    const names = nodesOf(expr, "Identifier").filter((name) => name.includes("_"));
    expect(names.length).toBeGreaterThan(0);
    const own = names.filter((name) => !/^(process|nodejs)_/.test(name));
    expect(own.filter((name) => !known.has(name))).toEqual([]);
    const labels = new Set([...own.flatMap((name) => known.get(name) ?? []), "job", "instance"]);
    expect(nodesOf(expr, "LabelName").filter((label) => !labels.has(label))).toEqual([]);
  });
});

it("finds processes by their metrics, because the name of a job depends on the setup of Prometheus", () => {
  expect(queries.flatMap(([title, expr]) => (valuesOf(expr, "job").length > 0 ? title : []))).toEqual([]);
});

it("there is an alert for each source that is published on known days, and for no other", () => {
  const expr = rules.find(({ alert }) => alert === "CompanyRegisterSourceOld")?.expr ?? "";
  const others = ["officers-snapshot", "api-json-lines", "streaming-events"];
  const awaited = sources.map(({ name }) => name).filter((name) => !others.includes(name));
  expect(valuesOf(expr, "source").toSorted()).toEqual(awaited.toSorted());
});

it.each([
  ["CompanyRegisterAnswersFail", ["healthz", "readyz"]],
  ["CompanyRegisterAnswersSlow", ["healthz", "readyz", ...downloads.map(({ name }) => name)]],
  ["Answer time", ["healthz", "readyz", ...downloads.map(({ name }) => name)]],
])("%s leaves out probes and, if it measures time, downloads", (title, routes) => {
  const exprs = queries.filter(([name]) => name === title).map(([, expr]) => expr);
  const ofRequests = exprs.flatMap((expr) => nodesOf(expr, "VectorSelector"));
  expect(ofRequests.length).toBeGreaterThan(0);
  expect(ofRequests.map((selector) => valuesOf(selector, "route"))).toEqual(ofRequests.map(() => routes));
});

it("no alert reports a missing worker because Redis, the source of all queue metrics, is unavailable", () => {
  const expr = rules.find(({ alert }) => alert === "CompanyRegisterNoWorker")?.expr ?? "";
  expect(nodesOf(expr, "FunctionCall")).toEqual(["absent(company_register_queue_batches)"]);
  expect(nodesOf(expr, "Unless")).toEqual(["unless"]);
  expect(nodesOf(expr, "ParenExpr")).toEqual(['(company_register_up{store="redis"} == 0)']);
});

it("rules say what is wrong, and what to do", () => {
  for (const { labels, annotations } of rules) {
    expect(["critical", "warning", "info"]).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\S/);
    expect(annotations.description).toMatch(/\.$/);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

it("panels say what they show, and do not overlap", () => {
  const cells = new Set<string>();
  for (const { description, gridPos, title } of panels) {
    expect([title, description]).toEqual([title, expect.stringMatching(/\.$/)]);
    const { h, w, x, y } = gridPos;
    for (let row = y; row < y + h; row += 1)
      for (let column = x; column < x + w; column += 1) {
        const cell = `${column}/${row}`;
        expect([title, cells.has(cell)]).toEqual([title, false]);
        cells.add(cell);
      }
  }
});

it("each metric is used by a rule or a panel, except for two", () => {
  const exprs = queries.map(([, expr]) => expr).join("\n");
  const unwatched = (Object.keys(metricList) as MetricName[]).filter(
    (name) => !exprs.includes(fullName(name)),
  );
  expect(unwatched).toEqual(["requests_under_way", "source_production_timestamp_seconds"]);
});
