/**
 * Owns Redis: its connection, what the files beside it do with it, and what an operator asks of it: version, clock, memory,
 * and whether it keeps what it is given.
 */
import { Redis, SentinelConnector, type RedisOptions } from "ioredis";
import { DeniedError, UnavailableError, messageOf } from "../../runtime/errors.ts";
import { LateError, within } from "../../runtime/deadlines.ts";
import { readClientVersion, type ServerState } from "../health.ts";
import { CONNECT_MS, isNetworkFault } from "../network-faults.ts";
import { openLocks } from "./locks.ts";
import { openCounters, openNumbers, type Guard } from "./numbers.ts";
import { watchSentinels } from "./sentinels.ts";

export type RedisStore = ReturnType<typeof openRedis>;

// Longer than BullMQ's blocking reads, which last up to ten seconds.
const LONGEST_READ_MS = 15_000;

// A farewell that stays without an answer is not waited for much longer than a healthy server takes.
const CLOSE_MS = 2_000;
// Whoever can take a proper leave has done so by then. The client's own two seconds would keep the process, even if nothing is open.
const DISCONNECT_MS = 0;

/**
 * Opens a connection, to one server or by its sentinels. Every failure to reach it is an UnavailableError. `forWorker`: the commands of BullMQ wait for Redis to come back,
 * as its worker needs; those of the store give up after the time that every answer has.
 */
export function openRedis(options: {
  url: string;
  prefix: string;
  /**
   * Longest wait for one answer, in milliseconds: after it the operation ends with an UnavailableError, and may still be
   * done. It is no setting of the connection, which BullMQ has too: its blocking reads wait as long as they need.
   */
  timeoutMs: number;
  /** How long a lock holds whose holder was killed, in milliseconds. */
  lockMs: number;
  forWorker?: boolean;
}) {
  const connection = connect(options.url, {
    maxRetriesPerRequest: options.forWorker ? null : 1,
    ...{ connectTimeout: CONNECT_MS, disconnectTimeout: DISCONNECT_MS },
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    // A server whose machine has gone closes nothing: the connection is made again when an answer stays out.
    socketTimeout: Math.max(options.timeoutMs, LONGEST_READ_MS),
    // The former primary, a replica now, keeps its connections; the new one may stand behind the same name.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  });
  const guarded = openGuard(connection, options);
  let asked: Promise<string> | undefined;
  return {
    /** The connection itself, for BullMQ. */
    connection,

    /** Runs what BullMQ does on the connection, with the deadline and the errors of the store's own operations. */
    guard: guarded,

    ...openNumbers(connection, options.prefix, guarded),
    locks: openLocks(connection, { key: `${options.prefix}:locks`, heldMs: options.lockMs }, guarded),
    counters: openCounters(connection, options.prefix, guarded),
    health: openHealth(connection, guarded),
    /** Rejects when the server does not answer, within so many milliseconds if given. */
    ping: (withinMs = options.timeoutMs): Promise<void> =>
      guarded(async () => {
        // One for all who ask: while it connects, the client keeps every command.
        asked ??= connection.ping().finally(() => (asked = undefined));
        await within(withinMs, asked);
      }),
    close: () => close(connection),
  };
}

function openGuard(
  connection: Redis,
  { timeoutMs, forWorker }: { timeoutMs: number; forWorker?: boolean },
): Guard {
  // A command that gave up says only that it did; why the connection failed is logged here.
  let lastFault: unknown;
  connection.on("error", (error) => (lastFault = error));
  connection.on("ready", () => (lastFault = undefined));
  const whileReachable = watchSentinels(connection);
  return async (operation) => {
    try {
      const work = forWorker ? operation() : whileReachable(operation());
      return await within(timeoutMs, work);
    } catch (error) {
      throw translate(error, lastFault);
    }
  };
}

function connect(url: string, options: ConnectionOptions): Redis {
  const sentinels = readSentinels(url);
  if (!sentinels) return new Redis(url, options);
  // The cast: the client gives its own options, sentinels included.
  const Connector = EndingConnector as RedisOptions["Connector"];
  return new Redis({ ...options, ...sentinels, Connector });
}

/**
 * Closes the connections to the sentinels with the one to the server. The client leaves them open: after a goodbye they
 * keep the process alive, and while it connects again, what they tell of a new primary would end it for good.
 */
class EndingConnector extends SentinelConnector {
  override async connect(...given: Parameters<SentinelConnector["connect"]>) {
    const stream = await super.connect(...given);
    stream.once("close", () => {
      if (this.stream !== stream) return;
      // Otherwise it would be waited for, with a timer, until it closes.
      this.stream = undefined as unknown as typeof stream;
      this.disconnect();
    });
    return stream;
  }
}

async function close(connection: Redis): Promise<void> {
  const leave = async () => connection.status === "ready" && (await within(CLOSE_MS, connection.quit()));
  if (await leave().catch(() => false)) return;
  // The client would forget whoever asked it between two attempts to connect: the end of one more attempt reaches them.
  if (connection.status === "reconnecting") void connection.connect().catch(() => undefined);
  connection.disconnect();
}

/** A failure to reach Redis as an UnavailableError, one to be let in as a DeniedError. */
function translate(error: unknown, lastFault: unknown): unknown {
  const message = messageOf(error);
  if (DENIED_WORDS.test(message)) return new DeniedError("redis", error);
  const [, code = ""] = REFUSAL_CODE.exec(message) ?? [];
  const refusal = REFUSALS[code];
  if (refusal !== undefined) return new UnavailableError("redis", refusal);
  return isPassing(error) ? new UnavailableError("redis", lastFault ?? error) : error;
}

// What the client says when it has given up.
const PASSING_WORDS = /Connection is closed|max retries|ECONN|ETIMEDOUT/i;

// Refusals that pass, or that an operator ends, as sentences: the server's own may be about a line of a script.
const REFUSALS: Record<string, string> = {
  LOADING: "it is starting and reads its data",
  BUSY: "a script keeps it busy",
  TRYAGAIN: "its cluster moves the keys",
  CLUSTERDOWN: "its cluster is down",
  MASTERDOWN: "it is a replica that has lost its primary",
  READONLY: "it is a replica, which takes no writes (set REDIS_URL to the primary)",
  MISCONF: "it cannot write to its disk, so it takes no writes (its log says why)",
  OOM: "its memory is full, so it takes no writes (raise its maxmemory, or find what fills it)",
  WRONGTYPE:
    "another program uses a key of ours for another type of value (set another QUEUE_PREFIX for one of them)",
  NOREPLICAS: "too few replicas are connected, so it takes no writes (min-replicas-to-write)",
};
// The word with which a Redis begins such an answer. Of a script it stands behind a dash in older servers.
const REFUSAL_CODE = new RegExp(`(?:^|-)(${Object.keys(REFUSALS).join("|")})\\b`);

const DENIED_WORDS = /^(NOAUTH|WRONGPASS|NOPERM|ERR invalid password|ERR AUTH)\b/;

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error instanceof LateError ||
    isNetworkFault(error) ||
    PASSING_WORDS.test(`${error.name} ${error.message}`)
  );
}

