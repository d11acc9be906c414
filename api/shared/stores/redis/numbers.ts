/** The numbers that Redis issues: revisions, which order all writes; positions in the change log; counters. */
import type { Redis } from "ioredis";
import { UnavailableError } from "../../runtime/errors.ts";

/** Runs an operation on Redis, with a deadline and the errors of the store. */
export type Guard = <T>(operation: () => Promise<T>) => Promise<T>;

export type Counters = ReturnType<typeof openCounters>;

/**
 * Limit: how far revisions may be ahead of this machine's clock, in milliseconds; beyond it none is issued. A clock
 * that was set back leaves them ahead by hours; a load of a hundred million rows brings them ahead by half an hour.
 */
export const MOST_AHEAD_MS = 86_400_000;

// Longer than the 100 ms between two looks of an idle worker (ingest/log/log-follower.ts). Waiting callers repeat it.
const CALL_MS = 300;

// Revisions increase even when the clock was set back. %.0f because Lua would write 16 digits with an exponent.
// A stored value that is not a number was written by another program, and counts as lost.
const NEXT_REVISION = `
  local last = tonumber(redis.call('GET', KEYS[1])) or tonumber(ARGV[1])
  if not last then return false end
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  if now <= last then now = last + 1 end
  if ARGV[1] ~= '' and now <= tonumber(ARGV[1]) then now = tonumber(ARGV[1]) + 1 end
  if now <= tonumber(ARGV[2]) then redis.call('SET', KEYS[1], string.format('%.0f', now)) end
  return string.format('%.0f', now)`;

const NEXT_POSITION = `
  local last = tonumber(redis.call('GET', KEYS[1])) or tonumber(ARGV[1])
  if not last then return false end
  if ARGV[1] ~= '' and last < tonumber(ARGV[1]) then last = tonumber(ARGV[1]) end
  redis.call('SET', KEYS[1], string.format('%.0f', last + 1))
  return last + 1`;

const RAISE_POSITION = `
  local last = tonumber(redis.call('GET', KEYS[1])) or -1
  if last < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
  return 1`;

const ADD = `
  local count = redis.call('INCRBY', KEYS[1], ARGV[2])
  if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return count`;

const ADD_BELOW = `
  local count = tonumber(redis.call('GET', KEYS[1])) or 0
  if count >= tonumber(ARGV[2]) then return 0 end
  redis.call('SET', KEYS[1], count + 1, 'PX', ARGV[1])
  return 1`;

// A counter that has expired stays at zero: below zero it would let too many through.
const TAKE_BACK = `
  local count = tonumber(redis.call('GET', KEYS[1])) or 0
  if count > 0 then redis.call('DECR', KEYS[1]) end
  return 1`;

const FAR_AHEAD =
  "the revisions that order writes are more than a day ahead of this machine's clock (`doctor` says what to do)";

/** Opens the numbers under a prefix. No number is issued twice. */
export function openNumbers(connection: Redis, prefix: string, guarded: Guard) {
  const drawRevision = async (above: number | "") => {
    const most = (Date.now() + MOST_AHEAD_MS) * 1_000;
    const drawn = toNumber(await connection.eval(NEXT_REVISION, 1, `${prefix}:revision`, above, most));
    if (drawn !== null && !(drawn <= most)) throw new UnavailableError("redis", FAR_AHEAD);
    return drawn;
  };
  return {
    /**
     * A number higher than all issued before and than `above`: microseconds since 1970 by the server's clock, or more.
     * Throws UnavailableError when it would be more than MOST_AHEAD_MS ahead of this machine's clock.
     */
    nextRevision: (above: number) => guarded(async () => Number(await drawRevision(above))),

    /** The same without `above`; null when Redis has lost the last one, which may have been ahead of the clock. */
    nextRevisionIfKnown: () => guarded(() => drawRevision("")),

    /** The last revision issued; null when Redis has lost it. */
    fetchRevision: () => guarded(async () => toNumber(await connection.get(`${prefix}:revision`))),

    /**
     * The number after the last one issued, without gaps, or after `above` if that is higher. Null when Redis has lost
     * the last one and `above` is not given.
     */
    nextPosition: (above?: number) =>
      guarded(async () =>
        toNumber(await connection.eval(NEXT_POSITION, 1, `${prefix}:position`, above ?? "")),
      ),

    /** Issues no position up to `to` again, as a Redis that has lost its last writes would. */
    raisePosition: (to: number) =>
      guarded(async () => void (await connection.eval(RAISE_POSITION, 1, `${prefix}:position`, to))),

    /** The last position issued; null when Redis has lost it. */
    fetchPosition: () => guarded(async () => toNumber(await connection.get(`${prefix}:position`))),

    /** Tells the followers of the change log that a process waits for them. */
    callFollowers: () =>
      guarded(async () => void (await connection.set(`${prefix}:called`, 1, "PX", CALL_MS))),

    /** True when a process has called the followers in the last 300 ms. */
    areFollowersCalled: () => guarded(async () => (await connection.exists(`${prefix}:called`)) === 1),
  };
}

/** Opens the counters under a prefix, which all processes of an installation share. */
export function openCounters(connection: Redis, prefix: string, guarded: Guard) {
  return {
    /** Adds to a counter and returns its value. It expires `forgetMs` milliseconds after its first addition. */
    add: (name: string, forgetMs: number, count = 1) =>
      guarded(async () => Number(await connection.eval(ADD, 1, `${prefix}:${name}`, forgetMs, count))),

    /**
     * Adds one to a counter unless it has reached `limit`, in one step; true when it was added. The counter expires
     * `forgetMs` milliseconds after its last addition.
     */
    addBelow: (name: string, forgetMs: number, limit: number) =>
      guarded(async () => (await connection.eval(ADD_BELOW, 1, `${prefix}:${name}`, forgetMs, limit)) === 1),

    /** Takes back one addition of `addBelow`. */
    takeBack: (name: string) =>
      guarded(async () => void (await connection.eval(TAKE_BACK, 1, `${prefix}:${name}`))),
  };
}

function toNumber(given: unknown): number | null {
  return given === null ? null : Number(given);
}
