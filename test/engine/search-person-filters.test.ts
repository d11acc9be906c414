/** Parameters beyond the official ones that tell people apart: birth, place and company. */
import { describe, expect, it } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";

const OFFICERS = "/search/officers";
const DISQUALIFIED = "/search/disqualified-officers";
const CONTROLLERS = "/search/persons-with-significant-control";

interface Found {
  total_results: number;
  items: {
    title: string;
    address_snippet: string | null;
    date_of_birth?: { month: number; year: number } | string;
    links: { self: string; company?: string };
  }[];
}

const register = forAllTests(openLoadedSample);

async function find(path: string, query: Record<string, string>): Promise<Found> {
  const { status, body } = await register.get(`${path}?${new URLSearchParams(query).toString()}`);
  expect(status).toBe(200);
  return body as Found;
}

const yearOf = ({ date_of_birth: birth }: Found["items"][number]) =>
  typeof birth === "string" ? Number(birth.slice(0, 4)) : birth?.year;
const monthOf = ({ date_of_birth: birth }: Found["items"][number]) =>
  typeof birth === "string" ? Number(birth.slice(5, 7)) : birth?.month;

describe.each([
  [OFFICERS, "quillfeather"],
  [CONTROLLERS, "horatio"],
  [DISQUALIFIED, "a"],
])("%s?q=%s", (path, q) => {
  it("filters by year of birth or by month, and counts only those people", async () => {
    const all = await find(path, { q, items_per_page: "100" });
    const born = all.items.find((item) => yearOf(item) !== undefined);
    const [year, month] = born ? [yearOf(born), monthOf(born)] : [];
    const sameYear = all.items.filter((item) => yearOf(item) === year);
    const sameMonth = sameYear.filter((item) => monthOf(item) === month);
    expect(sameYear.length).toBeLessThan(all.items.length);

    const inYear = await find(path, { q, born: String(year), items_per_page: "100" });
    expect(inYear).toMatchObject({ total_results: sameYear.length, items: sameYear });
    const key = `${year}-${String(month).padStart(2, "0")}`;
    const inMonth = await find(path, { q, born: key, items_per_page: "100" });
    expect(inMonth).toMatchObject({ total_results: sameMonth.length, items: sameMonth });
  });

  it("filters by words of the address, all of which must occur", async () => {
    const all = await find(path, { q, items_per_page: "100" });
    const [first] = all.items.filter(({ address_snippet: text }) => text?.includes(" "));
    const words = (first?.address_snippet ?? "").toLowerCase().split(/[ ,]+/).slice(-2).toReversed();
    const there = await find(path, { q, location: words.join(" "), items_per_page: "100" });
    expect(there.total_results).toBeLessThan(all.total_results);
    expect(there.items).toContainEqual(first);
    for (const { address_snippet: text } of there.items)
      for (const word of words) expect(text?.toLowerCase()).toContain(word);
    expect(await find(path, { q, location: "nowhere at all" })).toMatchObject({ total_results: 0 });
  });

  it.each(["1962-13", "62", "1962-5", "may 1962", "1962-05-01", "0000"])(
    "refuses born=%s and names the parameter",
    async (born) => {
      const answer = await register.get(`${path}?q=a&born=${encodeURIComponent(born)}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errors: [{ type: "ch:validation", location: "born" }] });
    },
  );
});

describe("company_number", () => {
  it("filters officers by company", async () => {
    const list = await register.get("/company/99000064/officers?items_per_page=100");
    const { items } = list.body as { items: { name: string; links: { officer: object } }[] };
    const [officer] = items;
    const q = officer?.name ?? "";
    const found = await find(OFFICERS, { q, company_number: "99000064" });
    const paths = items.map(({ links }) => links.officer as { appointments: string });
    expect(found.total_results).toBeGreaterThan(0);
    for (const item of found.items)
      expect(paths.map(({ appointments }) => appointments)).toContain(item.links.self);
    expect(await find(OFFICERS, { q, company_number: "99000012" })).toMatchObject({ items: [] });
  });

  it("filters persons with significant control by company, whose number may lack zeros or have blanks around it", async () => {
    const all = await find(CONTROLLERS, { q: "quillfeather" });
    const one = await find(CONTROLLERS, { q: "quillfeather", company_number: " 99000064 " });
    expect(one.items.map(({ title }) => title)).toEqual(["Quillfeather Group P.L.C."]);
    expect(all.total_results).toBeGreaterThan(1);
    const others = await find(CONTROLLERS, { q: "quillfeather group", company_number: "oe99003" });
    expect(others.items).toEqual([]);
    const owner = await find(CONTROLLERS, { q: "sample trustees", company_number: "oe99003" });
    expect(owner.items.map(({ title }) => title)).toEqual(["SAMPLE TRUSTEES LIMITED"]);
  });

  it("refuses an invalid number and names the parameter", async () => {
    const answer = await register.get(`${OFFICERS}?q=a&company_number=quillfeather`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: [{ location: "company_number" }] });
  });
});

describe("a query that is only a company's number", () => {
  const linksOf = ({ items }: Found) => items.map(({ links }) => links);

  it.each([
    "99000064",
    "99 000 064",
    "company 99000064",
    "Company number: 99000064",
    "directors of 99000064",
  ])("finds the company's officers and says why: %s", async (q) => {
    const list = await register.get("/company/99000064/officers?items_per_page=100");
    const { items } = list.body as { items: { links: { officer: { appointments: string } } }[] };
    const appointments = new Set(items.map(({ links }) => links.officer.appointments));
    const found = await find(OFFICERS, { q, items_per_page: "100", explain: "true" });
    expect(new Set(linksOf(found).map(({ self }) => self))).toEqual(appointments);
    expect(found.items).toMatchObject(
      found.items.map(() => ({ match: { tier: 0, reason: "company-number", name_type: "current" } })),
    );
  });

  it("finds those who control the company, present ones first", async () => {
    const { total_results: all } = await find(CONTROLLERS, { q: "quillfeather" });
    const found = await find(CONTROLLERS, { q: "99000064" });
    expect(found.total_results).toBeGreaterThan(0);
    expect(found.total_results).not.toBe(all);
    expect(new Set(linksOf(found).map(({ company }) => company))).toEqual(new Set(["/company/99000064"]));
    const ceased = found.items.map((item) => "ceased_on" in item);
    expect(ceased).toEqual(ceased.toSorted((a, b) => Number(a) - Number(b)));
    const owners = await find(CONTROLLERS, { q: "Company no. OE099003" });
    expect(owners.items.map(({ title }) => title)).toContain("SAMPLE TRUSTEES LIMITED");
    expect(await find(CONTROLLERS, { q: "oe99003" })).toEqual(owners);
  });

  it("finds no officers in the search of all kinds, and no disqualified officers", async () => {
    const query = { q: "99000064", kinds: "officer" };
    expect(await find("/search", query)).toMatchObject({ items: [] });
    expect(await find(DISQUALIFIED, { q: "99000064" })).toMatchObject({ items: [] });
  });

  it("only raises the rank of those people if a name is given too", async () => {
    const [first] = (await find(CONTROLLERS, { q: "quillfeather group 99000064" })).items;
    expect(first?.title).toBe("Quillfeather Group P.L.C.");
  });
});

it("a cursor pages through filtered results, with their total", async () => {
  const query = { q: "horatio", location: "norwich", items_per_page: "2", cursor: "*" };
  const all = await find(CONTROLLERS, { q: "horatio", location: "norwich", items_per_page: "100" });
  expect(all.total_results).toBeGreaterThan(2);
  const read: Found["items"] = [];
  for (let cursor: string | undefined = "*"; cursor !== undefined;) {
    const page: Found & { next_cursor?: string } = await find(CONTROLLERS, { ...query, cursor });
    expect(page.total_results).toBe(all.total_results);
    read.push(...page.items);
    cursor = page.next_cursor;
  }
  expect(read).toEqual(all.items);
});