// As several clients of Redis write it.
const SENTINELS =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d+))?(?:\?sentinel_password=(?<own>[^&#]*))?$/;
const HOST = /^(?<host>\[[^\]]+\]|[^:]+)(?::(?<port>\d+))?$/;
const SENTINEL_PORT = 26_379;
const SENTINEL_TIMEOUT_MS = 2_000;

/** What a connection is opened with; how replies look is not chosen here. */
type ConnectionOptions = Omit<RedisOptions, "replyMapping">;

/**
 * The options of the sentinels that an address names; undefined for the address of one server. Throws an Error that says
 * the form: `redis+sentinel://[USER:PASSWORD@]HOST[:PORT],…/NAME[/DATABASE][?sentinel_password=…]`.
 */
export function readSentinels(url: string): ConnectionOptions | undefined {
  if (!/^rediss?\+sentinel:/.test(url)) return undefined;
  const given = SENTINELS.exec(url)?.groups;
  const sentinels = given?.hosts?.split(",").map((text) => HOST.exec(text)?.groups);
  if (!given || !sentinels?.every((one) => one !== undefined))
    throw new Error("write redis+sentinel://HOST:PORT,HOST:PORT/NAME, with the name of the primary");
  const { scheme, user = "", password = "", name = "", db = "0", own = "" } = given;
  return {
    sentinels: sentinels.map(({ host = "", port }) => ({
      host: host.replace(/^\[|\]$/g, ""),
      port: port === undefined ? SENTINEL_PORT : Number(port),
    })),
    name: decodeURIComponent(name),
    db: Number(db),
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(own && { sentinelPassword: decodeURIComponent(own) }),
    ...(scheme === "rediss" && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    // Otherwise one that is frozen would be waited for, and the next one not asked.
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    // The sentinels tell of a new primary; otherwise it would be asked for only once the old one has gone.
    failoverDetector: true,
  };
}

interface RedisState extends ServerState {
  /** What it does when its memory is full: `noeviction` is the one that loses nothing; empty if it does not say. */
  evictionPolicy: string;
  /** `master`, or `replica`, to which nothing can be written. */
  role: string;
  usedBytes: number;
  /** 0: as much as there is. */
  mostBytes: number;
  /** True when what was written survives its death (append-only file). */
  isKept: boolean;
  /** False when its last try to write to disk has failed. */
  isDiskWell: boolean;
}

/** Opens what an operator asks of a connection. */
function openHealth(connection: Redis, guarded: Guard) {
  return {
    fetchState: () => guarded(() => fetchState(connection)),
    /** Its clock, in milliseconds since 1970. */
    fetchClock: () => guarded(() => fetchClock(connection)),
  };
}

async function fetchClock(connection: Redis): Promise<number> {
  const [seconds = 0, microseconds = 0] = (await connection.time()).map(Number);
  return seconds * 1_000 + microseconds / 1_000;
}

async function fetchState(connection: Redis): Promise<RedisState> {
  return { ...readState(await connection.info()), clientVersion: readClientVersion("ioredis") };
}

/** Reads the answer to INFO. Pure. */
export function readState(info: string): Omit<RedisState, "clientVersion"> {
  const fact = (name: string) => new RegExp(`^${name}:(.*)`, "m").exec(info)?.[1] ?? "";
  return {
    // Other products name the version of Redis that they stand for.
    version: fact("redis_version"),
    evictionPolicy: fact("maxmemory_policy"),
    role: fact("role") === "slave" ? "replica" : fact("role"),
    usedBytes: Number(fact("used_memory")),
    mostBytes: Number(fact("maxmemory")),
    isKept: fact("aof_enabled") === "1",
    isDiskWell: fact("aof_last_write_status") !== "err" && fact("rdb_last_bgsave_status") !== "err",
  };
}
