/**
 * Owns explanations, on request: why a result was found, and which spelling may have been meant. The names of the tiers are
 * those of the search reference (8.3 and 8.4).
 */
import type { BooleanParameter } from "../../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import type { ShownDisqualifiedOfficer } from "../../../index-mappings/disqualified-officers/index.ts";
import type { ShownOfficer } from "../../../index-mappings/officers/index.ts";
import type { ShownPsc } from "../../../index-mappings/persons-with-significant-control/index.ts";
import { bandOf, tierOf } from "../clauses.ts";
import type { SearchHit, SearchResult } from "../../shared/definitions/search-result.ts";
import { BEST_FORMER_TIER } from "../ranking/person.ts";
import { MOST_WORDS_BANDS, READING_TIERS } from "../ranking/readings.ts";
import { isNear } from "../../shared/values/edit-distance.ts";
import type { Reading } from "./forms.ts";

/** `explain`: true when each item gives its reason. */
export const EXPLAIN: BooleanParameter = {
  kind: "boolean",
  description:
    "true adds to each item the tier in which it was found, what the tier means and the name that matched, and to a page " +
    "of the searches by relevance what was read in the query.",
};

/** What a tier means, the best first; a previous or former name has the reason of the current one. */
export const REASONS = [
  "company-number",
  "same-name",
  "legally-equivalent-name",
  "same-name-with-another-ending",
  "surname-and-first-forename",
  "surname",
  "surname-and-other-forename",
  "begins-with-words",
  "begins-with-letters",
  "all-words",
  "surname-and-beginnings-of-forenames",
  "other-forename-or-part-of-surname",
  "first-forename",
  "beginnings-of-words",
  "near-spelling",
  "most-words",
  "postcode",
  "name-among-other-words",
  "surname-and-most-forenames",
  "near-spelling-of-most-words",
] as const;

/** The reason of a result. */
type Reason = (typeof REASONS)[number];

type Reasons = Partial<Record<number, Reason>>;

/** For results of reading the query; whole names share a tier with those that have most words. */
const READING_REASONS: Reasons = {
  [READING_TIERS.number]: "company-number",
  [READING_TIERS.postcode]: "postcode",
  [READING_TIERS.numberAmongWords]: "company-number",
  [READING_TIERS.mostForenames.current]: "surname-and-most-forenames",
  [READING_TIERS.mostForenames.previous]: "surname-and-most-forenames",
  [READING_TIERS.nearMostWords.current]: "near-spelling-of-most-words",
  [READING_TIERS.nearMostWords.previous]: "near-spelling-of-most-words",
};

/** For companies; odd and even numbers from 5 on are those of current and of previous names. */
const COMPANY_REASONS: Reasons = {
  0: "company-number",
  1: "same-name",
  2: "same-name-with-another-ending",
  3: "same-name",
  4: "begins-with-words",
  5: "begins-with-letters",
  6: "begins-with-letters",
  7: "all-words",
  8: "all-words",
  9: "beginnings-of-words",
  10: "beginnings-of-words",
  11: "near-spelling",
  12: "near-spelling",
  13: "most-words",
  14: "most-words",
  ...READING_REASONS,
};

/** For bodies among officers, whose tiers combine several of those of companies; 5 is also that of all words. */
const BODY_REASONS: Reasons = {
  1: "same-name",
  4: "begins-with-words",
  5: "begins-with-letters",
  7: "beginnings-of-words",
  9: "near-spelling",
  11: "most-words",
  ...READING_REASONS,
};

/** For people searched by several words. */
const PERSON_REASONS: Reasons = {
  1: "same-name",
  2: "surname-and-first-forename",
  3: "surname-and-other-forename",
  4: "all-words",
  5: "surname-and-beginnings-of-forenames",
  6: "beginnings-of-words",
  9: "near-spelling",
  ...READING_REASONS,
};

/** For people searched by one word. */
const ONE_WORD_REASONS: Reasons = {
  2: "surname",
  4: "other-forename-or-part-of-surname",
  5: "first-forename",
  6: "beginnings-of-words",
  9: "near-spelling",
};

// The tier of names that are the same under the same-as rules.
const SAME_AS_TIER = 1;

/** The name that matched: a present one, or a previous or former one. */
interface AnsweringName {
  name: string;
  name_type: "current" | "previous";
}

/** The reason of a result. */
export interface Explanation extends AnsweringName {
  tier: number;
  reason: Reason;
}

/** The reason of a hit, from the tier in its score; `name` is the one of its names that matched. */
export function explainHit(hit: SearchHit, name: string, reading: Reading): Explanation {
  if (hit.score === null) return explainSameAs(hit);
  const tier = tierOf(hit.score);
  const answering: AnsweringName = { name, name_type: isCurrent(hit, name) ? "current" : "previous" };
  return { tier, reason: reasonOf(hit, tier, answering, reading), ...answering };
}

