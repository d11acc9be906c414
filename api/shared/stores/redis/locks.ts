/** Owns locks over processes: held as long as their holder lives, and not much longer. */
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { Guard } from "./numbers.ts";

export type Locks = ReturnType<typeof openLocks>;

/** A lock that is held. */
export interface Lock {
  /**
   * True when nobody else has had it since; also renews it. Another may have had it when this process stood still for too
   * long, and when Redis has lost its data.
   */
  isHeld: () => Promise<boolean>;
  /** The same; asks Redis only when the last renewal has run out. */
  isKept: () => Promise<boolean>;
  /** Lets others read a text; it is forgotten as soon as a lock that is not renewed. */
  note: (text: string) => Promise<void>;
  release: () => Promise<void>;
}

// Renewals in the time that a lock holds: one that is late is made up for by the next.
const RENEWALS = 3;

// One hash for all locks: field = name, value = its last holder and the end of its time, by the server's clock.
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
/** The name of the lock of a kind of record. Who has it last stays readable: one that stood still learns that another had it. */
export function kindLock(collection: string): string {
  return `${KIND}${collection}`;
}
const KIND = "write:";
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

/** Opens the locks under one key, the same for every process. `heldMs`: how long one holds that is not renewed. */
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
    /** Takes the lock until it is given back; null when somebody holds it. Of a killed holder it ends within `heldMs`. */
    acquire: async (name: string): Promise<Lock | null> => {
      const holder = randomUUID();
      const isRecent = startTerm(heldMs);
      const asked = ask(ACQUIRE, name, holder);
      try {
        return (await guarded(() => asked)) === 1 ? keep(name, holder, isRecent) : null;
      } catch (error) {
        // The connection may still send it once Redis is back, when nobody waits for the lock any longer.
        void asked.then(() => giveBack(name, holder)).catch(() => undefined);
        throw error;
      }
    },

    /** Names of the locks that are held. */
    list: () => guarded(async () => (await connection.eval(LIST, 1, key)) as string[]),

    /** What the holders of these locks have last noted, in the same order; null where there is no note. */
    fetchNotes: (names: readonly string[]): Promise<(string | null)[]> =>
      guarded(async () => (names.length > 0 ? connection.mget(...names.map(noteKey)) : [])),
  };
}

/** True until the lock may have run out. */
type Term = () => boolean;

/**
 * Begins now. Two clocks count it: that of the process stands still while the machine is suspended, and the machine's can be
 * set back. One that was set back asks Redis.
 */
function startTerm(heldMs: number): Term {
  const [day, own] = [Date.now(), performance.now()];
  return () => {
    const passedMs = Date.now() - day;
    return passedMs >= 0 && passedMs < heldMs && performance.now() - own < heldMs;
  };
}

/** Renews a lock until `end`. `isRecent`: the term since it was taken. */
function renewing(renew: () => Promise<boolean>, { isRecent, heldMs }: { isRecent: Term; heldMs: number }) {
  let term = isRecent;
  const isHeld = async () => {
    const next = startTerm(heldMs);
    const isOurs = await renew();
    term = isOurs ? next : () => false;
    return isOurs;
  };
  // A Redis that is unavailable for a while costs nothing: nobody else can take the lock then either.
  const timer = setInterval(() => void isHeld().catch(() => false), heldMs / RENEWALS);
  timer.unref();
  const isKept = async () => term() || isHeld();
  return { isHeld, isKept, end: () => clearInterval(timer) };
}
