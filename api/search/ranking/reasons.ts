/** Owns the names of the tiers: the reasons of results (search reference 8.3 and 8.4). */
import { READING_TIERS } from "./readings.ts";

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
export type Reason = (typeof REASONS)[number];

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
export const COMPANY_REASONS: Reasons = {
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
export const BODY_REASONS: Reasons = {
  1: "same-name",
  4: "begins-with-words",
  5: "begins-with-letters",
  7: "beginnings-of-words",
  9: "near-spelling",
  11: "most-words",
  ...READING_REASONS,
};

/** For people searched by several words. */
export const PERSON_REASONS: Reasons = {
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
export const ONE_WORD_REASONS: Reasons = {
  2: "surname",
  4: "other-forename-or-part-of-surname",
  5: "first-forename",
  6: "beginnings-of-words",
  9: "near-spelling",
};
