/** Owns a set of identities that fits a whole register into bounded memory: it keeps hashes, eight bytes each. */

const EXPECTED = 40_000;
const FEWEST_SLOTS = 16;
// Fuller tables look longer for a free slot.
const MOST_FILLED = 0.6;

/**
 * A set that may take a text for one that is in it, once in half a billion times with sixteen million texts: good
 * where that errs on the safe side. Two 32-bit hashes make one number of 53 bits.
 */
export class IdSet {
  /** How many texts have been added. */
  size = 0;
  private slots: Float64Array;

  /** `expected`: how many texts will be added, about; more make it grow. */
  constructor(expected = EXPECTED) {
    const least = Math.max(FEWEST_SLOTS, (expected + 1) / MOST_FILLED);
    this.slots = new Float64Array(2 ** Math.ceil(Math.log2(least)));
  }

  add(text: string): void {
    this.addHash(hashOf(text));
  }

  /** Adds a text by its hash. */
  addHash(hash: number): void {
    if ((this.size + 1) / this.slots.length > MOST_FILLED) this.grow();
    const slot = find(this.slots, hash);
    if (this.slots[slot] === hash) return;
    this.slots[slot] = hash;
    this.size += 1;
  }

  has(text: string): boolean {
    const hash = hashOf(text);
    return this.slots[find(this.slots, hash)] === hash;
  }

  private grow(): void {
    const larger = new Float64Array(this.slots.length * 2);
    for (const hash of this.slots) {
      if (hash !== 0) larger[find(larger, hash)] = hash;
    }
    this.slots = larger;
  }
}

/** The slot that holds the hash, or the free one where it would stand. The table is never full. */
function find(slots: Float64Array, hash: number): number {
  let slot = hash % slots.length;
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) % slots.length;
  return slot;
}

/** FNV-1a from two starting points, 53 bits; never 0, which means a free slot. */
export function hashOf(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return ((high >>> 0) % 0x200000) * 0x100000000 + (low >>> 0) + 1;
}
