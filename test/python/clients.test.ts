import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openLoadedSample } from "../support/loaded-sample.ts";
import { openPython } from "../support/python.ts";
import { TEST_KEY, type TestRegister } from "../support/register.ts";

type Call = [method: string, args: unknown[], options: Record<string, unknown>];
interface Reply {
  method: string;
  status: number;
  body: Record<string, unknown> & { items?: { links: { self: string } }[] };
}

let register: TestRegister;
let bin: string;

beforeAll(async () => {
  bin = await openPython();
  register = await openLoadedSample();
}, 300_000);
afterAll(() => register.close());

/** Makes these calls with the client, which raises an error for a status that is not a success. */
async function callAll(calls: Call[]): Promise<Reply[]> {
  const program = spawn(join(bin, "python"), ["test/python/read_everything.py"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  program.stdin.end(JSON.stringify({ base: register.base, key: TEST_KEY, calls }));
  const [output, faults] = await Promise.all([text(program.stdout), text(program.stderr)]);
  expect(faults.split("\n").filter((line) => line.includes("Error"))).toEqual([]);
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Reply);
}

const lastSegment = (path: string | undefined) => path?.split("/").at(-1) ?? "";

/** The id of the first fitting item in the list at this path. */
async function firstId(path: string, fits: (self: string) => boolean = () => true): Promise<string> {
  const { body } = await register.get(path);
  const items = (body as Reply["body"]).items ?? [];
  return lastSegment(items.map(({ links }) => links.self).find(fits));
}

describe("chwrapper", () => {
  it("reads every resource that it knows", async () => {
    const filing = await firstId("/company/99000064/filing-history");
    const charge = await firstId("/company/99000064/charges");
    const psc = await firstId("/company/99000065/persons-with-significant-control", (self) =>
      self.includes("/individual/"),
    );
    const { body } = await register.get("/company/99000064/officers");
    const officer = (body as { items: { links: { officer: { appointments: string } } }[] }).items[0];
    const officerId = officer?.links.officer.appointments.split("/")[2] ?? "";
    const found = await register.get("/search/disqualified-officers?q=crookshaw-test");
    const disqualified = lastSegment((found.body as Reply["body"]).items?.[0]?.links.self);
    const calls: Call[] = [
      ["profile", ["99000064"], {}],
      ["address", ["99000064"], {}],
      ["officers", ["99000064"], {}],
      ["appointments", [officerId], {}],
      ["insolvency", ["99000034"], {}],
      ["filing_history", ["99000064"], {}],
      ["filing_history", ["99000064", filing], {}],
      ["charges", ["99000064"], {}],
      ["charges", ["99000064", charge], {}],
      ["persons_significant_control", ["99000065"], {}],
      ["significant_control", ["99000065", psc], {}],
      ["disqualified", [disqualified], {}],
      ["search_companies", ["leading zeros sample"], {}],
      ["search_officers", ["quillfeather"], {}],
      ["search_officers", ["crookshaw-test"], { disqualified: true }],
    ];
    const replies = await callAll(calls);
    expect(replies.map(({ method, status }) => [method, status])).toEqual(
      calls.map(([method]) => [method, 200]),
    );
    expect(replies[0]?.body).toMatchObject({ company_number: "99000064" });
    expect(replies[6]?.body).toMatchObject({ transaction_id: filing });
    expect(replies[12]?.body.items?.[0]).toMatchObject({ company_number: "00099061" });
  }, 60_000);
});
