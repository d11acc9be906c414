/** Clients that send requests at a steady rate, whatever happens to the cluster, and record each answer. */
import { basic } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";
import { lookups, searches, type Answer, type Question } from "./known-companies.ts";
import { CUT_HEADER } from "./proxy.ts";

// Twenty searches and five lookups a second.
const SEARCH_EVERY_MS = 50;
const LOOKUP_EVERY_MS = 200;
// The time limit of a request.
const ANSWER_WITHIN_MS = 30_000;

/** The outcome of one request. */
export interface Outcome {
  kind: string;
  /** By the clock of `performance`. */
  startedAt: number;
  ms: number;
  /** Null when the answer was right. */
  fault: string | null;
  /** True if the connection broke after the request was sent. */
  isCut: boolean;
}

/** The running clients. */
export interface Clients {
  outcomes: readonly Outcome[];
  /** Resolves when `count` requests that started after the call got right answers; rejects after `withinMs`. */
  waitForAnswers: (count: number, withinMs: number) => Promise<void>;
  /** Resolves when the last request has ended. */
  close: () => Promise<void>;
}

/** Starts to send requests to this address, with a key. */
export function startClients(address: string, key: string): Clients {
  const outcomes: Outcome[] = [];
  const open: Promise<void>[] = [];
  const begin = (questions: readonly Question[], everyMs: number) => {
    let turn = 0;
    return setInterval(() => {
      const question = questions[turn++ % questions.length]!; // the remainder is a place in the list
      open.push(ask(address, key, question).then((outcome) => void outcomes.push(outcome)));
    }, everyMs);
  };
  const timers = [begin(searches, SEARCH_EVERY_MS), begin(lookups, LOOKUP_EVERY_MS)];
  return {
    outcomes,
    waitForAnswers: (count, withinMs) => {
      const since = performance.now();
      const isRight = ({ startedAt, fault }: Outcome) => startedAt >= since && fault === null;
      const areAnswered = () => Promise.resolve(outcomes.filter(isRight).length >= count);
      return waitUntil(areAnswered, `${count} right answers`, withinMs);
    },
    close: async () => {
      timers.forEach(clearInterval);
      await Promise.all(open);
    },
  };
}

async function ask(address: string, key: string, question: Question): Promise<Outcome> {
  const { kind, path, expected, read } = question;
  const startedAt = performance.now();
  const end = (fault: string | null, isCut = false) => {
    const said = fault && `${kind} ${path}: ${fault}`;
    return { kind, startedAt, ms: performance.now() - startedAt, fault: said, isCut };
  };
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const response = await fetch(`${address}${path}`, { headers: basic(key), signal });
    const text = await response.text();
    if (response.status !== 200)
      return end(`${response.status} ${text.slice(0, 200)}`, response.headers.has(CUT_HEADER));
    const found = read(JSON.parse(text) as Answer) ?? "nothing";
    return end(found.toUpperCase().includes(expected) ? null : `${found} instead of ${expected}`);
  } catch (error) {
    // The proxy breaks the connection if its own connection to the API broke during the answer.
    return end(String(error), error instanceof TypeError);
  }
}
