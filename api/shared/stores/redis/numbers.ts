/** Owns the numbers that Redis gives out: the revision clock that orders all writes, the positions of the change log, counters. */
import type { Redis } from "ioredis";
import { UnavailableError } from "../../runtime/errors.ts";

/** Runs an operation on Redis, with a deadline and the errors of the store. */
export type Guard = <T>(operation: () => Promise<T>) => Promise<T>;

export type Counters = ReturnType<typeof openCounters>;

/**
 * Limit: how far revisions may be ahead of this machine's clock, in milliseconds; further ahead none is given out. Where the
 * clock was set back they are ahead by hours; a load of a hundred million rows brings them ahead by half an hour.
 */
export const MOST_AHEAD_MS = 86_400_000;

// A call is heard within a look of an idle worker (ingest/log/follow.ts), and repeated by those who wait.
const CALL_MS = 300;

// The clock never stands still or runs back; %.0f because Lua would write 16 digits in exponents.
// What is not a number was written by others, and is as if it were lost.
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

// One that was forgotten meanwhile stays so: below zero it would let others through.
const TAKE_BACK = `
  local count = tonumber(redis.call('GET', KEYS[1])) or 0
  if count > 0 then redis.call('DECR', KEYS[1]) end
  return 1`;

const FAR_AHEAD =
  "the revisions that order writes are more than a day ahead of this machine's clock (`doctor` says what to do)";

/** Opens the numbers under a prefix, of which no two processes are given the same. */
export function openNumbers(connection: Redis, prefix: string, guarded: Guard) {
  const drawRevision = async (above: number | "") => {
    const most = (Date.now() + MOST_AHEAD_MS) * 1_000;
    const drawn = toNumber(await connection.eval(NEXT_REVISION, 1, `${prefix}:revision`, above, most));
    if (drawn !== null && !(drawn <= most)) throw new UnavailableError("redis", FAR_AHEAD);
    return drawn;
  };
  return {
    /**
     * A number higher than any given out before and than `above`, in microseconds of the server's clock or ahead of it. Throws
     * UnavailableError for one that is too far ahead of ours.
     */
    nextRevision: (above: number) => guarded(async () => Number(await drawRevision(above))),

    /** The same; null when Redis does not know the last one, which may be ahead of the clock: it has lost its data. */
    nextRevisionIfKnown: () => guarded(() => drawRevision("")),

    /** The last revision given out; null when Redis does not know it. */
    fetchRevision: () => guarded(async () => toNumber(await connection.get(`${prefix}:revision`))),

    /**
     * The number after the last one given out, in a row without gaps, or after `above` where that is higher; null when
     * Redis does not know the last one and no `above` is given: it has lost its data.
     */
    nextPosition: (above?: number) =>
      guarded(async () =>
        toNumber(await connection.eval(NEXT_POSITION, 1, `${prefix}:position`, above ?? "")),
      ),

    /** Gives out no position up to `to` any more: a Redis that has lost its last writes would. */
    raisePosition: (to: number) =>
      guarded(async () => void (await connection.eval(RAISE_POSITION, 1, `${prefix}:position`, to))),

    /** The last position given out; null when Redis does not know it. */
    fetchPosition: () => guarded(async () => toNumber(await connection.get(`${prefix}:position`))),

    /** Says that somebody waits for the followers of the change log. */
    callFollowers: () =>
      guarded(async () => void (await connection.set(`${prefix}:called`, 1, "PX", CALL_MS))),

    /** True when somebody has said so just now. */
    areFollowersCalled: () => guarded(async () => (await connection.exists(`${prefix}:called`)) === 1),
  };
}

/** Opens the counters under a prefix, which all processes of an installation share. */
export function openCounters(connection: Redis, prefix: string, guarded: Guard) {
  return {
    /** Counts so many more and returns how many there are; the counter is forgotten so many milliseconds after its first. */
    add: (name: string, forgetMs: number, count = 1) =>
      guarded(async () => Number(await connection.eval(ADD, 1, `${prefix}:${name}`, forgetMs, count))),

    /**
     * Counts one more in one step, unless there are so many already: true when it was counted. The counter is forgotten so many
     * milliseconds after its last.
     */
    addBelow: (name: string, forgetMs: number, limit: number) =>
      guarded(async () => (await connection.eval(ADD_BELOW, 1, `${prefix}:${name}`, forgetMs, limit)) === 1),

    /** Counts one less of what `addBelow` has counted. */
    takeBack: (name: string) =>
      guarded(async () => void (await connection.eval(TAKE_BACK, 1, `${prefix}:${name}`))),
  };
}

function toNumber(given: unknown): number | null {
  return given === null ? null : Number(given);
}
