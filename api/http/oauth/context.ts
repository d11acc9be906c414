/** Owns what the endpoints of OAuth 2.0 share. */
import type { Logger } from "../../shared/runtime/logger.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import type { KnownCaller } from "../auth/known-caller.ts";
import type { Remembered } from "../auth/remembered.ts";
import type { CallCounter, Counted } from "../limits/call-counter.ts";
import type { BaseOf } from "../request-context.ts";
import type { AuthorizationServer } from "./server.ts";

export interface OAuthContext {
  documents: DocumentStore;
  server: AuthorizationServer;
  /** Where access tokens are looked up. */
  tokens: Remembered<KnownCaller>;
  /** Counts attempts to guess a password or code, for all processes together. */
  counter: CallCounter;
  clock: () => Date;
  baseOf: BaseOf;
  /** Removes expired tokens, grants and sign-ins from time to time. */
  sweep: (log: Logger) => void;
  /** Most calls of the pages, and most failed requests of web servers, from one address in five minutes. */
  addressLimit: number;
}

/** Counts one more attempt for each; true while none of them has too many. Call it before checking a password or code. */
export async function beginAttempt(
  { counter }: OAuthContext,
  attempts: readonly Counted[],
): Promise<boolean> {
  const counts = await Promise.all(attempts.map((attempt) => counter.count(attempt)));
  return attempts.every(({ limit }, at) => (counts[at] ?? 0) <= limit);
}

/** What the check finds. One that fails, too late or with too many before it, has checked nothing: the attempt is taken back. */
export async function checkAttempt<Found>(
  context: OAuthContext,
  attempts: readonly Counted[],
  check: Promise<Found>,
): Promise<Found> {
  try {
    return await check;
  } catch (error) {
    await forgetAttempt(context, attempts);
    throw error;
  }
}

/** Takes one attempt back, because it was right or was not checked. */
export async function forgetAttempt({ counter }: OAuthContext, attempts: readonly Counted[]): Promise<void> {
  await Promise.all(attempts.map((attempt) => counter.count(attempt, -1)));
}
