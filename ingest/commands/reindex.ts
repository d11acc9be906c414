/** The `reindex` command: its options, its lock and its report. */
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import { confirm, defineCommand, type CommandContext, type CommandResult } from "./define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { NAMES_VERSION } from "../../index-mappings/names/mapping.ts";
import { waitForLock } from "../load/kind-locks.ts";
import { patientStores } from "../patient-stores.ts";
import { retryRefused } from "../projection/project.ts";
import { requireDiskSpace, planReindex, runReindex, type ReindexOutcome } from "../reindex/run-reindex.ts";
import {
  CheckError,
  discardBuild,
  fetchIndexSet,
  goBack,
  planBack,
  REINDEX_LOCK,
  type OneIndex,
  type ReindexRun,
} from "../reindex/index-set.ts";
import { chooseNamed, lockedElsewhere, lockSeconds, observe, patienceOf } from "./long-work.ts";

const EXIT_OK = 0;
const EXIT_NOT_DONE = 1;
const EXIT_DIFFERENT = 2;

export const reindexCommand = defineCommand({
  name: "reindex",
  summary: "Build new search indices from MongoDB beside the live ones, then switch to them.",
  effect: "deletes",
  details:
    "Loads and searches continue meanwhile, and the new indices receive all writes. They are compared with MongoDB, tested\n" +
    "with known questions, and go live once all are built; if anything fails, the live ones stay as they are. The index that\n" +
    "was live is kept as the former one, older ones are deleted. To change a mapping: edit it and the projection, raise\n" +
    "the version, restart API and workers with the new release, reindex. The command asks only before it deletes an\n" +
    "interrupted build. --resume fills and compares each one again; without names it also builds the indices\n" +
    "that lack the name rules of this release.\n" +
    "Exit code: 0 done, 2 the new index is wrong and did not go live, 1 it failed, or you answered no.",
  arguments: [
    { name: "[index...]", description: `${indices.map(({ name }) => name).join(", ")}; default: all` },
  ],
  options: [
    { flags: "--resume", description: "continue interrupted builds" },
    { flags: "--back", description: "make the former index live again, then bring it up to date" },
    { flags: "--discard", description: "delete interrupted builds" },
    { flags: "--force", description: "even if the index has far fewer documents than the live one" },
  ],
  example: "reindex companies",
  run: async (context, names, given) => {
    const asked = chooseNamed("index", indices, names);
    const ways = (["resume", "back", "discard"] as const).filter((way) => given[way] !== undefined);
    if (ways.length > 1) throw new CommandError(`--${ways.join(" and --")} exclude each other`);
    const [way = "anew"] = ways;
    if (given.force !== undefined && way === "discard")
      throw new CommandError("--discard and --force exclude each other");
    const stores = context.openStores();
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    const minPercent = given.force === undefined ? context.config.COMPLETE_MIN_PERCENT : 0;
    if (given.dryRun !== undefined)
      return way === "discard" ? planDiscard(stores, asked) : plan(stores, asked, { way, minPercent });
    const lock = await acquire(context, stores, way === "resume");
    const patient = patientStores(stores, patienceOf(context, "reindex"));
    const run = { lock, stores: patient, observer: observe(context), minPercent };
    const runs = asked.map((index) => ({ ...run, index }));
    const ask = (question: string) => confirm(context, question, given.yes !== undefined);
    const done =
      way === "back" ? back(runs) : way === "discard" ? discard(runs, ask) : reindex(runs, way, ask);
    return done.finally(() => lock.release().catch(() => undefined));
  },
});

type PlannedWay = "anew" | "resume" | "back";
type Ask = (question: string) => Promise<boolean>;

/** Takes the lock of reindexes. `mayWait`: waits until the lock of a killed reindex expires. */
function acquire({ config, tell }: CommandContext, { redis }: Stores, mayWait: boolean) {
  const until = performance.now() + config.LOCK_MS + 500; // half a second of grace
  return waitForLock(redis, REINDEX_LOCK, (wait) => {
    if (!mayWait || performance.now() > until) throw lockedElsewhere(config, "a reindex");
    if (wait === 1) tell(`another reindex holds the lock; waiting ${lockSeconds(config)} s in case it died`);
  });
}

async function reindex(runs: ReindexRun[], way: "anew" | "resume", ask: Ask): Promise<CommandResult> {
  const outcomes: ReindexOutcome[] = [];
  const tell = (exitCode: number, ...faults: string[]): CommandResult => ({
    exitCode,
    data: { indices: outcomes, fault: faults[0] },
    lines: [...outcomes.flatMap(formatOutcome), ...faults],
  });
  const chosen = way === "resume" ? await chooseResumed(runs) : runs;
  const [one] = chosen;
  if (!one) throw new CommandError("no build was interrupted; run `npm run cli -- reindex` without --resume");
  for (const run of runs) {
    // We hold the lock, so an existing build was interrupted. It may be hours of work.
    const { build } = await fetchIndexSet(run);
    // Ask all questions before the first build, so that the user can leave.
    const question = `${build?._id} was interrupted and will be deleted; --resume would continue it.`;
    if (way === "anew" && build && !(await ask(question))) return tell(EXIT_NOT_DONE);
  }
  try {
    for await (const outcome of runReindex(chosen, way === "resume")) outcomes.push(outcome);
    // The new indices have the documents that the former ones rejected.
    await retryRefused(one.stores);
  } catch (error) {
    if (error instanceof CheckError) return tell(EXIT_DIFFERENT, error.message);
    // Indices that went live before stay live: report them.
    for (const line of outcomes.flatMap(formatOutcome)) one.observer.onNote(line);
    throw error;
  }
  return tell(EXIT_OK);
}

