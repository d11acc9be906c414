import { describe, expect, it } from "@jest/globals";
import { decide, mostSimilar, settlesQuestion } from "../../../api/matching/decide.ts";
import type { Compared, FactFound, Likeness } from "../../../api/matching/define-match.ts";

const EXACT: Likeness = { strength: "exact", score: 100, reason: "same name" };
const SAME: Likeness = { strength: "same", score: 100, reason: "same name" };
const BEFORE_COMMA: Likeness = { strength: "likely", score: 88, reason: "in part", isBeforeComma: true };
const NEAR: Likeness = { strength: "near", score: 84, reason: "one letter differs" };
const SLIP: Likeness = { strength: "slip", score: 90, reason: "one letter differs" };
const WEAK: Likeness = { strength: "weak", score: 60, reason: "some words are the same" };
const AGREES: FactFound = { agreement: "agrees", reason: "agrees" };
const DIFFERS: FactFound = { agreement: "differs", reason: "differs" };

let ids = 0;
function aCandidate(changes: Partial<Compared> = {}): Compared {
  ids += 1;
  const names = { id: String(ids), name: `COMPANY ${ids}`, description: "", status: null };
  return { type: "company", ...names, likeness: EXACT, facts: {}, isByNumber: false, ...changes };
}

/** Whether the first candidate counts as the match. */
const isMatch = (...compared: Compared[]) => decide(compared, 3)[0]?.match;

describe("a company", () => {
  it.each<[string, Compared[], boolean]>([
    ["is the match with the same name", [aCandidate()], true],
    ["is no match if another one has the same name", [aCandidate(), aCandidate()], false],
    [
      "is the match among two of the same name if only its postcode agrees",
      [aCandidate({ facts: { postcode: AGREES } }), aCandidate()],
      true,
    ],
    ["is no match with another postcode", [aCandidate({ facts: { postcode: DIFFERS } })], false],
    ["is no match with another town", [aCandidate({ facts: { town: DIFFERS } })], false],
    [
      "is the match beside one that the status excludes",
      [aCandidate(), aCandidate({ facts: { status: DIFFERS } })],
      true,
    ],
    [
      "is the match beside one that has the name before the comma, unless the town after it agrees",
      [aCandidate({ likeness: SAME }), aCandidate({ likeness: BEFORE_COMMA })],
      true,
    ],
    [
      "is the match beside one that has the name before a town without a comma",
      [
        aCandidate({ likeness: SAME }),
        aCandidate({ likeness: { ...BEFORE_COMMA, isBeforeComma: false }, facts: { town: AGREES } }),
      ],
      true,
    ],
    [
      "is no match beside one that has the name before the comma and the town after it",
      [aCandidate({ likeness: SAME }), aCandidate({ likeness: BEFORE_COMMA, facts: { town: AGREES } })],
      false,
    ],
    ["is the match with a slip in a long name", [aCandidate({ likeness: SLIP })], true],
    [
      "is no match with a slip if another one is near",
      [aCandidate({ likeness: SLIP }), aCandidate({ likeness: NEAR })],
      false,
    ],
    [
      "is no match with a slip if a longer name has all words of the text",
      [aCandidate({ likeness: SLIP }), aCandidate({ likeness: { ...WEAK, hasAllWords: true } })],
      false,
    ],
    [
      "is the match with a slip beside a name that shares words",
      [aCandidate({ likeness: SLIP }), aCandidate({ likeness: WEAK })],
      true,
    ],
    ["is no match with a near name alone", [aCandidate({ likeness: NEAR })], false],
    [
      "is the match with a near name and its postcode",
      [aCandidate({ likeness: NEAR, facts: { postcode: AGREES } })],
      true,
    ],
    [
      "is no match with a near name if another one begins with all of the text and has the postcode, too",
      [
        aCandidate({ likeness: NEAR, facts: { postcode: AGREES } }),
        aCandidate({ likeness: { ...WEAK, hasWholeText: true }, facts: { postcode: AGREES } }),
      ],
      false,
    ],
    [
      "is the match with a near name and its postcode, if a longer name has all words of the text and the postcode, too",
      [
        aCandidate({ likeness: NEAR, facts: { postcode: AGREES } }),
        aCandidate({ likeness: { ...WEAK, hasAllWords: true }, facts: { postcode: AGREES } }),
      ],
      true,
    ],
    [
      "is the match with a near name and its postcode, if it begins with all of the text as a longer name does",
      [
        aCandidate({ likeness: { ...NEAR, hasWholeText: true }, facts: { postcode: AGREES } }),
        aCandidate({ likeness: { ...WEAK, hasWholeText: true }, facts: { postcode: AGREES } }),
      ],
      true,
    ],
    [
      "is no match with a near name and its town alone",
      [aCandidate({ likeness: NEAR, facts: { town: AGREES } })],
      false,
    ],
    [
      "is no match with a near name, whatever agrees, if another one has the same name",
      [
        aCandidate({ likeness: NEAR, facts: { postcode: AGREES } }),
        aCandidate({ facts: { postcode: DIFFERS } }),
      ],
      false,
    ],
    [
      "is the match by its number",
      [aCandidate({ isByNumber: true, likeness: NEAR }), aCandidate({ facts: { number: DIFFERS } })],
      true,
    ],
    [
      "is no match by its number with another postcode if another one has the postcode and a more similar name",
      [
        aCandidate({ isByNumber: true, likeness: WEAK, facts: { postcode: DIFFERS } }),
        aCandidate({ likeness: SLIP, facts: { number: DIFFERS, postcode: AGREES } }),
      ],
      false,
    ],
    [
      "is the match by its number with another postcode, if another one has neither the postcode nor a name as near",
      [
        aCandidate({ isByNumber: true, likeness: NEAR, facts: { postcode: DIFFERS } }),
        aCandidate({ likeness: SLIP }),
        aCandidate({ likeness: NEAR, facts: { postcode: AGREES } }),
      ],
      true,
    ],
    [
      "is the match by its number with a near name, if another one has a nearer name and the postcode, but no fact differs",
      [
        aCandidate({ isByNumber: true, likeness: NEAR }),
        aCandidate({ likeness: SLIP, facts: { postcode: AGREES } }),
      ],
      true,
    ],
    [
      "is the match by its number with some words of its name",
      [aCandidate({ isByNumber: true, likeness: WEAK })],
      true,
    ],
    [
      "is the match by its number with some words of its name, if another name is merely more similar",
      [
        aCandidate({ isByNumber: true, likeness: WEAK }),
        aCandidate({ likeness: SLIP, facts: { number: DIFFERS } }),
      ],
      true,
    ],
    [
      "is no match by its number with some words of its name, if another one has the same name",
      [aCandidate({ isByNumber: true, likeness: WEAK }), aCandidate({ facts: { number: DIFFERS } })],
      false,
    ],
    ["is the match by its number without a name", [aCandidate({ isByNumber: true, likeness: null })], true],
    [
      "is no match by its number without a name, with another postcode",
      [aCandidate({ isByNumber: true, likeness: null, facts: { postcode: DIFFERS } })],
      false,
    ],
    [
      "is no match with a near name and the first half of its postcode",
      [aCandidate({ likeness: NEAR, facts: { postcode: { ...AGREES, isVague: true } } })],
      false,
    ],
    [
      "is no match by a number that the name contradicts",
      [aCandidate({ isByNumber: true, likeness: { strength: "weak", score: 10, reason: "another name" } })],
      false,
    ],
  ])("%s", (_title, compared, expected) => {
    expect(isMatch(...compared)).toBe(expected);
  });
});

