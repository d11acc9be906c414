/** Owns the forms of REDIS_URL: one server, or the sentinels that know which server is the primary. Pure. */
import type { RedisOptions } from "ioredis";

// As several clients of Redis write it.
const SENTINELS =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d+))?(?:\?sentinel_password=(?<own>[^&#]*))?$/;
const HOST = /^(?<host>\[[^\]]+\]|[^:]+)(?::(?<port>\d+))?$/;
const SENTINEL_PORT = 26_379;

/** What a connection is opened with; how replies look is not chosen here. */
export type ConnectionOptions = Omit<RedisOptions, "replyMapping">;

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
    // The sentinels tell of a new primary; otherwise it would be asked for only once the old one has gone.
    failoverDetector: true,
  };
}
