import { describe, expect, it } from "@jest/globals";
import { NOTHING } from "../../../api/search/clauses.ts";
import { prune } from "../../../api/search/pruning.ts";

const a = { term: { f: "A" } };
const b = { term: { f: "B" } };

describe("a clause of which a part matches nothing", () => {
  it.each([
    ["a part that must match", { bool: { must: [a, NOTHING], should: [b] } }, NOTHING],
    ["one that must match, alone", { bool: { must: NOTHING } }, NOTHING],
    ["a filter", { bool: { must: [a], filter: [NOTHING] } }, NOTHING],
    [
      "one that may match",
      { bool: { must: [a], should: [b, NOTHING] } },
      { bool: { must: [a], should: [b] } },
    ],
    ["the only one that may match", { bool: { filter: [a], should: [NOTHING] } }, { bool: { filter: [a] } }],
    ["all of which one has to match", { bool: { should: [NOTHING, NOTHING] } }, NOTHING],
    [
      "one of more than are needed",
      { bool: { should: [a, b, NOTHING], minimum_should_match: 2 } },
      { bool: { should: [a, b], minimum_should_match: 2 } },
    ],
    ["one of those that are needed", { bool: { should: [a, NOTHING], minimum_should_match: 2 } }, NOTHING],
    ["one of several", { dis_max: { queries: [a, NOTHING, b] } }, { dis_max: { queries: [a, b] } }],
    ["all but one", { dis_max: { queries: [NOTHING, b] } }, b],
    ["all", { dis_max: { queries: [NOTHING] } }, NOTHING],
    ["what is in a name", { nested: { path: "names", query: NOTHING } }, NOTHING],
    ["what has a score", { constant_score: { filter: NOTHING, boost: 2 } }, NOTHING],
    ["what is scored", { script_score: { query: NOTHING, script: { source: "1" } } }, NOTHING],
  ])("is pruned: %s", (_what, clause, pruned) => {
    expect(prune(clause)).toEqual(pruned);
  });

  it.each([
    [a],
    [{ bool: { must: [a], should: [b] } }],
    [{ dis_max: { queries: [a, b] } }],
    [{ nested: { path: "names", query: a } }],
  ])("stays the same without one: %j", (clause) => {
    expect(prune(clause)).toEqual(clause);
  });
});
