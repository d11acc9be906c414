/** The part `worst`: what other clients get while one client sends the most expensive queries that could be found. */
import { indices } from "../../../index-mappings/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import type { WireClient } from "../http-client.ts";
import { createRandom, type Random } from "../random.ts";
import { slipInWord } from "../recall/wording.ts";
import { openClient, runApi } from "../search/api-process.ts";
import { KEEP_OPTION, openRegister, type SearchedRegister } from "../search/register.ts";
import { askSteadily, askTimed, summariseAnswers, toAnswerRows, type TimedAnswer } from "../steadily.ts";
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
    { flags: "--tried <number>", description: "queries tried", default: String(TRIED) },
    { flags: "--seconds <number>", description: "seconds that they are sent", default: String(SECONDS) },
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
  const ms = Number(own.seconds ?? SECONDS) * 1_000;
  const needs = new Set(indices.map(({ name }) => name));
  const register = await openRegister(context, { companies, seed, needs, isKept: own.keep === true });
  const { client, base } = await runApi(context, register);
  const { client: hostile } = await openClient(context, register, { base, name: "hostile" });
  const usual = register.sample.companies.map(
    ({ name }) => `/search/companies?q=${encodeURIComponent(name)}`,
  );
  const others = { perSecond: OTHERS_A_SECOND, ms };
  await askSteadily(client, usual, { perSecond: 50, ms: 5_000 });
  context.tell("looking for the worst queries");
  const worst = await findWorst(hostile, wordsOf(register), {
    random: createRandom(seed),
    tried: Number(own.tried ?? TRIED),
  });
  context.tell("usual searches alone");
  const alone = await askSteadily(client, usual, others);
  context.tell(`${AT_ONCE} of the worst at once for ${ms / 1_000} s`);
  const [beside, sent] = await Promise.all([
    askSteadily(client, usual, others),
    repeat(hostile, worst.map(addressOf), ms),
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
    const made = from ? change(from.words, words, random) : make(words, random);
    const { status, ms } = await askTimed(client, addressOf({ path, words: made }));
    // Answers with an error of the client (4xx) count, too: the server has spent the time.
    if (status < 500) worst = [...worst, { path, words: made, ms }];
    worst = worst.toSorted((a, b) => b.ms - a.ms).slice(0, WORST);
  }
  return worst;
}

function addressOf({ path, words }: Pick<Slow, "path" | "words">): string {
  return `${path}?q=${encodeURIComponent(words.join(" ").slice(0, MOST_CHARACTERS))}`;
}

function make(words: readonly string[], random: Random): string[] {
  const turn = random.pick([slip, beginningOf, (word: string) => word]);
  return Array.from({ length: 1 + random.below(16) }, () => turn(random.pick(words), random));
}

function change(from: readonly string[], words: readonly string[], random: Random): string[] {
  const turned = random.pick([slip, beginningOf])(random.pick(words), random);
  const place = random.below(from.length + 1);
  return [...from.slice(0, place), turned, ...from.slice(place + random.below(2))];
}

function slip(word: string, random: Random): string {
  return word.length < 3 ? word : slipInWord(word, random);
}

function beginningOf(word: string, random: Random): string {
  return word.slice(0, 1 + random.below(3));
}

/** Sends the queries for `ms`, AT_ONCE at a time; being hostile, the client repeats a refused one at once. */
async function repeat(client: WireClient, paths: readonly string[], ms: number): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = [];
  const until = performance.now() + ms;
  const caller = async (first: number) => {
    for (let number = first; performance.now() < until; number += 1)
      answers.push(await askTimed(client, paths[number % paths.length] ?? "/search?q=a"));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_one, number) => caller(number)));
  return answers;
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
