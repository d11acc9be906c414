/** Collects the names of a whole register while it is filled, and checks whether a name is far from all of them. */
import { editDistance, MOST_EDITS } from "../../../api/shared/values/nearness.ts";
import type { IndexName, SearchDocument } from "../../../api/shared/definitions/define-index.ts";
import { withoutConnectives } from "../../../api/search/reading/common-words.ts";
import { placesTogether } from "../../../api/search/reading/places.ts";
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";

/** The members of an entry of `names` that are used: `key` and `text` of a company or body, the others of a person. */
interface Entry {
  key?: string;
  text?: string;
  surname?: string;
  full?: string[];
}

// One edit (a letter inserted, left out or changed) changes the set of a name's letters by at most two.
const LETTERS_PER_EDIT = 2;

/** All names of a register, in memory. */
export class RegisterNames {
  private readonly companies = new Keys();
  private readonly people = new Keys();
  private readonly surnames = new Keys();
  /** For each word, the numbers of the names that have it; `words` has the words of each name, by number. */
  private readonly byWord = new Map<string, number[]>();
  private readonly words: string[][] = [];

  /** Adds the names of a document. */
  add(index: IndexName, { names }: SearchDocument): void {
    for (const entry of names as Entry[]) {
      if (index === "companies") this.addCompany(entry);
      else if (entry.surname !== undefined) this.addPerson(entry);
    }
  }

  private addCompany({ key = "", text = "" }: Entry): void {
    if (!this.companies.add(key)) return;
    const words = text.split(" ");
    const number = this.words.push(words) - 1;
    for (const word of new Set(words)) {
      const numbers = this.byWord.get(word);
      if (numbers) numbers.push(number);
      else this.byWord.set(word, [number]);
    }
  }

  private addPerson({ surname = "", full = [] }: Entry): void {
    for (const key of full) this.people.add(key);
    this.surnames.add(surname);
  }

  /** True if no company has this name, one within two edits of it, or one with all its words but one (or a town). */
  isAbsentCompany(name: string): boolean {
    const { key, words } = parseCompanyName(name);
    return words.length > 0 && !this.sharesWords(words) && !this.companies.hasNear(key);
  }

  /** True if nobody has this name or one within two edits, and no surname is within two edits of its last word. */
  isAbsentPerson(name: string): boolean {
    const words = wordsOf(name);
    const surname = words.at(-1) ?? "";
    return surname !== "" && !this.surnames.hasNear(surname) && !this.people.hasNear(words.join(""));
  }

  /** Whether a known name has all words, apart from connectives, but one (or a town); of a single word, that one. */
  private sharesWords(words: string[]): boolean {
    const content = withoutConnectives(words);
    const parts = placesTogether(words).filter((part) => part.length > 1 || content.includes(part.join()));
    const most = Math.max(parts.length - 1, 1);
    // Such a name lacks one word at most, so it has one of any two: looking for the two rarest leaves the fewest names.
    const rarest = [...new Set(parts.map(([word = ""]) => word))].map((word) => this.byWord.get(word) ?? []);
    const numbers = rarest.toSorted((a, b) => a.length - b.length).slice(0, 2);
    return numbers.flat().some((number) => {
      const others = this.words[number] ?? [];
      return parts.filter((part) => part.every((word) => others.includes(word))).length >= most;
    });
  }
}

/** A set of texts that finds whether it has one near another text. */
class Keys {
  private readonly all = new Set<string>();
  private readonly byLength = new Map<number, { key: string; letters: number }[]>();

  /** Adds a text; returns false if it was there before. */
  add(key: string): boolean {
    if (this.all.has(key)) return false;
    this.all.add(key);
    const others = this.byLength.get(key.length);
    const entry = { key, letters: lettersOf(key) };
    if (others) others.push(entry);
    else this.byLength.set(key.length, [entry]);
    return true;
  }

  /** Whether the set has this text or one within two edits of it. */
  hasNear(key: string): boolean {
    if (this.all.has(key)) return true;
    const letters = lettersOf(key);
    for (let length = key.length - MOST_EDITS; length <= key.length + MOST_EDITS; length += 1) {
      const others = this.byLength.get(length) ?? [];
      const isNear = others.some(
        (other) =>
          countBits(other.letters ^ letters) <= MOST_EDITS * LETTERS_PER_EDIT &&
          editDistance(key, other.key, MOST_EDITS) <= MOST_EDITS,
      );
      if (isNear) return true;
    }
    return false;
  }
}

/** The letters of a text as a set of bits. Other characters share the bits of letters. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let position = 0; position < text.length; position += 1)
    letters |= 1 << (text.charCodeAt(position) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
