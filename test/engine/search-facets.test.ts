/** Every value of the advanced search's facets, used as a filter, over the sample register. */
import { describe, expect, it } from "@jest/globals";
import { enumerationKeys } from "../../api/shared/values/enumerations.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";

const FILTERS = {
  status: "company_status",
  type: "company_type",
  sic_codes: "sic_codes",
  location: "location",
} as const;
type FacetName = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as FacetName[];

interface Answer {
  hits: number;
  facets: Record<FacetName, { value: string; count: number }[]>;
}

const register = forAllTests(openLoadedSample);

async function ask(query: Record<string, string>) {
  const { status, body } = await register.get(
    `/advanced-search/companies?${new URLSearchParams({ size: "1", ...query }).toString()}`,
  );
  return { status, ...(body as Partial<Answer>) };
}

async function countsOf(name: FacetName, query: Record<string, string>) {
  const { facets } = await ask({ ...query, facets: name });
  const offered = facets?.[name] ?? [];
  const found: { value: string; count: number | undefined }[] = [];
  for (const { value } of offered) {
    const { hits } = await ask({ ...query, [FILTERS[name]]: value });
    found.push({ value, count: hits });
  }
  return { offered, found };
}

describe("a facet's value finds as many companies as the facet counts", () => {
  it.each(NAMES)("%s, over the whole register", async (name) => {
    const { offered, found } = await countsOf(name, {});
    expect(offered.length).toBeGreaterThan(5);
    expect(found).toEqual(offered);
  });

  it.each([
    ["status", { company_type: "ltd" }],
    ["type", { company_status: "active" }],
    ["sic_codes", { company_status: "active", company_type: "ltd" }],
    ["location", { company_status: "active", incorporated_from: "2010-01-01" }],
  ] as [FacetName, Record<string, string>][])("%s, with the filters %j", async (name, filters) => {
    const { offered, found } = await countsOf(name, filters);
    expect(offered.length).toBeGreaterThan(1);
    expect(found).toEqual(offered);
  });

  it("values come in the order of their counts", async () => {
    const { facets } = await ask({ facets: NAMES.join() });
    for (const name of NAMES) {
      const counts = facets?.[name].map(({ count }) => count) ?? [];
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    }
  });
});

describe.each([
  ["status", enumerationKeys("company_status")],
  ["type", enumerationKeys("company_type")],
] as [FacetName, string[]][])("every known %s", (name, values) => {
  it.each(values)("the filter accepts %s, and the facet counts what it finds", async (value) => {
    const { status, hits, facets } = await ask({ [FILTERS[name]]: value, facets: name });
    if (status === 404) return expect(hits).toBeUndefined();
    expect([status, facets?.[name]]).toEqual([200, [{ value, count: hits }]]);
  });
});

describe("filters and facets of the search by name", () => {
  const search = async (query: Record<string, string>) => {
    const { status, body } = await register.get(
      `/search/companies?${new URLSearchParams({ items_per_page: "1", ...query }).toString()}`,
    );
    return { status, ...(body as { total_results: number } & Partial<Pick<Answer, "facets">>) };
  };

  it.each([
    ["quillfeather", "status"],
    ["quillfeather", "type"],
    ["sample limited", "status"],
    ["quillfeather", "sic_codes"],
  ] as [string, FacetName][])("%s: a value of %s finds as many as the facet counts", async (q, name) => {
    const { facets, total_results: total } = await search({ q, facets: name });
    const offered = facets?.[name] ?? [];
    expect(offered.length).toBeGreaterThan(1);
    for (const { value, count } of offered) {
      const { total_results } = await search({ q, [FILTERS[name]]: value });
      expect([value, total_results]).toEqual([value, count]);
      expect(count).toBeLessThanOrEqual(total);
    }
  });

  it("accept a place, and several filters together", async () => {
    const all = await search({ q: "quillfeather" });
    const some = await search({ q: "quillfeather", location: "Bristol", company_status: "dissolved" });
    expect(some.total_results).toBe(1);
    expect(all.total_results).toBeGreaterThan(1);
    expect(all.facets).toBeUndefined();
  });

  it("ignore unknown statuses and types, as the original ignores the parameters; the advanced search refuses them", async () => {
    const q = "quillfeather";
    const unknown = { company_status: "insolvency", company_type: "limited" };
    const { total_results: total } = await search({ q });
    expect(await search({ q, ...unknown })).toMatchObject({ status: 200, total_results: total });
    const some = await search({ q, ...unknown, company_status: "insolvency,Dissolved" });
    expect(some.total_results).toBe((await search({ q, company_status: "dissolved" })).total_results);
    expect(some.total_results).toBeLessThan(Number(total));
    const path = "/advanced-search/companies?company_name_includes=quillfeather&company_status=insolvency";
    expect((await register.get(path)).status).toBe(400);
  });

  it("do not include towns", async () => {
    expect((await search({ q: "quillfeather", facets: "location" })).status).toBe(400);
  });
});
