import { describe, expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { format } from "oxfmt";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { fullName, metricList, type Metric, type MetricName } from "../../../api/shared/metrics/list.ts";
import { measureStore } from "../../../api/shared/stores/operations.ts";
import { createMetrics } from "../../../api/shared/metrics/metrics.ts";
import { createReadings, readStoreHealth } from "../../../api/shared/metrics/readings.ts";
import { sampleOf } from "../../support/scrape.ts";

const PAGE = "scripts/docs/metrics.md";
const metrics = Object.entries(metricList) as [MetricName, Metric][];

describe("the list of metrics", () => {
  it("is documented as a table (UPDATE=1 rewrites it)", async () => {
    const page = readFileSync(PAGE, "utf8");
    const table = [
      "| metric | kind | labels | of | meaning |",
      "| --- | --- | --- | --- | --- |",
      ...metrics.map(([name, { kind, labels, of, help }]) => {
        const named = labels.map((label) => `\`${label}\``).join(", ");
        return `| \`${fullName(name)}\` | ${kind} | ${named} | ${of.join(", ")} | ${help} |`;
      }),
    ].join("\n");
    const filled = page.replace(
      /(<!-- metrics[^>]*-->\n)[^]*?(<!-- \/metrics -->)/,
      (_all, start: string, end: string) => `${start}\n${table}\n\n${end}`,
    );
    const { code: expected } = await format(PAGE, filled, { printWidth: 110 });
    if (process.env.UPDATE === "1") writeFileSync(PAGE, expected);
    else expect(page).toBe(expected);
  });

  it.each(metrics)(
    "names %s by the rules of Prometheus, and describes it in a whole sentence",
    (name, { kind, help, buckets }) => {
      expect(name.endsWith("_total")).toBe(kind === "counter");
      expect(help).toMatch(/^[A-Z].*\.$/);
      expect(buckets !== undefined).toBe(kind === "histogram");
    },
  );
});

describe("the operations of a store", () => {
  const away = new UnavailableError("mongodb", "away");
  const store = {
    ping: () => Promise.resolve(),
    records: { fetchOne: (id: string) => Promise.resolve(id), count: () => Promise.reject(away) },
    now: () => 7,
    connection: new Map([["a", 1]]),
  };

  it("return the same as before, and are timed under their names", async () => {
    const registry = createMetrics("api");
    const measured = measureStore(store, "mongodb", registry);
    expect(await measured.records.fetchOne("x")).toBe("x");
    expect(measured.now()).toBe(7);
    expect(measured.connection).toBe(store.connection);
    const page = await registry.write();
    const labels = { store: "mongodb", operation: "records.fetchOne" };
    expect(sampleOf(page, "store_operation_seconds_count", labels)).toBe(1);
    expect(page).not.toMatch(/operation="now"|store_faults_total\{/);
  });

  it("that fail throw the same error, and are counted", async () => {
    const registry = createMetrics("api");
    const measured = measureStore(store, "mongodb", registry);
    await expect(measured.records.count()).rejects.toBe(away);
    const labels = { store: "mongodb", operation: "records.count", kind: "unavailable" };
    const page = await registry.write();
    expect(sampleOf(page, "store_faults_total", labels)).toBe(1);
    expect(page).toMatch(/store_operation_seconds_count\{[^}]*operation="records\.count"[^}]*\} 1$/m);
  });
});

describe("the readings of stores for metrics", () => {
  const never = () => new Promise<never>(() => undefined);
  const batches = (waiting: number) => [
    { metric: "queue_batches" as const, labels: { state: "waiting" }, value: waiting },
  ];

  it("are taken once for all scrapes, as long as they are fresh", async () => {
    let reads = 0;
    const read = () => Promise.resolve(batches((reads += 1)));
    const refresh = createReadings(createMetrics("worker"), [{ gauges: ["queue_batches"], read }]);
    await Promise.all([refresh(), refresh()]);
    await refresh();
    expect(reads).toBe(1);
  });

  it("give values for the stores that answer if another does not, and no old values", async () => {
    const registry = createMetrics("worker");
    let isAway = false;
    let reads = 0;
    const read = () => ((reads += 1), isAway ? never() : Promise.resolve(batches(3)));
    const other = {
      gauges: ["queue_oldest_batch_age_seconds" as const],
      read: () =>
        Promise.resolve([
          { metric: "queue_oldest_batch_age_seconds" as const, labels: {}, value: isAway ? 9 : 8 },
        ]),
    };
    const options = { keptMs: 0, deadlineMs: 50 };
    const refresh = createReadings(registry, [{ gauges: ["queue_batches"], read }, other], options);
    await refresh();
    const label = { state: "waiting" };
    expect(sampleOf(await registry.write(), "queue_batches", label)).toBe(3);
    isAway = true;
    await refresh();
    await refresh();
    const page = await registry.write();
    expect(sampleOf(page, "queue_batches", label)).toBeUndefined();
    expect(sampleOf(page, "queue_oldest_batch_age_seconds", {})).toBe(9);
    // A read that has not ended is not started again.
    expect(reads).toBe(2);
  });

  it("say which stores are up, even if one never answers and this process is late", async () => {
    const registry = createMetrics("worker");
    const reading = readStoreHealth({
      mongodb: { ping: () => Promise.resolve() },
      elasticsearch: { ping: () => Promise.reject(new Error("away")) },
      redis: { ping: never },
    });
    const refreshing = createReadings(registry, [reading])();
    await sleep(1_400);
    const until = performance.now() + 450;
    while (performance.now() < until);
    await refreshing;
    const page = await registry.write();
    const up = (store: string) => sampleOf(page, "up", { store });
    expect([up("mongodb"), up("elasticsearch"), up("redis")]).toEqual([1, 0, 0]);
  });

  it("give no value before the first answer", async () => {
    const page = await createMetrics("worker").write();
    expect(sampleOf(page, "queue_oldest_batch_age_seconds", {})).toBeUndefined();
  });
});