describe("a person", () => {
  const person = (changes: Partial<Compared>) => aCandidate({ type: "officer", ...changes });

  it.each<[string, Compared[], boolean]>([
    ["is no match by name alone", [person({})], false],
    ["is the match by name and birth", [person({ facts: { born: AGREES } })], true],
    ["is no match by name and town", [person({ facts: { town: AGREES } })], false],
    [
      "is no match if another one has the name and the birth, too",
      [person({ facts: { born: AGREES } }), person({ facts: { born: AGREES } })],
      false,
    ],
    ["is no match with another birth", [person({ facts: { born: DIFFERS, postcode: AGREES } })], false],
  ])("%s", (_title, compared, expected) => {
    expect(isMatch(...compared)).toBe(expected);
  });
});

describe("for a company that was found", () => {
  const elsewhere = { postcode: DIFFERS };
  it.each<[string, Partial<Compared>, boolean]>([
    ["no search is needed if it has the same name", {}, true],
    ["a search is needed if it has the same name and another postcode", { facts: elsewhere }, false],
    ["a search is needed if its name has a slip", { likeness: SLIP }, false],
    ["no search is needed if it was found by its number", { isByNumber: true, likeness: WEAK }, true],
    [
      "no search is needed if it was found by its number and with the same name",
      { isByNumber: true, facts: elsewhere },
      true,
    ],
    [
      "a search is needed if it was found by its number with another postcode",
      { isByNumber: true, likeness: SLIP, facts: elsewhere },
      false,
    ],
    [
      "a search is needed if the name contradicts the number",
      { isByNumber: true, likeness: { ...WEAK, score: 10 } },
      false,
    ],
  ])("%s", (_title, changes, expected) => {
    expect(settlesQuestion(aCandidate(changes))).toBe(expected);
  });
});

it("takes the first of equally similar names as the most similar one", () => {
  const [first, second] = [{ ...NEAR }, { ...NEAR }];
  expect(mostSimilar([WEAK, first, second])).toBe(first);
});

it("the reasons name two equally likely candidates, and count the rest", () => {
  const [first] = decide([aCandidate(), aCandidate(), aCandidate(), aCandidate()], 3);
  expect(first?.reasons.at(-1)).toMatch(/^as likely: COMPANY \d+ \(\d+\), COMPANY \d+ \(\d+\) and 1 more$/);
});

it.each<[string, Partial<Compared>, string[]]>([
  ["once", { facts: { number: AGREES, town: AGREES } }, ["number agrees", "same name", "agrees"]],
  [
    "without a word about a missing name",
    { likeness: null, facts: { postcode: DIFFERS } },
    ["number agrees", "differs"],
  ],
  [
    "with a remark if the name is another one",
    { likeness: { strength: "weak", score: 10, reason: "another name" } },
    ["number agrees, but the name is another one", "another name"],
  ],
])("gives the number as a reason %s", (_title, changes, reasons) => {
  expect(decide([aCandidate({ isByNumber: true, ...changes })], 1)[0]?.reasons).toEqual(reasons);
});

it("candidates with agreeing facts come first, and equal ones keep the order of the search", () => {
  const plain = [aCandidate(), aCandidate()];
  const found = decide([...plain, aCandidate({ facts: { town: AGREES } })], 3);
  expect(found.map(({ id }) => id)).toEqual([String(ids), ...plain.map(({ id }) => id)]);
});
