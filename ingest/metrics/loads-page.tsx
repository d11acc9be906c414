/** The page of a worker's private port that shows the loads that run; it is made on the server and needs no script. */
import { formatCount } from "../../api/shared/runtime/format.ts";
import { renderDocument, SmallPage } from "../../api/shared/html/document.tsx";
import { sharedFiles } from "../../api/shared/html/files.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { fetchRunning, formatFiles, formatProgress, type RunningLoad } from "../history/running.ts";
import { fetchCounts } from "../queue/queue-state.ts";
import { BOARD_PATH, LOADS_PATH, REFRESH_SECONDS } from "../queue/board.ts";
import { BATCH_QUEUE, type BatchQueue } from "../queue/queue.ts";

/** How the page is shown. */
export interface LoadsView {
  now: Date;
  /** True: the browser reloads the page every few seconds. */
  refreshes: boolean;
}

/** Throws UnavailableError when a store is unavailable. */
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

const FOLDER = LOADS_PATH.slice(1);

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
