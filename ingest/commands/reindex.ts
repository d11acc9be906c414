/** Owns the `reindex` command: what may be asked of it, and what is told. */
import { confirm } from "../../api/core/confirm.ts";
import {
  defineCommand,
  type CommandContext,
  type CommandResult,
  type GivenOptions,
} from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { goBack, planBack } from "../reindex/back.ts";
import { CheckError, type ReindexOutcome, type ReindexRun } from "../reindex/define-reindex.ts";
import { planReindex, runReindex } from "../reindex/run-reindex.ts";
import { discardBuild, fetchStanding } from "../reindex/standing.ts";
import { formatBack, formatOutcome, formatPlan } from "./reindex-report.ts";
import { withReindexLock } from "./reindex-process.ts";

const EXIT_OK = 0;
const EXIT_NOT_DONE = 1;
const EXIT_DIFFERENT = 2;
const WAYS = ["resume", "back", "discard"] as const;

export const reindexCommand = defineCommand({
  name: "reindex",
  summary: "Build search indices anew from MongoDB beside the live ones, and take them into use.",
  effect: "deletes",
  details:
    "Loads and searches go on meanwhile: what is written follows into the new index. The new one is compared with MongoDB,\n" +
    "asked known questions, and goes live in one step; whatever fails leaves the live one untouched. The index that was\n" +
    "live is kept as the former one, older ones are deleted. To change a mapping: edit it and the projection, raise the\n" +
    "version, restart API and workers with the new release, reindex. A question is asked only before a build that was\n" +
    "broken off is deleted.\n" +
    "Exit code: 0 done, 2 the new index is not what it should be and was not taken into use, 1 it failed, or you said no.",
  arguments: [
    {
      name: "[index...]",
      description: `of ${indices.map(({ name }) => name).join(", ")}; all when none is named`,
    },
  ],
  options: [
    { flags: "--resume", description: "go on with builds that were broken off" },
    { flags: "--back", description: "make the former index live again, then bring it up to date" },
    {
      flags: "--discard",
      description: "give up builds that were broken off, and delete what there is of them",
    },
    { flags: "--force", description: "although the new index holds far fewer documents than the live one" },
  ],
  example: "reindex companies",
  run: async (context, names, given) => {
    const asked = readIndices(names);
    const ways = WAYS.filter((way) => given[way] !== undefined);
    if (ways.length > 1) throw new CommandError(`--${ways.join(" and --")} exclude each other`);
    const stores = context.openStores();
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    const way = ways[0] ?? "anew";
    if (given.dryRun !== undefined) return plan(stores, asked, way);
    if (way === "discard")
      return withReindexLock(context, stores, given, (run) => discard(context, asked, run, given));
    if (way === "back") return withReindexLock(context, stores, given, (run) => back(asked, run));
    return withReindexLock(context, stores, given, (run) => reindex(context, asked, run, given));
  },
});

type Way = (typeof WAYS)[number] | "anew";
/** A run that still lacks its index. */
type OpenRun = Omit<ReindexRun, "index">;

function readIndices(names: string[]): IndexDefinition[] {
  const unknown = names.find((name) => !indices.some((index) => index.name === name));
  const known = indices.map(({ name }) => name).join(", ");
  if (unknown !== undefined) throw new CommandError(`there is no index ${unknown}; there are ${known}`);
  return indices.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function reindex(
  context: CommandContext,
  asked: IndexDefinition[],
  open: OpenRun,
  given: GivenOptions,
): Promise<CommandResult> {
  const isResumed = given.resume !== undefined;
  const chosen = isResumed ? await filterBuilds(open.stores, asked) : asked;
  if (chosen.length === 0)
    throw new CommandError("no build was broken off; run `npm run cli -- reindex` without --resume");
  const outcomes: ReindexOutcome[] = [];
  const result = (exitCode: number, fault?: string): CommandResult => ({
    exitCode,
    data: { indices: outcomes, ...(fault && { fault }) },
    lines: [...outcomes.flatMap(formatOutcome), ...(fault ? [fault] : [])],
  });
  // All questions come before the first index is built: who answers need not wait for that.
  for (const index of isResumed ? [] : chosen) {
    if (!(await mayReplace(context, open.stores, index, given))) return result(EXIT_NOT_DONE);
  }
  for (const index of chosen) {
    try {
      outcomes.push(await runReindex({ ...open, index }, isResumed));
    } catch (error) {
      if (error instanceof CheckError) return result(EXIT_DIFFERENT, error.message);
      // What has gone live before stays so, and is told.
      for (const line of outcomes.flatMap(formatOutcome)) context.tell(line);
      throw error;
    }
  }
  return result(EXIT_OK);
}

/** Those that have a build under way, or broken off: under the lock it is the latter. */
async function filterBuilds(stores: Stores, asked: IndexDefinition[]): Promise<IndexDefinition[]> {
  const standings = await Promise.all(asked.map((index) => fetchStanding(stores, index)));
  return asked.filter((_index, position) => standings[position]?.build);
}

/** A build that can be gone on with is somebody's work of hours. */
async function mayReplace(
  context: CommandContext,
  stores: Stores,
  index: IndexDefinition,
  { yes }: GivenOptions,
): Promise<boolean> {
  const { build } = await fetchStanding(stores, index);
  if (!build) return true;
  const question = `${build._id} was broken off and is deleted now; --resume would go on with it.`;
  return confirm(context, question, yes !== undefined);
}

async function discard(
  context: CommandContext,
  asked: IndexDefinition[],
  { stores }: OpenRun,
  { yes }: GivenOptions,
): Promise<CommandResult> {
  const removed: string[] = [];
  let exitCode = EXIT_OK;
  for (const index of asked) {
    const { build } = await fetchStanding(stores, index);
    const question = build && `${build._id} was broken off and is deleted now.`;
    if (question && !(await confirm(context, question, yes !== undefined))) {
      exitCode = EXIT_NOT_DONE;
      continue;
    }
    removed.push(...(await discardBuild(stores, index)));
  }
  const lines = removed.length > 0 ? removed.map((name) => `${name} was deleted`) : ["nothing was deleted"];
  return { exitCode, data: { deleted: removed }, lines };
}

async function back(asked: IndexDefinition[], open: OpenRun): Promise<CommandResult> {
  const runs = asked.map((index) => ({ ...open, index }));
  // All or none: one that has no way back is told before the first has gone.
  for (const run of runs) await planBack(run);
  const outcomes = [];
  for (const run of runs) outcomes.push(await goBack(run));
  return { exitCode: EXIT_OK, data: { indices: outcomes }, lines: outcomes.map(formatBack) };
}

async function plan(stores: Stores, asked: IndexDefinition[], way: Way): Promise<CommandResult> {
  const runs = asked.map((index) => ({ stores, index }));
  if (way === "back") {
    const plans = [];
    for (const run of runs) plans.push(await planBack(run));
    const lines = plans.map(
      ({ index, live, former }) => `${index}: ${live} would be live in place of ${former}`,
    );
    return { exitCode: EXIT_OK, data: { indices: plans }, lines };
  }
  const plans = [];
  for (const run of runs) plans.push(await planReindex(run, way === "anew"));
  return { exitCode: EXIT_OK, data: { indices: plans }, lines: plans.flatMap((one) => formatPlan(one, way)) };
}
