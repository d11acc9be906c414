/** Disqualified officers with a number have another id than their address; searches link to the address. */
import { beforeAll, expect, it } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";

interface Found {
  items: { links: { self: string } }[];
}

const register = forAllTests(openRegister);
beforeAll(async () => {
  expect(await register.load("streams/disqualified-officers.ndjson")).toMatchObject({ exitCode: 0 });
});

it.each(["/search?q=banned-sample", "/search/disqualified-officers?q=banned-sample"])(
  "%s links to the officer",
  async (path) => {
    const { items } = (await register.get(path)).body as Found;
    const link = items[0]?.links.self ?? "";
    expect(await register.get(link)).toMatchObject({ status: 200, body: { surname: "Banned-Sample" } });
  },
);

it("/reconcile returns an identifier under which the officer can be fetched", async () => {
  const query = { queries: JSON.stringify({ q: { query: "Banned-Sample", type: "disqualified-officer" } }) };
  const { body } = await register.get(`/reconcile?${new URLSearchParams(query).toString()}`);
  const [{ id = "" } = {}] = (body as { q: { result: { id: string }[] } }).q.result;
  const extend = JSON.stringify({ ids: [id], properties: [{ id: "name" }] });
  const extended = await register.get(`/reconcile?${new URLSearchParams({ extend }).toString()}`);
  expect(extended.body).toMatchObject({ rows: { [id]: { name: [{ str: "Algernon BANNED-SAMPLE" }] } } });
  const address = id.replace("disqualified-officer-", "/disqualified-officers/natural/");
  expect((await register.get(address)).status).toBe(200);
});
