/** The link from an officer to disqualifications that may be the officer's, whichever is loaded first. */
import { afterEach, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import { openRegister, type TestRegister } from "../support/register.ts";

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

let register: TestRegister;
afterEach(() => register.close());

async function readList(): Promise<Record<string, unknown>> {
  const found = await register.get("/search/officers?q=hermia+wrongdale");
  const [item] = (found.body as { items: { links: { self: string } }[] }).items;
  const { status, body } = await register.get(item?.links.self ?? "");
  expect(status).toBe(200);
  return body as Record<string, unknown>;
}

it.each([
  ["officers first", [OFFICERS, DISQUALIFIED]],
  ["disqualified people first", [DISQUALIFIED, OFFICERS]],
])(
  "is in the officer's list of appointments: %s",
  async (_order, files) => {
    register = await openRegister();
    for (const file of files) expect(await register.load(file)).toMatchObject({ exitCode: 0 });
    await register.stores.elasticsearch.refresh();
    const { likely_disqualifications: linked } = await readList();
    expect(linked).toEqual(LINKED);
    const [{ link = "" } = {}] = linked as { link?: string }[];
    expect((await register.get(link)).body).toMatchObject({
      surname: "WRONGDALE",
      kind: "natural-disqualification",
    });
  },
  60_000,
);

it("appears for records of a former release once their file is loaded again", async () => {
  register = await openRegister();
  expect(await register.load(OFFICERS, DISQUALIFIED)).toMatchObject({ exitCode: 0 });
  await register.stores.elasticsearch.refresh();
  const { MONGODB_URL, DATABASE_NAME } = register.config;
  const client = await new MongoClient(MONGODB_URL).connect();
  const db = client.db(DATABASE_NAME);
  await db.collection("disqualified_officers").updateMany({}, { $unset: { likeness: "", person: "" } });
  await client.close();
  expect(await readList()).not.toHaveProperty("likely_disqualifications");

  expect(await register.load(DISQUALIFIED)).toMatchObject({ exitCode: 0 });
  expect(await readList()).toMatchObject({ likely_disqualifications: LINKED });
  const again = await register.load(DISQUALIFIED);
  expect(again.printed.join("\n")).toMatch(/^written\s+0/m);
}, 60_000);
