/** Owns the `loads` commands: what was loaded, from which files, with what outcome. */
import { formatCount, showText } from "../../api/core/format.ts";
import { defineCommand } from "../../api/core/define-command.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { parseWholeNumber } from "../../api/core/whole-number.ts";
import {
  EXAMPLE_LOAD,
  fetchLatestLoads,
  requireLoad,
  sumCounts,
  withStates,
  type KnownLoad,
  type LoadRecord,
} from "../history/loads.ts";
import { fetchBatches } from "../log/changes.ts";
import { formatTotals } from "../progress.ts";

const DEFAULT_LIMIT = "20";

export const loadsListCommand = defineCommand({
  name: "loads list",
  summary: "List the loads, latest first.",
  effect: "reads",
  options: [
    { flags: "--limit <number>", description: "most loads listed", default: DEFAULT_LIMIT },
    { flags: "--json", description: "print a line of JSON for each" },
  ],
  example: "loads list --limit 5",
  run: async (context, _args, { limit = DEFAULT_LIMIT, json }) => {
    const count = parseWholeNumber("--limit", limit, 1);
    const stores = context.openStores();
    const loads = await fetchLatestLoads(stores.mongo.documents, count);
    for (const record of loads) {
      const load = await fetchShown(stores, record);
      context.print(json ? JSON.stringify(load) : formatLoad(load));
    }
    if (loads.length === 0) context.tell("nothing has been loaded yet");
    return 0;
  },
});

export const loadsShowCommand = defineCommand({
  name: "loads show",
  summary: "Show one load: its files, counts, state and, where it failed, why.",
  effect: "reads",
  arguments: [{ name: "<load>", description: "id of the load" }],
  options: [{ flags: "--json", description: "print it as JSON" }],
  example: `loads show ${EXAMPLE_LOAD}`,
  run: async (context, [id = ""], { json }) => {
    const stores = context.openStores();
    const load = await fetchShown(stores, await requireLoad(stores.mongo.documents, id));
    // Before its files had been looked through nothing was written; standard input is gone.
    const hasEnded = load.state === "failed" || load.state === "broken off";
    if (!json && hasEnded && load.surveyed && !load.files.includes("-"))
      context.tell(`to go on with it: npm run cli -- load --resume ${id}`);
    if (!json && load.state === "undoing") context.tell(`to undo the rest: npm run cli -- loads undo ${id}`);
    return { exitCode: 0, data: load, lines: describe(load) };
  },
});

/** The load as it is now: its own record tells only at the end what its batches have written, and not that it was killed. */
async function fetchShown({ mongo, redis }: Stores, record: LoadRecord): Promise<KnownLoad> {
  if (record.state === "succeeded") return record;
  const [load = record] = await withStates(redis, [record]);
  const counts = sumCounts(await fetchBatches(mongo.documents, load._id));
  return counts.read < load.counts.read ? load : { ...load, counts };
}

function formatLoad({ _id, state, files, counts, started_at }: KnownLoad): string {
  const [first = "", ...others] = files;
  const named = others.length > 0 ? `${first} and ${others.length} more` : first;
  const refused = counts.refused > 0 ? `, ${formatCount(counts.refused)} refused` : "";
  return `${_id}  ${started_at}  ${state.padEnd(10)}  ${formatCount(counts.read)} rows${refused}  ${named}`;
}

function describe(load: KnownLoad): string[] {
  const { _id, state, files, counts, retired, started_at, finished_at, reason, surveyed = [] } = load;
  const described = files.map((file) => {
    const known = surveyed.find((candidate) => candidate.file === file);
    const day = known?.production_date ? `, of ${known.production_date}` : "";
    return `file      ${file}${known ? ` (${known.source}, ${formatCount(known.rows)} rows${day})` : ""}`;
  });
  return [
    `${_id}: ${state}`,
    `begun     ${started_at}`,
    ...(finished_at ? [`ended     ${finished_at}`] : []),
    ...(load.undone_at ? [`undone    ${load.undone_at}`] : []),
    ...(load.plan.mends ? [`mends     ${load.plan.mends.load}`] : []),
    ...described,
    ...formatTotals(counts, elapsedOf(load)),
    ...(retired !== undefined ? [`retired   ${formatCount(retired)}`] : []),
    ...(reason ? [`reason    ${showText(reason)}`] : []),
  ];
}

/** Until it ended, or until now; when one was broken off nobody has noted. */
function elapsedOf({ state, started_at, finished_at }: KnownLoad): number | undefined {
  if (finished_at) return Date.parse(finished_at) - Date.parse(started_at);
  return state === "running" ? Date.now() - Date.parse(started_at) : undefined;
}
