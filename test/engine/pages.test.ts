/** The pages of the sample register, as a browser without scripts shows them. */
import { describe, expect, it } from "@jest/globals";
import type { Suggestion } from "../../api/pages/routes.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { faultsOf, openPage, openSamplePages, type Page } from "../support/pages.ts";
import { basic, TEST_KEY } from "../support/register.ts";

const register = forAllTests(openSamplePages);

const open = (path: string, headers?: Record<string, string>) => openPage(register.base + path, headers);

/** The title, reason and text of each result. */
function rowsOf({ root }: Page) {
  return root.querySelectorAll(".results article").map((row) => ({
    title: row.querySelector("h2")?.text,
    reason: row.querySelector(".reason")?.text,
    text: row.text,
  }));
}

describe("the start", () => {
  it("shows what is loaded", async () => {
    const page = await open("/");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text(".coverage")).toContain("Companies complete, as of 1 November 2026");
    expect(page.text(".coverage")).toContain("Charges in part");
  });

  it("is smaller than 100 kB with all files that it loads", async () => {
    const page = await open("/");
    const files = page.root.querySelectorAll("[href*='/assets/'], [src*='/assets/']");
    const addresses = files.map((file) => file.getAttribute("href") ?? file.getAttribute("src") ?? "");
    const sizes = await Promise.all(
      ["", ...addresses].map(async (path) => {
        const answer = await fetch(new URL(path, page.address), {
          headers: { "accept-encoding": "identity" },
        });
        expect(answer.status).toBe(200);
        return (await answer.arrayBuffer()).byteLength;
      }),
    );
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });
});

