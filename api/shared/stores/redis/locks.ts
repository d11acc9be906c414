/** Locks that all processes of an installation share. The lock of a killed process ends by itself after LOCK_MS. */
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { Guard } from "./numbers.ts";

export type Locks = ReturnType<typeof openLocks>;

/** A lock that this process has taken. */
export interface Lock {
  /**
   * Renews the lock; false when another process has held it since. That happens when this process stood still for too
   * long, or when Redis has lost its data.
   */
  isHeld: () => Promise<boolean>;
  /** The same, but asks Redis only when the last renewal has run out. */
  isKept: () => Promise<boolean>;
  /** Stores a text that others can read (`fetchNotes`), for as long as a lock lasts without renewal. */
  note: (text: string) => Promise<void>;
  release: () => Promise<void>;
}

// Renewals in the lifetime of a lock, so that a late one does not lose it.
const RENEWALS = 3;

// One hash for all locks: field = name, value = last holder and when its lock expires, by the server's clock.
const NOW = "local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000);";
const READ = `
  local held = redis.call('HGET', KEYS[1], ARGV[1])
  local last, ends = nil, 0
  if held then last, ends = string.match(held, '^([^|]+)|(%d+)$') end
  local set = function (time)
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '|' .. string.format('%.0f', now + time))
    return 1
  end
  if last == ARGV[2] then last = nil end`;
const ACQUIRE = `${NOW} ${READ}
  if last and tonumber(ends) > now then return 0 end
  return set(ARGV[3])`;
const RENEW = `${NOW} ${READ}
  if last then return 0 end
  return set(ARGV[3])`;
const KIND = "write:";
// The lock of a kind stays stored after its release: a process that stood still must learn that another has held it.
const RELEASE = `${NOW} ${READ}
  if last then return 0 end
  if string.sub(ARGV[1], 1, ${KIND.length}) == '${KIND}' then return set(0) end
  return redis.call('HDEL', KEYS[1], ARGV[1])`;
const FORGOTTEN_MS = 30 * 86_400_000;
const LIST = `${NOW}
  local names = {}
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    local ends = tonumber(string.match(all[i + 1], '|(%d+)$') or 0)
    if ends > now then names[#names + 1] = all[i] end
    if ends < now - ${FORGOTTEN_MS} then redis.call('HDEL', KEYS[1], all[i]) end
  end
  return names`;

/** The name of the lock of a kind of record. */
export function kindLock(collection: string): string {
  return `${KIND}${collection}`;
}

/** Opens the locks under one key. `heldMs`: how long a lock lasts without renewal, in milliseconds. */
export function openLocks(
  connection: Redis,
  { key, heldMs }: { key: string; heldMs: number },
  guarded: Guard,
) {
  const ask = (script: string, name: string, holder: string) =>
    connection.eval(script, 1, key, name, holder, heldMs);
  const giveBack = (name: string, holder: string) => ask(RELEASE, name, holder);
  const noteKey = (name: string) => `${key}:note:${name}`;
  const keep = (name: string, holder: string, isRecent: Term): Lock => {
    const renew = () => guarded(async () => (await ask(RENEW, name, holder)) === 1);
    const { end, ...renewed } = renewing(renew, { isRecent, heldMs });
    return {
      ...renewed,
      note: (text) => guarded(async () => void (await connection.set(noteKey(name), text, "PX", heldMs))),
      release: async () => {
        end();
        await guarded(() => giveBack(name, holder));
      },
    };
  };
  return {
    /** Takes the lock until `release`; null while another holder has it. A killed holder's ends within `heldMs`. */
    acquire: async (name: string): Promise<Lock | null> => {
      const holder = randomUUID();
      const isRecent = startTerm(heldMs);
      const asked = ask(ACQUIRE, name, holder);
      try {
        return (await guarded(() => asked)) === 1 ? keep(name, holder, isRecent) : null;
      } catch (error) {
        // The client may still send the command once Redis is back. By then nobody waits for this lock.
        void asked.then(() => giveBack(name, holder)).catch(() => undefined);
        throw error;
      }
    },

    /** Names of the locks that are held. */
    list: () => guarded(async () => (await connection.eval(LIST, 1, key)) as string[]),

    /** The last notes of the holders of these locks, in the same order; null for a lock without one. */
    fetchNotes: (names: readonly string[]): Promise<(string | null)[]> =>
      guarded(async () => (names.length > 0 ? connection.mget(...names.map(noteKey)) : [])),
  };
}

/** True until the lock may have run out. */
type Term = () => boolean;

/**
 * Begins a term now. Two clocks measure it, because the process's clock stops while the machine is suspended, and the
 * machine's clock can be set back. When that was set back, the term counts as over.
 */
function startTerm(heldMs: number): Term {
  const [day, own] = [Date.now(), performance.now()];
  return () => {
    const passedMs = Date.now() - day;
    return passedMs >= 0 && passedMs < heldMs && performance.now() - own < heldMs;
  };
}

/** Renews a lock until `end`. `isRecent`: the term that began when it was taken. */
function renewing(renew: () => Promise<boolean>, { isRecent, heldMs }: { isRecent: Term; heldMs: number }) {
  let term = isRecent;
  const isHeld = async () => {
    const next = startTerm(heldMs);
    const isOurs = await renew();
    term = isOurs ? next : () => false;
    return isOurs;
  };
  // A failed renewal is harmless while Redis is unavailable: nobody else can take the lock then either.
  const timer = setInterval(() => void isHeld().catch(() => false), heldMs / RENEWALS);
  timer.unref();
  const isKept = async () => term() || isHeld();
  return { isHeld, isKept, end: () => clearInterval(timer) };
}
