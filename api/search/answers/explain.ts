/**
 * Explains results: why each was found, on request, and which spelling of the query may have been meant. The tiers are
 * those of the search reference (8.3 and 8.4).
 */
import type { BooleanParameter } from "../../shared/schemas/query-parameters.ts";
import { objectOf } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import type { ShownDisqualifiedOfficer } from "../../../index-mappings/disqualified-officers/index.ts";
import type { ShownOfficer } from "../../../index-mappings/officers/index.ts";
import type { ShownPsc } from "../../../index-mappings/persons-with-significant-control/index.ts";
import type { SearchHit, SearchResult } from "../../shared/definitions/search-result.ts";
import {
  bandOf,
  BANDS,
  NAME_WAYS,
  NUMBER_WAY,
  ONE_WORD_WAYS,
  PERSON_WAYS,
  READING_WAYS,
  type Reason,
  REASONS,
  SAME_AS_BAND,
  SAME_AS_WAYS,
  tierOf,
  type Way,
} from "../ranking/tiers.ts";
import { findEnding } from "../../../index-mappings/names/company-name.ts";
import { isOutward } from "../../shared/values/address.ts";
import { isInitial, isNear } from "../../shared/values/nearness.ts";
import { marksSchemas } from "./marks.ts";
import { beginsWith, isPartOf } from "./matched.ts";
import type { QueryForms } from "./name-forms.ts";

/** The parameter `explain`: if true, each item gives its reason. */
export const EXPLAIN: BooleanParameter = {
  kind: "boolean",
  description:
    "true adds to each item why it was found: the reason, the rank of this reason (the tier) and the name that matched.",
};

const { mostForenames, nearMostWords } = READING_WAYS;

// The reason of each tier. Bodies among officers, and people, have tiers of their own.
const COMPANY_REASONS = reasonsOf(Object.values(NAME_WAYS));
const BODY_REASONS = reasonsOf(
  Object.values(NAME_WAYS).map(({ body, reason }) => ({ tiers: { current: body }, reason })),
);
const PERSON_REASONS = personReasonsOf(Object.values(PERSON_WAYS));
const ONE_WORD_REASONS = personReasonsOf(Object.values(ONE_WORD_WAYS));

type ReasonedWay = Pick<Way, "tiers"> & { reason: Reason };

/** The reason of each tier: if several ways share a tier, the best of them. */
function reasonsOf(ways: ReasonedWay[]): Map<number, Reason> {
  const all: ReasonedWay[] = [NUMBER_WAY, ...ways, ...Object.values(READING_WAYS)];
  const entries = all.flatMap(({ tiers: { current, previous = current }, reason }) =>
    [current, previous].map((tier) => [tier, reason] as const),
  );
  return new Map(entries.toReversed());
}

/** The same for people. Former names of two ways may share a tier: the weaker reason is true of both. */
function personReasonsOf(ways: ReasonedWay[]) {
  const all: ReasonedWay[] = [NUMBER_WAY, ...ways, ...Object.values(READING_WAYS)];
  return {
    current: new Map(all.map(({ tiers, reason }) => [tiers.current, reason])),
    previous: new Map(all.map(({ tiers: { current, previous = current }, reason }) => [previous, reason])),
  };
}

const SAME_AS_TIERS = new Set<number>(
  [SAME_AS_WAYS.ended, SAME_AS_WAYS.open].map(({ tiers }) => tiers.current),
);
// The tier of names that are the same under the same-as rules, when the request asks only for these.
const SAME_AS_TIER = NAME_WAYS.same.tiers.current;

/** The name that matched; "previous" also stands for a former name of a person. */
interface AnsweringName {
  name: string;
  name_type: "current" | "previous";
}

/** Why a result was found. */
export interface Explanation extends AnsweringName {
  tier: number;
  reason: Reason;
}

/** Explains a hit by the tier in its score. `name` is the name that matched. */
export function explainHit(hit: SearchHit, name: string, query: QueryForms): Explanation {
  const { score } = hit;
  if (score === null) return explainSameAs(hit);
  const answering: AnsweringName = { name, name_type: isCurrent(hit, name) ? "current" : "previous" };
  return { tier: tierOf(score), reason: reasonOf(hit, score, answering, query), ...answering };
}

