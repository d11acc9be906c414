/** Owns the words of a reindex: what it would do, what it has done. Pure. */
import type { BackOutcome } from "../reindex/back.ts";
import type { ReindexOutcome } from "../reindex/define-reindex.ts";
import type { planReindex } from "../reindex/run-reindex.ts";
import { formatCount } from "../progress.ts";

/** What a reindex has come to. */
export function formatOutcome(outcome: ReindexOutcome): string[] {
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

/** What going back has come to. */
export function formatBack({ index, live, former, repaired }: BackOutcome): string {
  return `${index}: ${live} is live, ${formatCount(repaired)} documents brought up to date; ${former} is kept as the former index`;
}

/** What a reindex would do. */
export function formatPlan(
  plan: Awaited<ReturnType<typeof planReindex>>,
  way: "anew" | "resume" | "discard",
): string[] {
  const { index, version, live, records, broken_off: build, pruned, room } = plan;
  if (way === "discard")
    return [build ? `${index}: ${build} would be deleted` : `${index}: nothing would be deleted`];
  if (way === "resume" && !build) return [`${index}: no build was broken off`];
  const what = way === "resume" ? `${build} would be gone on with` : `version ${version} would be built`;
  return [
    `${index}: ${what} from about ${formatCount(records)} records${way === "anew" ? `; ${room}` : ""}`,
    ...(live ? [`  ${live} would be the former index`] : []),
    ...(build && way === "anew" ? [`  ${build}, broken off, would be deleted`] : []),
    ...pruned.map((name) => `  ${name} would be deleted`),
  ];
}
