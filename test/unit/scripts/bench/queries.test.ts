import { describe, expect, it } from "@jest/globals";
import { parseQuery } from "../../../../api/shared/schemas/query-parameters.ts";
import { searches } from "../../../../api/search/index.ts";
import { createRandom } from "../../../../scripts/bench/random.ts";
import { beginningOf, queryKinds, slipIn, twoWordsOf } from "../../../../scripts/bench/search/kinds.ts";
import type { RegisterSample, SampledCompany } from "../../../../scripts/bench/search/sample.ts";

const aCompany = (name: string): SampledCompany => ({
  number: "01234567",
  name,
  status: "active",
  created: "2011-02-03",
  sic: "62020",
  locality: "LEEDS",
});
const sample: RegisterSample = {
  companies: [aCompany("SAMPLE HARBOUR LANTERN WORKS LIMITED"), aCompany("B & C LTD")],
  dissolved: [aCompany("FORGOTTEN EXAMPLE LIMITED")],
  persons: [{ forename: "Ada", surname: "Quillfeather" }],
  people: {
    "persons-with-significant-control": [{ id: "p1", forename: "Ada", surname: "Quillfeather" }],
  },
};

it.each(queryKinds.map((kind) => [kind.name, kind] as const))(
  "draws queries that their search accepts: %s",
  (_name, kind) => {
    const random = createRandom(1);
    const search = searches.find(({ path }) => path === kind.path);
    for (let drawn = 0; drawn < 50; drawn += 1) {
      const query = kind.draw(sample, random);
      expect(Object.values(query)).not.toContain("");
      // Throws if the search would refuse it.
      const values = parseQuery(search?.parameters ?? {}, query);
      expect(Object.keys(values)).toEqual(expect.arrayContaining(Object.keys(query)));
    }
  },
);

it("has a kind for every search of companies and officers", () => {
  const asked = new Set(queryKinds.map(({ path }) => path));
  const others = searches.map(({ path }) => path).filter((path) => !asked.has(path));
  // The generated register has no disqualified officers. Every other search needs a kind.
  expect(others).toEqual(["/search/disqualified-officers"]);
});

it("draws the same queries for the same seed", () => {
  const draw = () => {
    const random = createRandom(9);
    return queryKinds.map((kind) => kind.draw(sample, random));
  };
  expect(draw()).toEqual(draw());
});

describe("what a user types", () => {
  it.each([
    ["SAMPLE HARBOUR LIMITED", 3, "sam"],
    ["A SAMPLE", 2, "a"],
    ["'X", 1, "'"],
  ])("of %s up to %i letters is %s", (name, letters, typed) => {
    expect(beginningOf(name, letters)).toBe(typed);
  });

  it("is two different words of the name, its ending never among them", () => {
    const pairs = Array.from({ length: 60 }, (_none, seed) =>
      twoWordsOf("SAMPLE HARBOUR LIMITED", createRandom(seed)),
    );
    expect([...new Set(pairs)].sort()).toEqual(["harbour sample", "sample harbour"]);
  });

  it("differs from the name by one letter of a long word, which is not its first", () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const typed = slipIn("OLD HARBOUR WORKS LTD", createRandom(seed));
      expect(typed).toMatch(/^old h[a-z]{6} works$/);
      const differences = [...typed].filter((letter, place) => letter !== "old harbour works"[place]);
      expect(differences).toHaveLength(1);
    }
  });
});
