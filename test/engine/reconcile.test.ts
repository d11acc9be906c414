/** The reconciliation service over HTTP, according to its specification (version 0.2). */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../api/shared/schemas/validate.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { addTestKey } from "../support/keys.ts";
import * as schemas from "../support/reconciliation-schemas.ts";
import { basic, openRegister, TEST_KEY } from "../support/register.ts";
import { writeLines } from "../support/search-register.ts";

const LEEDS = { address_line_1: "1 Invented Row", locality: "LEEDS", postal_code: "LS1 1ZZ" };
const COMPANY = { id: "company", name: "Company" };
const HOME = { authorization: basic(TEST_KEY).authorization ?? "" };

const register = forAllTests(() => openRegister({ withWorker: false }));
beforeAll(async () => {
  const born = { month: 5, year: 1962 };
  const person = { forename: "Ignatius", other_forenames: "", surname: "Brightquene", date_of_birth: born };
  await writeLines(register.stores.elasticsearch, [
    {
      company_name: "TARNWICK <PRESS> LIMITED",
      company_number: "00912345",
      registered_office_address: LEEDS,
      date_of_creation: "2005-12-02",
      sic_codes: ["58110", "58130"],
      previous_company_names: [{ name: "TARN PRESS LTD", ceased_on: "2010-01-02" }],
    },
    ...Array.from({ length: 12 }, (_, at) => ({
      company_name: "QUILLORY MILLS LTD",
      company_number: String(40 + at).padStart(8, "0"),
      company_status: at === 0 ? "active" : "dissolved",
    })),
    ...Array.from({ length: 10 }, (_, at) => ({
      company_name: `WEXMOORE DAIRY ${at} LTD`,
      company_number: String(60 + at).padStart(8, "0"),
    })),
    ...Array.from({ length: 3 }, (_, at) => ({
      company_name: `WEXMOOR DAIRY ${at} LTD`,
      company_number: String(80 + at).padStart(8, "0"),
    })),
    ...Array.from({ length: 35 }, (_, at) => {
      const postal_code = at === 34 ? "LS1 1ZZ" : "LS11 1ZZ";
      const address = { address_line_1: "2 Invented Row", locality: "LEEDS", postal_code };
      const company_number = String(100 + at).padStart(8, "0");
      return [
        { company_name: "NIGHTSLOE LTD", company_number, registered_office_address: address },
        {
          ...{ ...person, officer_id: `P${100 + at}`, forename: "Perpetua", surname: "Nightsloe", address },
          ...(at === 33 && { date_of_birth: { month: 6, year: 1971 } }),
        },
      ];
    }).flat(),
    { company_name: "OFFICER TRAINING LTD", company_number: "00000200" },
    { officer_id: "OF1", ...person, address: LEEDS },
    { officer_id: "DQ1", ...person, disqualified_until: "2099-01-01" },
  ]);
});

const checks = {
  manifest: compileCheck(schemas.manifestSchema),
  results: compileCheck(schemas.resultBatchSchema),
  extension: compileCheck(schemas.extensionSchema),
  suggestions: compileCheck(schemas.suggestionsSchema),
  proposal: compileCheck(schemas.proposalSchema),
};

