/** Scores candidates, and decides whether the best one is the match. Pure. */
import {
  FACTS,
  STRENGTHS,
  type Candidate,
  type Compared,
  type Fact,
  type FactsFound,
  type Likeness,
  type MatchType,
} from "./define-match.ts";

// The points that a fact adds to the score if it agrees, or subtracts if it differs.
const WORTH: Record<Fact, number> = { number: 4, postcode: 3, born: 3, town: 2, status: 1 };
const COSTS: Record<Fact, number> = { number: 30, postcode: 15, born: 30, town: 12, status: 8 };
// The points for an equal name; the rest is left for facts.
const MOST_OF_A_NAME = 94;
// Tuned: a name with a lower score shares less than half of its words, so the number is another company's.
const CONTRADICTING_NAME = 35;
const SCORE_OF_A_NUMBER = 100;
// So low that companies with a similar name rank before it.
const SCORE_OF_A_CONTRADICTED_NUMBER = 35;

// Facts that can confirm an uncertain name. A town has too many companies to confirm a near name.
const CONFIRMING: Record<MatchType, readonly Fact[]> = {
  company: ["number", "postcode"],
  officer: ["born", "number", "postcode"],
  "disqualified-officer": ["born", "postcode"],
};

// Facts that the members of a family do not share.
const OF_ONE_PERSON: readonly Fact[] = ["born"];

const SHOWN_RIVALS = 2;

const SAME = STRENGTHS.indexOf("same");
const WEAK = STRENGTHS.indexOf("weak");

/** The candidates, best first, with score, decision and reasons. `limit`: most candidates returned. */
export function decide(compared: readonly Compared[], limit: number): Candidate[] {
  const scored = compared
    .map((one) => ({ ...one, score: scoreOf(one) }))
    // The sort is stable: candidates with the same score keep the order of the search.
    .toSorted((a, b) => b.score - a.score);
  const [first] = scored;
  const rivals = first ? scored.slice(1).filter((other) => isRival(first, other)) : [];
  const isMatch = first !== undefined && isSure(first) && rivals.length === 0;
  return scored.slice(0, limit).map((one, at) => ({
    type: one.type,
    id: one.id,
    name: one.name,
    status: one.status,
    description: one.description,
    score: one.score,
    match: at === 0 && isMatch,
    reasons: [...reasonsOf(one), ...(at === 0 ? describeRivals(rivals) : [])],
    features: featuresOf(one),
  }));
}

function scoreOf(one: Compared): number {
  if (one.isByNumber) return isNumberSure(one) ? SCORE_OF_A_NUMBER : SCORE_OF_A_CONTRADICTED_NUMBER;
  const { likeness, facts } = one;
  const name = ((likeness?.score ?? 0) * MOST_OF_A_NAME) / 100;
  const change = FACTS.reduce((sum, fact) => sum + worthOf(facts, fact), 0);
  return Math.round(Math.max(0, Math.min(SCORE_OF_A_NUMBER, name + change)) * 10) / 10;
}

function worthOf(facts: FactsFound, fact: Fact): number {
  const found = facts[fact];
  if (!found) return 0;
  return found.agreement === "agrees" ? WORTH[fact] : -COSTS[fact];
}

function isNumberSure(one: Compared): boolean {
  const { isByNumber, likeness } = one;
  return isByNumber && (likeness ? likeness.score >= CONTRADICTING_NAME : !isContradicted(one));
}

/** True if the candidate is certain enough on its own. Whether another one is as good is for `isRival` to tell. */
function isSure(one: Compared): boolean {
  if (one.isByNumber) return isNumberSure(one);
  if (rankOf(one) === WEAK || isContradicted(one)) return false;
  // Many people share a name, so a person's name alone is never enough.
  const isEnough = one.type === "company" && rankOf(one) <= STRENGTHS.indexOf("slip");
  return isEnough || isConfirmed(one);
}

/**
 * True if a search can find nothing better: the company has the number or the same name, and no fact differs; or it has
 * both number and name.
 */
export function settlesQuestion(one: Compared): boolean {
  if (one.isByNumber) return isNumberSure(one) && (rankOf(one) <= SAME || !isContradicted(one));
  return rankOf(one) <= SAME && !isContradicted(one);
}

function isContradicted({ facts }: Compared): boolean {
  return Object.values(facts).some(({ agreement }) => agreement === "differs");
}

