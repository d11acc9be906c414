/** Requests at a fixed rate, like those of clients that call now and then while the API is busy with others. */
import { setTimeout as sleep } from "node:timers/promises";
import type { WireClient } from "./http-client.ts";
import { quantile } from "./statistics.ts";

/** The status of an answer, and the milliseconds until its last byte. */
export interface TimedAnswer {
  status: number;
  ms: number;
}

/** Sends one request. Throws if no answer comes. */
export async function askTimed(client: WireClient, path: string): Promise<TimedAnswer> {
  const { status, ms } = await client.send({ method: "GET", path, headers: {} });
  return { status, ms };
}

/** Requests the paths in turn, at a fixed rate, without waiting for earlier answers. */
export async function askSteadily(
  client: WireClient,
  paths: readonly string[],
  { perSecond, ms }: { perSecond: number; ms: number },
): Promise<TimedAnswer[]> {
  const asked: Promise<TimedAnswer>[] = [];
  const startedAt = performance.now();
  for (let number = 0; performance.now() - startedAt < ms; number += 1) {
    asked.push(askTimed(client, paths[number % paths.length] ?? "/"));
    const due = startedAt + ((number + 1) * 1_000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
  }
  return Promise.all(asked);
}

/** The figures of some answers; times in milliseconds, NaN without answers. `others`: those whose status is not 200. */
export function summariseAnswers(name: string, answers: readonly TimedAnswer[]) {
  const times = answers.map(({ ms }) => ms);
  return {
    name,
    count: answers.length,
    others: answers.filter(({ status }) => status !== 200).length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: times.length > 0 ? Math.max(...times) : NaN,
  };
}

/** The rows of their table, with its head. */
export function toAnswerRows(summaries: readonly ReturnType<typeof summariseAnswers>[]): string[][] {
  const rows = summaries.map(({ name, count, others, p50, p99, max }) => [
    name,
    ...[count, others].map(String),
    ...[p50, p99, max].map((ms) => ms.toFixed(0)),
  ]);
  return [["", "answers", "not 200", "p50", "p99", "longest, ms"], ...rows];
}
