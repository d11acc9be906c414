/** The part `overload`: what clients get while they ask for far more than the API can answer. */
import { get } from "node:http";
import { startApi, type RunningApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { loadCompanies } from "../load/pipeline.ts";
import { readPaths } from "../register/company-file.ts";
import {
  askSteadily,
  askTimed,
  askWithoutPause,
  summariseAnswers,
  toAnswerRows,
  type TimedAnswer,
} from "../steadily.ts";
import { formatMegabytes, formatTable } from "../table.ts";

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
      default: SECONDS,
    },
  ],
  run: measureOverload,
});

async function measureOverload(context: PartContext, options: PartOptions): Promise<PartReport> {
  const seconds = Number(options.own.seconds);
  const ms = seconds * 1_000;
  const register = await loadCompanies(context, options, "overloaded");
  const api = await startApi(context, register);
  const { searches, lookups } = await readPaths(register.csv);
  const during = (time: number) =>
    askSteadily(api.client, lookups, { perSecond: LOOKUPS_A_SECOND, ms: time });
  // Warms up: the first searches after a start take many times as long as later ones.
  await askSteadily(api.client, searches, { perSecond: LOOKUPS_A_SECOND, ms: WARM_MS });
  await during(WARM_MS);
  context.tell("lookups alone");
  const alone = await during(10_000);
  context.tell(`${SEARCHES} searches at once for ${seconds} s`);
  const before = api.process.peakBytes() ?? 0;
  const [flood, beside] = await Promise.all([
    askWithoutPause(api.client, searches, { atOnce: SEARCHES, ms, refusedPauseMs: REFUSED_PAUSE_MS }),
    during(ms),
  ]);
  const normalMs = await timeToNormal(api, searches);
  const peak = api.process.peakBytes() ?? 0;
  context.tell(`${DOWNLOADS} downloads`);
  const downloads = openDownloads(api);
  const besideDownloads = await during(ms);
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

/** Milliseconds until ten searches in a row are answered, each within a tenth of a second; it gives up after 30 s. */
async function timeToNormal(api: RunningApi, paths: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (let inARow = 0; inARow < 10 && performance.now() - startedAt < 30_000;) {
    const { status, ms } = await askTimed(api.client, paths[inARow] ?? "/");
    inARow = status === 200 && ms < 100 ? inARow + 1 : 0;
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
  return {
    lines: [
      ...formatTable(toAnswerRows(rows)),
      "",
      `normal again after ${normalMs.toFixed(0)} ms; the API held at most ${formatMegabytes(peak)}, ${formatMegabytes(before)} before`,
      `downloads: ${begun} begun, ${refused} refused, ${formatMegabytes(bytes)} read; p99 of lookups beside them ${ratio.toFixed(2)} times the usual`,
    ],
    facts: { rows, normalMs, before, peak, bytes, begun, refused, ratio },
    isShort: longest > WANTED_MS || normalMs > WANTED_MS || ratio > 2,
  };
}
