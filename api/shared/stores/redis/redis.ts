/**
 * Opens Redis, by one address or by sentinels. Translates its errors, closes it, and reads its health for operators:
 * version, clock, memory, persistence. The files beside it have its locks, counters and numbers.
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

// Longest wait for the answer to QUIT: not much longer than a healthy server takes.
const CLOSE_MS = 2_000;
// QUIT has had its time by then. The client's default of two seconds would keep the process alive for nothing.
const DISCONNECT_MS = 0;

/**
 * Opens a connection, to one server or by its sentinels. Every failure to reach it is an UnavailableError. `forWorker`:
 * BullMQ's commands wait until Redis is back, as its worker requires; the store's own still end after `timeoutMs`.
 */
export function openRedis(options: {
  url: string;
  prefix: string;
  /**
   * Longest wait for one answer, in milliseconds. Then the operation ends with an UnavailableError, but Redis may still
   * do it. Not an option of the connection, because BullMQ's blocking reads on it must wait longer.
   */
  timeoutMs: number;
  /** How long the lock of a killed holder lasts, in milliseconds. */
  lockMs: number;
  forWorker?: boolean;
}) {
  const connection = connect(options.url, {
    maxRetriesPerRequest: options.forWorker ? null : 1,
    ...{ connectTimeout: CONNECT_MS, disconnectTimeout: DISCONNECT_MS },
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    // A machine that has left the network closes no connection, so we reconnect when an answer does not come.
    socketTimeout: Math.max(options.timeoutMs, LONGEST_READ_MS),
    // After a failover the former primary, now a replica, keeps its connections. The same name may lead to the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  });
  const guarded = openGuard(connection, options);
  let pinging: Promise<string> | undefined;
  return {
    /** The connection itself, for BullMQ. */
    connection,

    /** Runs a call of BullMQ with the deadline and the errors of the store's own operations. */
    guard: guarded,

    ...openNumbers(connection, options.prefix, guarded),
    locks: openLocks(connection, { key: `${options.prefix}:locks`, heldMs: options.lockMs }, guarded),
    counters: openCounters(connection, options.prefix, guarded),
    health: openHealth(connection, guarded),
    /** Rejects when the server does not answer within so many milliseconds. */
    ping: (withinMs = options.timeoutMs): Promise<void> =>
      guarded(async () => {
        // One PING for all callers, since the client queues every command while it connects.
        pinging ??= connection.ping().finally(() => (pinging = undefined));
        await within(withinMs, pinging);
      }),
    close: () => close(connection),
  };
}

function openGuard(
  connection: Redis,
  { timeoutMs, forWorker }: { timeoutMs: number; forWorker?: boolean },
): Guard {
  // A command that gave up does not say why the connection failed, so the reason is kept here.
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
  // The cast: the client passes its own options to the connector, sentinels included.
  const Connector = EndingConnector as RedisOptions["Connector"];
  return new Redis({ ...options, ...sentinels, Connector });
}

/**
 * Closes the connections to the sentinels together with the one to the server. The client leaves them open. After QUIT
 * they would keep the process alive; while the client reconnects, their news of a new primary would close it for good.
 */
class EndingConnector extends SentinelConnector {
  override async connect(...given: Parameters<SentinelConnector["connect"]>) {
    const stream = await super.connect(...given);
    stream.once("close", () => {
      if (this.stream !== stream) return;
      // Otherwise `disconnect` would wait for this stream, with a timer, until it closes.
      this.stream = undefined as unknown as typeof stream;
      this.disconnect();
    });
    return stream;
  }
}

async function close(connection: Redis): Promise<void> {
  const quit = async () => connection.status === "ready" && (await within(CLOSE_MS, connection.quit()));
  if (await quit().catch(() => false)) return;
  // Between two attempts to connect, `disconnect` alone would never settle queued commands; ending an attempt does.
  if (connection.status === "reconnecting") void connection.connect().catch(() => undefined);
  connection.disconnect();
}

/** Makes a failure to reach Redis an UnavailableError, and a refused login or right a DeniedError. */
function translate(error: unknown, lastFault: unknown): unknown {
  const message = messageOf(error);
  if (DENIED_WORDS.test(message)) return new DeniedError("redis", error);
  const [, code = ""] = REFUSAL_CODE.exec(message) ?? [];
  const refusal = REFUSALS[code];
  if (refusal !== undefined) return new UnavailableError("redis", refusal);
  return isPassing(error) ? new UnavailableError("redis", lastFault ?? error) : error;
}

// The client's messages when it has given up.
const PASSING_WORDS = /Connection is closed|max retries|ECONN|ETIMEDOUT/i;

// Refusals that pass, or that an operator ends, in our words: the server's own may be about a line of a script.
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
// Redis begins such an answer with the code. In older servers, answers to scripts have it after a dash.
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

// The form that several clients of Redis use.
const SENTINELS =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d+))?(?:\?sentinel_password=(?<own>[^&#]*))?$/;
const HOST = /^(?<host>\[[^\]]+\]|[^:]+)(?::(?<port>\d+))?$/;
const SENTINEL_PORT = 26_379;
const SENTINEL_TIMEOUT_MS = 2_000;

/** Options of a connection; the form of replies is not chosen here. */
type ConnectionOptions = Omit<RedisOptions, "replyMapping">;

/**
 * The options for an address of sentinels; undefined for the address of one server. Throws an Error that names the
 * form: `redis+sentinel://[USER:PASSWORD@]HOST[:PORT],…/NAME[/DATABASE][?sentinel_password=…]`.
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
    // Otherwise the client would wait for a frozen sentinel, and not ask the next one.
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    // The sentinels announce a new primary; otherwise the client asks for it only once the old one has gone.
    failoverDetector: true,
  };
}

interface RedisState extends ServerState {
  /** What it does when its memory is full. Only `noeviction` loses nothing; empty if Redis does not report it. */
  evictionPolicy: string;
  /** `master`, or `replica`, which takes no writes. */
  role: string;
  usedBytes: number;
  /** 0: no limit. */
  mostBytes: number;
  /** True when writes survive a crash (append-only file). */
  isKept: boolean;
  /** False when its last write to disk has failed. */
  isDiskWell: boolean;
}

/** Reads for operators. */
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
    // Compatible products report the version of Redis that they replace.
    version: fact("redis_version"),
    evictionPolicy: fact("maxmemory_policy"),
    role: fact("role") === "slave" ? "replica" : fact("role"),
    usedBytes: Number(fact("used_memory")),
    mostBytes: Number(fact("maxmemory")),
    isKept: fact("aof_enabled") === "1",
    isDiskWell: fact("aof_last_write_status") !== "err" && fact("rdb_last_bgsave_status") !== "err",
  };
}