/** Explains a hit without a score. Only searches by same-as key have these; all their hits match equally. */
function explainSameAs({ source }: SearchHit): Explanation {
  const { company_name: name } = source.shown as ShownCompany; // the only search that has such hits is for companies
  return { tier: SAME_AS_TIER, reason: "legally-equivalent-name", name, name_type: "current" };
}

function reasonOf(hit: SearchHit, score: number, answering: AnsweringName, query: QueryForms): Reason {
  const read = bandReason(score, answering, query);
  if (read) return read;
  const tier = tierOf(score);
  if (hit.index === "companies" && isSameAs(score)) return "legally-equivalent-name";
  if (hit.index === "companies") return COMPANY_REASONS.get(tier) ?? "most-words";
  if (isBody(hit)) return bodyReason(tier, answering, query);
  return personReason(tier, answering, query);
}

/** True for companies whose name is the same under the same-as rules. These have a band in tiers of other ways. */
function isSameAs(score: number): boolean {
  return SAME_AS_TIERS.has(tierOf(score)) && bandOf(score) === SAME_AS_BAND;
}

/** The reason of a band of readings, whatever the tier. Band 1 of higher tiers has names that are the same. */
function bandReason(score: number, { name }: AnsweringName, query: QueryForms): Reason | undefined {
  const band = bandOf(score);
  if (band === BANDS.wholeName) return "name-among-other-words";
  if (band !== BANDS.allNear || tierOf(score) < READING_WAYS.wholeName.tiers.current) return undefined;
  return isPartOf(query, query.read(name)) ? "name-among-other-words" : "near-spelling-of-most-words";
}

function bodyReason(tier: number, { name }: AnsweringName, query: QueryForms): Reason {
  const reason = BODY_REASONS.get(tier) ?? "most-words";
  // This tier also has names that contain all words in other places.
  return reason === "begins-with-letters" && !beginsWith(query, query.read(name)) ? "all-words" : reason;
}

function personReason(tier: number, { name, name_type }: AnsweringName, query: QueryForms): Reason {
  const reasons = query.words.length === 1 ? ONE_WORD_REASONS : PERSON_REASONS;
  const reason = reasons[name_type].get(tier) ?? reasons.current.get(tier) ?? "beginnings-of-words";
  // This tier also has surnames that are near a word of the query.
  if (reason === mostForenames.reason && !query.words.includes(query.read(name).words.at(-1) ?? ""))
    return nearMostWords.reason;
  if (reason !== PERSON_WAYS.surnameAndFirst.reason) return reason;
  // A surname of several words: VAN DER BERG.
  const { key } = query.read(name);
  return key !== query.key && key.endsWith(query.key) ? ONE_WORD_WAYS.surname.reason : reason;
}

function isCurrent({ index, source }: SearchHit, name: string): boolean {
  if (index === "companies") return (source.shown as ShownCompany).company_name === name;
  return !(source.shown as Partial<ShownOfficer>).former_names?.includes(name);
}

/** True for an officer, disqualified officer or person with significant control that is a body and not a human. */
export function isBody({ index, source }: SearchHit): boolean {
  if (index === "disqualified-officers")
    return (source.shown as ShownDisqualifiedOfficer).kind === "corporate-disqualification";
  return (source.shown as ShownOfficer | ShownPsc).is_corporate === true;
}

/**
 * The query in the spelling of the best result, with which a search finds exact matches. Undefined if the query was
 * found as spelt, or nothing near it was found. `explainFirst` is called only after a tolerant or read phase.
 */
