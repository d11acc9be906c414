/** The `status` command: records, indices, running loads, the queue, the age of each source, and followed streams. */
import { formatAge, formatBytes, formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import { defineCommand } from "../../ingest/commands/define-command.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { records } from "../../api/resources/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { delayOf, fetchFollowed } from "../../ingest/follow/positions.ts";
import { fetchLastLoads } from "../../ingest/history/loads.ts";
import { fetchRunning, formatFiles, formatProgress, type RunningLoad } from "../../ingest/history/running.ts";
import { fetchQueueState, type QueueState } from "../../ingest/queue/queue-state.ts";
import { fetchIndexSet } from "../../ingest/reindex/index-set.ts";
import { sources } from "../../ingest/sources/index.ts";

export const statusCommand = defineCommand({
  name: "status",
  summary:
    "Show records, indices, running loads, the queue, the last load of each format, and followed streams.",
  effect: "reads",
  details:
    "It uses the stores' own counts and never scans, so it is quick on a register of any size. MongoDB's counts of records\n" +
    "are estimates: they include tombstones of deleted records, and may be wrong by a few after a crash of MongoDB.\n" +
    "verify counts exactly.",
  example: "status",
  run: async ({ config, openStores }) => {
    const stores = openStores();
    const status = await fetchStatus(stores, config.QUEUE_PREFIX, Date.now());
    return { exitCode: 0, data: status, lines: formatStatus(status) };
  },
});

type Status = Awaited<ReturnType<typeof fetchStatus>>;

async function fetchStatus(stores: Stores, queuePrefix: string, now: number) {
  return {
    records: await fetchRecords(stores),
    indices: await fetchIndices(stores),
    // Running loads only, each with its current step.
    loads: await fetchRunning(stores),
    queue: await fetchQueueState(stores.redis, queuePrefix, now),
    sources: await fetchSources(stores, now),
    followed: await fetchStreams(stores, now),
  };
}

async function fetchRecords({ mongo }: Stores) {
  const collections = [...new Set(records.map(({ collection }) => collection))];
  const sizes = await mongo.health.fetchSizes(collections);
  return [...sizes].map(([collection, size]) => ({ collection, ...size }));
}

async function fetchIndices(stores: Stores) {
  const { health } = stores.elasticsearch;
  const states = await health.fetchIndices();
  const counts = await health.fetchCounts(states.map(({ name }) => name));
  const standing = await Promise.all(indices.map((index) => fetchIndexSet({ stores, index })));
  const roleOf = (name: string) =>
    standing.some(({ former }) => former?.name === name) ? "kept for reindex --back" : "not in use";
  return states.map(({ name, aliases, bytes, health }, position) => {
    // An index that is being built has an alias ending in -next. Any other alias means that the index is in use,
    // perhaps by another deployment.
    const live = aliases.find((alias) => !alias.endsWith("-next"));
    const [alias = null] = live === undefined ? aliases : [live];
    const role = live !== undefined ? "live" : alias !== null ? "being built" : roleOf(name);
    return { name, alias, role, documents: counts[position] ?? null, bytes, health };
  });
}

/** The last successful load of each format; nulls if there is none. An extract is less than a whole edition. */
async function fetchSources({ mongo }: Stores, now: number) {
  const last = await fetchLastLoads(mongo.documents);
  return sources.map(({ name: source }) => {
    const found = last.get(source);
    const { load = null, finishedAt: finished_at = null } = found ?? {};
    const { productionDate: production_date = null, isExtract: is_extract = false } = found ?? {};
    const age_ms = finished_at === null ? null : now - Date.parse(finished_at);
    return { source, load, finished_at, age_ms, production_date, is_extract };
  });
}

/** Streams of other servers that are or were followed; `fault` says why the following has ended. */
async function fetchStreams({ mongo }: Stores, now: number) {
  return Array.from(await fetchFollowed(mongo.documents), ([stream, followed]) => {
    const { from, timepoint = null, heard_at, fault = null } = followed;
    // heard_ms: since the last contact with the server. delay_ms: from the publication of the last event until it was
    // written.
    const heard_ms = heard_at === undefined ? null : now - Date.parse(heard_at);
    return { stream, from, timepoint, heard_ms, delay_ms: delayOf(followed), fault };
  });
}

function formatStatus({ queue, ...status }: Status): string[] {
  return [
    "records (estimates)",
    ...alignTable(
      status.records.map((each) => [each.collection, formatCount(each.records), formatBytes(each.bytes)]),
    ),
    "",
    "search indices",
    ...(status.indices.length === 0 ? ["  none; npm run cli -- prepare creates them"] : []),
    ...alignTable(
      status.indices.map(({ name, alias, role, documents, bytes, health }) => [
        ...[name, documents === null ? "?" : formatCount(documents), formatBytes(bytes), health],
        role === "live" ? `alias ${alias}` : role,
      ]),
    ),
    ...(status.loads.length > 0 ? ["", "running loads", ...status.loads.flatMap(formatRunning)] : []),
    "",
    "queue",
    ...formatQueue(queue).map((line) => `  ${line}`),
    "",
    "last load of each format",
    ...alignTable(
      status.sources.map(({ source, load, age_ms, production_date, is_extract }) => [
        source,
        age_ms === null ? "never" : `${formatAge(age_ms)} ago`,
        [production_date && `of ${production_date}`, is_extract && "an extract"].filter(Boolean).join(", "),
        load ?? "",
      ]),
    ),
    ...(status.followed.length > 0
      ? ["", "streams followed", ...alignTable(status.followed.map(toCells))]
      : []),
  ];
}

function formatRunning(load: RunningLoad): string[] {
  return [`  ${load.load}  ${formatFiles(load)}`, `    ${formatProgress(load)}`];
}

function toCells(followed: Status["followed"][number]): string[] {
  const { stream, from, timepoint, heard_ms, delay_ms, fault } = followed;
  return [
    stream,
    timepoint === null || timepoint < 0 ? "no event yet" : `at ${timepoint}`,
    heard_ms === null ? "no contact yet" : `last contact ${formatAge(heard_ms)} ago`,
    delay_ms === null ? "" : `written ${formatAge(delay_ms)} after publication`,
    fault ?? `from ${from}`,
  ];
}

function formatQueue({ donePerMinute, oldestWaitingMs, ...queue }: QueueState): string[] {
  const { waiting, active, delayed, failed, workers } = queue;
  const oldest = oldestWaitingMs === null ? "" : `, the oldest for ${formatAge(oldestWaitingMs)}`;
  const rate =
    donePerMinute === null
      ? "none written lately"
      : `${formatCount(Math.round(donePerMinute))} written a minute`;
  return [
    `${formatCount(waiting)} waiting${oldest}, ${formatCount(active)} in progress, ${formatCount(delayed)} to be retried, ${formatCount(failed)} failed`,
    `${rate}; ${workers === 0 ? "no worker is connected" : formatNumber(workers, "worker thread")}`,
  ];
}

/** Pads the cells of a table; cells that begin with a digit are aligned right. */
function alignTable(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column > 0 && /^\d/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
    });
    return `  ${cells.join("  ").trimEnd()}`;
  });
}
