/** Reads a pasted query for a person: a name among titles and honours, a date of birth, a postcode, a place. Pure. */
import { readForm } from "../../../index-mappings/names/person-form.ts";
import {
  parsePersonParts,
  parsePersonQuery,
  type PersonQuery,
  type PersonReading as PersonQueryReading,
} from "../../../index-mappings/names/person-name.ts";
import { foldText } from "../../../index-mappings/names/text.ts";
import { aroundNickname, beforeAlias, otherNameIn, partsOfName } from "./around-person.ts";
import { type Birth, takeBirth } from "./birth.ts";
import { hasDigit } from "./common-words.ts";
import { takeFacts } from "./facts.ts";
import { mayBeGlued, wordsOfMailbox } from "./glued-name.ts";
import { isTitle, joinHonours, mayBeSurname, namesByTitle, withoutHonours } from "./honours.ts";
import { endsWithDash, isCompany, partsOf } from "./person-parts.ts";
import { isPlace } from "./places.ts";

/** A part of the query that may be a person's whole name. */
export interface PersonNameReading {
  query: PersonQuery;
  /** The words that may be a place. */
  place: string[];
  /** How many words of `place` must be in an address. */
  agreeing: number;
  /** Added to the score; below zero if another reading is more certain. */
  weight: number;
  /**
   * Set if the name is also found without an agreeing address, by what follows it: surely an address; or words, such as
   * a firm or a post, which might also be forenames after a surname of several words.
   */
  behind?: "address" | "words" | false;
  /** True for a name of one of two people: longer names with further forenames rank below the name itself. */
  isOfTwo?: boolean;
}

/** The result of reading a query for a person. */
interface PersonReading {
  born: Birth | null;
  /** Numbers of companies that the person belongs to. */
  numbers: string[];
  postcode: string | null;
  /** Names beside other facts; empty if the query is only a name. */
  names: PersonNameReading[];
  /** Words each of which may be a whole name without its space. */
  glued: string[];
  /** The name including the word that was read as the month of birth: THERESA MAY for `Theresa May 1956`. */
  withMonth: PersonQuery | null;
  /** Words that may belong to an address, without the names of two people. */
  place: string[];
  /** The whole query as a name, without titles, date of birth and postcode. */
  name: PersonQuery;
}

// Limit: words beyond these are ignored. A pasted address has about twenty words.
const MOST_WORDS = 32;
// Limit: most words of a place that follows a name without a comma.
const MOST_PLACE_WORDS = 3;

const WEIGHTS = {
  // Tuned: a name with the surname MA comes before names that lack it. A name with the forename MAJOR comes before
  // names that have only the surname, and a name with the surname AKA before names that have only the words before it.
  withLetters: 0.25,
  withoutTitle: -0.5,
  beforeAlias: -0.25,
  // Tuned: the name at the start of a text, even without its middle name, comes before another name of the same person.
  other: -0.625,
  // Tuned: one person or firm with all the words comes before two people, who alone do not make a query readable.
  ofTwo: -0.25,
};

// `Jane Quornsby and Harold Nomanby`: two whole names.
const AND_A_NAME = /(?<=\S \S+) AND (?=\S+ \S)/u;
// `Jane and Harold Nomanby`, `J M & H Nomanby`: two forenames with one surname.
const ONE_SURNAME = /^(\S+|\S(?: \S)+) AND (\S.*) (\S+)$/u;

// `Harold Nomanby of London`
const LEADS_A_PLACE = new Set(["OF", "IN", "FROM", "AT", "NEAR"]);

