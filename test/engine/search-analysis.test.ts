/** How the indices' fields analyse texts: tables of text and tokens, on the real engine. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { closeStores } from "../../api/shared/stores/index.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { openStorage, type Storage } from "../support/register.ts";
import { aCompany, aDisqualifiedOfficer, anOfficer } from "../support/search-records.ts";

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
});
afterAll(async () => {
  await storage.end();
  await closeStores(storage.stores);
});

/** The tokens that the engine makes from a field's value. */
async function tokensOf(index: string, field: string, text: unknown): Promise<string[]> {
  const path = `${storage.config.INDEX_PREFIX}${index}/_analyze`;
  const answer = await askElasticsearch(storage.config, "POST", path, { field, text });
  return (answer as { tokens: { token: string }[] }).tokens.map(({ token }) => token);
}

const nestedOf = (document: Record<string, unknown> | null) =>
  (document?.names as Record<string, unknown>[] | undefined)?.[0] ?? {};

test.each([
  ["Quillory Ltd", ["QUILLORY"]],
  ["H.W.Q. PLUMBING LIMITED", ["HWQ", "PLUMBING"]],
  ["X Z K GLAZING", ["XZK", "GLAZING"]],
  ["THE GLOVERS OF AND FOR TARN LTD", ["GLOVERS", "OF", "AND", "FOR", "TARN"]],
  ["D&F + TARN @ 5%", ["D", "AND", "F", "PLUS", "TARN", "AT", "5", "PERCENT"]],
  ["O’TARN'S – CAFÉ/ŒUVRE", ["OTARNS", "CAFE", "OEUVRE"]],
  ["TARN_WICK 1,5 24/7", ["TARN", "WICK", "1", "5", "24", "7"]],
  ["TARN.COM U.K. LTD", ["TARN", "COM", "UK"]],
  ["СЕВЕР 株式会社 LTD", ["СЕВЕР", "株式会社"]],
  ["T".repeat(160), ["T".repeat(160)]],
  ["***", []],
])("analyses the name %s", async (company_name, tokens) => {
  const document = findIndex("companies").document([aCompany({ company_name, company_number: "95000001" })]);
  expect(await tokensOf("companies", "names.text", nestedOf(document).text)).toEqual(tokens);
});

test.each([
  ["H.W. TARN LTD", ["H", "W", "TARN", "LTD", "HW", "LIMITED"]],
  ["THE TARN P.L.C.", ["THE", "TARN", "P", "L", "C", "PLC"]],
  ["TARN CYF", ["TARN", "CYF", "LIMITED", "LTD"]],
])("analyses %s for the advanced search", async (company_name, tokens) => {
  const document = findIndex("companies").document([aCompany({ company_name, company_number: "95000001" })]);
  expect(await tokensOf("companies", "name_words", document?.name_words)).toEqual(tokens);
});

test("analyses an address", async () => {
  const registered_office_address = {
    premises: "7",
    address_line_1: "O'Quill-Lane",
    locality: "Tärnby",
    postal_code: "ZA1 1AA",
  };
  const line = { company_name: "TARN LTD", company_number: "95000001", registered_office_address };
  const document = findIndex("companies").document([aCompany(line)]);
  expect(await tokensOf("companies", "address", document?.address)).toEqual([
    "7",
    "OQUILL",
    "LANE",
    "TARNBY",
    "ZA1",
    "1AA",
  ]);
});

const person = {
  officer_id: "A".repeat(27),
  forename: "Anne-Marie",
  other_forenames: "J.",
  surname: "O'TARN-WICK",
};

test.each([
  ["officers", findIndex("officers").document(anOfficer(person))],
  [
    "disqualified-officers",
    findIndex("disqualified-officers").document([
      aDisqualifiedOfficer({ ...person, disqualified_until: "2099-01-01" }),
    ]),
  ],
])("analyses a person in the index %s", async (index, document) => {
  const { given, person: words } = nestedOf(document);
  expect(await tokensOf(index, "names.given", given)).toEqual(["ANNE", "MARIE", "J", "ANNEMARIE"]);
  expect(await tokensOf(index, "names.person", words)).toEqual([
    "ANNE",
    "MARIE",
    "J",
    "ANNEMARIE",
    "OTARN",
    "WICK",
    "OTARNWICK",
  ]);
});

test("analyses a person's address", async () => {
  const [record] = anOfficer(person);
  if (!record) throw new Error("the officer has an appointment");
  record.data.address = { address_line_1: "O'Quill-Lane", locality: "Tärnby", postal_code: "ZA1 1AA" };
  const document = findIndex("officers").document([record]);
  const words = ["OQUILL", "LANE", "TARNBY", "ZA1", "1AA"];
  expect(await tokensOf("officers", "address", document?.address)).toEqual(words);
  expect(await tokensOf("officers", "postcode", document?.postcode)).toEqual(["ZA11AA"]);
});
