/** What the endpoints of OAuth 2.0 share, and how a password or code is checked. */
import { companyRecord } from "../../resources/company-profile/record.ts";
import { companiesOf } from "../../shared/access/scopes.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { networkOf } from "../../shared/access/allowed-addresses.ts";
import type { Budget } from "../../shared/runtime/deadlines.ts";
import { BusyError } from "../../shared/runtime/errors.ts";
import type { Logger } from "../../shared/runtime/logger.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import type { KnownCaller } from "../auth/identify.ts";
import type { SecretCache } from "../auth/secret-cache.ts";
import { Admission } from "../limits/admission.ts";
import type { Attempts } from "../limits/attempts.ts";
import type { CallCounter, Counted } from "../limits/rate-limit.ts";
import { outlastDeadline, type AppContext, type BaseOf } from "../request-context.ts";
import type { AuthorizationServer } from "./server.ts";

export interface OAuthContext {
  documents: DocumentStore;
  /** Where the names of companies are read. */
  records: Pick<RecordReader, "fetchByIds">;
  server: AuthorizationServer;
  /** Where access tokens are looked up. */
  tokens: SecretCache<KnownCaller>;
  /** Counts the calls of addresses, for all processes together. */
  counter: CallCounter;
  /** Counts wrong passwords and codes, for all processes together. */
  attempts: Attempts;
  /** Limits how many passwords and codes are checked at once: a flood must not take all memory and all threads. */
  checksUnderWay: Admission;
  /** The limit on all lookups. An exchange of tokens counts as a lookup, because it uses the same store. */
  lookupsUnderWay: Admission;
  clock: () => Date;
  baseOf: BaseOf;
  /** Removes expired tokens, grants and sign-ins from time to time. */
  sweep: (log: Logger) => void;
  /** Most calls of the pages, and most wrong secrets or tokens of web servers, from one address in five minutes. */
  addressLimit: number;
}

/** The companies in scopes, as people read them, by number: name and number, or the number if the name is unknown. */
export async function fetchCompanies(
  { state: { budget } }: AppContext,
  { records }: OAuthContext,
  scopes: readonly string[],
): Promise<Map<string, string>> {
  const numbers = companiesOf(scopes);
  const found = numbers.length > 0 ? await records.fetchByIds(companyRecord, numbers, budget) : [];
  const names = new Map(found.map(({ _id, data }) => [_id, `${data.company_name} (${_id})`]));
  return new Map(numbers.map((number) => [number, names.get(number) ?? number]));
}

/** Shown to a person whose check would have to wait for too many others. */
export const BUSY = "Many people are signing in just now. Wait a moment, then try again.";

// Tuned: a check may wait for half of this. Wait and check together stay below the time that answers have at shutdown.
const CHECK_MS = 18_000;
// Limits: checks of passwords and codes that run at once, two of one address: each takes 32 MB and one of Node's four
// threads. Checks that wait, half of them of one address.
const CHECKS_AT_ONCE = 3;
const CHECKS_WAITING = 40;
const RETRY_AFTER_SECONDS = 5;

/** Opens the limit on checks of passwords and codes, which are slow on purpose. */
export function openChecks(): Admission {
  return new Admission({
    ...{ what: "checks of passwords and codes", atOnce: CHECKS_AT_ONCE, waiting: CHECKS_WAITING },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * Checks a password or code when it is its turn, unless there were too many wrong ones, or too many checks wait
 * ("busy"). The check may take longer than the request's deadline, since it needs more time on a busy machine.
 */
export async function attempt(
  ctx: AppContext,
  { attempts, checksUnderWay }: OAuthContext,
  limits: readonly Counted[],
  isRight: () => Promise<boolean>,
): Promise<"right" | "wrong" | "too many" | "busy"> {
  outlastDeadline(ctx);
  // By address, so that somebody who guesses does not delay people at other addresses.
  const caller = `address:${networkOf(ctx.ip)}`;
  const checkInTurn = (budget?: Budget) =>
    checksUnderWay.run(caller, budget, () => checkGuess(attempts, limits, isRight));
  try {
    return await (ctx.state.budget ? ctx.state.budget.runStep(checkInTurn, CHECK_MS) : checkInTurn());
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    ctx.set("Retry-After", String(error.retryAfterSeconds));
    return "busy";
  }
}

/** Takes an attempt from each limit. All are given back unless the guess was wrong, also when it was not checked. */
async function checkGuess(
  attempts: Attempts,
  limits: readonly Counted[],
  isRight: () => Promise<boolean>,
): Promise<"right" | "wrong" | "too many"> {
  const taken: (() => Promise<void>)[] = [];
  let isWrong = false;
  try {
    for (const limit of limits) {
      const giveBack = await attempts.take(limit);
      if (!giveBack) return "too many";
      taken.push(giveBack);
    }
    isWrong = !(await isRight());
    return isWrong ? "wrong" : "right";
  } finally {
    if (!isWrong) await Promise.all(taken.map((giveBack) => giveBack()));
  }
}
