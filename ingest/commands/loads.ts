/** The `loads` commands: what was loaded, how to stop it, and how to take back what a bad edition stated. */
import { setTimeout as sleep } from "node:timers/promises";
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import { confirm, defineGroup, parseWholeNumber } from "./define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { sumCounts } from "../history/counts.ts";
import {
  EXAMPLE_LOAD,
  fetchLatestLoads,
  loadLock,
  requireLoad,
  hasOtherBatches,
  OTHER_RELEASE,
  resumeCommand,
  withStates,
  type KnownLoad,
  type LoadRecord,
  type TakenBack,
} from "../history/loads.ts";
import { formatFiles } from "../history/running.ts";
import { fetchBatches, raisePositions } from "../log/changes.ts";
import { endLoad } from "../load/run-load.ts";
import { commandsFor, listGone } from "../load/former-files.ts";
import { planUndo, runUndo, takeBack } from "../load/undo.ts";
import { patientStores } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { formatOutcome, formatTotals } from "../progress.ts";
import { hasWorkers, removeBatches, withQueue } from "../queue/queue.ts";
import { cancelLock, patienceOf, underLock } from "./long-work.ts";

const DEFAULT_LIMIT = "20";
const CANCEL_LOOK_MS = 250;
const NO_SEARCH =
  "no worker is connected to Redis, and the undo ends once one has updated the search; start one if none runs (node dist/ingest/main.js)";

