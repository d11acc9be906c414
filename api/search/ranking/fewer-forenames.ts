/** The shorter forms of a person's whole name: with forenames left out, or written as initials. */
import type { PersonReading } from "../../../index-mappings/names/person-name.ts";
import { isInitial } from "../../shared/values/nearness.ts";
import { type Clause, constant } from "../clauses.ts";

// Tuned: within the tier of whole names, below the weights of all forenames or their initials (person-readings.ts).
const FEWER_FORENAMES = 0.47;
const MISSING_FORENAME = 1 / 32;
// Tuned: ROSAMUND CLARE is more likely a ROSAMUND than a CLARE.
const WITHOUT_FIRST = 3;
const WITHOUT_LATER = 2;
// Limit: a name with more forenames has no shorter forms, which would be too many. Hardly anybody has as many.
const MOST_FORENAMES = 4;

/** Clauses for whole names with fewer forenames. The less is missing, the higher the score. */
export function shorterNames(readings: PersonReading[]): Clause[] {
  const byMissing = new Map<number, Set<string>>();
  for (const { surname, given } of readings) {
    if (given.length === 0 || given.length > MOST_FORENAMES) continue;
    for (const { kept, missing } of shortenings(given)) {
      const fulls = byMissing.get(missing) ?? new Set();
      byMissing.set(missing, fulls.add(kept + surname));
    }
  }
  return [...byMissing].map(([missing, fulls]) =>
    constant({ terms: { "names.full": [...fulls] } }, FEWER_FORENAMES - missing * MISSING_FORENAME),
  );
}

interface Shortening {
  kept: string;
  /** How much is missing, in units of MISSING_FORENAME: 1 for a forename that is only an initial. */
  missing: number;
}

/** All ways to omit or abbreviate forenames, except omitting all of them, each with how much is missing. */
function shortenings(given: string[]): Shortening[] {
  return given
    .map((word, position) => waysToWrite(word, position === 0 ? WITHOUT_FIRST : WITHOUT_LATER))
    .reduce((before, own) =>
      before.flatMap((one) =>
        own.map((other) => ({ kept: one.kept + other.kept, missing: one.missing + other.missing })),
      ),
    )
    .filter(({ kept, missing }) => kept !== "" && missing > 0);
}

function waysToWrite(word: string, omitted: number): Shortening[] {
  return [
    { kept: word, missing: 0 },
    ...(isInitial(word) ? [] : [{ kept: [...word][0] ?? "", missing: 1 }]),
    { kept: "", missing: omitted },
  ];
}
