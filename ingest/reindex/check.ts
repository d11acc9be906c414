/** Owns the check of a new index before it goes live: counts, sampled content, known questions. */
import { fetchRulesFault } from "../../index-mappings/name-rules.ts";
import { nextOf } from "../../index-mappings/define-index.ts";
import type { Build } from "../log/followers.ts";
import { formatCount } from "../progress.ts";
import { compareIndex, countDifferences, type Comparison, type Named } from "../verify/compare-index.ts";
import { confirmDifferences } from "../verify/confirm.ts";
import { CheckError, resumeHint, type ReindexRun } from "./define-reindex.ts";
import type { Filled } from "./fill.ts";
import { describeUnanswered, isAnswered, questionsAbout, type Question } from "./known-questions.ts";
import { catchUp } from "./move.ts";
import type { Standing } from "./standing.ts";

// Differences, and questions, that are named.
const NAMED = 10;
// Sampled documents that questions are asked about, two of each at most.
const ASKED_ABOUT = 50;

/** Throws CheckError when the new index is not what MongoDB makes of it; returns what was looked at. */
export async function checkIndex(
  run: ReindexRun,
  build: Build,
  { standing, filled, isResumed }: { standing: Standing; filled: Filled; isResumed: boolean },
) {
  await guardShrinking(run, standing, filled);
  await run.stores.elasticsearch.refresh();
  const { compared, repaired } = await compareCounts(run, build, filled, isResumed);
  const next = nextOf(run.index);
  const differing = await confirmDifferences(run.stores, next, filled.sample, () => catchUp(run));
  refuse(run, "sampled documents differ from MongoDB", differing.map(describeDifference));
  const questions = await askQuestions(run, standing, filled.sample.slice(0, ASKED_ABOUT));
  return { compared, repaired, questions };
}

/** MongoDB emptied by accident would otherwise empty the search as well. */
async function guardShrinking(
  { stores, index, minPercent, isForced }: ReindexRun,
  { live }: Standing,
  { documents }: Filled,
): Promise<void> {
  if (isForced || !live) return;
  const held = await stores.elasticsearch.count(index.name);
  if (documents * 100 >= held * minPercent) return;
  throw new CheckError(
    `MongoDB makes ${formatCount(documents)} documents of ${index.name}, the live index holds ${formatCount(held)}: ` +
      `less than COMPLETE_MIN_PERCENT (${minPercent} %); --force goes on all the same. ${sentence(resumeHint(index.name))}`,
  );
}

/**
 * An index that has taken as many writes as the scan made, and holds as many documents, was written by nobody else.
 * Otherwise every document is compared, which knows writes under way from differences.
 */
async function compareCounts(
  run: ReindexRun,
  build: Build,
  { documents }: Filled,
  isResumed: boolean,
): Promise<{ compared: Comparison; repaired: number }> {
  const { elasticsearch } = run.stores;
  const found = await elasticsearch.count(nextOf(run.index).name);
  const operations = await elasticsearch.builds.countOperations(build._id);
  if (!isResumed && found === documents && operations === documents) {
    return { compared: { expected: documents, found, missing: 0, extra: 0, different: 0 }, repaired: 0 };
  }
  const first = await compareAll(run, isResumed);
  const repaired = isResumed ? countDifferences(first.compared) : 0;
  const last = repaired > 0 ? await compareAll(run, false) : first;
  const { missing, extra, different } = last.compared;
  const faults = `${missing} missing, ${extra} extra, ${different} different`;
  refuse(run, `it differs from MongoDB: ${faults}`, last.named.map(describeDifference));
  return { compared: last.compared, repaired };
}

function compareAll(run: ReindexRun, isRepair: boolean) {
  const { stores, index, observer } = run;
  return compareIndex(stores, nextOf(index), {
    ...observer.watch(`comparing the new index of ${index.name} with MongoDB`, 0),
    show: NAMED,
    isRepair,
    beforeLook: () => catchUp(run),
    isStopping: observer.isStopping,
  });
}

/** A question that the live index does not answer either says nothing about the new one. */
async function askQuestions(run: ReindexRun, { live }: Standing, sample: string[]): Promise<number> {
  const { stores, index } = run;
  const next = nextOf(index);
  const held = await stores.elasticsearch.fetchDocuments(next.name, sample);
  const questions = held.flatMap((document) => questionsAbout(index.name, document));
  const unanswered = await filterUnanswered(questions, (question) => isAnswered(stores, next.name, question));
  if (unanswered.length === 0) return questions.length;
  // What was written during the questions is another matter: only what MongoDB has not changed since is named.
  await stores.elasticsearch.refresh();
  const now = new Map(
    (await stores.elasticsearch.fetchDocuments(next.name, sample)).map((item) => [item.id, item]),
  );
  const versionBefore = new Map(held.map(({ id, version }) => [id, version]));
  const same = unanswered.filter(({ id }) => now.get(id)?.version === versionBefore.get(id));
  const isComparable =
    live !== undefined && (await fetchRulesFault(stores.elasticsearch, [index.name])) === null;
  const still = await filterUnanswered(same, async (question) => {
    if (await isAnswered(stores, next.name, question)) return true;
    return isComparable && !(await isAnswered(stores, index.name, question));
  });
  refuse(run, "known questions are not answered", still.map(describeUnanswered));
  return questions.length;
}

async function filterUnanswered(
  questions: readonly Question[],
  isFine: (question: Question) => Promise<boolean>,
): Promise<Question[]> {
  const open: Question[] = [];
  for (const question of questions) if (!(await isFine(question))) open.push(question);
  return open;
}

function refuse({ index }: ReindexRun, what: string, named: string[]): void {
  if (named.length === 0) return;
  const shown = named.slice(0, NAMED).join("; ");
  throw new CheckError(
    `the new index of ${index.name} is not taken into use: ${what} (${shown}). ${sentence(resumeHint(index.name))}`,
  );
}

function describeDifference({ id, kind, what }: Named): string {
  return `${kind} ${id}${what === "version" ? " (version)" : ""}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
