import { beforeAll, expect, it } from "@jest/globals";
import { buildOpenApi } from "../../../api/docs/openapi.ts";
import { resources } from "../../../api/resources/index.ts";
import { downloads, searches } from "../../../api/search/index.ts";
import { compilePrograms, generateTypes } from "../../support/typed-client.ts";

const START = `
import createClient from "openapi-fetch";
import type { paths } from "./generated-types.js";
const headers = { authorization: "Basic ZGVtby1rZXk6" };
const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8080", headers });
`;

// A typical first program of a client's author, with types that are named after the schemas.
const PROGRAM = `${START}
import type { components, Address, CompanyProfile, OfficerSummary, Search } from "./generated-types.js";

const LABELS: Record<string, string> = {
  outstanding: "Outstanding",
  "fully-satisfied": "Satisfied",
  "part-satisfied": "Satisfied in part",
  satisfied: "Satisfied",
};

export async function fetchCompany(company_number: string): Promise<string> {
  const { data, error } = await client.GET("/company/{company_number}", { params: { path: { company_number } } });
  if (error) return "errors" in error ? (error.errors[0]?.error ?? "") : error.error;
  if (!data) return "no answer";
  const profile: CompanyProfile = data;
  const address: Address | undefined = profile.registered_office_address;
  const status: components["schemas"]["company-status"] = profile.company_status ?? "unknown";
  return [profile.company_name, address?.postal_code, status, profile.links["uk-establishments"]].join(", ");
}

export async function* fetchOfficers(company_number: string): AsyncGenerator<OfficerSummary> {
  const query = { items_per_page: 100, order_by: "surname" } as const;
  const path = "/company/{company_number}/officers";
  const { data } = await client.GET(path, { params: { path: { company_number }, query } });
  yield* data?.items ?? [];
}

export async function fetchChargeLabels(company_number: string): Promise<string[]> {
  const { data } = await client.GET("/company/{company_number}/charges", { params: { path: { company_number } } });
  // A status may be new, so it is shown as it is.
  return (data?.items ?? []).map(({ status }) => LABELS[status] ?? status);
}

export async function search(q: string): Promise<Search | undefined> {
  const { data } = await client.GET("/search", { params: { query: { q } } });
  return data;
}

export function describe({ items }: Search): string[] {
  return items.map((item) => {
    if (item.kind === "searchresults#company") return item.title + " " + item.company_number;
    if (item.kind === "searchresults#officer") return item.title + " " + item.appointment_count;
    return item.title + " " + (item.date_of_birth ?? "");
  });
}
`;

// The compiler must refuse each of these lines, which shows that the types are exact.
const MISTAKES = [
  `void client.GET("/company/{company_number}");`,
  `void client.GET("/companies/{company_number}", { params: { path: { company_number: "1" } } });`,
  `void client.GET("/search/companies", { params: { query: {} } });`,
  `void client.GET("/search/companies", { params: { query: { q: "a", restrictions: ["all"] } } });`,
  `export const number = (profile: CompanyProfile): number => profile.company_name;`,
  `export const none = (profile: CompanyProfile): string => profile.company_nickname;`,
  `export const optional = (profile: CompanyProfile): string => profile.date_of_creation;`,
  `export const status = (profile: CompanyProfile): number => profile.company_status ?? 0;`,
];
const WRONG_PROGRAM = `${START}
import type { CompanyProfile } from "./generated-types.js";
${MISTAKES.join("\n")}
`;

let faults: Record<string, string[]>;
beforeAll(async () => {
  const document = buildOpenApi({ resources, searches, downloads }, "company-register");
  const types = await generateTypes(document);
  faults = compilePrograms(types, { "client.ts": PROGRAM, "wrong-client.ts": WRONG_PROGRAM });
});

it("a client's program compiles in strict mode, and so do the types generated for it", () => {
  expect(faults["client.ts"]).toEqual([]);
  expect(faults["generated-types.d.ts"]).toEqual([]);
});

it("each mistake of a client's program is a compiler error", () => {
  const lines = WRONG_PROGRAM.split("\n");
  const refused = (faults["wrong-client.ts"] ?? []).map((fault) => lines[parseInt(fault, 10) - 1]);
  expect([...new Set(refused)]).toEqual(MISTAKES);
});