function isConfirmed({ type, facts, likeness }: Compared): boolean {
  const isTownEnough = type === "company" && likeness?.strength !== "near";
  const own = likeness?.isOfFamily ? OF_ONE_PERSON : CONFIRMING[type];
  const confirming = isTownEnough ? [...own, "town" as const] : own;
  // A vague fact, such as the first half of a postcode, confirms only where a town does.
  return confirming.some(
    (fact) => facts[fact]?.agreement === "agrees" && (isTownEnough || !facts[fact].isVague),
  );
}

/** True if `other` may as well be the match: its name is as similar, and no fact tells it from the first candidate. */
function isRival(first: Compared, other: Compared): boolean {
  if (isNumberSure(first)) return isLikelierThanNumber(first, other);
  if (!first.likeness || !other.likeness) return false;
  // The whole text is the name of the other, such as QUORN LTD ENGLAND: it is possible even if a fact differs.
  if (!isWhole(first) && isWhole(other)) return true;
  if (isWhole(first) && other.likeness.isReworded) return false;
  if (isContradicted(other) || (isConfirmed(first) && !isConfirmed(other))) return false;
  // `Quillory Press, Leeds` may be QUILLORY PRESS in Leeds or QUILLORY PRESS (LEEDS). With a legal ending after LEEDS it
  // is the latter.
  const isBeforeTown = other.likeness.isBeforeComma && other.facts.town?.agreement === "agrees";
  if (isBeforeTown && first.likeness.strength === "same") return true;
  const isInexact = rankOf(first) >= STRENGTHS.indexOf("slip");
  if (isInexact && other.likeness.hasWholeText && !first.likeness.hasWholeText) return true;
  if (isInexact && other.likeness.hasAllWords && !isConfirmed(first)) return true;
  // If the first is inexact or a person, then one that is merely near is a possible match, too.
  const isClear = first.type === "company" && !isInexact;
  return rankOf(other) <= (isClear ? rankOf(first) : STRENGTHS.indexOf("near"));
}

/**
 * True if the given number may be wrong, and `other` right: its name is equal and that of the first merely shares
 * words; or its name is more similar, a fact confirms it, and a fact of the first differs.
 */
function isLikelierThanNumber(first: Compared, other: Compared): boolean {
  if (rankOf(first) === WEAK && rankOf(other) <= SAME) return true;
  return rankOf(other) < rankOf(first) && isContradicted(first) && isConfirmed(other);
}

function rankOf({ likeness }: Compared): number {
  return STRENGTHS.indexOf(likeness?.strength ?? "weak");
}

/** True if the name is the whole text. */
function isWhole(one: Compared): boolean {
  return rankOf(one) <= SAME && one.likeness?.isReworded !== true;
}

function describeRivals(rivals: readonly Compared[]): string[] {
  if (rivals.length === 0) return [];
  const shown = rivals.slice(0, SHOWN_RIVALS).map(({ id, name }) => `${name} (${id})`);
  const more = rivals.length > SHOWN_RIVALS ? ` and ${rivals.length - SHOWN_RIVALS} more` : "";
  return [`as likely: ${shown.join(", ")}${more}`];
}

function reasonsOf(one: Compared): string[] {
  const { likeness, facts, isByNumber } = one;
  const isAnother = likeness !== null && !isNumberSure(one);
  const number = isAnother ? "number agrees, but the name is another one" : "number agrees";
  return [
    ...(isByNumber ? [number] : []),
    ...(likeness ? [likeness.reason] : []),
    ...FACTS.filter((fact) => fact !== "number" || !isByNumber).flatMap((fact) => facts[fact]?.reason ?? []),
  ];
}

function featuresOf({ likeness, facts }: Compared): Candidate["features"] {
  const known = FACTS.flatMap((fact) => {
    const found = facts[fact];
    return found ? [[fact, found.agreement === "agrees"] as const] : [];
  });
  return { ...(likeness && { name: likeness.score }), ...Object.fromEntries(known) };
}

/** The likeness of names that are not similar at all. */
export const NOT_SIMILAR: Likeness = { strength: "weak", score: 0, reason: "another name" };

/** The likeness with the highest score, the first of several. */
export function mostSimilar(likenesses: Likeness[]): Likeness {
  return likenesses.reduce((best, one) => (one.score > best.score ? one : best), NOT_SIMILAR);
}
