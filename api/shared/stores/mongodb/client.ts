/**
 * Owns how the driver is opened, and two corrections of it.
 *
 * A command ends when its connection closes, whatever it waits for. The driver (7.8, 7.9) waits for the socket to drain when it could not write a command at once, and hears only of the
 * socket's errors meanwhile. Without a word of error goes a connection that timed out on a server that reads nothing,
 * and one that the server ended properly: the command waits for ever. When that command is the monitor's question
 * whether the server is there, the client never finds the server again.
 *
 * While a client looks for a server for the first time, every operation waits for that look; if it fails, each gets its
 * error, and the next operation looks again. The driver tells the reason to the first operation alone, and the others that
 * it has closed its connection. It keeps what it has closed, and every later operation fails by it, however long the server
 * has been back.
 *
 * test/engine/lost-connection.test.ts shows both; when it passes without a correction, that one can go.
 */
import { channel } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { MongoClient, type Db, type Document, type MongoClientOptions } from "mongodb";
import { CONNECT_MS } from "../network-faults.ts";

/** Limit: operations of one process that MongoDB works on at once; others wait in the driver. */
export const CONNECTIONS = 32;

/** Each command, as it is sent. The tests listen, and compare it with the list of what the service needs of MongoDB. */
const commands = channel("company-register:mongodb-command");

/** A command with what the driver has added to it; the very first of a connection is a `query`. */
interface Message {
  command?: Document;
  query?: Document;
}

/** What the correction uses of the driver's connection, which its types leave out. */
interface Connection {
  /** Why it closed; set before `close` is emitted. */
  error: Error;
  once: (event: "close", listener: () => void) => void;
  off: (event: "close", listener: () => void) => void;
  /** Ends when the bytes of a command were handed over. */
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

/** What the correction uses of the driver's client, which its types leave out. */
interface Connecting {
  topology?: { isConnected: () => boolean } | undefined;
}

class AwaitedClient extends MongoClient {
  /** Its operations see a connection only once it is there; until then they wait for the same one. */
  override db(...given: Parameters<MongoClient["db"]>): Db {
    const client = this as Connecting;
    // The cast: all else is as it is in this client.
    const seen = Object.create(this, {
      topology: { get: () => (client.topology?.isConnected() ? client.topology : undefined) },
      connect: { value: () => this.connect() },
    }) as MongoClient;
    return super.db.apply(seen, given);
  }
}

// The server ends a read at its deadline, and says so a little later: its connection must not be closed before.
const GRACE_MS = 500;
// Limit: longest wait for one answer of a long question.
const LONG_TIMEOUT_MS = 30 * 60_000;

/**
 * Two clients of this address; nothing is sent until their first operation. The second is for what takes as long as a
 * collection is large, scans, counts and removals of a span of ids and the making of indexes: it waits for each answer
 * longer than any request may, and so has connections of its own. Throws MongoParseError for no such address.
 */
export function openClients(url: string, timeoutMs: number): [MongoClient, MongoClient] {
  const client = createClient(url, {
    connectTimeoutMS: CONNECT_MS,
    // A request must not wait long for a server that is gone: it is answered 503 and tried again.
    serverSelectionTimeoutMS: Math.min(timeoutMs, 3_000),
    socketTimeoutMS: timeoutMs + GRACE_MS,
    maxPoolSize: CONNECTIONS,
    // Of a server that greets and then answers nothing: who finds every connection taken does not wait longer than they do.
    waitQueueTimeoutMS: timeoutMs,
    // What is acknowledged survives the death of the server, as a replica set has it by itself; a server of its own
    // would answer up to 100 ms before, and a batch that counts as written could be lost.
    journal: true,
  });
  // The time a connection may take to come about is also the monitor's for each look at the server, and after a look that was
  // too late every connection ends: where answers may take the driver's own 30 s it stays, for a slow look must not end half an
  // hour's work. The API has no such work: it only asks whether the server is there.
  const long = {
    connectTimeoutMS: Math.max(CONNECT_MS, timeoutMs),
    serverSelectionTimeoutMS: 3_000,
    socketTimeoutMS: LONG_TIMEOUT_MS,
    maxPoolSize: 4,
  };
  return [client, createClient(url, long)];
}

function createClient(url: string, options: MongoClientOptions): MongoClient {
  // `connectionType` is the driver's own seam for another class of connections; its types leave it out.
  const connecting = { connectionType: EndingConnection };
  return new AwaitedClient(url, { ...options, ...connecting });
}
