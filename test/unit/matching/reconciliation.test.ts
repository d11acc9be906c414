/** The reconciliation service: how queries are read, and what their answers contain. */
import { describe, expect, it } from "@jest/globals";
import type { SearchHit } from "../../../api/shared/definitions/search-result.ts";
import { MATCH_TYPES, type MatchType } from "../../../api/matching/define-match.ts";
import { suggestNamed } from "../../../api/matching/reconciliation/entities.ts";
import {
  presentExtension,
  properties,
  propertiesOf,
} from "../../../api/matching/reconciliation/properties.ts";
import { parseBatch, personIdIn, presentResult } from "../../../api/matching/reconciliation/queries.ts";

describe("the identifier of a person as a query", () => {
  it.each<[query: string, types: MatchType[], id: string | null]>([
    ["officer-OF1", ["officer", "disqualified-officer"], "officer-OF1"],
    ["officer-OF1", ["disqualified-officer"], null],
    ["officer OF1", ["officer"], null],
    ["00912345", ["company", "officer"], null],
  ])("%s, with types %j: %s", (query, type, id) => {
    const [read] = parseBatch(JSON.stringify({ q: { query, type } }));
    expect(read && personIdIn(read)).toBe(id);
  });
});

it("an answer has notes only if something could not be used", () => {
  expect(presentResult([{ candidates: [], notes: [] }], 1)).toEqual({ result: [] });
  expect(
    presentResult(
      [
        { candidates: [], notes: ["a", "b"] },
        { candidates: [], notes: ["a"] },
      ],
      1,
    ),
  ).toEqual({
    result: [],
    notes: ["a", "b"],
  });
});

it.each([
  ["postal", "postal_code"],
  ["TOWN", "locality"],
])("%s suggests the property %s by its identifier or its name", (prefix, id) => {
  expect(suggestNamed(properties, { prefix, cursor: 0 }).result).toMatchObject([{ id }]);
});

describe("the properties of a person", () => {
  const source = {
    shown: { title: "Jane QUORNSBY", address: { locality: "Leeds", postal_code: "LS1 1ZZ" } },
  };
  const hit: SearchHit = { index: "officers", id: "OF1", score: 1, sort: [], source };

  it.each(MATCH_TYPES.filter((type) => type !== "company"))("of type %s include name and address", (type) => {
    const asked = { ids: ["x"], properties: propertiesOf(type) };
    expect(presentExtension(asked, new Map([["x", { type, hit }]])).rows.x).toMatchObject({
      name: [{ str: "Jane QUORNSBY" }],
      address: [{ str: "Leeds, LS1 1ZZ" }],
      locality: [{ str: "Leeds" }],
      postal_code: [{ str: "LS1 1ZZ" }],
    });
  });
});
