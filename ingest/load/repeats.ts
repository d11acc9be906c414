/** Finds the keys that occur more than once in a file, in constant memory. */

// 2 × 16 MB. Of 23 million unique keys one in six counts as repeated, which costs one read of its document.
const BITS = 1 << 27;

/** The keys seen so far. A repeated key is always recognised; a unique one may count as repeated. */
export class Repeats {
  private readonly once = new Uint8Array(BITS / 8);
  private readonly again = new Uint8Array(BITS / 8);

  see(key: string): void {
    const { byte, bit } = bitOf(key);
    const seen = this.once[byte] ?? 0;
    if (seen & bit) this.again[byte] = (this.again[byte] ?? 0) | bit;
    else this.once[byte] = seen | bit;
  }

  isAgain(key: string): boolean {
    const { byte, bit } = bitOf(key);
    return ((this.again[byte] ?? 0) & bit) !== 0;
  }
}

function bitOf(key: string): { byte: number; bit: number } {
  const place = placeOf(key, BITS);
  return { byte: place >>> 3, bit: 1 << (place & 7) };
}

/** A place from 0 to `places - 1`, by the hash FNV-1a, which spreads similar keys evenly. */
export function placeOf(key: string, places: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % places;
}
