/** Requests at a fixed rate, and without pause: clients that call now and then, and those that keep the API busy. */
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

/**
 * Requests the paths in turn for `ms`, always `atOnce` of them: each answer is followed by the next request, after a
 * pause if the answer is a refusal (503).
 */
export async function askWithoutPause(
  client: WireClient,
  paths: readonly string[],
  { atOnce, ms, refusedPauseMs = 0 }: { atOnce: number; ms: number; refusedPauseMs?: number },
): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = [];
  const until = performance.now() + ms;
  let next = 0;
  const caller = async () => {
    while (performance.now() < until) {
      const answer = await askTimed(client, paths[next++ % paths.length] ?? "/");
      answers.push(answer);
      if (answer.status === 503 && refusedPauseMs > 0) await sleep(refusedPauseMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return answers;
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
