/** The officers files of one officer for each company that `bench -- load --nominee` loads. */
import { Readable } from "node:stream";
import { expect, it } from "@jest/globals";
import { readPersonLine } from "../../../../ingest/sources/officers-layout.ts";
import { oneEach } from "../../../../scripts/bench/register/one-officer-file.ts";
import { aCompanyLine, aFile, aPersonLine } from "../../../support/officer-lines.ts";

const COMPANIES = ["99000001", "99000002", "99000003"];
const OFFICERS = COMPANIES.flatMap((company) => [
  aPersonLine({ company, surname: "FIRST", postcode: "EC1V 5HL", born: "199001", occupation: "TEACHER" }),
  aPersonLine({ company, surname: "SECOND", number: "100000020001" }),
]);
const GENERATED = COMPANIES.flatMap((company, at) => [
  aCompanyLine(company, `${company} LIMITED`, " ", "0002"),
  ...OFFICERS.slice(2 * at, 2 * at + 2),
]);

async function linesOf(companies: number, person?: string): Promise<string[]> {
  const lines = aFile("DDDDSNAP432120261101", GENERATED).trimEnd().split("\n");
  const made: string[] = [];
  for await (const line of oneEach(Readable.from(lines), companies, person)) made.push(line);
  return made;
}

it("has the first officer of each company as generated", async () => {
  const [header, ...lines] = await linesOf(2);
  expect(header).toBe("DDDDSNAP432120261101");
  expect(lines).toEqual([
    aCompanyLine("99000001", "99000001 LIMITED"),
    OFFICERS[0],
    aCompanyLine("99000002", "99000002 LIMITED"),
    OFFICERS[2],
    "9999999900000004",
  ]);
});

it("has one person serve every company, each appointment with its own address and post", async () => {
  const lines = await linesOf(3, "900000010001");
  const persons = lines.filter((line) => line.charAt(8) === "2").map(readPersonLine);
  expect(persons.map(({ company_number }) => company_number)).toEqual(COMPANIES);
  const same = { person_number: "900000010001", surname: "EVERYWHERE", birth_month: "196801" };
  for (const person of persons)
    expect(person).toMatchObject({ ...same, corporate: "", postcode: "EC1V 5HL", occupation: "TEACHER" });
});

it("refuses a generated file of too few companies", async () => {
  await expect(linesOf(4)).rejects.toThrow("of 4 companies the generated file has only 3 with officers");
});
