/** The part `pages`: size and time of the pages for people, compared with the API answers that they are made from. */
import { groupBy } from "../../../api/shared/values/group-by.ts";
import { startApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { fillLookedUp } from "../lookup/fill.ts";
import { drawPages, measureFirstVisit, measureVisits, type VisitTime } from "../pages/measure.ts";
import { median, quantile, round } from "../statistics.ts";
import { formatTable } from "../table.ts";

const VISITS = 60;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 2;
// Size of the large officer, which this part does not visit.
const LARGE = 1_000;
const WANTED_MS = 200;
const WANTED_BYTES = 100_000;

export const pagesPart = definePart({
  name: "pages",
  title:
    "Bytes and time of each kind of page for people, compared with the API answers that it is made from.",
  details:
    "It loads a generated register with the real command, starts the API with its pages as a separate process, and visits\n" +
    "the start page, searches, companies and officers, one at a time. Times are in milliseconds until the last byte: of the\n" +
    "page, and of the API answers that it is made from, one after the other (the floor), in turn. Bytes are medians: as sent\n" +
    "(brotli), and as the browser reads them. For each kind, 95 of 100 visits should take less than 200 ms, and everything\n" +
    "that a first visit loads should be less than 100,000 bytes.",
  options: [{ flags: "--visits <number>", description: "visits of each kind", default: VISITS }],
  run: measurePages,
});

async function measurePages(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, rounds = ROUNDS, own } = options;
  const registerOptions = { companies, seed, large: Math.min(LARGE, companies), sample: Number(own.visits) };
  const { config, stores, numbers } = await fillLookedUp(context, registerOptions);
  const { client } = await startApi(context, { config: { ...config, PAGES: "open" }, stores });
  const kinds = await drawPages(client, numbers);
  context.tell("warming up, then measuring both ways");
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await measureVisits(client, kinds, seed + 1);
  const times: VisitTime[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(...(await measureVisits(client, kinds, seed)));
  return report(times, await measureFirstVisit(client));
}

function report(times: readonly VisitTime[], firstVisitBytes: number): PartReport {
  const kinds = [...groupBy(times, ({ kind }) => kind)].map(([kind, own]) => {
    const page = own.map((one) => one.page);
    const floor = median(own.map((one) => one.floor));
    return {
      ...{ kind, page: round(median(page), 2), p95: round(quantile(page, 0.95), 2), floor: round(floor, 2) },
      ratio: round(median(page) / floor, 2),
      sentBytes: median(own.map((one) => one.sentBytes)),
      bytes: median(own.map((one) => one.bytes)),
    };
  });
  const rows = kinds.map(({ kind, ...figures }) => [kind, ...Object.values(figures).map(String)]);
  return {
    lines: [
      ...formatTable([["page", "ms", "p95", "floor", "ratio", "bytes sent", "bytes"], ...rows]),
      "",
      `a first visit loads ${firstVisitBytes} bytes, style and script included`,
    ],
    facts: { kinds, firstVisitBytes },
    isShort: firstVisitBytes >= WANTED_BYTES || kinds.some(({ p95 }) => p95 >= WANTED_MS),
  };
}
