/** Owns a set of identities that fits a whole register into bounded memory: it keeps hashes, eight bytes each. */

const INITIAL_SLOTS = 1 << 16;
// Fuller tables look longer for a free slot.
const MOST_FILLED = 0.6;

/**
 * A set that may take a text for one that is in it, once in half a billion times with sixteen million texts: good
 * where that errs on the safe side. Two 32-bit hashes make one number of 53 bits.
 */
export class IdSet {
  /** How many texts have been added. */
  size = 0;
  private slots = new Float64Array(INITIAL_SLOTS);

  add(text: string): void {
    if ((this.size + 1) / this.slots.length > MOST_FILLED) this.grow();
    const hash = hashOf(text);
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

/** Adds identities to the sets of their collections. */
export function addNamed(sets: Map<string, IdSet>, named: Record<string, string[]>): void {
  for (const [collection, ids] of Object.entries(named)) {
    const set = sets.get(collection) ?? new IdSet();
    sets.set(collection, set);
    for (const id of ids) set.add(id);
  }
}

/** The slot that holds the hash, or the free one where it would stand. The table is never full. */
function find(slots: Float64Array, hash: number): number {
  let slot = hash % slots.length;
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) % slots.length;
  return slot;
}

/** FNV-1a from two starting points; never 0, which means a free slot. */
function hashOf(text: string): number {
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
