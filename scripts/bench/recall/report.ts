/** The report of recall for people. Pure. */
import { formatTable } from "../table.ts";
import type { FalsePositives } from "./false-positives.ts";
import type { ComparedResult } from "./earlier.ts";
import type { FormResult, Miss } from "./measure.ts";

const HEAD = ["form", "search", "queries", "found", "first", "least", "before", "requests", "ms", ""];
const FALSE_HEAD = ["names that nobody has", "asked", "answered", "unmarked", "requests", ""];
const SHORT = "SHORT";

/** The lines of both tables, then the misses and examples that --misses asks for. */
export function describeRecall(
  results: readonly ComparedResult[],
  falsePositives: readonly FalsePositives[],
): string[] {
  const short = results.filter(({ isShort }) => isShort).length;
  return [
    ...formatTable([HEAD, ...results.map(toRow)]),
    "",
    `${short} of ${results.length} rows fall short`,
    ...(falsePositives.length > 0
      ? ["", ...formatTable([FALSE_HEAD, ...falsePositives.map(toFalseRow)])]
      : []),
    ...falsePositives.flatMap(describeReasons),
    ...results.flatMap(describeMisses),
    ...falsePositives.flatMap(describeExamples),
  ];
}

function toRow(result: ComparedResult): string[] {
  const { form, search, queries, found, first, least, before, requests, medianMs, isShort } = result;
  return [
    form,
    search,
    String(queries),
    ...(queries > 0 ? [found.toFixed(2), first.toFixed(2)] : ["-", "-"]),
    describeShares(least),
    describeShares(before),
    ...(queries > 0 ? [requests.toFixed(2), medianMs.toFixed(1)] : ["-", "-"]),
    isShort ? SHORT : "",
  ];
}

function describeShares(shares: { found: number; first?: number } | null): string {
  if (!shares) return "";
  const given = [shares.found, shares.first].filter((share) => share !== undefined);
  return given.map((share) => share.toFixed(2)).join(" / ");
}

function toFalseRow({ search, asked, answered, unmarked, requests, isShort }: FalsePositives): string[] {
  const counts = [asked, answered, unmarked].map(String);
  return [search, ...counts, requests.toFixed(2), isShort ? SHORT : ""];
}

function describeReasons({ search, reasons }: FalsePositives): string[] {
  const counts = Object.entries(reasons).toSorted(([, a], [, b]) => b - a);
  return counts.length > 0
    ? [`  ${search}: ${counts.map(([reason, count]) => `${reason}: ${count}`).join("; ")}`]
    : [];
}

function describeMisses({ form, search, misses }: FormResult): string[] {
  if (misses.length === 0) return [];
  return ["", `${search}, ${form}:`, ...misses.flatMap(describeMiss)];
}

function describeMiss({ query, target, rank, didYouMean, items }: Miss): string[] {
  const place = rank === null ? "not found" : `rank ${rank}`;
  const meant = didYouMean === undefined ? "" : `, did you mean "${didYouMean}"`;
  return [
    `  ${JSON.stringify(query)} -> ${target}: ${place}${meant}`,
    ...items.map((item) => `      ${item}`),
  ];
}

function describeExamples({ search, examples }: FalsePositives): string[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(({ query, items }) => [
    `  "${query}"`,
    ...items.map((item) => `      ${item}`),
  ]);
  return ["", `${search}, names that nobody has:`, ...lines];
}
