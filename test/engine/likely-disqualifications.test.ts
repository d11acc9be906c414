/** The link from an officer to disqualifications that may be the officer's, whichever is loaded first. */
import { expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const OFFICERS = "officers/Prod195_4321_sc_1_01112026010001.dat";
const DISQUALIFIED = "disqualified/Prod192_4287.txt";

const LINKED = [
  {
    link: expect.stringMatching(/^\/disqualified-officers\/natural\//),
    name: "Hermia WRONGDALE",
    disqualified_until: "2027-06-14",
    likelihood: "likely",
    matched: ["name", "date_of_birth", "postcode", "locality", "person_number"],
  },
];

const newRegister = registersPerTest();

async function readList(register: TestRegister): Promise<Record<string, unknown>> {
  const found = await register.get("/search/officers?q=hermia+wrongdale");
  const [item] = (found.body as { items: { links: { self: string } }[] }).items;
  const { status, body } = await register.get(item?.links.self ?? "");
  expect(status).toBe(200);
  return body as Record<string, unknown>;
}

it.each([
  ["officers loaded first", [OFFICERS, DISQUALIFIED]],
  ["disqualified people loaded first", [DISQUALIFIED, OFFICERS]],
])("the link is in the officer's list of appointments, with %s", async (_order, files) => {
  const register = await newRegister();
  for (const file of files) expect(await register.load(file)).toMatchObject({ exitCode: 0 });
  await register.stores.elasticsearch.refresh();
  const { likely_disqualifications: linked } = await readList(register);
  expect(linked).toEqual(LINKED);
  const [{ link = "" } = {}] = linked as { link?: string }[];
  expect((await register.get(link)).body).toMatchObject({
    surname: "WRONGDALE",
    kind: "natural-disqualification",
  });
});

it("the link appears for records of a former release once their file is loaded again", async () => {
  const register = await newRegister();
  expect(await register.load(OFFICERS, DISQUALIFIED)).toMatchObject({ exitCode: 0 });
  await register.stores.elasticsearch.refresh();
  const { MONGODB_URL, DATABASE_NAME } = register.config;
  const client = await new MongoClient(MONGODB_URL).connect();
  const db = client.db(DATABASE_NAME);
  await db.collection("disqualified_officers").updateMany({}, { $unset: { likeness: "", person: "" } });
  await client.close();
  expect(await readList(register)).not.toHaveProperty("likely_disqualifications");

  expect(await register.load(DISQUALIFIED)).toMatchObject({ exitCode: 0 });
  expect(await readList(register)).toMatchObject({ likely_disqualifications: LINKED });
  const again = await register.load(DISQUALIFIED);
  expect(again.printed.join("\n")).toMatch(/^written\s+0/m);
});
