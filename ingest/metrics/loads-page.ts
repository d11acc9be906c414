/** The page of a worker's private port that shows the loads that run; it is made on the server and needs no script. */
import { formatCount } from "../../api/core/format.ts";
import { html } from "../../api/core/html.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchRunning, formatFiles, formatProgress, type RunningLoad } from "../history/running.ts";
import { fetchCounts } from "../queue/queue-state.ts";
import { BOARD_PATH } from "../queue/board.ts";
import { BATCH_QUEUE, type BatchQueue } from "../queue/queue.ts";

const REFRESH_SECONDS = 5;

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2530; }
  section { border-top: 1px solid #c8ced6; padding: 0.75rem 0; overflow-wrap: anywhere; }
  h2 { font-size: 1rem; margin: 0; } p { margin: 0.25rem 0; } progress { width: 100%; height: 1rem; }
  .quiet { color: #5a6675; }`;

/** `now`: as shown. Throws UnavailableError when a store is unavailable. */
export async function buildLoadsPage(stores: Stores, queue: BatchQueue, now: Date): Promise<string> {
  const loads = await fetchRunning(stores);
  const { waiting, active, delayed } = await fetchCounts(stores.redis, queue);
  const workers = await stores.redis.guard(() => queue.getWorkersCount());
  const facts = [
    `${formatCount(waiting)} batches waiting`,
    `${formatCount(active)} in work`,
    `${formatCount(delayed)} to be retried`,
    `${formatCount(workers)} workers`,
  ];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="${String(REFRESH_SECONDS)}" />
        <title>Loads: Company Register</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>Loads that run</h1>
        ${loads.length > 0 ? loads.map(showLoad) : html`<p>No load is running.</p>`}
        <section>
          <p>Queue: ${facts.join(", ")} (<a href="${BOARD_PATH}/queue/${BATCH_QUEUE}">its batches</a>)</p>
          <p class="quiet">
            As of ${now.toISOString()}; shown again every ${String(REFRESH_SECONDS)} s.
            <code>npm run cli -- loads cancel LOAD</code> stops a load.
          </p>
        </section>
      </body>
    </html> `.text;
}

function showLoad(load: RunningLoad) {
  const percent = load.step?.share == null ? undefined : String(Math.floor(load.step.share * 100));
  return html`<section>
    <h2>${load.load}</h2>
    <p>${formatFiles(load)}</p>
    ${percent === undefined ? undefined : html`<progress max="100" value="${percent}">${percent} %</progress>`}
    <p>${formatProgress(load)}</p>
    <p class="quiet">started ${load.started_at}</p>
  </section>`;
}
