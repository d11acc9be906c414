/** Owns the numbers that Redis gives out: the revision clock that orders all writes, and the positions of the change log. */
import type { Redis } from "ioredis";

/** Numbers that no two processes are given. */
export interface Numbers {
  /**
   * A number higher than any given out before and than `above`, in microseconds of the server's clock: it stays ahead of
   * old ones even after Redis has lost its data, since none is ahead of the clock.
   */
  nextRevision: (above?: number) => Promise<number>;
  /**
   * The number after the last one given out, in a row without gaps, or after `above` where that is higher; null when Redis
   * does not know the last one and no `above` is given: it has lost its data.
   */
  nextPosition: (above?: number) => Promise<number | null>;
  /** Gives out no position up to `to` any more: a Redis that has lost its last writes would. */
  raisePosition: (to: number) => Promise<void>;
  /** The last position given out; null when Redis does not know it. */
  fetchPosition: () => Promise<number | null>;
}

// The clock never stands still or runs back; %.0f because Lua would write 16 digits in exponents.
const NEXT_REVISION = `
  local last = tonumber(redis.call('GET', KEYS[1]) or '0')
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  if now <= last then now = last + 1 end
  if now <= tonumber(ARGV[1]) then now = tonumber(ARGV[1]) + 1 end
  redis.call('SET', KEYS[1], string.format('%.0f', now))
  return string.format('%.0f', now)`;

const NEXT_POSITION = `
  local last = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
  if not last then return false end
  if ARGV[1] ~= '' and last < tonumber(ARGV[1]) then last = tonumber(ARGV[1]) end
  redis.call('SET', KEYS[1], string.format('%.0f', last + 1))
  return last + 1`;

const RAISE_POSITION = `
  local last = tonumber(redis.call('GET', KEYS[1]) or '-1')
  if last < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
  return 1`;

/** Opens the numbers under a prefix. */
export function openNumbers(
  connection: Redis,
  prefix: string,
  guarded: <T>(operation: () => Promise<T>) => Promise<T>,
): Numbers {
  return {
    nextRevision: (above = 0) =>
      guarded(async () => Number(await connection.eval(NEXT_REVISION, 1, `${prefix}:revision`, above))),
    nextPosition: (above) =>
      guarded(async () => {
        const given = await connection.eval(NEXT_POSITION, 1, `${prefix}:position`, above ?? "");
        return given === null ? null : Number(given);
      }),
    raisePosition: (to) =>
      guarded(async () => void (await connection.eval(RAISE_POSITION, 1, `${prefix}:position`, to))),
    fetchPosition: () =>
      guarded(async () => {
        const last = await connection.get(`${prefix}:position`);
        return last === null ? null : Number(last);
      }),
  };
}
