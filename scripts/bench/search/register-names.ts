/** Owns the names of a whole register, gathered while it is filled, and the check that a name is far from all of them. */
import { editDistance, MOST_EDITS } from "../../../api/shared/values/nearness.ts";
import type { IndexName, SearchDocument } from "../../../api/shared/definitions/define-index.ts";
import { withoutConnectives } from "../../../api/search/reading/common-words.ts";
import { placesTogether } from "../../../api/search/reading/places.ts";
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";

/** The members of an entry of `names` that are looked at: those of a company or body, or those of a person. */
interface Entry {
  key?: string;
  text?: string;
  surname?: string;
  full?: string[];
}

// A letter that is put in, left out or changed adds or removes two of the letters of a name at most.
const LETTERS_PER_EDIT = 2;

/** The names of a register, all of them in memory. */
export class RegisterNames {
  private readonly companies = new Keys();
  private readonly people = new Keys();
  private readonly surnames = new Keys();
  /** Numbers of names by word, and the words of each. */
  private readonly byWord = new Map<string, number[]>();
  private readonly words: string[][] = [];

  /** Takes the names of a document. */
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

  /** True when no company has this name, one within two edits of it, or one with all its words but one, a town being one word. */
  isAbsentCompany(name: string): boolean {
    const { key, words } = parseCompanyName(name);
    return words.length > 0 && !this.sharesWords(words) && !this.companies.hasNear(key);
  }

  /** True when nobody has this name or one within two edits of it, and nobody's surname is within two edits of its last word. */
  isAbsentPerson(name: string): boolean {
    const words = wordsOf(name);
    const surname = words.at(-1) ?? "";
    return surname !== "" && !this.surnames.hasNear(surname) && !this.people.hasNear(words.join(""));
  }

  /** Whether a name has all of these words but one, or but its town, whatever connects them; of one word, this one. */
  private sharesWords(words: string[]): boolean {
    const content = withoutConnectives(words);
    const parts = placesTogether(words).filter((part) => part.length > 1 || content.includes(part.join()));
    const most = Math.max(parts.length - 1, 1);
    // Of any two words such a name has one: the rarest lead to the fewest names.
    const rarest = [...new Set(parts.map(([word = ""]) => word))].map((word) => this.byWord.get(word) ?? []);
    const numbers = rarest.toSorted((a, b) => a.length - b.length).slice(0, 2);
    return numbers.flat().some((number) => {
      const others = this.words[number] ?? [];
      return parts.filter((part) => part.every((word) => others.includes(word))).length >= most;
    });
  }
}

/** Texts, to be compared with any other. */
class Keys {
  private readonly all = new Set<string>();
  private readonly byLength = new Map<number, { key: string; letters: number }[]>();

  /** False when it was there before. */
  add(key: string): boolean {
    if (this.all.has(key)) return false;
    this.all.add(key);
    const others = this.byLength.get(key.length);
    const entry = { key, letters: lettersOf(key) };
    if (others) others.push(entry);
    else this.byLength.set(key.length, [entry]);
    return true;
  }

  /** Whether this text or one within two edits of it is there. */
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

/** Which letters a text has, a bit for each; what is no letter of the alphabet shares bits with some that are. */
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