export const loadsCommands = defineGroup("loads", "Loads and their outcome.", {
  list: {
    summary: "List the loads, latest first.",
    effect: "reads",
    options: [
      { flags: "--limit <number>", description: "list at most this many loads", default: DEFAULT_LIMIT },
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
  },

  show: {
    summary: "Show one load: its files, counts, state and, if it failed, why.",
    effect: "reads",
    arguments: [{ name: "<load>", description: "id of the load" }],
    example: `loads show ${EXAMPLE_LOAD}`,
    run: async (context, [id = ""], { json }) => {
      const stores = context.openStores();
      const load = await fetchShown(stores, await requireLoad(stores.mongo.documents, id));
      const hasEnded = load.state === "failed" || load.state === "interrupted";
      const command = resumeCommand(load);
      if (!json && hasEnded && command) context.tell(`to continue it: ${command}`);
      if (!json && hasEnded && hasOtherBatches(load)) context.tell(OTHER_RELEASE);
      return { exitCode: 0, data: load, lines: describe(load) };
    },
  },

  cancel: {
    summary:
      "Stop a load that is running: its queued batches are removed, those that workers hold are finished.",
    effect: "writes",
    details:
      "What was written stays. `load --resume` continues the load, `loads undo` takes it back. Also stops `follow`.",
    arguments: [{ name: "<load>", description: "id of the load" }],
    example: `loads cancel ${EXAMPLE_LOAD}`,
    run: async (context, [id = ""], { dryRun }) => {
      const stores = context.openStores();
      const { locks } = stores.redis;
      const { state } = await fetchShown(stores, await requireLoad(stores.mongo.documents, id));
      if (state !== "running" && state !== "interrupted") throw nothingToCancel(id, state);
      if (dryRun) return { exitCode: 0, data: { load: id, state }, lines: [`${id} would be stopped`] };
      const lock = { name: cancelLock(id), work: `cancelling ${id}` };
      await underLock(context, stores.redis, lock, async () => {
        for (; (await locks.list()).includes(loadLock(id)); await sleep(CANCEL_LOOK_MS))
          if (context.isStopping()) throw new CommandError(`${id} has not stopped yet; it will`);
        await endKilled(stores, context.config.QUEUE_PREFIX, id);
      });
      const load = await requireLoad(stores.mongo.documents, id);
      // A load of `follow` only ends when it is stopped, so its success is what was asked for.
      if (load.state === "succeeded" && !load.plan.isFollowing) throw nothingToCancel(id, load.state);
      const command = resumeCommand(load);
      const next = command ? [`to continue it: ${command}`] : [];
      if (load.plan.isFollowing) next.push("stopped: npm run cli -- follow continues where it stopped");
      return { exitCode: 0, data: load, lines: [...describe(load), ...next] };
    },
  },

  undo: {
    summary: "Take back what a load stated, so that the former edition counts once it is loaded again.",
    effect: "deletes",
    details:
      "Every record loses what the load stated of it, removals by --complete included, and keeps what other loads state.\n" +
      "What the load replaced is no longer stored: records lack values, or are missing, until you run the commands that\n" +
      "are printed at the end, in their order. Then the records are as they were before the load.\n" +
      "After Ctrl-C or a crash, run this again. Events of streams, daily updates, and snapshots with daily updates since the\n" +
      "former snapshot cannot be undone.",
    arguments: [{ name: "<load>", description: "id of the load" }],
    options: [{ flags: "--yes", description: "undo it without asking" }],
    example: `loads undo ${EXAMPLE_LOAD}`,
    run: async (context, [id = ""], { yes, dryRun }) => {
      const impatient = context.openStores();
      for (const store of [impatient.redis, impatient.mongo, impatient.elasticsearch]) await store.ping();
      const stores = patientStores(impatient, patienceOf(context, "undo"));
      const run = { context, stores };
      return underLock(context, stores.redis, { name: loadLock(id), work: `the load ${id}` }, async () => {
        if (dryRun || !yes) {
          const plan = await planUndo(stores, id);
          const outcome = { ...plan, ...(await takeBack(run, plan)) };
          if (dryRun) return reportUndo(`would undo load ${id}`, outcome, { load: id, undone: false });
          const all = [`Load ${id} of ${plan.load.files.join(", ")}`, ...describeAgain(plan.again)];
          const loads = all.join(", and ");
          const question = `${loads} will be undone: ${describeUndo(outcome)}.`;
          if (!(await confirm(context, question, false))) return 1;
        }
        await prepareStores(stores, new Date(), context.tell);
        await raisePositions(stores);
        const { redis } = stores;
        const isServed = await withQueue(redis, context.config.QUEUE_PREFIX, (queue) =>
          hasWorkers(redis, queue),
        );
        if (!isServed) context.tell(NO_SEARCH);
        return reportUndo(`undid load ${id}`, await runUndo(run, id), { load: id, undone: true });
      });
    },
  },
});

function nothingToCancel(id: string, state: KnownLoad["state"]): CommandError {
  return new CommandError(`the load ${id} has ended (${state}): there is nothing to cancel`);
}

/** A process that was killed can neither remove its batches nor store its outcome. */
async function endKilled(stores: Stores, prefix: string, id: string): Promise<void> {
  const record = await requireLoad(stores.mongo.documents, id);
  if (record.state !== "running") return;
  await withQueue(stores.redis, prefix, (queue) => removeBatches(stores.redis, queue, id));
  record.counts = (await fetchShown(stores, record)).counts;
  await endLoad({ stores, record }, new CommandError("cancelled after its process had been killed"));
}

/** The load with its real state and counts: its stored record has neither until the load ends. */
async function fetchShown({ mongo, redis }: Stores, record: LoadRecord): Promise<KnownLoad> {
  if (record.state === "succeeded") return record;
  const [load = record] = await withStates(redis, [record]);
  const counts = sumCounts(await fetchBatches(mongo.documents, load._id));
  return counts.read < load.counts.read ? load : { ...load, counts };
}

function formatLoad({ _id, state, files, counts, started_at }: KnownLoad): string {
  const refused = counts.refused > 0 ? `, ${formatCount(counts.refused)} refused` : "";
  return `${_id}  ${started_at}  ${state.padEnd(11)}  ${formatNumber(counts.read, "row")}${refused}  ${formatFiles({ files, sources: [] })}`;
}

function describe(load: KnownLoad): string[] {
  const { _id, state, files, counts, started_at, finished_at, reason, surveyed = [] } = load;
  const described = files.map((file, index) => {
    const known = surveyed[index];
    const day = known?.production_date ? `, of ${known.production_date}` : "";
    return `file      ${file}${known ? ` (${known.source}, ${formatNumber(known.rows, "row")}${day})` : ""}`;
  });
  return [
    `${_id}: ${state}`,
    `started   ${started_at}`,
    ...(finished_at ? [`ended     ${finished_at}`] : []),
    ...(state === "undone" ? [`undone    ${load.undone_at ?? "in part: run loads undo again"}`] : []),
    ...(load.plan.mends ? [`mends     ${load.plan.mends.load}`] : []),
    ...described,
    ...formatTotals(counts, elapsedOf(load)),
    ...formatOutcome(load),
    ...(reason ? [`reason    ${reason}`] : []),
  ];
}

/** How long a load took, in milliseconds. Undefined for a load that was killed, since it is unknown when. */
function elapsedOf({ state, started_at, finished_at }: KnownLoad): number | undefined {
  if (finished_at) return Date.parse(finished_at) - Date.parse(started_at);
  return state === "running" ? Date.now() - Date.parse(started_at) : undefined;
}

function reportUndo(
  done: string,
  { former, isMended, again, elsewhere, records, missing }: Awaited<ReturnType<typeof runUndo>>,
  members: object,
) {
  const load_again = commandsFor(former);
  const next = describeAgain(again).map((load) => `${load} is undone with it`);
  for (const { of, path } of elsewhere)
    next.push(
      `load ${of._id} has also read ${path}, together with other files, and may still state its records: undo that load as well`,
    );
  if (load_again.length > 0)
    next.push("to restore the records, run these commands in this order:", ...load_again);
  if (isMended) next.push("rows that were mended before are refused again: mend them again");
  const gone = listGone(former);
  for (const file of gone) next.push(`cannot be loaded again: ${file}`);
  const data = {
    ...{ ...members, records, missing, load_again },
    ...(again.length > 0 && { undone_with: again.map(({ _id }) => _id) }),
    ...(elsewhere.length > 0 && { still_stated_by: [...new Set(elsewhere.map(({ of }) => of._id))] }),
    ...(gone.length > 0 && { gone }),
  };
  return { exitCode: 0, data, lines: [`${done}: ${describeUndo({ records, missing })}`, ...next] };
}

/** Loads that are undone with another one. */
function describeAgain(loads: readonly Pick<LoadRecord, "_id">[]): string[] {
  return loads.map(({ _id }) => `load ${_id} of the same files`);
}

function describeUndo({ records, missing }: TakenBack): string {
  const changed = `${formatNumber(records, "record")} changed`;
  return missing > 0
    ? `${changed}, ${formatCount(missing)} of them missing until they are restored`
    : changed;
}
