/** Persons with significant control from the file to the search: indexed, found, and changed by a stream. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import facts from "../fixtures/register/facts.json" with { type: "json" };
import { linesOfStream } from "../support/api-json-lines.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { load, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { listNames, openLoaded, reindex } from "../support/reindex-command.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const INDEX = "persons-with-significant-control";
const SEARCH = `/search/${INDEX}`;

type Item = Record<string, unknown> & { title: string; kind: string; links: Record<string, string> };

const folder = makeOwnFolder();
let register: TestRegister;
beforeAll(async () => {
  register = await openLoaded(
    "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
    "officers/Prod195_4321_ew_1_01112026010001.dat",
    "psc/psc-snapshot-2026-11-01_1of2.txt",
    "psc/psc-snapshot-2026-11-01_2of2.txt",
  );
}, 60_000);
afterAll(() => register.close());

async function find(q: string, more = "", path = SEARCH): Promise<Item[]> {
  const { status, body } = await register.get(`${path}?q=${encodeURIComponent(q)}${more}`);
  expect(status).toBe(200);
  return (body as { items: Item[] }).items;
}

const titles = async (...asked: Parameters<typeof find>) => (await find(...asked)).map(({ title }) => title);

describe("a deployment whose former release had no such index", () => {
  const readiness = async () => (await register.get("/readyz", {})).body;

  it("searches as before, reports what is missing, and creates it by a reindex", async () => {
    const [first = ""] = await listNames(register, INDEX);
    await askElasticsearch(register.config, "DELETE", first);

    expect(await readiness()).toMatchObject({
      checks: { indices: expect.stringContaining(`missing: ${INDEX}`) },
    });
    expect((await register.get("/search?q=quillfeather")).status).toBe(200);
    expect((await register.get("/search/officers?q=quillfeather")).status).toBe(200);
    expect((await register.get(`${SEARCH}?q=quillfeather`)).status).toBe(503);

    const { data, exitCode } = await reindex(register, [INDEX]);
    expect(exitCode).toBe(0);
    expect(data?.indices).toMatchObject([{ index: INDEX, former: null }]);
    expect(await readiness()).toMatchObject({ checks: { indices: "ok" } });
    expect((await titles("quillfeather group"))[0]).toBe("Quillfeather Group P.L.C.");
  });
});

describe("a person with significant control", () => {
  it("is found by name, with company, control and links", async () => {
    const found = await find("horatio james o'placeholder");
    const item = found.find(({ links }) => links.company === "/company/99000018");
    expect(item).toMatchObject({
      kind: "searchresults#person-with-significant-control",
      title: "Horatio James O'PLACEHOLDER",
      date_of_birth: { month: 8, year: 1964 },
      description:
        "Company 99000018 - Born August 1964 - Notified on 11 May 2017 - Ceased on 23 September 2018",
      description_identifiers: ["controls-company", "born-on", "notified-on", "ceased-on"],
      address_snippet: "145 Imaginary Lane, Stoke-On-Trent, Staffordshire, ST1 8ZZ",
      natures_of_control: ["ownership-of-shares-25-to-50-percent", "voting-rights-25-to-50-percent"],
      notified_on: "2017-05-11",
      ceased_on: "2018-09-23",
      matches: { title: [1, 7, 9, 13, 15, 27] },
      links: { company: "/company/99000018" },
    });
    expect((await register.get(item?.links.self ?? "")).body).toMatchObject({ notified_on: "2017-05-11" });
  });

  it.each([
    ["surname first", "Thistlemock Guinevere", "Guinevere THISTLEMOCK"],
    ["a name without its accent", "clementina musterling", "Clementina MÜSTERLING"],
    ["a beneficial owner that is a body", "sample trustees", "SAMPLE TRUSTEES LIMITED"],
    ["a body with another ending", "quillfeather group ltd", "Quillfeather Group P.L.C."],
    ["a legal person", "the sample ministry", "The Sample Ministry"],
    ["a misspelt name", "guinevere thistlemok", "Guinevere THISTLEMOCK"],
  ])("is found: %s", async (_what, q, title) => {
    expect((await titles(q))[0]).toBe(title);
  });

  it("links to a resource of its kind", async () => {
    for (const q of ["sample trustees", "quillfeather group", "imaginary islands council"]) {
      const [item] = await find(q);
      expect((await register.get(item?.links.self ?? "")).status).toBe(200);
    }
  });

  it("has a suggestion, an explanation and a next cursor", async () => {
    const answer = await register.get(`${SEARCH}?q=guinevere+thistlemok&explain=true`);
    expect(answer.body).toMatchObject({
      did_you_mean: "GUINEVERE THISTLEMOCK",
      items: [{ match: { reason: "near-spelling", name: "Guinevere THISTLEMOCK" } }],
    });
    const first = (await register.get(`${SEARCH}?q=horatio&items_per_page=2&cursor=*`)).body;
    const { next_cursor = "", total_results } = first as { next_cursor?: string; total_results: number };
    const second = await register.get(`${SEARCH}?q=horatio&items_per_page=2&cursor=${next_cursor}`);
    expect(second.body).toMatchObject({ start_index: 2, total_results });
  });

  it("who is still in control comes first among equals", async () => {
    const all = await find("horatio", "&items_per_page=100");
    const isCeased = all.map((item) => item.ceased_on !== undefined);
    expect(isCeased).toContain(true);
    expect(isCeased).toEqual(isCeased.toSorted((a, b) => Number(a) - Number(b)));
  });
});

describe("the search of all kinds", () => {
  const kindsOf = async (q: string, more = "") =>
    new Set((await find(q, `${more}&items_per_page=100`, "/search")).map(({ kind }) => kind));
  const PSC = "searchresults#person-with-significant-control";

  it("includes persons with significant control only on request", async () => {
    expect(await kindsOf("quillfeather")).not.toContain(PSC);
    expect(await kindsOf("quillfeather", "&kinds=company,person-with-significant-control")).toEqual(
      new Set(["searchresults#company", PSC]),
    );
    expect(await kindsOf("quillfeather", "&kinds=officer")).toEqual(new Set(["searchresults#officer"]));
  });

  it("keeps the kinds in their order among equals", async () => {
    const kinds = "&kinds=person-with-significant-control,officer,disqualified-officer,company&explain=true";
    const found = await find("quillfeather", `${kinds}&items_per_page=100`, "/search");
    const order = ["company", "disqualified-officer", "officer", "person-with-significant-control"];
    const ranks = found.map(({ kind, match }) => {
      const { tier } = match as { tier: number };
      return tier * order.length + order.indexOf(kind.replace("searchresults#", ""));
    });
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(found.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3);
  });
});

describe("the index", () => {
  it("has a document for each record with a name, and none for super-secure persons and statements", async () => {
    const { documents } = await expectStoresAgree(register.stores);
    const stored = Object.keys(documents).filter((key) => key.startsWith(`${INDEX}/`));
    const { by_kind, persons_of_significant_control_count: count } = facts.psc;
    const superSecure = "super-secure-person-with-significant-control";
    expect(stored.length).toBe(count - by_kind[superSecure] - by_kind["super-secure-beneficial-owner"]);
    expect(await titles("super secure")).toEqual([]);
  });

  it("follows lines of the API's JSON and the stream: new persons are found, deleted ones are not", async () => {
    const [line = ""] = linesOfStream("persons-with-significant-control");
    const parsed = JSON.parse(line) as { data: Record<string, unknown> };
    const named = { forename: "Balthasar", surname: "Quixwold" };
    const data = { ...parsed.data, name: "Balthasar Quixwold", name_elements: named };
    const event = { timepoint: 99_000_001, published_at: "2026-11-05T09:00:00", type: "changed" };
    const loadLine = async (name: string, content: object) => {
      const path = writeFile(folder, name, `${JSON.stringify({ ...parsed, ...content })}\n`);
      expect(await load(register, [path])).toMatchObject({ exitCode: 0 });
      await register.stores.elasticsearch.refresh();
    };
    expect(await titles("balthasar quixwold")).toEqual([]);
    await loadLine("lines.jsonl", { data });
    expect(await titles("balthasar quixwold")).toEqual(["Balthasar QUIXWOLD"]);

    const renamed = {
      ...data,
      name: "Balthasar Quimbleby",
      name_elements: { ...named, surname: "Quimbleby" },
    };
    await loadLine("changed.ndjson", { data: renamed, event });
    expect(await titles("balthasar quixwold")).not.toContain("Balthasar QUIXWOLD");
    expect(await titles("balthasar quimbleby")).toEqual(["Balthasar QUIMBLEBY"]);

    await loadLine("deleted.ndjson", {
      data: renamed,
      event: { ...event, timepoint: 99_000_002, type: "deleted" },
    });
    expect(await titles("balthasar quimbleby")).toEqual([]);
    await expectStoresAgree(register.stores);
  });
});
