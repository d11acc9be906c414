/** Owns which keys of a file come more than once, in flat memory. */

// 2 × 16 MB. Of 23 million keys one in six that come once counts as coming again, which costs its document a reading.
const BITS = 1 << 27;

/** Keys that are seen; one that came twice is never taken for one that came once. */
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

/** One of so many places, by the hash FNV-1a, which spreads keys that differ little evenly. */
export function placeOf(key: string, places: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % places;
}
