/** The part `overload`: what clients get while they ask for far more than the API can answer. */
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { loadWithCommand, openPipeline } from "../load/pipeline.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { readPaths } from "../register/read-paths.ts";
import { settle } from "../rest.ts";
import { runApi, type RunningApi } from "../search/api-process.ts";
import { askSteadily, askTimed, summariseAnswers, toAnswerRows, type TimedAnswer } from "../steadily.ts";
import { formatTable } from "../table.ts";

const SEARCHES = 500;
const SECONDS = 30;
const LOOKUPS_A_SECOND = 50;
const DOWNLOADS = 20;
const SLOW_BYTES_A_SECOND = 1_000;
// After this time a client that was refused asks again.
const REFUSED_PAUSE_MS = 100;
const WANTED_MS = 2_000;
const WARM_MS = 5_000;

export const overloadPart = definePart({
  name: "overload",
  title: "What clients get when they ask for far more than the API can answer.",
  details:
    "It loads a generated register, starts the API as a separate process, and has it answer searches and lookups for ten\n" +
    "seconds: an API that has just started takes longer. Then it measures lookups at a fixed rate: alone;\n" +
    "beside 500 searches at once for --seconds, each repeated as soon as it is answered (a tenth of a second after a\n" +
    "refusal); and beside 20 downloads of everything, ten of which read 1 kB per second. No answer should take more than two\n" +
    "seconds, and beside downloads the p99 of lookups should at most double. Everything runs on one machine.",
  options: [
    {
      flags: "--seconds <number>",
      description: "seconds that each kind of load lasts",
      default: String(SECONDS),
    },
  ],
  run: measureOverload,
});

async function measureOverload(context: PartContext, options: PartOptions): Promise<PartReport> {
  const seconds = Number(options.own.seconds ?? SECONDS);
  const folder = makeTemporaryFolder(context);
  const { csv } = await generateRegister(folder, options, ["csv"]);
  const pipeline = await openPipeline(context, "overloaded", folder);
  context.tell(`loading ${options.companies} companies`);
  await loadWithCommand(context, pipeline, csv);
  await settle(pipeline.config);
  const api = await runApi(context, pipeline);
  const { searches, lookups } = readPaths(csv);
  const during = (ms: number) => askSteadily(api.client, lookups, { perSecond: LOOKUPS_A_SECOND, ms });
  // Warms up: the first searches after a start take many times as long as later ones.
  await askSteadily(api.client, searches, { perSecond: LOOKUPS_A_SECOND, ms: WARM_MS });
  await during(WARM_MS);
  context.tell("lookups alone");
  const alone = await during(10_000);
  context.tell(`${SEARCHES} searches at once for ${seconds} s`);
  const before = api.process.peakBytes() ?? 0;
  const [flood, beside] = await Promise.all([
    askAtOnce(api, searches, seconds * 1_000),
    during(seconds * 1_000),
  ]);
  const normalMs = await timeToNormal(api, searches);
  const peak = api.process.peakBytes() ?? 0;
  context.tell(`${DOWNLOADS} downloads`);
  const downloads = openDownloads(api);
  const besideDownloads = await during(seconds * 1_000);
  const bytes = downloads.close();
  return report({
    alone,
    flood,
    beside,
    besideDownloads,
    normalMs,
    before,
    peak,
    bytes,
    ...downloads.counts,
  });
}

async function askAtOnce(api: RunningApi, paths: readonly string[], ms: number): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = [];
  const until = performance.now() + ms;
  const caller = async (first: number) => {
    for (let number = first; performance.now() < until; number += SEARCHES) {
      const answer = await askTimed(api.client, paths[number % paths.length] ?? "/");
      answers.push(answer);
      if (answer.status === 503) await sleep(REFUSED_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: SEARCHES }, (_one, number) => caller(number)));
  return answers;
}

/** Milliseconds until ten searches in a row are answered, each within a tenth of a second; it gives up after 30 s. */
async function timeToNormal(api: RunningApi, paths: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (let well = 0; well < 10 && performance.now() - startedAt < 30_000;) {
    const { status, ms } = await askTimed(api.client, paths[well] ?? "/");
    well = status === 200 && ms < 100 ? well + 1 : 0;
  }
  return performance.now() - startedAt;
}

/** Starts downloads of everything, each again and again, half of them slow. */
function openDownloads({ base, authorization }: RunningApi) {
  const ends: (() => void)[] = [];
  const counts = { begun: 0, refused: 0 };
  let bytes = 0;
  let isOpen = true;
  const begin = (isSlow: boolean) => {
    if (!isOpen) return;
    const again = () => void setTimeout(() => begin(isSlow), REFUSED_PAUSE_MS * 10);
    const request = get(
      `${base}/advanced-search/companies.csv`,
      { headers: { authorization } },
      (response) => {
        if (response.statusCode === 200) counts.begun += 1;
        else counts.refused += 1;
        response.on("error", () => undefined);
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (!isSlow) return;
          response.pause();
          setTimeout(() => response.resume(), (chunk.length * 1_000) / SLOW_BYTES_A_SECOND).unref();
        });
        response.on("end", again);
      },
    );
    request.on("error", () => undefined);
    ends.push(() => request.destroy());
  };
  for (let number = 0; number < DOWNLOADS; number += 1) begin(number % 2 === 0);
  return {
    counts,
    /** Ends them; returns the bytes they have read. */
    close: () => {
      isOpen = false;
      ends.forEach((end) => end());
      return bytes;
    },
  };
}

interface Measured {
  alone: TimedAnswer[];
  flood: TimedAnswer[];
  beside: TimedAnswer[];
  besideDownloads: TimedAnswer[];
  normalMs: number;
  before: number;
  peak: number;
  bytes: number;
  begun: number;
  refused: number;
}

function report(measured: Measured): PartReport {
  const { alone, flood, beside, besideDownloads, normalMs, before, peak, bytes, begun, refused } = measured;
  const rows = [
    summariseAnswers("lookups alone", alone),
    summariseAnswers(
      "searches, answered",
      flood.filter(({ status }) => status !== 503),
    ),
    summariseAnswers(
      "searches, refused",
      flood.filter(({ status }) => status === 503),
    ),
    summariseAnswers("lookups beside them", beside),
    summariseAnswers("lookups beside downloads", besideDownloads),
  ];
  const [usual, , , , downloading] = rows;
  const longest = Math.max(...rows.map(({ max }) => (Number.isFinite(max) ? max : 0)));
  const ratio = (downloading?.p99 ?? NaN) / (usual?.p99 ?? NaN);
  const megabytes = (size: number) => `${(size / 1e6).toFixed(0)} MB`;
  return {
    lines: [
      ...formatTable(toAnswerRows(rows)),
      "",
      `normal again after ${normalMs.toFixed(0)} ms; the API held at most ${megabytes(peak)}, ${megabytes(before)} before`,
      `downloads: ${begun} begun, ${refused} refused, ${megabytes(bytes)} read; p99 of lookups beside them ${ratio.toFixed(2)} times the usual`,
    ],
    facts: { rows, normalMs, before, peak, bytes, begun, refused, ratio },
    isShort: longest > WANTED_MS || normalMs > WANTED_MS || ratio > 2,
  };
}