/** Only hits in the order of the register have no score: current names with the same same-as key, which are equals. */
function explainSameAs({ source }: SearchHit): Explanation {
  const { company_name: name } = source.shown as ShownCompany; // the only search that has such hits is for companies
  return { tier: SAME_AS_TIER, reason: "legally-equivalent-name", name, name_type: "current" };
}

function reasonOf(hit: SearchHit, tier: number, answering: AnsweringName, reading: Reading): Reason {
  const read = bandReason(hit.score ?? 0);
  if (read) return read;
  if (hit.index === "companies") return COMPANY_REASONS[tier] ?? "most-words";
  if (isBody(hit)) return bodyReason(tier, answering, reading);
  return personReason(tier, answering, reading);
}

/** Results of reading the query have a band of their own, whatever was found. */
function bandReason(score: number): Reason | undefined {
  const band = bandOf(score);
  if (band === MOST_WORDS_BANDS.wholeName) return "name-among-other-words";
  return band === MOST_WORDS_BANDS.allNear ? "near-spelling-of-most-words" : undefined;
}

function bodyReason(tier: number, { name }: AnsweringName, { query, read }: Reading): Reason {
  const reason = BODY_REASONS[tier] ?? "most-words";
  // This tier also has names that contain all words elsewhere.
  return reason === "begins-with-letters" && !read(name).key.startsWith(query.key) ? "all-words" : reason;
}

function personReason(tier: number, { name_type }: AnsweringName, { query }: Reading): Reason {
  const reasons = query.words.length === 1 ? ONE_WORD_REASONS : PERSON_REASONS;
  // A former name is one tier below a present one with the same match; the best former names share one tier.
  const present = name_type === "current" ? tier : tier === BEST_FORMER_TIER ? 2 : tier - 1;
  return reasons[present] ?? "beginnings-of-words";
}

function isCurrent({ index, source }: SearchHit, name: string): boolean {
  if (index === "companies") return (source.shown as ShownCompany).company_name === name;
  return !(source.shown as Partial<ShownOfficer>).former_names?.includes(name);
}

/** True for an officer, disqualified or not, or a controller, that is not a person. */
export function isBody({ index, source }: SearchHit): boolean {
  if (index === "disqualified-officers")
    return (source.shown as ShownDisqualifiedOfficer).kind === "corporate-disqualification";
  return (source.shown as ShownOfficer | ShownPsc).is_corporate === true;
}

/**
 * The query in its best near spelling, with which a search finds exact matches. Undefined when the query was
 * found as spelt, or nothing near it was found. `explainFirst` is called only for phases that tolerate slips.
 */
export function correctQuery(
  { phase = 0, offset = 0, hits: [first] }: SearchResult,
  explainFirst: (hit: SearchHit) => Explanation,
  readingOf: (hit: SearchHit) => Reading,
): string | undefined {
  if (phase === 0 || offset > 0 || !first) return undefined;
  const { reason, name, tier } = explainFirst(first);
  const isRead = reason === "near-spelling-of-most-words" && tier === READING_TIERS.wholeName.current;
  if (reason !== "near-spelling" && !isRead) return undefined;
  const { query, read } = readingOf(first);
  const { words } = read(name);
  const corrected = query.words.map(
    (word) => words.find((other) => other === word) ?? words.find((other) => isNear(word, other)),
  );
  if (isRead) {
    // Words of a place are not in the name: they stay unchanged.
    const text = query.words.map((word, position) => corrected[position] ?? word).join(" ");
    return text === query.words.join(" ") ? undefined : text;
  }
  // Words that were split or joined cannot be compared one by one: the name as a whole is near.
  return (corrected.includes(undefined) ? words : corrected).join(" ");
}

/** JSON Schema of the corrected query. */
export const DID_YOU_MEAN: JsonSchema = {
  type: "string",
  description: "The query in the spelling of the best result, if nothing was found as typed.",
};

/** JSON Schema of an explanation. */
export const explanationSchema: JsonSchema = {
  title: "match",
  type: "object",
  description: "Why the item was found; with explain=true.",
  additionalProperties: false,
  required: ["tier", "reason", "name", "name_type"],
  properties: {
    tier: { type: "integer", minimum: 0, description: "Place of the reason among all reasons; 0 is best." },
    reason: { enum: [...REASONS], description: "How the name matches the query." },
    name: { type: "string", description: "The name that matched." },
    name_type: {
      enum: ["current", "previous"],
      description: "Whether it is the present name, or a previous or former one.",
    },
  },
};
