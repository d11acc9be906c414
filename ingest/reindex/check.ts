/** Owns the check of a new index before it goes live: counts, sampled content, known questions. */
import { fetchRulesFault } from "../../index-mappings/name-rules.ts";
import { nextOf } from "../../index-mappings/define-index.ts";
import type { Build } from "../log/followers.ts";
import { formatCount } from "../progress.ts";
import { compareIndex, type Comparison } from "../verify/compare-index.ts";
import { confirmDifferences } from "../verify/confirm.ts";
import { describeDifference } from "../verify/examine.ts";
import { CheckError, resumeHint, type Filled, type ReindexRun } from "./define-reindex.ts";
import { describeUnanswered, isAnswered, questionsAbout, type Question } from "./known-questions.ts";
import { catchUp } from "./move.ts";
import type { Standing } from "./standing.ts";

// Differences, and questions, that are named.
const NAMED = 10;
// Sampled documents that questions are asked about, two of each at most.
const ASKED_ABOUT = 50;

/** Throws CheckError when the new index is not what MongoDB makes of it; returns what was looked at. */
export async function checkIndex(run: ReindexRun, build: Build, standing: Standing, filled: Filled) {
  await guardShrinking(run, standing, filled);
  await run.stores.elasticsearch.refresh();
  const compared = await compareCounts(run, build, filled);
  const next = nextOf(run.index);
  const differing = await confirmDifferences(run.stores, next, filled.sample, () => catchUp(run));
  refuse(
    run,
    "sampled documents differ from MongoDB",
    differing.map((one) => describeDifference(one)),
  );
  const questions = await askQuestions(run, standing, filled.sample.slice(0, ASKED_ABOUT));
  return { compared, questions };
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
 * An index that has taken as many writes as the scan made, and holds as many documents, was written by nobody else; of one
 * that was gone on with every document has been compared. Otherwise that is done now, which knows writes under way from
 * differences.
 */
async function compareCounts(
  run: ReindexRun,
  { _id }: Build,
  { documents, repaired }: Filled,
): Promise<Comparison> {
  const { stores, index, observer } = run;
  const next = nextOf(index);
  const found = await stores.elasticsearch.count(next.name);
  const hasOwnAlone = async () => (await stores.elasticsearch.builds.countOperations(_id)) === documents;
  if (found === documents && (repaired !== undefined || (await hasOwnAlone())))
    return { expected: documents, found, missing: 0, extra: 0, different: 0 };
  const what = `comparing the new index of ${index.name} with MongoDB`;
  const beforeLook = () => catchUp(run);
  const { compared, named } = await compareIndex(stores, next, { observer, what, show: NAMED, beforeLook });
  const { missing, extra, different } = compared;
  const faults = `${missing} missing, ${extra} extra, ${different} different`;
  refuse(
    run,
    `it differs from MongoDB: ${faults}`,
    named.map((one) => describeDifference(one)),
  );
  return compared;
}

/** A question that the live index does not answer either says nothing about the new one. */
async function askQuestions(run: ReindexRun, { live }: Standing, sample: string[]): Promise<number> {
  const { stores, index } = run;
  const next = nextOf(index);
  const held = await stores.elasticsearch.fetchDocuments(next.name, sample);
  const asked = held.flatMap((document) => questionsAbout(index.name, document));
  const open = await filterUnanswered(asked, (question) => isAnswered(stores, next.name, question));
  if (open.length === 0) return asked.length;
  // What was written during the questions is another matter: only what MongoDB has not changed since is named.
  await stores.elasticsearch.refresh();
  const now = await stores.elasticsearch.fetchDocuments(next.name, sample);
  const versions = new Map(now.map(({ id, version }) => [id, version]));
  const changed = new Set(held.filter(({ id, version }) => versions.get(id) !== version).map(({ id }) => id));
  const isComparable =
    live !== undefined && (await fetchRulesFault(stores.elasticsearch, [index.name])) === null;
  const still = await filterUnanswered(open, async (question) => {
    if (changed.has(question.id) || (await isAnswered(stores, next.name, question))) return true;
    return isComparable && !(await isAnswered(stores, index.name, question));
  });
  refuse(run, "known questions are not answered", still.map(describeUnanswered));
  return asked.length;
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

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