/** Calls the service, and checks each successful answer against its schema. */
async function call(path: string, init: RequestInit = { headers: HOME }) {
  const response = await fetch(`${register.base}${path}`, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const body = (isJson ? JSON.parse(text) : undefined) as Record<string, never>;
  if (isJson && response.ok) expect(checks[kindOf(path, init)](body)).toBeNull();
  return { status: response.status, headers: response.headers, text, body };
}

function kindOf(path: string, { body }: RequestInit): keyof typeof checks {
  if (path.includes("/suggest/")) return "suggestions";
  if (path.includes("/properties")) return "proposal";
  const asked = body instanceof URLSearchParams ? body : new URL(path, register.base).searchParams;
  if (asked.has("queries")) return "results";
  return asked.has("extend") ? "extension" : "manifest";
}

const post = (form: Record<string, unknown>, headers: Record<string, string> = HOME) => {
  const texts = Object.entries(form).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return call("/reconcile", { method: "POST", headers, body: new URLSearchParams(texts) });
};

describe("the manifest", () => {
  it("is open to everybody, web pages included, and tells how to send a key", async () => {
    const { status, headers, body } = await call("/reconcile", {});
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toMatchObject({
      versions: ["0.2"],
      name: "Company Register",
      defaultTypes: [COMPANY, { id: "officer" }, { id: "disqualified-officer" }],
      view: { url: `${register.base}/reconcile/preview/{{id}}` },
      preview: { width: 420, height: 260 },
      suggest: { entity: { service_url: `${register.base}/reconcile`, service_path: "/suggest/entity" } },
      extend: { propose_properties: { service_path: "/properties" } },
      batchSize: 20,
      authentication: { type: "http", scheme: "basic" },
    });
  });

  it("contains the key in its addresses if it was fetched under a key", async () => {
    const root = `/reconcile/key/${TEST_KEY}`;
    const { body } = await call(root, {});
    expect(body).toMatchObject({
      identifierSpace: `${register.base}/reconcile/preview/`,
      view: { url: `${register.base}${root}/preview/{{id}}` },
      suggest: { type: { service_url: `${register.base}${root}` } },
    });
    expect(body).not.toHaveProperty("authentication");
    expect((await call(`${root}/suggest/entity?prefix=tarnwick`, {})).body).toMatchObject({
      result: [{ id: "00912345" }],
    });
  });
});

describe("queries", () => {
  it("are answered under their keys, matches with reasons", async () => {
    const { status, headers, body } = await post({
      queries: {
        q0: { query: "Tarnwick (Press) Ltd" },
        q1: { query: "Quillory Mills" },
        q2: { query: "Nobody At All Anywhere" },
        q3: { query: "912345" },
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      q0: {
        result: [
          {
            id: "00912345",
            name: "TARNWICK <PRESS> LIMITED",
            type: [COMPANY],
            score: 94,
            match: true,
            features: [{ id: "name", value: 100 }],
            reasons: ["same name"],
          },
        ],
      },
      q2: { result: [] },
      q3: { result: [{ id: "00912345", match: true, score: 100 }] },
    });
    const { result } = body.q1 as unknown as { result: { match: boolean }[] };
    expect(result.map(({ match }) => match)).toEqual([false, false, false, false, false]);
    expect(headers.get("x-register-coverage")).toMatch(/^company-profile; loaded=/);
  });

  it("compare properties in any form of value", async () => {
    const properties = (...given: [string, unknown][]) => given.map(([pid, v]) => ({ pid, v }));
    const query = "Tarnwick Press";
    const { body } = await post({
      queries: {
        agrees: { query, properties: properties(["postal_code", "ls1 1zz"], ["unknown", 1]) },
        differs: { query, properties: properties(["locality", ["York"]]) },
        // A town matched with another service has that service's identifier.
        elsewhere: { query, properties: properties(["locality", { id: "Q39121", name: "Leeds" }]) },
        number: { properties: properties(["company_number", { id: "912345", name: "x" }]) },
        status: { query: "Quillory Mills", limit: 1, properties: properties(["company_status", "active"]) },
        person: {
          query: "Brightquene, Ignatius",
          type: ["officer", "disqualified-officer"],
          type_strict: "any",
          properties: properties(["date_of_birth", "1962-05-12"]),
        },
      },
    });
    const firsts = Object.fromEntries(
      Object.entries(body as Record<string, { result: Record<string, unknown>[] }>).map(
        ([key, { result }]) => [key, result.map(({ id, match }) => [id, match])],
      ),
    );
    expect(firsts).toEqual({
      agrees: [["00912345", true]],
      differs: [["00912345", false]],
      elsewhere: [["00912345", true]],
      number: [["00912345", true]],
      status: [["00000040", true]],
      // Each type has one that agrees, so neither is certain.
      person: [
        ["officer-OF1", false],
        ["disqualified-officer-DQ1", false],
      ],
    });
  });

  it("find by half a postcode among more candidates of one name than a page has", async () => {
    const properties = [{ pid: "postal_code", v: "LS1" }];
    const { body } = await post({
      queries: {
        company: { query: "Nightsloe Ltd", limit: 2, properties },
        person: { query: "Perpetua Nightsloe", type: "officer", limit: 2, properties },
      },
    });
    expect(body).toMatchObject({
      company: { result: [{ id: "00000134", match: true }, { match: false }] },
      // In this half postcode too many people live to confirm a person's name.
      person: { result: [{ id: "officer-P134", match: false }, { match: false }] },
    });
  });

  it("find a person by postcode or birth among more people of one name than a page has", async () => {
    const query = { query: "Perpetua Nightsloe", type: "officer", limit: 1 };
    const queries = {
      postcode: { ...query, properties: [{ pid: "postal_code", v: "LS1 1ZZ" }] },
      birth: { ...query, properties: [{ pid: "date_of_birth", v: "June 1971" }] },
    };
    expect((await post({ queries })).body).toMatchObject({
      postcode: { result: [{ id: "officer-P134", match: true }] },
      birth: { result: [{ id: "officer-P133", match: true }] },
    });
  });

  it("may be an entity's identifier", async () => {
    const { body } = await post({ queries: { a: { query: "officer-OF1" }, b: { query: "officer-none" } } });
    expect(body).toMatchObject({
      a: { result: [{ id: "officer-OF1", name: "Ignatius BRIGHTQUENE", match: true }] },
      b: { result: [] },
    });
  });

  it("may begin with the name of a type", async () => {
    const { body } = await post({ queries: { a: { query: "officer-led quillory mills", limit: 1 } } });
    expect(body).toMatchObject({ a: { result: [{ type: [COMPANY] }] } });
  });

  it("are taken as names if they look like an identifier of another type than the requested one", async () => {
    const queries = {
      a: { query: "officer-training", type: "company" },
      b: { query: "tarnwick press", type: null },
    };
    expect((await post({ queries })).body).toMatchObject({
      a: { result: [{ name: "OFFICER TRAINING LTD", match: true }] },
      b: { result: [{ id: "00912345" }] },
    });
  });

  it("are answered even if one of them is longer than any name, which a note says", async () => {
    const queries = { a: { query: "x".repeat(5_000) }, b: { query: "tarnwick press" } };
    expect((await post({ queries })).body).toMatchObject({
      a: { result: [], notes: ["the name is longer than 160 characters"] },
      b: { result: [{ id: "00912345" }] },
    });
  });

  it("may be in the address, to try by hand", async () => {
    const queries = encodeURIComponent(JSON.stringify({ x: { query: "tarn press ltd" } }));
    const { body } = await call(`/reconcile?queries=${queries}`);
    expect(body).toMatchObject({
      x: {
        result: [
          {
            id: "00912345",
            match: true,
            reasons: ["same name (former name TARN PRESS LTD, until 2010-01-02)"],
          },
        ],
      },
    });
  });

  it("may have any key", async () => {
    const { text } = await post({
      queries: '{"__proto__":{"query":"912345"},"":{"query":"tarnwick press"}}',
    });
    expect(text).toMatch(/^\{"__proto__":\{"result":\[\{"id":"00912345".*"":\{"result":\[\{"id":"00912345"/);
  });

  it("come back with notes about what could not be used", async () => {
    const queries = {
      a: { query: "Tarnwick Press", properties: [{ pid: "postal_code", v: "no postcode" }] },
      b: { query: "" },
      c: { query: "", type: "officer", properties: [{ pid: "company_number", v: "00912345" }] },
    };
    expect((await post({ queries })).body).toMatchObject({
      a: { notes: ['postcode "no postcode" was not understood and is not used'] },
      b: { result: [], notes: ["there is neither a name nor a number"] },
      c: { result: [], notes: ["there is no name; a number alone finds only a company"] },
    });
  });

  it.each([
    ["{", "queries", /not JSON/],
    [{ q: {} }, "queries.q", /query/],
    [{ q: { query: "a", other: 1 } }, "queries.q", /other/],
    [{ q: { query: "a", type: "planet" } }, "queries.q.type", /no type planet/],
    [{ q: { query: "a", properties: [{ pid: "x" }] } }, "queries.q.properties.0", /v/],
  ])("are refused with location and reason: %j", async (queries, location, reason) => {
    const { status, body } = await post({ queries });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [{ location, error_values: { reason: expect.stringMatching(reason) } }],
    });
  });

  it("are refused with 413 if there are too many, with 400 if a form has none, and with 405 by DELETE", async () => {
    const queries = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`q${at}`, { query: "a" }]));
    expect((await post({ queries })).status).toBe(413);
    expect((await post({})).status).toBe(400);
    expect((await call("/reconcile", { method: "DELETE", headers: HOME })).status).toBe(405);
  });
});

describe("data extension", () => {
  it("proposes properties of a type", async () => {
    const { body } = await call("/reconcile/properties?type=officer&limit=2");
    expect(body).toMatchObject({
      type: "officer",
      limit: 2,
      properties: [{ id: "company_number" }, { id: "postal_code" }],
    });
    expect((await call("/reconcile/properties?type=planet")).status).toBe(400);
  });

  it("gives typed values of companies and people, and none for unknown ids", async () => {
    const ids = ["00912345", "officer-OF1", "disqualified-officer-DQ1", "99999999"];
    const names = [
      "date_of_creation",
      "sic_codes",
      "company_number",
      "appointment_count",
      "disqualified_until",
    ];
    const { status, body } = await post({ extend: { ids, properties: names.map((id) => ({ id })) } });
    expect(status).toBe(200);
    expect(body).toEqual({
      meta: [
        { id: "date_of_creation", name: "Date of creation" },
        { id: "sic_codes", name: "Nature of business" },
        { id: "company_number", name: "Company number", type: COMPANY },
        { id: "appointment_count", name: "Appointments" },
        { id: "disqualified_until", name: "Disqualified until" },
      ],
      rows: {
        "00912345": {
          date_of_creation: [{ date: "2005-12-02T00:00:00Z" }],
          sic_codes: [{ str: "58110" }, { str: "58130" }],
          company_number: [{ id: "00912345", name: "00912345" }],
          appointment_count: [],
          disqualified_until: [],
        },
        "officer-OF1": {
          date_of_creation: [],
          sic_codes: [],
          company_number: [{ id: "99000000", name: "99000000" }],
          appointment_count: [{ int: 1 }],
          disqualified_until: [],
        },
        "disqualified-officer-DQ1": {
          date_of_creation: [],
          sic_codes: [],
          company_number: [],
          appointment_count: [],
          disqualified_until: [{ date: "2099-01-01T00:00:00Z" }],
        },
        "99999999": Object.fromEntries(names.map((name) => [name, []])),
      },
    });
  });

  it("refuses an unknown property", async () => {
    const { status, body } = await post({ extend: { ids: [], properties: [{ id: "colour" }] } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ error_values: { reason: "there is no property colour" } }] });
  });
});

describe("suggestions", () => {
  it("of entities list all of one name, in pages, and end", async () => {
    const first = await call("/reconcile/suggest/entity?prefix=quillory+mi");
    const { result, cursor } = first.body as unknown as { result: { id: string }[]; cursor: number };
    expect([result.length, cursor]).toEqual([10, 10]);
    const second = await call(`/reconcile/suggest/entity?prefix=quillory+mi&cursor=${cursor}`);
    const rest = second.body as unknown as { result: { id: string }[] };
    expect(new Set([...result, ...rest.result].map(({ id }) => id)).size).toBeGreaterThan(10);
    expect(second.body).not.toHaveProperty("cursor");
    const number = await call("/reconcile/suggest/entity?prefix=00912345");
    expect(number.body).toMatchObject({ result: [{ id: "00912345", notable: [COMPANY] }] });
    expect((await call("/reconcile/suggest/entity?prefix=brightq&type=officer")).body).toMatchObject({
      result: [
        { id: "officer-OF1", description: "born May 1962, 1 company, 1 Invented Row, LEEDS, LS1 1ZZ" },
      ],
    });
    const type = "disqualified-officer";
    expect((await call(`/reconcile/suggest/entity?prefix=brightq&type=${type}`)).body).toMatchObject({
      result: [{ id: "disqualified-officer-DQ1", description: "born 1962-05-12, 1 Invented Row, Tarnwick" }],
    });
    expect((await call("/reconcile/suggest/entity")).body).toEqual({ result: [] });
    expect((await call("/reconcile/suggest/entity?prefix=a&cursor=1000")).status).toBe(416);
  });

  it("of entities include all types if none is given, as OpenRefine expects, and continue with companies", async () => {
    const suggested = async (query: string) => {
      const { body } = await call(`/reconcile/suggest/entity?prefix=${query}`);
      const { result, cursor } = body as unknown as { result: { id: string }[]; cursor?: number };
      return { ids: result.map(({ id }) => id), cursor };
    };
    expect((await suggested("ignatius+brightq")).ids).toEqual(["officer-OF1", "disqualified-officer-DQ1"]);
    const first = await suggested("nightsloe");
    const companies = first.ids.filter((id) => /^\d{8}$/.test(id));
    expect([first.ids.length, companies.length, first.cursor]).toEqual([10, 5, 5]);
    const second = await suggested("nightsloe&cursor=5");
    const all = new Set([...companies, ...second.ids.filter((id) => /^\d{8}$/.test(id))]);
    expect([all.size, second.cursor]).toEqual([15, 15]);
    // The text is similar to people's names, but only exact beginnings are suggested.
    expect((await suggested("brightquine")).ids).toEqual([]);
  });

  it("do not continue with similar names after a full page of names that begin with the text", async () => {
    const first = await call("/reconcile/suggest/entity?prefix=wexmoore");
    const { result, cursor } = first.body as unknown as { result: unknown[]; cursor: number };
    expect([result.length, cursor]).toEqual([10, 10]);
    expect((await call("/reconcile/suggest/entity?prefix=wexmoore&cursor=10")).body).toEqual({ result: [] });
  });

  it("cover properties and types", async () => {
    expect((await call("/reconcile/suggest/property?prefix=post")).body).toMatchObject({
      result: [{ id: "postal_code", name: "Postcode" }],
    });
    expect((await call("/reconcile/suggest/type?prefix=off")).body).toMatchObject({
      result: [{ id: "officer" }, { id: "disqualified-officer" }],
    });
    expect((await call("/reconcile/suggest/type?prefix=&cursor=2")).body).toMatchObject({
      result: [{ id: "disqualified-officer" }],
    });
  });
});

describe("a preview", () => {
  it("is a page without scripts, with everything escaped, that loads nothing", async () => {
    const { status, headers, text } = await call("/reconcile/preview/00912345");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^ ]+';/);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-register-coverage")).toBeNull();
    expect(text).toContain("<h1>TARNWICK &lt;PRESS&gt; LIMITED</h1>");
    expect(text).toContain("1 Invented Row, LEEDS, LS1 1ZZ");
    expect(text).toContain("<dd>Active</dd>");
    expect(text).not.toContain("<script");
    expect((await call("/reconcile/preview/disqualified-officer-DQ1")).text).toContain("1 January 2099");
    expect((await call("/reconcile/preview/00000001")).status).toBe(404);
  });
});

describe("access", () => {
  it("needs a key, in a header or in the address", async () => {
    const body = new URLSearchParams({ queries: "{}" });
    const ask = async (path: string) => (await call(path, { method: "POST", body })).status;
    expect(await ask("/reconcile")).toBe(401);
    expect(await ask("/reconcile/key/wrong")).toBe(401);
    expect(await ask(`/reconcile/key/${TEST_KEY}`)).toBe(200);
    expect(await ask(`/reconcile/keys/${TEST_KEY}`)).toBe(401);
    // Other paths accept no key in the address.
    expect((await call(`/company/key/${TEST_KEY}`, {})).status).toBe(401);
  });

  it("lets pages of registered origins send forms", async () => {
    const headers = { origin: "https://app.example", "access-control-request-method": "POST" };
    const preflight = await call("/reconcile", { method: "OPTIONS", headers });
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET,HEAD,OPTIONS,POST");
    const { headers: found } = await post({ queries: {} }, { ...HOME, origin: "https://app.example" });
    expect(found.get("access-control-allow-origin")).toBe("https://app.example");
    const other = await post({ queries: {} }, { ...HOME, origin: "https://other.example" });
    expect(other.status).toBe(403);
  });

  it("is limited by the number of queries and entities, not of batches", async () => {
    await addTestKey(register.stores.mongo.documents, "counted", { name: "counted", limit: 100 });
    const counted = { authorization: basic("counted").authorization ?? "" };
    const queries = { a: { query: "a" }, b: { query: "b" }, c: { query: "c" } };
    const first = await post({ queries }, counted);
    expect(first.headers.get("x-ratelimit-remain")).toBe("97");
    const second = await post({ extend: { ids: ["1", "2"], properties: [] } }, counted);
    expect(second.headers.get("x-ratelimit-remain")).toBe("95");
  });
});
