/** The CSV download: every company that the search finds, with each field unchanged. */
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { parseQuery } from "../../api/shared/schemas/query-parameters.ts";
import type { SearchBody } from "../../api/shared/definitions/search-result.ts";
import { downloadCompanies } from "../../api/search/advanced-companies.ts";
import { openTable } from "../../api/http/downloads.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { TEST_KEY, basic, openRegister } from "../support/register.ts";

const PATH = "/advanced-search/companies.csv";
const NO_FILTERS = parseQuery(downloadCompanies.parameters, {});
const COLUMNS = downloadCompanies.columns(NO_FILTERS);

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.load(
    "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
    "companies/dissolved-extract.csv",
  );
});

type Row = Record<string, string>;
type Item = Record<string, unknown> & {
  company_number: string;
  registered_office_address?: Row;
  sic_codes?: string[];
};

async function download(query: string): Promise<{ text: string; headers: Headers; status: number }> {
  const answer = await fetch(`${register.base}${PATH}${query}`, { headers: basic(TEST_KEY) });
  // Decode the byte order mark too, as a character.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
  return { text, headers: answer.headers, status: answer.status };
}

const read = (text: string): Row[] => parse(text, { columns: true });

async function search(query: string): Promise<Item[]> {
  const { body } = await register.get(`/advanced-search/companies?size=5000&${query}`);
  return (body as { items: Item[] }).items;
}

describe("the download", () => {
  it("contains every company of the search, in its order, each member in its column", async () => {
    const items = await search("");
    const rows = read((await download("?raw=true")).text);
    expect(rows).toHaveLength(212);
    expect(rows).toEqual(
      items.map((item) => ({
        ...Object.fromEntries(COLUMNS.map((column) => [column, item[column] ?? ""])),
        sic_codes: item.sic_codes?.join(" ") ?? "",
        ...Object.fromEntries(
          [
            "premises",
            "address_line_1",
            "address_line_2",
            "locality",
            "region",
            "country",
            "postal_code",
          ].map((member) => [member, item.registered_office_address?.[member] ?? ""]),
        ),
      })),
    );
  });

  it("keeps commas, quotes and accents", async () => {
    const rows = read((await download("")).text);
    const names = rows.map((row) => row.company_name);
    expect(names).toEqual(
      expect.arrayContaining([
        '"ZEPHYRDALE" QUOTED NAME LIMITED',
        "SAMPLE, EXAMPLE & DUMMY, LTD",
        "SNICKERBUTTON CAFÉ LIMITED",
      ]),
    );
  });

  it("puts an apostrophe before a name that a spreadsheet would run as a formula", async () => {
    const namesOf = (text: string) => read(text).map((row) => row.company_name);
    const [safe, raw] = [namesOf((await download("")).text), namesOf((await download("?raw=true")).text)];
    expect(raw).toContain("@EXAMPLE.TEST LIMITED");
    expect(safe).toContain("'@EXAMPLE.TEST LIMITED");
    expect(safe).not.toContain("@EXAMPLE.TEST LIMITED");
  });

  it("adds columns that describe the codes when descriptions are asked for", async () => {
    const { text } = await download("?descriptions=true&byte_order_mark=true&company_name_includes=holdings");
    expect(text.startsWith("\uFEFFcompany_name,company_number,company_status,")).toBe(true);
    const rows: Row[] = parse(text, { columns: true, bom: true });
    const described = Object.keys(rows[0] ?? {}).filter((column) => !COLUMNS.includes(column));
    expect(described).toEqual([
      "company_status_description",
      "company_type_description",
      "company_subtype_description",
      "sic_codes_description",
    ]);
    const row = rows.find(({ company_number: number }) => number === "99000050");
    expect(row).toMatchObject({
      company_status: "active",
      company_status_description: "Active",
      company_type: "plc",
      company_type_description: "Public limited company",
      company_subtype_description: "",
      sic_codes_description: expect.stringMatching(
        /^64209 Activities of other holding companies not elsewhere classified/,
      ),
    });
    const plain = read((await download("?company_name_includes=holdings")).text);
    expect(plain.map((one) => Object.keys(one).join())).toEqual(plain.map(() => COLUMNS.join()));
  });

  it("applies the filters", async () => {
    const query = "company_status=dissolved&dissolved_from=1900-01-01";
    const rows = read((await download(`?${query}`)).text);
    expect(rows.map((row) => row.company_number)).toEqual(
      (await search(query)).map((item) => item.company_number),
    );
    expect(rows.length).toBeGreaterThan(0);
  });

  it("is a header without rows when nothing is found", async () => {
    const { text, status } = await download("?company_name_includes=qqqzzzxxx");
    expect(status).toBe(200);
    expect(text).toBe(`${COLUMNS.join(",")}\r\n`);
  });

  it("has headers with its type, file name and caching", async () => {
    const { headers } = await download("?company_status=dissolved");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).toBe('attachment; filename="companies.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("refuses what the search refuses, and calls without a key", async () => {
    expect(await register.get(`${PATH}?dissolved_from=yesterday`)).toMatchObject({ status: 400 });
    expect((await fetch(register.base + PATH)).status).toBe(401);
  });
});

/** Reads the whole table in pages of `size` companies. */
async function readInPages(size: number, ask: (body: SearchBody) => Promise<void> = () => Promise.resolve()) {
  const body = { ...downloadCompanies.buildQuery(NO_FILTERS), size };
  const table = await openTable(
    { ...downloadCompanies, columns: COLUMNS },
    {
      ask: async (...bodies) => {
        for (const asked of bodies) await ask(asked);
        return register.stores.elasticsearch.search(downloadCompanies.indices, bodies);
      },
      body,
      ...{ isRaw: false, hasMark: false },
    },
  );
  const chunks: string[] = [];
  for await (const chunk of table) chunks.push(String(chunk));
  return chunks.join("");
}

describe("pages", () => {
  it.each([1, 7, 53, 106, 211, 212, 213])("of %d companies give the same table", async (size) => {
    expect(await readInPages(size)).toBe((await download("")).text);
  });

  it("end with the error when a later page fails", async () => {
    let asked = 0;
    const failing = readInPages(50, () => {
      asked += 1;
      return asked > 2 ? Promise.reject(new Error("the engine is gone")) : Promise.resolve();
    });
    await expect(failing).rejects.toThrow("the engine is gone");
  });
});
