/** The reconciliation service with `reconciler`, a client by others, and the key in two parts of the address. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { listedCompanies } from "../support/listed-companies.ts";
import { openPython } from "../support/python.ts";
import { openRegister, TEST_KEY, type TestRegister } from "../support/register.ts";
import { writeLines } from "../support/search-register.ts";

// More than the client sends in one batch.
const companies = listedCompanies(35, 3);
const names = [...companies.map(({ company_name }) => company_name.toLowerCase()), "nobody at all anywhere"];
const postcodes = [
  ...companies.map(({ registered_office_address: address }) => address?.postal_code ?? ""),
  "",
];

let register: TestRegister;
let bin: string;
beforeAll(async () => {
  bin = await openPython();
  register = await openRegister({ withWorker: false });
  const lines = companies.map(({ number, ...company }) => ({ ...company, company_number: number }));
  await writeLines(register.stores.elasticsearch, lines);
}, 600_000);
afterAll(() => register.close());

async function reconcile(endpoint: string) {
  const program = spawn(join(bin, "python"), ["test/python/reconcile_names.py"], { stdio: "pipe" });
  program.stdin.end(JSON.stringify({ endpoint, type: "company", names, postcodes }));
  const [output, faults] = await Promise.all([text(program.stdout), text(program.stderr)]);
  expect(faults.split("\n").filter((line) => line.includes("Error"))).toEqual([]);
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { input_value: string; id: string; match: boolean; type_id: string });
}

describe("reconciler", () => {
  it.each([
    ["user part", () => register.base.replace("//", `//${TEST_KEY}:@`) + "/reconcile"],
    ["path", () => `${register.base}/reconcile/key/${TEST_KEY}`],
  ])(
    "finds every company, and marks them as matches, with the key in the %s of the address",
    async (_title, endpointOf) => {
      const rows = await reconcile(endpointOf());
      expect(rows.map(({ input_value }) => input_value)).toEqual(names);
      expect(rows.slice(0, -1).map(({ id, match, type_id }) => [id, match, type_id])).toEqual(
        companies.map(({ number }) => [number, true, "company"]),
      );
      expect(rows.at(-1)).toMatchObject({ id: "", match: false });
    },
    120_000,
  );
});
