/** Owns the matching of officers and disqualified officers, people and bodies: queries and comparison. Pure. */
import { addressSnippet, type Address } from "../shared/values/address.ts";
import { formatMonthYear } from "../shared/values/dates.ts";
import { someOf, type Clause } from "../search/clauses.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";
import { searchDisqualifiedOfficers, searchOfficers } from "../search/people.ts";
import { birthsOf } from "../search/reading/facts.ts";
import { filterPeople } from "../search/reading/filters.ts";
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import { companyForms, compareCompanyNames, type CompanyForm } from "./company-names.ts";
import { mostLike, UNLIKE } from "./decide.ts";
import type { Compared, Likeness, Matching, MatchType } from "./define-match.ts";
import { compareFacts, hasPostcode, readFacts, withoutOwn, type KnownFacts } from "./facts.ts";
import { editsWhereNear, isInitial } from "../shared/values/nearness.ts";
import { type PersonNameReading, readPersonText } from "../search/reading/person.ts";
import { parsePersonQuery, type PersonReading } from "../../index-mappings/names/person-name.ts";

const FORMER_COSTS = 4;
const MEMBERS = [
  "kind",
  "shown",
  "born",
  "postcode",
  "address",
  "companies",
  "disqualified_until",
  ...["name", "surname", "given", "current", "end"].map((member) => `names.${member}`),
];

/** How officers are matched; a number is that of a company that they belong to. */
export const officerMatching = matchingOf("officer", searchOfficers as unknown as SearchDefinition);

export const disqualifiedMatching = matchingOf(
  "disqualified-officer",
  searchDisqualifiedOfficers as unknown as SearchDefinition,
);

function matchingOf(type: Exclude<MatchType, "company">, search: SearchDefinition): Matching {
  return {
    type,
    search,
    index: type === "officer" ? "officers" : "disqualified-officers",
    members: MEMBERS,
    read: (question) => {
      const { facts: all, fromText, notes } = readFacts(question);
      // Disqualified officers are not linked to companies here.
      const facts = type === "officer" ? all : { ...all, number: null };
      const names = { people: personReadings(question.name), bodies: companyForms(question.name) };
      return {
        name: question.name.trim(),
        conditions: [[], ...conditionsOf(facts)],
        ids: [],
        equal: null,
        ofKeys: null,
        compare: (hit) => comparePerson(hit, type, names, { facts, fromText }),
        notes,
      };
    },
  };
}

/** Each fact that distinguishes people of one name, by itself: for a common name the first page is full of others. */
function conditionsOf({ born, number, postcode }: KnownFacts): Clause[][] {
  const births = born ? birthsOf(born).flatMap((month) => filterPeople({ born: month })) : [];
  return [
    ...(births.length > 0 ? [[someOf(births)]] : []),
    ...(number === null ? [] : [filterPeople({ company_number: number })]),
    ...(postcode === null ? [] : [[hasPostcode(postcode)]]),
  ];
}

interface Names {
  people: ReturnType<typeof personReadings>;
  bodies: CompanyForm[];
}

/** The members that are read from documents of both indices. */
interface PersonSource {
  shown: { title: string; date_of_birth?: string | { month: number; year: number }; address?: Address };
  names: (IndexedPersonName & { end?: string })[];
  born?: string;
  postcode?: string[];
  address?: string[];
  companies?: string[];
  disqualified_until?: string;
}

function comparePerson(
  hit: SearchHit,
  type: MatchType,
  names: Names,
  { facts: known, fromText }: Pick<ReturnType<typeof readFacts>, "facts" | "fromText">,
): Compared {
  const source = hit.source as unknown as PersonSource; // the document of the index that the hit is from
  const { shown, born, companies = [], disqualified_until: until } = source;
  const addresses = (source.address ?? []).map((line) => line.split(" "));
  const people = names.people.filter((reading) => isInPlace(reading, addresses));
  const likeness = mostLike(source.names.map((name) => likenessOf({ ...names, people }, name)));
  const facts = compareFacts(known, {
    numbers: companies,
    postcodes: source.postcode ?? [],
    addresses,
    born,
  });
  return {
    type,
    id: hit.id,
    name: shown.title,
    status: until === undefined ? null : `disqualified until ${until}`,
    description: describe(source),
    likeness,
    // A person has no number or postcode in the name.
    facts: source.names.some(({ end }) => end !== undefined) ? withoutOwn(facts, likeness, fromText) : facts,
    isByNumber: false,
  };
}

/** True where an address has as many words of the place behind the name as the reading needs. */
function isInPlace({ place, agreeing }: PlacedReading, addresses: string[][]): boolean {
  const count = (address: string[]) => place.filter((word) => address.includes(word)).length;
  return agreeing === 0 || addresses.some((address) => count(address) >= agreeing);
}

function likenessOf({ people, bodies }: Names, entry: PersonSource["names"][number]): Likeness {
  const likeness =
    entry.end === undefined
      ? comparePersonNames(people, entry)
      : mostLike(bodies.map((form) => compareCompanyNames(form, parseCompanyName(entry.name))));
  if (entry.current) return likeness;
  const score = Math.max(0, likeness.score - FORMER_COSTS);
  return { ...likeness, score, reason: `${likeness.reason} (former name ${entry.name})` };
}

