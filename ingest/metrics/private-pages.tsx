/** The pages of a worker's private port, among them that of the loads that run, and the gauges read from the stores. */
import { renderDocument, SmallPage } from "../../api/shared/html/document.tsx";
import { sharedFiles } from "../../api/shared/html/files.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import type { Metrics, Sample } from "../../api/shared/metrics/metrics.ts";
import { createReadings, type Reading } from "../../api/shared/metrics/readings.ts";
import { readStoreHealth } from "../../api/shared/metrics/store-health.ts";
import { formatCount } from "../../api/shared/runtime/format.ts";
import { jsonPage, type PrivatePages } from "../../api/shared/runtime/private-port.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { fetchRulesFault } from "../../index-mappings/name-rules.ts";
import { openReadiness, requireIndices } from "../../index-mappings/readiness.ts";
import { countRefusedRows } from "../refused-rows/refused-rows.ts";
import { delayOf, fetchFollowed } from "../follow/positions.ts";
import { fetchLastLoads, loadLock } from "../history/loads.ts";
import { fetchRunning, formatFiles, formatProgress, type RunningLoad } from "../history/running.ts";
import { BOARD_PATH, buildBoard, LOADS_PATH, REFRESH_SECONDS } from "../queue/board.ts";
import { fetchCounts, fetchOldestWaiting } from "../queue/queue-state.ts";
import { BATCH_QUEUE, type BatchQueue } from "../queue/queue.ts";

interface PagesNeeds {
  config: Pick<Config, "BOARD_KEY">;
  stores: Stores;
  queue: BatchQueue;
  metrics: Metrics;
  /** How long gauge values may be reused, in milliseconds; a few seconds by default. */
  keptMs?: number;
}

/** `/healthz` touches no store. Only the pages for people need a key. */
export function buildPrivatePages({ config, stores, queue, metrics, ...kept }: PagesNeeds): PrivatePages {
  const { mongo, elasticsearch, redis } = stores;
  const refresh = createReadings(metrics, readingsOf(stores, queue), kept);
  const checks = {
    mongodb: mongo.ping,
    elasticsearch: elasticsearch.ping,
    redis: redis.ping,
    indices: () => requireIndices(elasticsearch, () => fetchRulesFault(elasticsearch)),
  };
  const askReadiness = openReadiness(checks);
  const board = buildBoard(queue, config.BOARD_KEY, (view) =>
    buildLoadsPage(stores, queue, { ...view, now: new Date() }),
  );
  return {
    pages: {
      "/healthz": () => jsonPage({ status: "ok" }),
      "/readyz": async () => {
        const { status, body } = await askReadiness();
        return jsonPage(body, status);
      },
      "/metrics": async () => {
        await refresh();
        return { type: metrics.contentType, body: await metrics.write() };
      },
    },
    below: { [BOARD_PATH]: board, [LOADS_PATH]: board },
  };
}

const FOLDER = LOADS_PATH.slice(1);

/** How the page of loads is shown. */
interface LoadsView {
  now: Date;
  /** True: the browser reloads the page every few seconds. */
  refreshes: boolean;
}

/** The page of the loads that run, made on the server and without a script. Throws UnavailableError when a store is unavailable. */
export async function buildLoadsPage(stores: Stores, queue: BatchQueue, view: LoadsView): Promise<string> {
  const loads = await fetchRunning(stores);
  const { waiting, active, delayed } = await fetchCounts(stores.redis, queue);
  const workers = await stores.redis.guard(() => queue.getWorkersCount());
  const facts = [
    `${formatCount(waiting)} batches waiting`,
    `${formatCount(active)} in work`,
    `${formatCount(delayed)} to be retried`,
    `${formatCount(workers)} workers`,
  ];
  const { style, mark } = sharedFiles();
  // Relative to the page, below whatever prefix.
  const files = { style: `${FOLDER}/${style.name}`, mark: `${FOLDER}/${mark.name}` };
  return renderDocument(
    <SmallPage heading="Loads that run" files={files}>
      {loads.length > 0 ? loads.map((load) => <Load of={load} />) : <p>No load is running.</p>}
      <section>
        <p>
          Queue: {facts.join(", ")} (<a href={`${BOARD_PATH.slice(1)}/queue/${BATCH_QUEUE}`}>its batches</a>)
        </p>
        <Refreshing {...view} />
      </section>
    </SmallPage>,
  );
}