/**
 * The interrupted builds. If there are any, and all indices are asked for, also the indices that lack the name rules of
 * this release, since it searches no index while one of them lacks these rules.
 */
async function chooseResumed<One extends OneIndex>(asked: One[]): Promise<One[]> {
  const sets = await Promise.all(asked.map(async (one) => ({ one, ...(await fetchIndexSet(one)) })));
  const withOthers = asked.length === indices.length && sets.some(({ build }) => build);
  return sets
    .filter(({ build, live }) => build ?? (withOthers && live?.meta.names_version !== NAMES_VERSION))
    .map(({ one }) => one);
}

async function discard(runs: ReindexRun[], ask: Ask): Promise<CommandResult> {
  const deleted: string[] = [];
  let exitCode = EXIT_OK;
  for (const run of runs) {
    const { next } = await fetchIndexSet(run);
    const question = `${next.join(", ")} was interrupted and will be deleted.`;
    if (next.length > 0 && !(await ask(question))) exitCode = EXIT_NOT_DONE;
    else deleted.push(...(await discardBuild(run)));
  }
  return { exitCode, data: { deleted }, lines: formatDeleted(deleted, "was deleted") };
}

async function planDiscard(stores: Stores, asked: IndexDefinition[]): Promise<CommandResult> {
  const sets = await Promise.all(asked.map((index) => fetchIndexSet({ stores, index })));
  const deleted = sets.flatMap(({ next }) => next);
  return { exitCode: EXIT_OK, data: { deleted }, lines: formatDeleted(deleted, "would be deleted") };
}

function formatDeleted(names: string[], what: string): string[] {
  return (names.length > 0 ? names : ["nothing"]).map((name) => `${name} ${what}`);
}

async function back(runs: ReindexRun[]): Promise<CommandResult> {
  // All or none: check every index before the first goes back.
  for (const run of runs) await planBack(run);
  const indices = [];
  for (const run of runs) indices.push(await goBack(run));
  const lines = indices.map(
    ({ index, live, former, repaired }) =>
      `${index}: ${live} is live, ${formatNumber(repaired, "document")} brought up to date; ${former} is kept as the former index`,
  );
  return { exitCode: EXIT_OK, data: { indices }, lines };
}

async function plan(
  stores: Stores,
  asked: IndexDefinition[],
  { way, minPercent }: { way: PlannedWay; minPercent: number },
): Promise<CommandResult> {
  const plans: Plan[] = [];
  const all = asked.map((index) => ({ stores, index, minPercent }));
  const room = way === "anew" ? [await requireDiskSpace(all)] : [];
  for (const one of way === "resume" ? await chooseResumed(all) : all) {
    plans.push(way === "back" ? await planBack(one) : await planReindex(one));
  }
  const lines = [...plans.flatMap((one) => formatPlan(one, way)), ...room];
  const data = { indices: plans, room: room[0] };
  return { exitCode: EXIT_OK, data, lines: lines.length > 0 ? lines : ["no build was interrupted"] };
}

function formatOutcome(outcome: ReindexOutcome): string[] {
  const { index, built, former, documents, compared, repaired, questions, pruned, seconds } = outcome;
  const rate = formatCount(Math.round(documents / Math.max(seconds, 0.001)));
  return [
    `${index}: ${built} is live: ${formatCount(documents)} documents in ${seconds.toFixed(1)} s (${rate} documents/s)`,
    `  compared  ${formatCount(compared.expected)} expected, ${formatCount(compared.found)} found, ${questions} known questions answered`,
    ...(repaired > 0 ? [`  repaired  ${formatCount(repaired)}`] : []),
    ...(former ? [`  former    ${former} (\`npm run cli -- reindex ${index} --back\` returns to it)`] : []),
    ...pruned.map((name) => `  deleted   ${name}`),
  ];
}

type Plan = Awaited<ReturnType<typeof planBack | typeof planReindex>>;

function formatPlan(plan: Plan, way: PlannedWay): string[] {
  if (!("records" in plan)) return [`${plan.index}: ${plan.live} would be live in place of ${plan.former}`];
  const { index, version, live, records, interrupted: build, pruned } = plan;
  const what =
    way === "resume" && build ? `${build} would be continued` : `version ${version} would be built`;
  return [
    `${index}: ${what} from about ${formatCount(records)} records`,
    ...(live ? [`  ${live} would be the former index`] : []),
    ...(build && way === "anew" ? [`  ${build}, interrupted, would be deleted`] : []),
    ...pruned.map((name) => `  ${name} would be deleted`),
  ];
}
