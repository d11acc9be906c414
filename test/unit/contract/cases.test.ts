import { describe, expect, it } from "@jest/globals";
import { resources } from "../../../api/resources/index.ts";
import { downloads, searches } from "../../../api/search/index.ts";
import type { NamedCase } from "../../../scripts/contract/contract-case.ts";
import { findCasesFolder, readCases } from "../../../scripts/contract/read-cases.ts";

/** Definitions that have no cases yet. A name goes out of this list with its first case; none comes in. */
const WITHOUT_CASES: string[] = [];

const cases = readCases(findCasesFolder());
const casesOf = (name: string) => cases.filter(({ endpoint }) => endpoint === name);
const statuses = (own: NamedCase[]) => own.map(({ status }) => status);
const asked = (own: NamedCase[]) =>
  own.flatMap(({ request }) => [...new URL(request.path, "http://server").searchParams.keys()]);

const definitions = [...resources, ...searches, ...downloads];
const covered = definitions.filter(({ name }) => !WITHOUT_CASES.includes(name));

describe.each(covered.map((definition) => [definition.name, definition] as const))(
  "the cases of %s",
  (name, { parameters }) => {
    const own = casesOf(name);

    it("show what is found", () => {
      expect(statuses(own)).toContain(200);
    });

    it("show what is refused without a key", () => {
      expect(statuses(own)).toContain(401);
    });

    it("use each of its parameters", () => {
      expect(Object.keys(parameters).filter((parameter) => !asked(own).includes(parameter))).toEqual([]);
    });
  },
);

// What shows no record is always there.
const missable = resources.filter((resource) => resource.record && covered.includes(resource));
it.each(missable.map(({ name }) => [name]))("the cases of %s show what is not there", (name) => {
  expect(statuses(casesOf(name))).toContain(404);
});

it.each([...searches, ...downloads].filter((search) => covered.includes(search)).map(({ name }) => [name]))(
  "the cases of %s show a search that finds nothing",
  (name) => {
    expect(casesOf(name).map((given) => given.name)).toContain("no-match");
  },
);

it("the list of definitions without cases holds none that has some", () => {
  expect(WITHOUT_CASES.filter((name) => casesOf(name).length > 0)).toEqual([]);
});

it("each folder of cases has a definition", () => {
  const names = definitions.map(({ name }) => name);
  expect([...new Set(cases.map(({ endpoint }) => endpoint))].filter((name) => !names.includes(name))).toEqual(
    [],
  );
});