function describe({ shown, companies }: PersonSource): string {
  const { date_of_birth: birth, address } = shown;
  const born = typeof birth === "string" ? birth : birth && formatMonthYear(birth);
  const count = companies?.length ?? 0;
  const facts = [
    born && `born ${born}`,
    count > 0 && `${count} ${count === 1 ? "company" : "companies"}`,
    address && addressSnippet(address),
  ];
  return facts.filter(Boolean).join(", ");
}

/** A name of a person in the index's form. */
interface IndexedPersonName {
  name: string;
  /** Without spaces and hyphens. */
  surname: string;
  /** Words of the forenames, one space between them. */
  given: string;
  current: boolean;
}

const SCORES = {
  full: 100,
  fewer: 94,
  anyForename: 74,
  initial: 72,
  nearForename: 80,
  otherForename: 45,
  surname: 40,
};
const NEAR_SURNAME_COSTS = 12;
const MOST_INITIALS = 4;

/** A name, and the place behind it that the candidate must have. */
interface PlacedReading extends PersonReading, Pick<PersonNameReading, "place" | "agreeing"> {}

/**
 * The ways to read a text as a person's name: unchanged, without titles, honours and other facts, and without a place that an
 * address confirms.
 */
export function personReadings(text: string): PlacedReading[] {
  const { name, names } = readPersonText(text);
  const queries = [parsePersonQuery(text), name].map((query) => ({ query, place: [], agreeing: 0 }));
  const readings = [...queries, ...names].flatMap(({ query, place, agreeing }) =>
    query.readings.map((reading) => ({ ...reading, place, agreeing })),
  );
  const seen = new Set<string>();
  return readings.filter(({ surname, given, place }) => {
    const key = [surname, given.join(" "), place.join(" ")].join("|");
    return surname !== "" && !seen.has(key) && seen.add(key);
  });
}

/** How similar the best reading of a question and a name of the register are. */
export function comparePersonNames(readings: PersonReading[], name: IndexedPersonName): Likeness {
  const given = name.given.split(" ").filter(Boolean);
  return mostLike(readings.map((reading) => compareReading(reading, name.surname, given)));
}

function compareReading({ surname, given }: PersonReading, other: string, others: string[]): Likeness {
  const edits = surname === other ? 0 : editsWhereNear(surname, other);
  if (edits === Infinity) return UNLIKE;
  const found = compareForenames(given, others);
  if (edits === 0) return found;
  const reason = `${found.reason}, surname nearly the same`;
  const strength = found.strength === "exact" ? "near" : "weak";
  return { strength, score: Math.max(0, found.score - NEAR_SURNAME_COSTS), reason };
}

function compareForenames(given: string[], others: string[]): Likeness {
  const [first] = given;
  const [otherFirst] = others;
  if (first === undefined || otherFirst === undefined)
    return first === otherFirst
      ? { strength: "near", score: SCORES.full, reason: "same name, without forenames" }
      : { strength: "weak", score: SCORES.surname, reason: "same surname" };
  if (given.join("") === others.join("") || isSameSet(given, others))
    return { strength: "exact", score: SCORES.full, reason: "same name" };
  const laterAgree = laterForenamesAgree(given.slice(1), others.slice(1));
  if (first === otherFirst && laterAgree)
    return { strength: "same", score: SCORES.fewer, reason: "same surname and first forename" };
  const isShort = (one: string, two: string) => isInitial(one) && two.startsWith(one);
  if ((isShort(first, otherFirst) || isShort(otherFirst, first)) && laterAgree)
    return { strength: "near", score: SCORES.initial, reason: "same surname and initial" };
  if (isRunOfInitials(given, others))
    return { strength: "near", score: SCORES.initial, reason: "same surname and initials" };
  if (editsWhereNear(first, otherFirst) < Infinity && first !== otherFirst)
    return { strength: "near", score: SCORES.nearForename, reason: "same surname, forename nearly the same" };
  if (given.some((word) => others.includes(word)))
    return { strength: "weak", score: SCORES.anyForename, reason: "same surname, one forename the same" };
  return { strength: "weak", score: SCORES.otherForename, reason: "same surname, another forename" };
}

/** `JM` for JANE MARY; a longer word is a name. */
function isRunOfInitials([run = "", ...further]: string[], others: string[]): boolean {
  const isRun = further.length === 0 && run.length > 1 && run.length <= MOST_INITIALS;
  return (
    isRun &&
    others
      .map((word) => word.charAt(0))
      .join("")
      .startsWith(run)
  );
}

/** Later forenames may be omitted or be initials; two that differ belong to two people. */
function laterForenamesAgree(given: string[], others: string[]): boolean {
  const [fewer, more] = given.length <= others.length ? [given, others] : [others, given];
  return fewer.every((word) => more.some((other) => other.startsWith(word) || word.startsWith(other)));
}

/** The index has the parts of a hyphened forename and the whole. */
function isSameSet(given: string[], others: string[]): boolean {
  const [one, two] = [new Set(given), new Set(others)];
  const isIn = (words: Set<string>, all: Set<string>) =>
    [...words].every((word) => all.has(word) || isJoined(word, all));
  return isIn(one, two) && isIn(two, one);
}

function isJoined(word: string, parts: Set<string>): boolean {
  const others = [...parts].filter((part) => part !== word);
  return others.some((part) => word.startsWith(part) && others.includes(word.slice(part.length)));
}
