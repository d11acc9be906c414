import { describe, expect, it } from "@jest/globals";
import { decide } from "../../../api/matching/decide.ts";
import type { Compared, FactFound, Likeness } from "../../../api/matching/define-match.ts";

const EXACT: Likeness = { strength: "exact", score: 100, reason: "same name" };
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

/** Whether the best of these candidates counts as the match. */
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
      "is the match if the other one of the name has another status",
      [aCandidate(), aCandidate({ facts: { status: DIFFERS } })],
      true,
    ],
    ["is the match with one letter wrong in a long name", [aCandidate({ likeness: SLIP })], true],
    [
      "is no match with one letter wrong if another name is near",
      [aCandidate({ likeness: SLIP }), aCandidate({ likeness: NEAR })],
      false,
    ],
    ["is no match with a near name alone", [aCandidate({ likeness: NEAR })], false],
    [
      "is the match with a near name and its postcode",
      [aCandidate({ likeness: NEAR, facts: { postcode: AGREES } })],
      true,
    ],
    [
      "is no match with a near name if another name begins with the whole text and has the postcode, too",
      [
        aCandidate({ likeness: NEAR, facts: { postcode: AGREES } }),
        aCandidate({ likeness: { ...WEAK, hasWholeText: true }, facts: { postcode: AGREES } }),
      ],
      false,
    ],
    [
      "is no match with a near name and only its town",
      [aCandidate({ likeness: NEAR, facts: { town: AGREES } })],
      false,
    ],
    [
      "is no match with a near name and its postcode if another one has the same name",
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
      "is the match by its number with some words of its name",
      [aCandidate({ isByNumber: true, likeness: WEAK })],
      true,
    ],
    [
      "is no match by its number with some words of its name if another one has the same name",
      [aCandidate({ isByNumber: true, likeness: WEAK }), aCandidate({ facts: { number: DIFFERS } })],
      false,
    ],
    ["is the match by its number without a name", [aCandidate({ isByNumber: true, likeness: null })], true],
    [
      "is no match by its number without a name if the postcode is another",
      [aCandidate({ isByNumber: true, likeness: null, facts: { postcode: DIFFERS } })],
      false,
    ],
    [
      "is no match with a near name and only the first half of its postcode",
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

it("the reasons name two equally likely candidates, and count the rest", () => {
  const [first] = decide([aCandidate(), aCandidate(), aCandidate(), aCandidate()], 3);
  expect(first?.reasons.at(-1)).toMatch(/^as likely: COMPANY \d+ \(\d+\), COMPANY \d+ \(\d+\) and 1 more$/);
});

it("candidates with agreeing facts come first, and equal ones keep the order of the search", () => {
  const plain = [aCandidate(), aCandidate()];
  const found = decide([...plain, aCandidate({ facts: { town: AGREES } })], 3);
  expect(found.map(({ id }) => id)).toEqual([String(ids), ...plain.map(({ id }) => id)]);
});