export function correctQuery(
  { phase = "strict", offset = 0, hits: [first] }: SearchResult,
  explainFirst: (hit: SearchHit) => Explanation,
  queryOf: (hit: SearchHit) => QueryForms,
): string | undefined {
  if (phase === "strict" || offset > 0 || !first) return undefined;
  const { reason, name, tier } = explainFirst(first);
  const isRead = reason === "near-spelling-of-most-words" && tier === READING_WAYS.wholeName.tiers.current;
  // Names that are the same under the same-as rules may differ in a final S, which is worth a suggestion.
  if (reason !== "near-spelling" && reason !== "legally-equivalent-name" && !isRead) return undefined;
  const query = queryOf(first);
  // The suggestion would lack the facts of the query, and so find other results as well.
  if (query.hasFacts()) return undefined;
  const { words } = query.read(name);
  const corrected = correctWords(query, words);
  // Words that were split or joined cannot be compared one by one, so the suggestion is the whole name. Words of a
  // place are not in the name, and stay unchanged.
  const isWhole = !isRead && corrected.includes(undefined);
  const suggested = isWhole ? words : query.words.map((word, place) => corrected[place] ?? word);
  const isSame = suggested.join(" ") === query.words.join(" ");
  // Under the same-as rules, names with differently written numbers are the same: 3 is THREE.
  const isOther = reason !== "legally-equivalent-name" && hasOtherNumbers(query.words, suggested);
  const isLost = query.words.some((word) => mustStay(word) && !suggested.includes(word));
  return isSame || isOther || isLost ? undefined : suggested.join(" ");
}

/** True for a word that a suggestion must keep: a postcode's outward part that is no mistyped number, or an ending. */
function mustStay(word: string): boolean {
  return (isOutward(word) && withDigits(word) === word) || findEnding(["", word]).length > 0;
}

const NUMBER = /^\d+$/;
const DIGIT = /\d/;

/**
 * True if a number differs, which is not a misspelling: 12 HIGH STREET for 14 HIGH STREET. A split number is the same
 * number, and so is one with letters that look like digits: 2OO9.
 */
function hasOtherNumbers(asked: string[], others: string[]): boolean {
  const words = asked.map(withDigits);
  const has = (all: string[], word: string) => !NUMBER.test(word) || all.includes(word);
  if (words.every((word) => has(others, word)) && others.every((word) => has(words, word))) return false;
  return digitsOf(words) !== digitsOf(others);
}

/** A word with a digit, and digits in place of its O, I and L, if that makes a number; any other word unchanged. */
function withDigits(word: string): string {
  const number = word.replaceAll("O", "0").replace(/[IL]/g, "1");
  return NUMBER.test(number) && DIGIT.test(word) ? number : word;
}

function digitsOf(words: string[]): string {
  return words.join("").replace(/\D/g, "");
}

/**
 * Each word of the query in the spelling of the name, or undefined if the name has no such word. Each word of the name
 * is used once. In a person's name an initial stays if a word begins with it.
 */
function correctWords({ words, isPerson = false }: QueryForms, others: string[]): (string | undefined)[] {
  const left = [...others];
  const take = (holds: (other: string) => boolean) => {
    const at = left.findIndex(holds);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const equal = words.map((word) => take((other) => other === word));
  return words.map((word, place) => {
    if (equal[place] !== undefined) return word;
    if (isPerson && isInitial(word)) return take((other) => other.startsWith(word)) && word;
    return take((other) => isNear(word, other));
  });
}

/** JSON Schema of the corrected query. */
export const DID_YOU_MEAN: JsonSchema = {
  type: "string",
  description: "The query in the spelling of the best result, if nothing was found as typed.",
};

/** JSON Schema of an explanation. */
export const explanationSchema: JsonSchema = {
  title: "match",
  description: "Why the item was found; with explain=true.",
  ...objectOf(["tier", "reason", "name", "name_type"], {
    tier: { type: "integer", minimum: 0, description: "Place of the reason among all reasons; 0 is best." },
    reason: { enum: [...REASONS], description: "How the name matches the query." },
    name: { type: "string", description: "The name that matched." },
    name_type: {
      enum: ["current", "previous"],
      description: "Whether it is the present name, or a previous or former one.",
    },
  }),
};

/** JSON Schemas of the members that show what matched, and why when `explain` is set. */
export const matchedSchemas: Record<string, JsonSchema> = { ...marksSchemas, match: explanationSchema };

/** The names of these members; items may lack them. */
export const MATCH_MEMBERS = Object.keys(matchedSchemas);
