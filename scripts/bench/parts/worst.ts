/** The part `worst`: what other clients get while one client sends the most expensive queries that could be found. */
import { openClient, startApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import type { WireClient } from "../http-client.ts";
import { createRandom, type Random } from "../random.ts";
import { slipInWord } from "../recall/wording.ts";
import { KEEP_OPTION, openRegister, type SearchedRegister } from "../search/register.ts";
import {
  askSteadily,
  askTimed,
  askWithoutPause,
  summariseAnswers,
  toAnswerRows,
  type TimedAnswer,
} from "../steadily.ts";
import { formatTable } from "../table.ts";

const TRIED = 400;
const WORST = 10;
const AT_ONCE = 20;
const SECONDS = 20;
const OTHERS_A_SECOND = 10;
const WANTED_RATIO = 3;
const MOST_CHARACTERS = 160;
const PATHS = [
  "/search",
  "/search/companies",
  "/search/officers",
  "/search/persons-with-significant-control",
];

export const worstPart = definePart({
  name: "worst",
  title: "What the others get while one client sends the most expensive queries that could be found.",
  details:
    "It fills the real indices with a generated register and starts the API as a separate process. It makes queries at random\n" +
    "(many words, each with a slip, short beginnings, stop words, single letters), keeps the slowest, and changes these\n" +
    "further. Then an application sends them, 20 at once and each again as soon as it is answered, while another one sends\n" +
    "usual searches at a fixed rate. The p99 of the others should be at most three times the usual.",
  options: [
    { flags: "--tried <number>", description: "queries tried", default: TRIED },
    { flags: "--seconds <number>", description: "seconds that they are sent", default: SECONDS },
    KEEP_OPTION,
  ],
  run: measureWorst,
});

interface Slow {
  path: string;
  words: string[];
  ms: number;
}

async function measureWorst(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, own } = options;
  const ms = Number(own.seconds) * 1_000;
  const tried = Number(own.tried);
  const register = await openRegister(context, { companies, seed, isKept: own.keep === true });
  const { client, base } = await startApi(context, register);
  const { client: hostile } = await openClient(context, register.stores, { base, name: "hostile" });
  const usual = register.sample.companies.map(
    ({ name }) => `/search/companies?q=${encodeURIComponent(name)}`,
  );
  const others = { perSecond: OTHERS_A_SECOND, ms };
  await askSteadily(client, usual, { perSecond: 50, ms: 5_000 });
  context.tell("looking for the worst queries");
  const worst = await findWorst(hostile, wordsOf(register), { random: createRandom(seed), tried });
  context.tell("usual searches alone");
  const alone = await askSteadily(client, usual, others);
  context.tell(`${AT_ONCE} of the worst at once for ${ms / 1_000} s`);
  // Being hostile, the client repeats a refused query at once.
  const [beside, sent] = await Promise.all([
    askSteadily(client, usual, others),
    askWithoutPause(hostile, worst.map(addressOf), { atOnce: AT_ONCE, ms }),
  ]);
  return report({ worst, alone, beside, sent });
}

function wordsOf({ sample }: SearchedRegister): string[] {
  const names = [
    ...sample.companies.map(({ name }) => name),
    ...sample.persons.map(({ forename, surname }) => `${forename} ${surname}`),
  ];
  return [...new Set(names.flatMap((name) => name.toLowerCase().split(/\s+/)))];
}

/** Tries queries and returns the slowest. A third is made from scratch; the others change a query that was slow. */
async function findWorst(
  client: WireClient,
  words: readonly string[],
  { random, tried }: { random: Random; tried: number },
): Promise<Slow[]> {
  let worst: Slow[] = [];
  for (let number = 0; number < tried; number += 1) {
    const from = worst.length < WORST || random.below(3) === 0 ? undefined : random.pick(worst);
    const path = from?.path ?? random.pick(PATHS);
    const query = { path, words: from ? changeQuery(from.words, words, random) : makeQuery(words, random) };
    const { status, ms } = await askTimed(client, addressOf(query));
    // Answers with an error of the client (4xx) count, too: the server has spent the time.
    if (status < 500) worst = [...worst, { ...query, ms }];
    worst = worst.toSorted((a, b) => b.ms - a.ms).slice(0, WORST);
  }
  return worst;
}

function addressOf({ path, words }: Pick<Slow, "path" | "words">): string {
  return `${path}?q=${encodeURIComponent(words.join(" ").slice(0, MOST_CHARACTERS))}`;
}

/** A query of up to 16 words, all changed in the same way, or left as they are. */
function makeQuery(words: readonly string[], random: Random): string[] {
  const changeWord = random.pick([misspell, shorten, (word: string) => word]);
  return Array.from({ length: 1 + random.below(16) }, () => changeWord(random.pick(words), random));
}

/** The query with one more word somewhere, or with a word in the place of another. */
function changeQuery(query: readonly string[], words: readonly string[], random: Random): string[] {
  const added = random.pick([misspell, shorten])(random.pick(words), random);
  const place = random.below(query.length + 1);
  return [...query.slice(0, place), added, ...query.slice(place + random.below(2))];
}

function misspell(word: string, random: Random): string {
  return word.length < 3 ? word : slipInWord(word, random);
}

function shorten(word: string, random: Random): string {
  return word.slice(0, 1 + random.below(3));
}

function report(measured: {
  worst: Slow[];
  alone: TimedAnswer[];
  beside: TimedAnswer[];
  sent: TimedAnswer[];
}): PartReport {
  const { worst, alone, beside, sent } = measured;
  const usual = summariseAnswers("usual searches alone", alone);
  const others = summariseAnswers("usual searches beside", beside);
  const rows = [usual, others, summariseAnswers("the worst", sent)];
  const ratio = others.p99 / usual.p99;
  return {
    lines: [
      ...worst.slice(0, 3).map((slow) => `${slow.ms.toFixed(0)} ms: ${decodeURIComponent(addressOf(slow))}`),
      "",
      ...formatTable(toAnswerRows(rows)),
      "",
      `p99 of the others ${ratio.toFixed(2)} times the usual`,
    ],
    facts: { worst, rows, ratio },
    isShort: ratio > WANTED_RATIO || others.others > 0,
  };
}
