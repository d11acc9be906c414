/** Owns counters that all processes of an installation share, each for a stretch of time. */
import type { Redis } from "ioredis";

/** Counters by name. */
export interface Counters {
  /** Counts so many more and returns how many there are; the counter is forgotten so many milliseconds after its first. */
  add: (name: string, forgetMs: number, count?: number) => Promise<number>;
}

const ADD = `
  local count = redis.call('INCRBY', KEYS[1], ARGV[2])
  if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return count`;

/** Opens the counters behind a prefix. */
export function openCounters(
  connection: Redis,
  prefix: string,
  guard: <T>(operation: () => Promise<T>) => Promise<T>,
): Counters {
  return {
    add: (name, forgetMs, count = 1) =>
      guard(async () => Number(await connection.eval(ADD, 1, `${prefix}:${name}`, forgetMs, count))),
  };
}
