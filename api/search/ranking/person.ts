/** Ranks names of people: the tiers of the search reference 8.4 as clauses. */
import { parseQueryNumber } from "../../../index-mappings/names/company-name.ts";
import { parsePersonQuery, type PersonQuery } from "../../../index-mappings/names/person-name.ts";
import {
  allBeginnings,
  allOf,
  allWords,
  bestOf,
  type Clause,
  inNames,
  prefix,
  QUERY_WORDS,
  someOf,
  term,
} from "../clauses.ts";
import type { Phase } from "../../shared/definitions/search-result.ts";
import { inPhase } from "../phases.ts";
import { bodyClauses, bodyReadings } from "./company.ts";
import { type Beside, companyWords } from "./company-matches.ts";
import { byALetter, nearWords, SHORT_KEY } from "../near-words.ts";
import { nearNames, otherSaints, personWords } from "./near-people.ts";
import {
  anyForename,
  enoughWords,
  forenameBeginnings,
  initialsInOrder,
  otherForms,
  surnameAndFirst as bySurnameAndFirst,
  wholeName,
} from "./person-filters.ts";
import { withoutPlace } from "../reading/person.ts";
import { fewerForenames, personReadings } from "./person-readings.ts";
import { plus } from "./reading-scores.ts";
import { atTier, atTiers, atTiersByNearness, NUMBER_WAY, ONE_WORD_WAYS, PERSON_WAYS } from "./tiers.ts";

// Tuned: among names as spelt; less than the gap between two kinds there (search reference 8.5).
const INITIALS_LIFT = 5;
// Names with fewer forenames need a query of three words: a query of two words has no forename to leave out.
const FEWEST_WORDS = 3;

/** People and bodies by current or former name and, in the read phase, by what was read in the query. */
export function officerQuery(q: string, phase: Phase, beside: Beside = { byALetter: true }): Clause {
  const query = parsePersonQuery(q);
  const people = personClauses(query, phase, beside);
  const saints = otherSaints(q).map((scored) => atTiersByNearness(scored, PERSON_WAYS.near.tiers));
  const whole = inNames(bestOf([...people, ...saints, ...bodyClauses(q, phase)]));
  if (phase === "read") return bestOf([whole, ...personReadings(q), ...bodyReadings(q)]);
  // For `Jane Q Nomanby`, the near names NOMANBY LTD and JAN QUINN NOMANBY must not hide JANE NOMANBY.
  const isFewer = phase === "tolerant" && query.words.length >= FEWEST_WORDS;
  return isFewer ? bestOf([whole, ...fewerForenames(withoutPlace(query))]) : whole;
}

/** People of companies: by name or reading like `officerQuery` and, before these, by the number of their company. */
export function companyPersonQuery(q: string, phase: Phase): Clause {
  const named = officerQuery(q, phase);
  const number = parseQueryNumber(q);
  return number ? bestOf([atTier(term("companies", number), NUMBER_WAY.tiers.current), named]) : named;
}

/** The words whose near spellings the tolerant body needs, for people and for bodies; none for a number. */
export function officerWords(q: string): string[] {
  if (parseQueryNumber(q)) return [];
  return [...personWords(parsePersonQuery(q)), ...companyWords(q)];
}

function personClauses(query: PersonQuery, phase: Phase, beside: Beside): Clause[] {
  const words = query.words.slice(0, QUERY_WORDS);
  const [word] = words;
  if (word === undefined) return [];
  if (words.length === 1) return oneWordClauses(word, phase);
  const strict = [...wholeNameClauses(query), ...wordClauses(words), ...letterClauses(query, phase, beside)];
  return inPhase(phase, strict, () => [
    atTiersByNearness(nearNames(query), PERSON_WAYS.near.tiers),
    ...query.readings
      .flatMap((one) => otherForms(one, "names.others"))
      .map((filter) => atTiers(filter, PERSON_WAYS.otherForm.tiers)),
  ]);
}

/** Names that differ by one letter. They are cheap enough to search beside exact names, in a search for one kind. */
function letterClauses({ whole }: PersonQuery, phase: Phase, { byALetter: isAsked }: Beside): Clause[] {
  if (!isAsked || phase !== "strict" || whole.length <= SHORT_KEY) return [];
  return [atTiers(byALetter("names.full", whole), PERSON_WAYS.near.tiers)];
}

function oneWordClauses(word: string, phase: Phase): Clause[] {
  const strict = [
    atTiers(term("names.surname", word), ONE_WORD_WAYS.surname.tiers),
    atTiers(term("names.others", word), ONE_WORD_WAYS.otherForename.tiers),
    atTiers(term("names.first", word), ONE_WORD_WAYS.firstForename.tiers),
    atTiers(prefix("names.person", word), ONE_WORD_WAYS.beginningsOfWords.tiers),
    atTiers(term("names.full", word), ONE_WORD_WAYS.joined.tiers),
  ];
  const near = () => [atTiersByNearness(nearWords("names.surname", [word]), ONE_WORD_WAYS.near.tiers)];
  return inPhase(phase, strict, near);
}

/** Clauses at the tiers that read the words as a surname and forenames. */
function wholeNameClauses({ whole, readings }: PersonQuery): Clause[] {
  const { same, surnameAndFirst, surnameAndOther, surnameAndBeginnings, otherForm } = PERSON_WAYS;
  const withForenames = readings.filter((reading) => reading.given.length > 0);
  return [
    atTiers(wholeName(whole, readings), same.tiers),
    atTiers(someOf(readings.map(bySurnameAndFirst)), surnameAndFirst.tiers),
    atTiers(someOf(withForenames.map(anyForename)), surnameAndOther.tiers),
    atTiers(someOf(withForenames.map(forenameBeginnings)), surnameAndBeginnings.tiers),
    // Initials rank above other forenames that begin with the letters, since people who type letters mean initials.
    ...readings
      .flatMap(initialsInOrder)
      .map((filter) => plus(atTiers(filter, surnameAndBeginnings.tiers), INITIALS_LIFT)),
    ...readings.flatMap((one) => otherForms(one)).map((filter) => atTiers(filter, otherForm.tiers)),
  ];
}

/** Clauses at the tiers where the words may stand anywhere in the name. */
function wordClauses(words: string[]): Clause[] {
  return [
    atTiers(
      allOf([allWords("names.person", words), ...enoughWords(repeated(words))]),
      PERSON_WAYS.allWords.tiers,
    ),
    atTiers(
      allOf([allBeginnings("names.person", words), ...enoughWords(words)]),
      PERSON_WAYS.beginningsOfWords.tiers,
    ),
  ];
}

/** Words that are in the list twice or more. */
function repeated(words: string[]): string[] {
  return words.filter((word) => words.indexOf(word) !== words.lastIndexOf(word));
}
