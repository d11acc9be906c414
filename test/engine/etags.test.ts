/** The ETag of an answer changes with everything that the answer shows, even if the source's etag stays the same. */
import { expect, it } from "@jest/globals";
import { batchRunner, type Rows } from "../support/event-batches.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { basic, openRegister, TEST_KEY } from "../support/register.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

const COMPANY = "97000001";
const SOURCE_ETAG = "0".repeat(40);
const ID = "person".padEnd(27, "-");
const SELF = `/company/${COMPANY}/persons-with-significant-control/individual/${ID}`;
const PERSON = {
  etag: SOURCE_ETAG,
  kind: "individual-person-with-significant-control",
  links: { self: SELF },
  name: "Una One",
  name_elements: { forename: "Una", surname: "One" },
  natures_of_control: ["ownership-of-shares-75-to-100-percent"],
  notified_on: "2016-04-06",
};

const snapshot = (day: string, data: object): Rows => ({
  source: "psc-snapshot",
  fileName: `psc-snapshot-${day}.txt`,
  rows: [JSON.stringify({ company_number: COMPANY, data })],
});

/** Fetches the person; `tag` is the ETag of the client's copy. */
const ask = (tag?: string) =>
  register.get(SELF, {
    ...basic(TEST_KEY),
    ...(tag !== undefined && { "if-none-match": tag }),
  });

it("an ETag changes when another source adds a link to the same version of a person", async () => {
  await run(snapshot("2026-11-01", PERSON));
  const before = await ask();
  const tag = before.headers.get("etag") ?? "";
  expect((await ask(tag)).status).toBe(304);

  const statements = `/company/${COMPANY}/persons-with-significant-control-statements`;
  const links = { self: SELF, statement: `${statements}/${"statement".padEnd(27, "-")}` };
  const line = {
    ...{ resource_kind: "company-psc-individual", resource_uri: SELF, resource_id: ID },
    data: { ...PERSON, links },
  };
  const lines = { source: "api-json-lines", fileName: "persons.jsonl", rows: [JSON.stringify(line)] };
  expect(await run(lines)).toMatchObject({ written: 1 });

  const after = await ask(tag);
  expect(after.status).toBe(200);
  expect(before.body).not.toMatchObject({ links });
  expect(after.body).toMatchObject({ etag: SOURCE_ETAG, links });
});

it("an ETag changes when a later edition corrects a row under the same source etag", async () => {
  await run(snapshot("2026-11-02", PERSON));
  const tag = (await ask()).headers.get("etag") ?? "";
  await run(snapshot("2026-11-03", { ...PERSON, nationality: "British" }));
  expect(await ask(tag)).toMatchObject({ status: 200, body: { etag: SOURCE_ETAG, nationality: "British" } });
});

it("an ETag does not reveal a hidden day of birth, which a load still compares and writes", async () => {
  const lineOf = (day: number) =>
    JSON.stringify({
      ...{ resource_kind: "company-psc-individual", resource_uri: SELF, resource_id: ID },
      data: { ...PERSON, etag: undefined, name: "Una Two", date_of_birth: { day, month: 10, year: 1986 } },
    });
  const stateBirth = async (day: number) => {
    const lines = { source: "api-json-lines", fileName: `persons-${day}.jsonl`, rows: [lineOf(day)] };
    expect(await run(lines)).toMatchObject({ written: 1 });
    const { body } = await ask();
    const stored = await register.stores.mongo.records.fetchOne(pscRecord, { _id: ID });
    expect(stored?.data.birth_day).toBe(day);
    return body as { etag: string; date_of_birth: object };
  };
  const [ninth, tenth] = [await stateBirth(9), await stateBirth(10)];
  expect(ninth).toEqual(tenth);
  expect(ninth).toMatchObject({ date_of_birth: { month: 10, year: 1986 } });
  expect(ninth.etag).not.toBe(SOURCE_ETAG);
});
