/**
 * Creates the clients of the MongoDB driver, and corrects two of its faults.
 *
 * First, a command must end when its connection closes (`EndingConnection`). When the driver (7.8, 7.9) cannot write a
 * command at once, it waits for the socket to drain, and listens only to the socket's errors. A connection that times
 * out because the server reads nothing, or that the server closes properly, closes without an error event: the command
 * waits for ever. If that command is the monitor's check of the server, the client never finds the server again.
 *
 * Second, operations that wait for the first connection must all get its error, and the next one must try again
 * (`AwaitedClient`). The driver gives the reason to the first operation only, and tells the others that it has closed
 * its connection. It then keeps the closed topology, so that every later operation fails, even when the server is
 * back.
 *
 * test/engine/lost-connection.test.ts shows both; when it passes without a correction, that one can go.
 */
import { channel } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { MongoClient, type Db, type Document, type MongoClientOptions } from "mongodb";
import { CONNECT_MS } from "../network-faults.ts";

/** Limit: operations of one process that MongoDB handles at once; others wait in the driver. */
export const CONNECTIONS = 32;

/** Each command, as it is sent. Tests compare the commands with the list of those that the service needs. */
const commands = channel("company-register:mongodb-command");

/** A command with the driver's additions; the first one on a connection is a `query`. */
interface Message {
  command?: Document;
  query?: Document;
}

/** The part of the driver's connection that the correction uses; the driver does not export its type. */
interface Connection {
  /** Why it closed; set before `close` is emitted. */
  error: Error;
  once: (event: "close", listener: () => void) => void;
  off: (event: "close", listener: () => void) => void;
  /** Resolves when the socket has taken the bytes of the command. */
  writeCommand(message: Message, ...options: unknown[]): Promise<void>;
}

const { Connection } = createRequire(import.meta.url)("mongodb/lib/cmap/connection.js") as {
  Connection: new (...options: unknown[]) => Connection;
};

class EndingConnection extends Connection {
  override async writeCommand(message: Message, ...options: unknown[]): Promise<void> {
    if (commands.hasSubscribers) commands.publish(message.command ?? message.query);
    let onClose: () => void = () => undefined;
    const closed = new Promise<never>((_resolve, reject) => {
      onClose = () => reject(this.error);
    });
    this.once("close", onClose);
    try {
      await Promise.race([super.writeCommand(message, ...options), closed]);
    } finally {
      this.off("close", onClose);
    }
  }
}

/** The part of the driver's client that the correction uses; the driver does not export its type. */
interface Connecting {
  topology?: { isConnected: () => boolean } | undefined;
}

class AwaitedClient extends MongoClient {
  /** Until the topology is connected, operations see none, so they all wait for the same `connect`. */
  override db(...given: Parameters<MongoClient["db"]>): Db {
    const client = this as Connecting;
    // The cast: everything else is this client's.
    const seen = Object.create(this, {
      topology: { get: () => (client.topology?.isConnected() ? client.topology : undefined) },
      connect: { value: () => this.connect() },
    }) as MongoClient;
    return super.db.apply(seen, given);
  }
}

// The server ends a read at its deadline and answers a little later. The socket must not time out before that.
const GRACE_MS = 500;
// Limit: longest wait for one answer to a scan, a count or the making of an index.
const LONG_TIMEOUT_MS = 30 * 60_000;

/**
 * Two clients of this address; nothing is sent until their first operation. The second is for work that takes longer
 * the larger a collection is: scans, counts and removals of a span of ids, the making of indexes. It waits longer for
 * an answer than any request may, so it has its own connections. Throws MongoParseError for an invalid address.
 */
export function openClients(url: string, timeoutMs: number): [MongoClient, MongoClient] {
  const client = createClient(url, {
    connectTimeoutMS: CONNECT_MS,
    // A request must not wait long for a lost server: it gets 503, and the caller tries again.
    serverSelectionTimeoutMS: Math.min(timeoutMs, 3_000),
    socketTimeoutMS: timeoutMs + GRACE_MS,
    maxPoolSize: CONNECTIONS,
    // An operation that waits for a free connection waits no longer than the operations that hold one, also on a server
    // that accepts connections and then answers nothing.
    waitQueueTimeoutMS: timeoutMs,
    // An acknowledged write survives a crash of the server. A replica set does this by default. A standalone server
    // would acknowledge up to 100 ms before it writes the journal, so a batch that counts as written could be lost.
    journal: true,
  });
  // connectTimeoutMS also limits each check of the driver's monitor, and a check that is late closes every connection.
  // With a STORE_TIMEOUT_MS of 30 s it stays at the driver's default of 30 s, because a slow check must not end half
  // an hour of work. The API uses this client only for pings, so there a shorter limit does no harm.
  const long = {
    connectTimeoutMS: Math.max(CONNECT_MS, timeoutMs),
    serverSelectionTimeoutMS: 3_000,
    socketTimeoutMS: LONG_TIMEOUT_MS,
    maxPoolSize: 4,
  };
  return [client, createClient(url, long)];
}

function createClient(url: string, options: MongoClientOptions): MongoClient {
  // `connectionType` is the driver's option for another class of connections; its types leave it out.
  const connecting = { connectionType: EndingConnection };
  return new AwaitedClient(url, { ...options, ...connecting });
}
