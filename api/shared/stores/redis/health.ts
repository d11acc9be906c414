/** Owns what an operator asks of Redis: version, clock, memory, and whether it keeps what it is given. */
import type { Redis } from "ioredis";
import type { Guard } from "./numbers.ts";
import { askClock, readClientVersion, type ServerState } from "../health.ts";

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
export function openHealth(connection: Redis, guarded: Guard) {
  return { fetchState: () => guarded(() => fetchState(connection)) };
}

async function fetchState(connection: Redis): Promise<RedisState> {
  const { answer, at } = await askClock(() => connection.time());
  const [seconds = 0, microseconds = 0] = answer.map(Number);
  return {
    ...readState(await connection.info()),
    clientVersion: readClientVersion("ioredis"),
    clockOffsetMs: seconds * 1_000 + microseconds / 1_000 - at,
  };
}

/** Reads the answer to INFO. Pure. */
export function readState(info: string): Omit<RedisState, "clientVersion" | "clockOffsetMs"> {
  const facts = new Map(
    info
      .split("\r\n")
      .map((line) => line.split(":", 2))
      .map(([name = "", value = ""]) => [name, value] as const),
  );
  const fact = (name: string) => facts.get(name) ?? "";
  const product = fact("server_name") || undefined;
  return {
    ...(product && product !== "redis" && { product }),
    version: fact(`${product ?? "redis"}_version`) || fact("redis_version"),
    evictionPolicy: fact("maxmemory_policy"),
    role: fact("role") === "slave" ? "replica" : fact("role"),
    usedBytes: Number(fact("used_memory")),
    mostBytes: Number(fact("maxmemory")),
    isKept: fact("aof_enabled") === "1",
    isDiskWell: fact("aof_last_write_status") !== "err" && fact("rdb_last_bgsave_status") !== "err",
  };
}
