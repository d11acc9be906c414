/** The server side of MongoDB's wire protocol: reads a driver's commands and writes answers. */
import { createServer, type Server, type Socket } from "node:net";
import { BSON, type Document } from "mongodb";

const HEADER_BYTES = 16;
const OP_REPLY = 1;
// A driver sends its first command in this form, before it knows that the server reads OP_MSG.
const OP_QUERY = 2004;
const OP_MSG = 2013;
const LISTS = ["documents", "updates", "deletes"];

/** A command. The items of its lists stay BSON bytes, which is enough to count them. */
export type WireCommand = Document & { $db: string; documents?: Uint8Array[] };

/** Gives the answer to a command; undefined sends none, as to a command that waits for a change of the server. */
type Answer = (command: WireCommand) => Document | undefined;

/** Makes a server that answers each command; it is not listening yet. */
export function createWireServer(answer: Answer): Server {
  return createServer((socket) => {
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    let waiting: Buffer[] = [];
    let length = 0;
    let needed = HEADER_BYTES;
    socket.on("data", (chunk) => {
      waiting.push(chunk);
      length += chunk.length;
      // Chunks are joined when the header or the whole message has come, not each time.
      while (length >= needed) {
        const data = Buffer.concat(waiting, length);
        const size = data.readInt32LE(0);
        const isWhole = length >= size;
        if (isWhole) reply(socket, data.subarray(0, size), answer);
        waiting = [isWhole ? data.subarray(size) : data];
        length -= isWhole ? size : 0;
        needed = isWhole ? HEADER_BYTES : size;
      }
    });
  });
}

function reply(socket: Socket, message: Buffer, answer: Answer): void {
  const asked = message.readInt32LE(4);
  const isQuery = message.readInt32LE(12) === OP_QUERY;
  const answered = answer(isQuery ? readQuery(message) : readMessage(message));
  if (!answered) return;
  const body = BSON.serialize({ ok: 1, ...answered });
  // OP_REPLY has flags, cursor (8 bytes), offset, and number of documents. OP_MSG has flags, and the kind of its only
  // section.
  const front = Buffer.alloc(HEADER_BYTES + (isQuery ? 20 : 5));
  front.writeInt32LE(front.length + body.length, 0);
  front.writeInt32LE(asked, 8);
  front.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  if (isQuery) front.writeInt32LE(1, front.length - 4);
  socket.write(Buffer.concat([front, body]));
}

function readQuery(message: Buffer): WireCommand {
  const start = HEADER_BYTES + 4;
  // After the collection's name come two numbers: how many to skip, and how many to return.
  const body = message.indexOf(0, start) + 1 + 8;
  return { ...readDocument(message, body), $db: "admin" };
}

/** Reads an OP_MSG: one section is the command; others may be its lists. */
function readMessage(message: Buffer): WireCommand {
  const command: Document = {};
  let at = HEADER_BYTES + 4;
  while (at < message.length) {
    const isBody = message[at] === 0;
    const end = at + 1 + message.readInt32LE(at + 1);
    if (isBody) Object.assign(command, readDocument(message, at + 1));
    else {
      const nameEnd = message.indexOf(0, at + 5);
      const name = message.toString("latin1", at + 5, nameEnd);
      command[name] = readList(message, nameEnd + 1, end);
    }
    at = end;
  }
  // The cast: every message names its database.
  return command as WireCommand;
}

function readDocument(message: Buffer, at: number): Document {
  const fieldsAsRaw = Object.fromEntries(LISTS.map((name) => [name, true]));
  return BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)), { fieldsAsRaw });
}

function readList(message: Buffer, start: number, end: number): Buffer[] {
  const items: Buffer[] = [];
  for (let at = start; at < end; at += message.readInt32LE(at))
    items.push(message.subarray(at, at + message.readInt32LE(at)));
  return items;
}
