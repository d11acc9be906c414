import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { deadLettersListCommand } from "../../ingest/commands/dead-letters.ts";
import { writeDeadLetters, type DeadLetter } from "../../ingest/dead-letters.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

const LOAD = "20261121T061200-3f9c";
const ROWS = 10_001;

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

function aLetter(line: number, load = LOAD): DeadLetter {
  return {
    load,
    file: "companies.csv",
    line,
    source: "company-csv",
    reason: "54 fields",
    text: `row ${line}`,
  };
}

it("lists every row that a load refused, in file order, and no other load's", async () => {
  const lines = Array.from({ length: ROWS }, (_, at) => at + 2);
  const { documents } = register.stores.mongo;
  await writeDeadLetters(documents, lines.map((line) => aLetter(line)).reverse());
  await writeDeadLetters(documents, [aLetter(1, `${LOAD}0`), aLetter(1, "20261121T061200-3f9b")]);

  const { printed, exitCode } = await register.run(deadLettersListCommand, [LOAD]);
  expect(exitCode).toBe(0);
  expect(printed.map((line) => (JSON.parse(line) as DeadLetter).line)).toEqual(lines);
});

it("says so when there is nothing to list", async () => {
  const { error } = await register.run(deadLettersListCommand, ["20261121T061200-3f"]);
  expect(error?.message).toMatch(/refused no row, or there is no such load/);
});