/** Reads a query for a person. */
export function readPersonText(q: string): PersonReading {
  const { numbers, postcode, mailboxes, text } = takeFacts(foldText(readForm(q)), { isPerson: true });
  const { born, text: named, withMonth } = takeBirth(joinHonours(text));
  const segments = partsOfName(named);
  const cleaned = cleanedOf(segments);
  const plain = parsePersonQuery(q);
  const all = cleaned.flat();
  const [first = [], ...others] = cleaned;
  const people = cleaned.flatMap(peopleIn);
  // JANE QUORNSBY for `jane.quornsby@quillory.com`.
  const mailboxNames = mailboxes.map(wordsOfMailbox);
  const names = [
    ...namesOf(cleaned, { isBorn: born !== null, isDashed: endsWithDash(named) }),
    ...behindTitle(segments),
    ...ofSeveralWords(withLetters(segments), WEIGHTS.withLetters),
    ...nameBeforeAlias(named),
    ...ofSeveralWords([...aroundNickname(named), ...otherNames(named)], WEIGHTS.other),
    // Names in mail addresses, and after a title inside the text.
    ...ofSeveralWords([...mailboxNames, ...partsOf(named).flatMap(namesByTitle)]),
    ...ofSeveralWords(people, WEIGHTS.ofTwo).map((one) => ({ ...one, isOfTwo: true })),
    ...withPlace(all),
    ...beforeFirm(all),
  ];
  return {
    born,
    numbers,
    postcode,
    names: names.filter(({ query, place }) =>
      // A name beside a place needs two words: otherwise the surname of any name with a comma would count.
      place.length > 0 ? query.words.length > 1 : query.words.length > 0 && !isSame(query, plain),
    ),
    glued: [plain.words, ...mailboxNames].filter(mayBeGlued).flat(),
    withMonth: withMonth === null ? null : beginningOf(withMonth),
    place: [...(peopleIn(first).length > 0 ? [] : first.slice(1)), ...others.flat()],
    name: wholeOf(cleaned),
  };
}

/** The parts without honours, MOST_WORDS words in all. Parts that are nothing but honours are left out. */
function cleanedOf(segments: string[][]): string[][] {
  let left = MOST_WORDS;
  const kept = segments.map(withoutHonours).map((words) => {
    const some = words.slice(0, left);
    left -= some.length;
    return some;
  });
  return kept.filter(({ length }) => length > 0);
}

/** The name at the start of a text: its first part or, if that is only a surname, its first two parts. */
function beginningOf(text: string): PersonQuery {
  const [first = [], second = []] = cleanedOf(partsOfName(text));
  return parseParts(first.length === 1 ? [first, second] : [first]);
}

/**
 * Three readings: the whole query; its first part before a place; `SURNAME, Forenames` before a place. `isBorn`: a date
 * of birth shows who is meant, whatever follows the name. `isDashed`: several words before a dash are no surname.
 */
function namesOf(
  segments: string[][],
  { isBorn, isDashed }: { isBorn: boolean; isDashed: boolean },
): PersonNameReading[] {
  const [first = [], ...rest] = segments;
  const [second = [], ...others] = rest;
  const whole = withoutPlace(wholeOf(segments));
  if (second.length === 0) return [whole];
  const isSure = isAddress(first, rest) || (isBorn && first.length > 1);
  const isSureLater = !second.some(hasDigit) && isAddress([...first, ...second], others);
  const bySurname = before(parseParts([first, second]), others.flat());
  return [
    whole,
    { ...before(parseParts([first]), rest.flat()), behind: isSure ? "address" : otherWords(first, second) },
    ...(isDashed && first.length > 1 ? [] : [{ ...bySurname, behind: isSureLater && ("address" as const) }]),
  ];
}

/** True for an address after a name of several words: it has a digit, or two parts. */
function isAddress(name: string[], rest: string[][]): boolean {
  return name.length > 1 && (rest.length > 1 || rest.flat().some(hasDigit));
}

/** "words" if a town, or several words of a firm or a post, follow a name of several words. */
function otherWords(name: string[], rest: string[]): "words" | false {
  return name.length > 1 && (rest.length > 1 || isPlace(rest)) && "words";
}

/** A name before a comma and a place. Half of that must agree: pasted addresses have lines that the register lacks. */
function before(query: PersonQuery, place: string[]): PersonNameReading {
  return { query, place, agreeing: Math.ceil(place.length / 2), weight: 0 };
}

/** A name that no address need confirm. */
export function withoutPlace(query: PersonQuery, weight = 0): PersonNameReading {
  return { query, place: [], agreeing: 0, weight };
}

/** The parts as a name, without words with digits, which belong to no person's name. */
function parseParts(parts: string[][]): PersonQuery {
  return parsePersonParts(parts.map((words) => words.filter((word) => !hasDigit(word))));
}

/**
 * All words as a name. One word alone before a comma is the surname. After several words before a comma, the surname is
 * not a place (`Jane Quornsby, Preston` does not mean Jane PRESTON). It is either all or none of the other words after
 * the comma (`Jane Quornsby, Morgan Stanley` does not mean STANLEY).
 */