describe("a search", () => {
  it.each([
    [
      "a former name",
      "Brackenshaw Test Public Limited Company",
      "BRACKENSHAW-TEST HOLDINGS PLC",
      "Same name, formerly",
    ],
    ["a number without its zeros", "99061", "LEADING ZEROS SAMPLE LIMITED", "Company number"],
    ["a postcode", "PE30 1ZZ", "QUILLFEATHER HOLDINGS LIMITED", "Postcode of the address"],
    ["a slip", "Quilfeather Holdings", "QUILLFEATHER HOLDINGS LIMITED", "Similar spelling"],
  ])("finds by %s, with the reason", async (_way, q, title, reason) => {
    const page = await open(`/pages/search?kind=company&q=${encodeURIComponent(q)}`);
    const row = rowsOf(page).find((one) => one.title === title);
    expect(row?.reason).toBe(reason);
  });

  it("suggests a correction", async () => {
    const page = await open("/pages/search?q=Quilfeather+Holdings");
    expect(page.text(".meant")).toBe("Did you mean QUILLFEATHER HOLDINGS?");
    const [next = ""] = page.links(".meant").values();
    expect(rowsOf(await openPage(next))[0]?.title).toContain("QUILLFEATHER");
  });

  it("narrows by its facets to the counts that they show, and back", async () => {
    const page = await open("/pages/search?kind=company&q=quillfeather");
    const links = page.links(".facets");
    expect(links.size).toBeGreaterThan(4);
    for (const [, address] of links) {
      const count = countOf(page, address);
      const narrowed = await openPage(address);
      expect([address, rowsOf(narrowed).length]).toEqual([address, count]);
      const [back = ""] = narrowed.links(".facets .chosen").values();
      expect(rowsOf(await openPage(back)).length).toBe(rowsOf(page).length);
    }
  });

  it("shows disqualified people, with a link to each", async () => {
    const page = await open("/pages/search?kind=disqualified&q=wrongdale");
    const [address = ""] = page.links(".results").values();
    expect((await openPage(address)).text()).toContain("Disqualified today");
  });

  it.each(["Sovereign Fund of Nowhere", "Imaginary Islands Council"])(
    "finds %s among all kinds, though it only controls companies",
    async (q) => {
      const all = await open(`/pages/search?q=${encodeURIComponent(q)}`);
      const control = await open(`/pages/search?kind=control&q=${encodeURIComponent(q)}`);
      const [first] = rowsOf(control);
      expect(first?.title?.toUpperCase()).toContain(q.toUpperCase());
      expect(rowsOf(all).map(({ title }) => title)).toContain(first?.title);
    },
  );

  it("says that nothing was found, and what may help", async () => {
    const page = await open("/pages/search?q=zzzzxxyyqq");
    expect(page.status).toBe(200);
    expect(page.text("h1")).toContain("Nothing found");
    expect(page.links(".note").size).toBeGreaterThan(1);
  });

  it("shows the query as text, never as HTML", async () => {
    const page = await open(`/pages/search?q=${encodeURIComponent(`"><script>alert(1)</script>`)}`);
    expect(page.root.querySelectorAll("script").length).toBe(1);
    expect(page.root.querySelector("#q")?.getAttribute("value")).toBe(`"><script>alert(1)</script>`);
  });
});

/** The count that a facet shows for this link. */
function countOf({ root, address }: Page, to: string): number {
  const link = root
    .querySelectorAll(".facets a")
    .find((one) => new URL(one.getAttribute("href") ?? "", address).href === to);
  return Number(link?.parentNode?.querySelector(".count")?.text);
}

describe("a company", () => {
  it("shows its controllers up to the last ones, and its officers, each with a link", async () => {
    const page = await open("/pages/company/99000066");
    const links = page.links(".picture ul");
    const names = [...links.keys()].join(" | ");
    // The last controllers come first: 99000051 controls 99000064, which controls 99000065, which controls this one.
    expect(names).toMatch(
      /Quillfeather Group.*Quillfeather Holdings.*Quillfeather \(Holdings\).*PUMBLETHORN, Ottoline/,
    );
    expect([...links.values()].some((address) => address.endsWith("/pages/company/99000065"))).toBe(true);
    for (const address of links.values())
      expect([address, (await openPage(address)).status]).toEqual([address, 200]);
  });

  it("shows its codes in words", async () => {
    const text = (await open("/pages/company/99000050")).text();
    expect(text).toContain("Public limited company");
    expect(text).toContain("64209 Activities of other holding companies");
    expect(text).not.toMatch(/\bplc\b|england-wales/);
  });

  it("lists its timeline, latest first", async () => {
    const page = await open("/pages/company/99000050/timeline");
    const days = page.root.querySelectorAll(".year time").map((time) => time.getAttribute("datetime") ?? "");
    expect(days.length).toBeGreaterThan(5);
    expect(days).toEqual(days.toSorted().reverse());
    expect(page.text()).toMatch(
      /Group accounts: to 30 April 2025.*Charge satisfied: Sample Bank Plc.*Gave up the name: BRACKENSHAW TEST.*Incorporated/,
    );
  });

  it("lists its filings, in pages and by kind", async () => {
    const page = await open("/pages/company/99000064/filings");
    expect(page.text("main section h2")).toBe("18 filings");
    const some = await open("/pages/company/99000064/filings?category=capital");
    expect(some.root.querySelectorAll("tbody tr").length).toBeGreaterThan(0);
    expect(some.root.querySelector("option[selected]")?.text).toBe("Capital");
  });

  it("distinguishes between no records and records not loaded", async () => {
    const none = await open("/pages/company/99000049/control");
    expect(none.text()).toContain("There are no persons with significant control.");
    const notLoaded = await open("/pages/company/99000001/charges");
    expect(notLoaded.text()).toContain("No charges are known: none have been loaded");
  });
});

it("an officer's page warns of disqualifications that may be the officer's", async () => {
  const found = await open("/pages/search?kind=officer&q=Algernon+Banned-Sample");
  const [address = ""] = found.links(".results").values();
  const page = await openPage(address);
  expect(page.text(".warning")).toMatch(/is disqualified until .* (likely|possibly) the same person/);
});

it("the alphabet has links to the next and the previous names", async () => {
  const page = await open("/pages/alphabet?from=Q");
  const namesOf = ({ root }: Page) => root.querySelectorAll("tbody th").map(({ text }) => text);
  const links = page.links(".pager");
  const after = await openPage(links.get("After →") ?? "");
  expect(namesOf(after).length).toBeGreaterThan(5);
  expect(namesOf(page)).not.toContain(namesOf(after)[0]);
  const back = await openPage(after.links(".pager").get("← Before") ?? "");
  expect(namesOf(back).at(-1)).toBe(namesOf(page).at(-1));
});

it("the alphabet says when no name is near, and when the list ends", async () => {
  const near = await open("/pages/alphabet?from=J");
  expect(near.text(".nothing")).toBe("No company’s name is near “J”. Try another letter, or more of a name.");
  const end = await open("/pages/alphabet?from=Q&below=ZZZZZZ");
  expect(end.text(".nothing")).toBe("The list has ended. Back to “Q”");
});

describe("the advanced search", () => {
  it("downloads as CSV what its form has found, as the API does", async () => {
    const page = await open("/pages/advanced?company_name_includes=&company_status=&dissolved_to=2009-12-31");
    expect(page.text(".heading h2")).toBe("2 companies");
    const csv = page.links(".heading").get("Download all as CSV") ?? "";
    const words = "descriptions=true&byte_order_mark=true";
    const [own, ofApi] = await Promise.all([
      fetch(csv, { headers: { accept: "text/html,*/*;q=0.8" } }),
      fetch(`${register.base}/advanced-search/companies.csv?dissolved_to=2009-12-31&${words}`, {
        headers: basic(TEST_KEY),
      }),
    ]);
    // A download link has no button role: the space key would not press it.
    expect(page.root.querySelectorAll("[role=button]").length).toBe(0);
    expect(own.headers.get("content-disposition")).toContain("companies.csv");
    const text = await own.text();
    expect(text.split("\r\n").filter(Boolean).length).toBe(3);
    expect(text).toBe(await ofApi.text());
    expect(text).toContain(",dissolved,Dissolved,");
  });

  it("keeps what was entered in its form", async () => {
    const { root } = await open("/pages/advanced?location=Bristol&company_status=dissolved");
    expect(root.querySelector("#location")?.getAttribute("value")).toBe("Bristol");
    expect(root.querySelector("#company_status option[selected]")?.text).toBe("Dissolved");
  });

  it.each([
    ["company_status=dissolved&company_status=active", ["Dissolved, Active"]],
    ["company_status=DISSOLVED", ["Dissolved"]],
    ["company_type=ltd,plc", ["Private limited company, Public limited company"]],
    ["company_subtype=community-interest-company", ["Community Interest Company (CIC)"]],
  ])("finds the same when the form is sent again: %s", async (query, chosen) => {
    const page = await open(`/pages/advanced?${query}`);
    expect(page.root.querySelectorAll("option[selected]").map(({ text }) => text)).toEqual(chosen);
    const fields = page.root
      .querySelectorAll(".filters input, .filters select")
      .map((field): [string, string] => {
        const value = (field.querySelector("option[selected]") ?? field).getAttribute("value");
        return [field.id, value ?? ""];
      });
    const again = await open(`/pages/advanced?${new URLSearchParams(fields).toString()}`);
    expect(page.text(".heading h2")).toMatch(/^\d+ compan/);
    expect(again.text(".heading h2")).toBe(page.text(".heading h2"));
  });
});

describe("every page", () => {
  it("links only to existing pages, and has valid markup", async () => {
    const seen = new Set<string>();
    const waiting = [
      "/",
      "/pages/search?q=quillfeather",
      "/pages/search?q=limited",
      "/pages/advanced?company_status=active",
    ];
    const wrong: unknown[] = [];
    // Limit: 150 pages, enough to meet every kind many times.
    while (waiting.length > 0 && seen.size < 150) {
      const path = waiting.shift() ?? "";
      if (seen.has(path)) continue;
      seen.add(path);
      const page = await open(path);
      const faults = faultsOf(page);
      if (page.status !== 200 || faults.length > 0) wrong.push([path, page.status, faults]);
      for (const address of page.links("body").values()) {
        const { pathname, search } = new URL(address);
        if (pathname.startsWith("/pages/") && !pathname.endsWith(".csv")) {
          // Records first, since many pages of one kind would otherwise delay the others.
          if (/company|officer|controller|disqualified/.test(pathname)) waiting.unshift(pathname + search);
          else waiting.push(pathname + search);
        }
      }
    }
    expect(wrong).toEqual([]);
    const kinds = [
      "/people",
      "/timeline",
      "/officer/",
      "/controller/",
      "/disqualified/",
      "/charges",
      "/filings",
    ];
    for (const kind of kinds)
      expect([kind, [...seen].some((path) => path.includes(kind))]).toEqual([kind, true]);
  }, 120_000);

  it("is not sent again to a browser that has it", async () => {
    const first = await open("/pages/company/99000050");
    const again = await open("/pages/company/99000050", { "if-none-match": first.headers.get("etag") ?? "" });
    expect([first.status, again.status]).toEqual([200, 304]);
  });

  it("gets suggestions for its script, of the kind chosen in the search box", async () => {
    const suggest = async (query: string) => {
      const answer = await fetch(`${register.base}/pages/suggest?${query}`);
      return ((await answer.json()) as { items: Suggestion[] }).items;
    };
    const { body } = await register.get("/suggest/companies?items_per_page=7&q=quillf");
    const { items } = body as { items: { title: string; company_number: string }[] };
    expect((await suggest("q=quillf")).map(({ to }) => to)).toEqual(
      items.map(({ company_number: number }) => `pages/company/${number}`),
    );
    expect((await suggest("q=quillf")).some(({ facts }) => /^\d{8} · Dissolved$/.test(facts))).toBe(true);
    expect(await suggest("kind=officer&q=barnaby+quillf")).toContainEqual({
      name: "Barnaby QUILLFEATHER",
      facts: expect.stringMatching(/^14 appointments · Born /),
      to: expect.stringMatching(/^pages\/officer\/./),
    });
    for (const kind of ["control", "disqualified"]) {
      const [first] = await suggest(`kind=${kind}&q=${kind === "control" ? "quillf" : "wrongd"}`);
      expect([kind, (await open(`/${first?.to}`)).status]).toEqual([kind, 200]);
    }
  });
});
