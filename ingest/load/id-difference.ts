/**
 * Finds which of very many ids a second set of them lacks, in flat memory: both sets go into temporary files, cut into
 * parts by the hashes of the ids, and one part at a time is held. All officers, 22.6 million ids, take some 900 MB of disk.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

// Tuned: of 22.6 million ids a part has 22,000. With 256 parts what a part leaves to be collected takes 70 MB more.
const PARTS = 1_024;
// Hashes, and bytes of ids, of a part that wait to be written: 6 MB in all.
const HASHES = 256;
const ID_BYTES = 4_096;

/** Which record: its collection and its id. */
export interface RecordId {
  collection: string;
  id: string;
}

/** One part of both sets. */
interface Part {
  /** Hashes of the ids that are named, which wait to be written, and how many there are. */
  named: Float64Array;
  hashes: number;
  /** The ids that are held, one a line, likewise. */
  held: Buffer;
  bytes: number;
}

/**
 * The ids that are held and not named. One may be taken for named that is not, once in a billion with sixteen million
 * names: it is left out then.
 */
export class IdDifference {
  private readonly parts: Part[] = Array.from({ length: PARTS }, () => ({
    ...{ named: new Float64Array(HASHES), hashes: 0 },
    ...{ held: Buffer.alloc(ID_BYTES), bytes: 0 },
  }));

  private constructor(private readonly folder: string) {}

  /** Makes the folder of the files; `remove` takes it away. Throws where the system has no room for it. */
  static async open(): Promise<IdDifference> {
    return new IdDifference(await mkdtemp(join(tmpdir(), "company-register-")));
  }

  /** Adds ids that are named, by collection. */
  name(ids: Readonly<Record<string, readonly string[]>>): void {
    for (const [collection, ofCollection] of Object.entries(ids)) {
      for (const id of ofCollection) {
        const hash = hashOf(keyOf({ collection, id }));
        const place = placeOf(hash);
        const part = this.partAt(place);
        part.named[part.hashes] = hash;
        part.hashes += 1;
        if (part.hashes === HASHES) this.write(place);
      }
    }
  }

  /** Adds an id that is held. Ids hold no line breaks. */
  hold(record: RecordId): void {
    const key = keyOf(record);
    const place = placeOf(hashOf(key));
    const part = this.partAt(place);
    const line = `${key}\n`;
    if (part.bytes + Buffer.byteLength(line) > ID_BYTES) this.write(place);
    part.bytes += part.held.write(line, part.bytes);
  }

  /** The ids that are held and not named, part by part, in no order. May be asked for again; nothing may be added meanwhile. */
  async *lacking(): AsyncGenerator<RecordId[]> {
    for (let place = 0; place < PARTS; place += 1) {
      this.write(place);
      const held = this.readHeld(place);
      if (held.length === 0) continue;
      const named = this.readNamed(place);
      yield held.filter((key) => !named.has(hashOf(key))).map(recordOf);
      // A part keeps the process for a moment: what else it does, renewing its lock above all, comes in between.
      await setImmediate();
    }
  }

  /** How many there are. */
  async countLacking(): Promise<number> {
    let count = 0;
    for await (const records of this.lacking()) count += records.length;
    return count;
  }

  /** Removes the files. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private partAt(place: number): Part {
    return this.parts[place]!; // there are as many as places
  }

  private write(place: number): void {
    const part = this.partAt(place);
    const hashes = Buffer.from(part.named.buffer, 0, part.hashes * Float64Array.BYTES_PER_ELEMENT);
    if (part.hashes > 0) appendFileSync(this.file("named", place), hashes);
    if (part.bytes > 0) appendFileSync(this.file("held", place), part.held.subarray(0, part.bytes));
    [part.hashes, part.bytes] = [0, 0];
  }

  private readNamed(place: number): Set<number> {
    const file = this.file("named", place);
    if (!existsSync(file)) return new Set();
    const { buffer, byteOffset, byteLength } = readFileSync(file);
    return new Set(new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength)));
  }

  private readHeld(place: number): string[] {
    const file = this.file("held", place);
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  }

  private file(kind: "named" | "held", place: number): string {
    return join(this.folder, `${kind}-${place}`);
  }
}

// Names of collections hold no tabs.
const SEPARATOR = "\t";

function keyOf({ collection, id }: RecordId): string {
  return `${collection}${SEPARATOR}${id}`;
}

function recordOf(key: string): RecordId {
  const [collection = "", id = ""] = key.split(SEPARATOR);
  return { collection, id };
}

function placeOf(hash: number): number {
  return Math.floor(hash / 2 ** 32) % PARTS;
}

/** FNV-1a from two starting points, 53 bits. */
function hashOf(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return ((high >>> 0) % 0x200000) * 0x100000000 + (low >>> 0);
}