function wholeOf([first = [], ...others]: string[][]): PersonQuery {
  const rest = others.flat();
  if (first.length === 1) return parseParts([first, rest]);
  const query = parseParts([[...first, ...rest]]);
  const isPlaced = isAddress(first, others) || isPlace(rest);
  const isBehind = ({ given }: PersonQueryReading) => given.join("").startsWith(first.join(""));
  const isAll = ({ given }: PersonQueryReading) => given.length === first.length && !isPlaced;
  return { ...query, readings: query.readings.filter((one) => !isBehind(one) || isAll(one)) };
}

/** A name directly followed by a place, whose words must all agree. */
function withPlace(words: string[]): PersonNameReading[] {
  const most = Math.min(MOST_PLACE_WORDS, words.length - 2);
  return Array.from({ length: Math.max(0, most) }, (_, index) => words.length - index - 1)
    .filter((end) => !LEADS_A_PLACE.has(words[end - 1] ?? ""))
    .map((end) => {
      const named = before(parseParts([words.slice(0, end)]), words.slice(end));
      return { ...named, agreeing: words.length - end };
    });
}

/** A name before a word that leads to a place or firm; or a name of two or three words before the name of a company. */
function beforeFirm(words: string[]): PersonNameReading[] {
  const lead = words.slice(0, -1).findIndex((word, place) => place > 1 && LEADS_A_PLACE.has(word));
  const bare = isCompany(words) ? [2, 3].filter((end) => end < words.length - 1) : [];
  return (lead < 0 ? bare : [lead]).map((end) => {
    const place = words.slice(lead < 0 ? end : end + 1);
    return { ...before(parseParts([words.slice(0, end)]), place), behind: "words" };
  });
}

/** The names that have several words, as whole names. A single word may be any name or post. */
function ofSeveralWords(names: string[][], weight = 0): PersonNameReading[] {
  const queries = names.map((words) => parseParts([words]));
  return queries.filter(({ words }) => words.length > 1).map((query) => withoutPlace(query, weight));
}

/** `Major Nomanby OBE`: the surname after a word that may be a title or a forename. */
function behindTitle(segments: string[][]): PersonNameReading[] {
  const [words = []] = segments;
  const [title = "", ...name] = withoutHonours(words, 0, segments);
  const before = words[words.indexOf(title) - 1];
  const isTitled = words.length > 2 && name.length === 1 && isTitle(title, before);
  return isTitled ? [withoutPlace(parseParts([name]), WEIGHTS.withoutTitle)] : [];
}

/** `Mr Wei Ma`: the first part with its last two letters, which may be the surname or an honour. */
function withLetters([words = []]: string[][]): string[][] {
  return mayBeSurname(words.at(-1)) ? [words] : [];
}

/** `Jane Quornsby aka Smithers`: the whole name before an AKA, which may also be a part of the name. */
function nameBeforeAlias(named: string): PersonNameReading[] {
  const before = beforeAlias(named);
  return before === null ? [] : [withoutPlace(beginningOf(before), WEIGHTS.beforeAlias)];
}

/** JANE SMITHERS for `Jane Quornsby née Smithers`, JANET SMITHERS for `Jane Quornsby aka Janet Smithers`. */
function otherNames(named: string): string[][] {
  const { before, words } = otherNameIn(named) ?? { before: "", words: [] };
  const [first = ""] = beginningOf(before).words;
  if (isCompany(words) || LEADS_A_PLACE.has(words[0] ?? "")) return [];
  return [words, ...(words.includes(first) ? [] : [[first, ...words]])];
}

/** The names on both sides of an AND; empty if the words are not two names. */
function peopleIn(words: string[]): string[][] {
  const text = words.join(" ");
  const [, first, second, surname] = ONE_SURNAME.exec(text) ?? [];
  const isOneSurname = first !== undefined && !isCompany(words);
  const people = isOneSurname ? [`${first} ${surname}`, `${second} ${surname}`] : text.split(AND_A_NAME);
  return people.length > 1 ? people.map((name) => name.split(" ")) : [];
}

function isSame(query: PersonQuery, plain: PersonQuery): boolean {
  const hasOneReading = ({ readings }: PersonQuery) => readings.length === 1;
  return query.words.join(" ") === plain.words.join(" ") && hasOneReading(query) === hasOneReading(plain);
}