/** When the page was made, and a way to stop or start its refreshing, which disturbs whoever reads slowly. */
function Refreshing({ now, refreshes }: LoadsView) {
  return (
    <p class="quiet">
      As of {now.toISOString()}
      {refreshes ? `, refreshed every ${REFRESH_SECONDS} s` : ""}.{" "}
      <a href={refreshes ? `${FOLDER}?refresh=off` : FOLDER}>
        {refreshes ? "Stop refreshing" : `Refresh every ${REFRESH_SECONDS} s`}
      </a>
      . <code>npm run cli -- loads cancel LOAD</code> stops a load.
    </p>
  );
}

function Load({ of: load }: { of: RunningLoad }) {
  const percent = load.step?.share == null ? undefined : String(Math.floor(load.step.share * 100));
  return (
    <section>
      <h2>{load.load}</h2>
      <p>{formatFiles(load)}</p>
      {percent === undefined ? null : (
        <progress max="100" value={percent} aria-label={`Progress of ${load.load}`}>
          {percent} %
        </progress>
      )}
      <p>{formatProgress(load)}</p>
      <p class="quiet">started {load.started_at}</p>
    </section>
  );
}

/** Each asks one store, so that a store that is unavailable does not affect the other gauges. */
function readingsOf({ mongo, elasticsearch, redis }: Stores, queue: BatchQueue): Reading[] {
  const { documents } = mongo;
  return [
    readStoreHealth({ mongodb: mongo, elasticsearch, redis }),
    toReading(["queue_batches", "queue_oldest_batch_age_seconds", "loads_running"], async () => {
      const [counts, oldestMs, locks] = await Promise.all([
        fetchCounts(redis, queue),
        fetchOldestWaiting(redis, queue, Date.now()),
        redis.locks.list(),
      ]);
      const running = locks.filter((name) => name.startsWith(loadLock("")));
      const batches = Object.entries(counts).map(([state, count]): Row => [{ state }, count]);
      return [[{}, null, (oldestMs ?? 0) / 1000, running.length], ...batches];
    }),
    toReading(["refused_rows"], openRefused(documents)),
    toReading(["source_loaded_timestamp_seconds", "source_production_timestamp_seconds"], async () => {
      const last = await fetchLastLoads(documents);
      return Array.from(last, ([source, { finishedAt, productionDate }]) => {
        return [{ source }, toSeconds(finishedAt), toSeconds(productionDate)];
      });
    }),
    toReading(["followed_stream_heard_timestamp_seconds", "followed_stream_delay_seconds"], async () =>
      Array.from(await fetchFollowed(documents), ([stream, followed]) => {
        const delayMs = delayOf(followed);
        return [{ stream }, toSeconds(followed.heard_at), delayMs === null ? null : delayMs / 1000];
      }),
    ),
  ];
}

// Counting reads every refused row, so it runs at most this often.
const REFUSED_MS = 60_000;

function openRefused(documents: DocumentStore): () => Promise<Row[]> {
  let countedAt = -Infinity;
  let rows = 0;
  return async () => {
    if (performance.now() - countedAt > REFUSED_MS) {
      const counts = await countRefusedRows(documents);
      rows = counts.reduce((sum, { count }) => sum + count, 0);
      countedAt = performance.now();
    }
    return [[{}, rows]];
  };
}

/** Labels, and the values of the gauges of a reading with these labels, in their order; null: no value. */
type Row = [labels: object, ...values: (number | null)[]];

function toReading(gauges: Reading["gauges"], readRows: () => Promise<Row[]>): Reading {
  const toSamples = ([labels, ...values]: Row) =>
    values.flatMap((value, at) => (value === null ? [] : { metric: gauges[at], labels, value }));
  // The cast: each gauge is paired with its own labels above.
  return { gauges, read: async () => (await readRows()).flatMap(toSamples) as Sample[] };
}

function toSeconds(moment: string | null | undefined): number | null {
  return moment ? Date.parse(moment) / 1000 : null;
}
