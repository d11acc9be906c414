/** A compact set of the last parts of company numbers. Four digits take one bit, in memory and as text. */

const DIGITS = /^\d{4}$/;
const BYTES = 10_000 / 8;
const SEPARATOR = ",";
// Prefix of the bits in base64. No company number contains a colon.
const BITS = "bits:";
// A list of more ends would be longer than the bits.
const MOST_LISTED = 330;

export class NumberSet {
  private bits: Buffer | undefined;
  private readonly others = new Set<string>();

  constructor(ends: Iterable<string> = []) {
    for (const end of ends) this.add(end);
  }

  /** Reads the text of `toText`. */
  static fromText(text: string): NumberSet {
    const ends = text === "" ? [] : text.split(SEPARATOR);
    const bits = ends[0]?.startsWith(BITS) === true ? ends.shift()?.slice(BITS.length) : undefined;
    const numbers = new NumberSet(ends);
    if (bits !== undefined) numbers.bits = Buffer.from(bits, "base64");
    return numbers;
  }

  has(end: string): boolean {
    if (!DIGITS.test(end)) return this.others.has(end);
    const { byte, mask } = bitOf(end);
    return ((this.bits?.[byte] ?? 0) & mask) > 0;
  }

  add(end: string): void {
    if (!DIGITS.test(end)) this.others.add(end);
    else {
      const { byte, mask } = bitOf(end);
      this.bits ??= Buffer.alloc(BYTES);
      this.bits[byte] = (this.bits[byte] ?? 0) | mask;
    }
  }

  delete(end: string): void {
    const { byte, mask } = bitOf(end);
    if (!DIGITS.test(end)) this.others.delete(end);
    else if (this.bits) this.bits[byte] = (this.bits[byte] ?? 0) & ~mask;
  }

  *[Symbol.iterator](): Generator<string> {
    for (const [byte, set] of this.bits?.entries() ?? [])
      for (let bit = 0; bit < 8; bit += 1)
        if (set & (1 << bit)) yield String(byte * 8 + bit).padStart(4, "0");
    yield* this.others;
  }

  /** Lists the ends or, if that is shorter, the bits and the other ends. */
  toText(): string {
    const ends = [...this];
    if (!this.bits || ends.length - this.others.size <= MOST_LISTED) return ends.join(SEPARATOR);
    return [BITS + this.bits.toString("base64"), ...this.others].join(SEPARATOR);
  }
}

function bitOf(end: string): { byte: number; mask: number } {
  const number = Number(end);
  return { byte: number >> 3, mask: 1 << (number & 7) };
}
