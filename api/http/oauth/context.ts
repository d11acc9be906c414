/** Owns what the endpoints of OAuth 2.0 share. */
import type { Logger } from "../../shared/runtime/logger.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import type { KnownCaller } from "../auth/identify.ts";
import type { Remembered } from "../auth/remembered.ts";
import type { Admission } from "../limits/admission.ts";
import type { CallCounter, Counted } from "../limits/rate-limit.ts";
import type { BaseOf } from "../request-context.ts";
import type { AuthorizationServer } from "./server.ts";

export interface OAuthContext {
  documents: DocumentStore;
  server: AuthorizationServer;
  /** Where access tokens are looked up. */
  tokens: Remembered<KnownCaller>;
  /** Counts attempts to guess a password or code, for all processes together. */
  counter: CallCounter;
  /** The lookups of all callers, among which an exchange of tokens is one more: it reads and writes the same store. */
  lookupsUnderWay: Admission;
  clock: () => Date;
  baseOf: BaseOf;
  /** Removes expired tokens, grants and sign-ins from time to time. */
  sweep: (log: Logger) => void;
  /** Most calls of the pages, and most wrong secrets or tokens of web servers, from one address in five minutes. */
  addressLimit: number;
}

/**
 * Checks a password or code, unless there were too many attempts. The attempt is counted before, and taken back when it was
 * right, or when nothing was checked, since the check failed or there were too many: what is not checked must not use up the
 * attempts of others.
 */
export async function attempt<Found>(
  { counter }: OAuthContext,
  attempts: readonly Counted[],
  check: () => Promise<Found | false>,
): Promise<Found | "wrong" | "too many"> {
  const takeBack = (some: readonly Counted[]) =>
    Promise.all(some.map((counted) => counter.count(counted, -1)));
  for (const [at, counted] of attempts.entries()) {
    if ((await counter.count(counted)) <= counted.limit) continue;
    await takeBack(attempts.slice(0, at));
    return "too many";
  }
  let isWrong = false;
  try {
    const found = await check();
    isWrong = found === false;
    return found === false ? "wrong" : found;
  } finally {
    if (!isWrong) await takeBack(attempts);
  }
}
