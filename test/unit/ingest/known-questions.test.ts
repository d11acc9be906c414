import { describe, expect, it } from "@jest/globals";
import { isAnswered, questionsAbout } from "../../../ingest/reindex/check.ts";

const aCompany = (id: string, name: string) => ({
  id,
  source: { shown: { company_name: name } },
});

/** An index whose every search finds these, in this order. */
function anIndex(found: { id: string; name: string }[]) {
  const hits = found.map(({ id, name }) => ({
    ...{ index: "companies", id, score: 1, sort: [] },
    source: aCompany(id, name).source,
  }));
  const search = () => Promise.resolve([{ total: hits.length, hits }]);
  const words = { fetch: () => Promise.resolve([]) };
  return { elasticsearch: { search, words } } as unknown as Parameters<typeof isAnswered>[0];
}

async function answers(name: string, found: { id: string; name: string }[]): Promise<boolean[]> {
  const questions = questionsAbout("companies", aCompany("01234567", name));
  return Promise.all(questions.map((question) => isAnswered(anIndex(found), "companies-next", question)));
}

describe("known questions", () => {
  it("ask for a company by number and by name", () => {
    const questions = questionsAbout("companies", aCompany("01234567", "ACORN LIMITED"));
    expect(questions.map(({ search, q, place }) => [search.name, q, place])).toEqual([
      ["search-companies", "01234567", "first"],
      ["search-companies", "ACORN LIMITED", "found"],
    ]);
  });

  it.each(["!!!", "A".repeat(161)])("do not ask for a name that no search accepts: %s", (name) => {
    expect(questionsAbout("companies", aCompany("01234567", name))).toHaveLength(1);
  });

  it("ask for an officer by name", () => {
    const source = { shown: { title: "Ada Example" } };
    expect(questionsAbout("officers", { id: "a", source }).map(({ q }) => q)).toEqual(["Ada Example"]);
  });

  const own = { id: "01234567", name: "ACORN LIMITED" };
  const other = { id: "00000001", name: "OAK LIMITED" };
  it("are answered if the company comes first for its number, and is on the page for its name", async () => {
    expect(await answers("ACORN LIMITED", [own, other])).toEqual([true, true]);
    expect(await answers("ACORN LIMITED", [other, own])).toEqual([false, true]);
    expect(await answers("ACORN LIMITED", [other])).toEqual([false, false]);
  });

  it("are also answered by a whole page of companies with the same name", async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ id: String(index), name: "Acorn Limited" }));
    expect((await answers("ACORN LIMITED", many))[1]).toBe(true);
    expect((await answers("ACORN LIMITED", [...many.slice(1), other]))[1]).toBe(false);
    expect((await answers("ACORN LIMITED", many.slice(1)))[1]).toBe(false);
  });

  it("are also answered by a whole page of names that differ only in titles and signs", async () => {
    const name = (index: number) =>
      index === 0 ? "Dr David JONES" : index === 1 ? "JONES, David" : "David Jones";
    const many = Array.from({ length: 100 }, (_, index) => ({ id: String(index), name: name(index) }));
    expect((await answers("David JONES", many))[1]).toBe(true);
    expect((await answers("David JONES", [...many.slice(1), { id: "x", name: "Dr John JONES" }]))[1]).toBe(
      false,
    );
  });
});
