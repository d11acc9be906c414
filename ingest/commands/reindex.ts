/** The `reindex` command: its options, its lock and its report. */
import { formatCount } from "../../api/shared/runtime/format.ts";
import { defineCommand, type CommandContext, type CommandResult } from "./define-command.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { waitForLock } from "../load/kind-locks.ts";
import { patientStores } from "../patient-stores.ts";
import { planReindex, runReindex, type ReindexOutcome } from "../reindex/run-reindex.ts";
import { CheckError, goBack, planBack, REINDEX_LOCK, type ReindexRun } from "../reindex/standing.ts";
import { chooseNamed, lockedElsewhere, lockSeconds, observe, patienceOf } from "./long-work.ts";

const EXIT_OK = 0;
const EXIT_DIFFERENT = 2;

export const reindexCommand = defineCommand({
  name: "reindex",
  summary: "Build new search indices from MongoDB beside the live ones, then switch to them.",
  effect: "writes",
  details:
    "Loads and searches continue meanwhile, and the new index receives all writes. It is compared with MongoDB, tested\n" +
    "with known questions, and goes live in one step; if anything fails, the live index stays as it is. The index that\n" +
    "was live is kept as the former one, older ones are deleted. To change a mapping: edit it and the projection, raise\n" +
    "the version, restart API and workers with the new release, reindex. An interrupted reindex begins anew when you\n" +
    "run it again, and deletes what was left.\n" +
    "Exit code: 0 done, 2 the new index is wrong and did not go live, 1 it failed.",
  arguments: [
    { name: "[index...]", description: `${indices.map(({ name }) => name).join(", ")}; default: all` },
  ],
  options: [
    { flags: "--back", description: "make the former index live again, then bring it up to date" },
    { flags: "--force", description: "even if the new index has far fewer documents than the live one" },
  ],
  example: "reindex companies",
  run: async (context, names, given) => {
    const asked = chooseNamed("index", indices, names);
    const isBack = given.back !== undefined;
    const stores = context.openStores();
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    if (given.dryRun !== undefined) return plan(stores, asked, isBack);
    const lock = await acquire(context, stores);
    const patient = patientStores(stores, patienceOf(context, "reindex"));
    const minPercent = given.force === undefined ? context.config.COMPLETE_MIN_PERCENT : 0;
    const run = { lock, stores: patient, observer: observe(context), minPercent };
    const runs = asked.map((index) => ({ ...run, index }));
    return (isBack ? back(runs) : reindex(runs)).finally(() => lock.release().catch(() => undefined));
  },
});

/** Waits until the lock of a killed reindex has expired. */
function acquire({ config, tell, isStopping }: CommandContext, { redis }: Stores) {
  const until = performance.now() + config.LOCK_MS + 500; // half a second of grace
  return waitForLock(redis, REINDEX_LOCK, (wait) => {
    if (performance.now() > until || isStopping()) throw lockedElsewhere(config, "a reindex");
    if (wait === 1) tell(`another reindex holds the lock; waiting ${lockSeconds(config)} s in case it died`);
  });
}

async function reindex(runs: ReindexRun[]): Promise<CommandResult> {
  const outcomes: ReindexOutcome[] = [];
  const tell = (exitCode: number, ...faults: string[]): CommandResult => ({
    exitCode,
    data: { indices: outcomes, fault: faults[0] },
    lines: [...outcomes.flatMap(formatOutcome), ...faults],
  });
  for (const run of runs) {
    try {
      outcomes.push(await runReindex(run));
    } catch (error) {
      if (error instanceof CheckError) return tell(EXIT_DIFFERENT, error.message);
      // Indices that went live before stay live: report them.
      for (const line of outcomes.flatMap(formatOutcome)) run.observer.onNote(line);
      throw error;
    }
  }
  return tell(EXIT_OK);
}

async function back(runs: ReindexRun[]): Promise<CommandResult> {
  // All or none: check every index before the first goes back.
  for (const run of runs) await planBack(run);
  const indices = [];
  for (const run of runs) indices.push(await goBack(run));
  const lines = indices.map(
    ({ index, live, former, repaired }) =>
      `${index}: ${live} is live, ${formatCount(repaired)} documents brought up to date; ${former} is kept as the former index`,
  );
  return { exitCode: EXIT_OK, data: { indices }, lines };
}

async function plan(stores: Stores, asked: IndexDefinition[], isBack: boolean): Promise<CommandResult> {
  const plans: Plan[] = [];
  for (const index of asked) plans.push(await (isBack ? planBack : planReindex)({ stores, index }));
  const lines = plans.flatMap(formatPlan);
  return { exitCode: EXIT_OK, data: { indices: plans }, lines };
}

function formatOutcome(outcome: ReindexOutcome): string[] {
  const { index, built, former, documents, compared, questions, pruned, seconds } = outcome;
  const rate = formatCount(Math.round(documents / Math.max(seconds, 0.001)));
  return [
    `${index}: ${built} is live: ${formatCount(documents)} documents in ${seconds.toFixed(1)} s (${rate} documents/s)`,
    `  compared  ${formatCount(compared.expected)} expected, ${formatCount(compared.found)} found, ${questions} known questions answered`,
    ...(former ? [`  former    ${former} (\`npm run cli -- reindex ${index} --back\` returns to it)`] : []),
    ...pruned.map((name) => `  deleted   ${name}`),
  ];
}

type Plan = Awaited<ReturnType<typeof planBack | typeof planReindex>>;

function formatPlan(plan: Plan): string[] {
  const { index, live, interrupted } = plan;
  const removed = interrupted ? [`  ${interrupted}, interrupted, would be deleted`] : [];
  if (!("records" in plan)) return [`${index}: ${live} would be live in place of ${plan.former}`, ...removed];
  const { version, records, pruned, room } = plan;
  return [
    `${index}: version ${version} would be built from about ${formatCount(records)} records; ${room}`,
    ...(live ? [`  ${live} would be the former index`] : []),
    ...removed,
    ...pruned.map((name) => `  ${name} would be deleted`),
  ];
}
