/** A stand-in for MongoDB that counts the records it receives and drops them; it keeps the ingest's own documents. */
import type { Server } from "node:net";
import { BSON, type Document } from "mongodb";
import { records } from "../../../api/resources/index.ts";
import { indices } from "../../../index-mappings/index.ts";
import { KeptDocuments, type FindOptions } from "./kept-documents.ts";
import { createWireServer, type WireCommand } from "./wire.ts";

/** What a collection of records has received. */
export interface CountedRecords {
  /** Number of different ids. */
  records: number;
  /** Number of groups, each of which makes one search document; equal to `records` if each record makes its own. */
  groups: number;
}

// What a driver wants to know of a standalone server.
const GREETING = {
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
};

const GROUP_FIELDS = new Map(indices.map(({ record, groupBy }) => [record.collection, groupBy]));
const RECORD_COLLECTIONS = new Set(records.map(({ collection }) => collection));

/** Counts the records of one collection. */
class CountedCollection {
  private readonly ids = new Set<string>();
  private readonly groups = new Set<string>();

  constructor(private readonly groupField: string) {}

  add(documents: readonly Uint8Array[]): void {
    for (const document of documents) {
      for (const [, nameAt, nameLength, at, length] of BSON.onDemand.parseToElements(document)) {
        const name = textAt(document, nameAt, nameLength);
        // A BSON text is its length (4 bytes), its bytes, and a NUL.
        if (name === "_id") this.ids.add(textAt(document, at + 4, length - 5));
        if (name === this.groupField) this.groups.add(textAt(document, at + 4, length - 5));
      }
    }
  }

  get count(): CountedRecords {
    return { records: this.ids.size, groups: this.groups.size };
  }
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString("latin1");
}

/** The server, not listening yet, and a function that returns the counts by `database.collection`. */
export function createCountingMongo(): { server: Server; count: () => Record<string, CountedRecords> } {
  const counted = new Map<string, CountedCollection>();
  const kept = new Map<string, KeptDocuments>();
  const server = createWireServer((command) => answer(command, { counted, kept }));
  const count = () => Object.fromEntries(Array.from(counted, ([name, { count }]) => [name, count]));
  return { server, count };
}

interface Collections {
  counted: Map<string, CountedCollection>;
  kept: Map<string, KeptDocuments>;
}

function answer(command: WireCommand, { counted, kept }: Collections): Document {
  // The first member of a command is its name.
  const [name = "", of] = Object.entries(command)[0] ?? [];
  const place = `${command.$db}.${String(of)}`;
  if (name === "dropDatabase") for (const map of [counted, kept]) forget(map, `${command.$db}.`);
  if (["hello", "ismaster", "isMaster"].includes(name)) return { ...GREETING, localTime: new Date() };
  if (RECORD_COLLECTIONS.has(String(of))) {
    const collection = counted.get(place) ?? new CountedCollection(GROUP_FIELDS.get(String(of)) ?? "");
    counted.set(place, collection);
    return answerOfRecords(name, command, collection);
  }
  const collection = kept.get(place) ?? new KeptDocuments();
  kept.set(place, collection);
  return answerOfKept(name, command, collection);
}

/** Answers for a collection of records: every insert succeeds, and nothing is found. */
function answerOfRecords(name: string, command: WireCommand, collection: CountedCollection): Document {
  const [documents, updates] = [command.documents ?? [], command.updates as Uint8Array[] | undefined];
  if (name === "insert") collection.add(documents);
  if (name === "insert") return { n: documents.length };
  if (updates) throw new Error("stored records were updated, but the counting MongoDB stores none");
  return cursorOf(command, []);
}

function answerOfKept(name: string, command: WireCommand, collection: KeptDocuments): Document {
  const listOf = (member: string) =>
    ((command[member] as Uint8Array[] | undefined) ?? []).map((raw) => BSON.deserialize(raw));
  switch (name) {
    case "insert":
      return collection.insert(listOf("documents"));
    case "update":
      return collection.update(listOf("updates"));
    case "delete":
      return { n: listOf("deletes").reduce((sum, { q }) => sum + collection.remove(q as Document), 0) };
    case "find":
      return cursorOf(command, collection.find((command.filter ?? {}) as Document, command as FindOptions));
    default:
      return cursorOf(command, []);
  }
}

function cursorOf(command: WireCommand, firstBatch: Document[]): Document {
  const ns = `${command.$db}.${String(Object.values(command)[0])}`;
  return { cursor: { id: BSON.Long.ZERO, ns, firstBatch } };
}

function forget(map: Map<string, unknown>, prefix: string): void {
  for (const name of map.keys()) if (name.startsWith(prefix)) map.delete(name);
}
