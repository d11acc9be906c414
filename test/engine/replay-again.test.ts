/** A group of which the first replay mends a part and the next one the rest: what is held is then the whole. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { deadLettersReplayCommand } from "../../ingest/commands/dead-letters-replay.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { readDeadLetters } from "../../ingest/dead-letters.ts";
import { writeLoadFile } from "../../ingest/load-files.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { formerRelease } from "../support/former-release.ts";
import { keepLoad } from "../support/loads.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const FILE = "Prod192_4287.txt";
const LOAD = "a-load";
const [header = "", ...lines] = readFileSync(`${SAMPLE}/disqualified/${FILE}`, "utf8").split("\n");

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

/** Lines of the first person with two lines of one disqualification, one a company: the person and those two. */
function linesOfTwo(): string[] {
  const persons = lines.filter((text) => text.startsWith("1")).map((text) => text.slice(1, 13));
  const groups = persons.map((person) => lines.filter((text) => text.slice(1, 13) === person));
  const found = groups
    .map((group) => group.filter((text) => /^[12]/.test(text)))
    .find(({ length }) => length === 3);
  if (!found) throw new Error("nobody in the sample has two lines of disqualification");
  return found;
}

/** How many companies the disqualifications of each person name. */
async function countCompanies(): Promise<number[]> {
  const query = { filter: {}, sort: [["_id", 1]] as [string, 1][], skip: 0, limit: 10 };
  const held = await register.stores.mongo.records.fetchPage(disqualifiedOfficerRecord, query);
  return held.map(({ data }) => data.disqualifications.flatMap((one) => one.company_names ?? []).length);
}

async function refusedLines(): Promise<number[]> {
  const refused: number[] = [];
  for await (const { line } of readDeadLetters(register.stores.mongo.documents, LOAD)) refused.push(line);
  return refused;
}

it("is written by each replay of it", async () => {
  const [person = "", first = "", second = ""] = linesOfTwo();
  // A letter of the court's name that is no UTF-8; as Latin-1 it is one.
  const bytes = Buffer.from(second.slice(0, -1) + "\u00e9", "latin1");
  const { documents } = register.stores.mongo;
  const source = findSource("disqualified-officers-snapshot");
  const head = { line: 1, text: header };
  const job = {
    ...{ load: LOAD, file: FILE, source: source.name, context: source.open(head, FILE), revision: 1_000 },
    rows: [
      { line: 2, text: person },
      { line: 3, text: first },
    ],
    unreadable: [{ line: 4, bytes: bytes.toString("base64"), reason: "is no valid UTF-8" }],
  };
  await keepLoad(documents, { _id: LOAD, files: [FILE] });
  await writeLoadFile(documents, {
    ...{ load: LOAD, file: FILE, name: FILE, source: source.name },
    ...{ encoding: "utf-8", first: head },
  });
  await processBatch(
    register.stores,
    formerRelease(source, ({ line }) => line === 3),
    job,
    `${LOAD}-1`,
  );
  expect([await countCompanies(), await refusedLines()]).toEqual([[], [2, 3, 4]]);

  const replay = (options = {}) => register.run(deadLettersReplayCommand, [LOAD], options);
  expect(await replay()).toMatchObject({ exitCode: 2 });
  expect([await countCompanies(), await refusedLines()]).toEqual([[1], [4]]);
  // Nothing has changed: the same once more.
  expect(await replay()).toMatchObject({ exitCode: 2 });
  expect([await countCompanies(), await refusedLines()]).toEqual([[1], [4]]);
  expect(await replay({ encoding: "latin1" })).toMatchObject({ exitCode: 0 });
  expect([await countCompanies(), await refusedLines()]).toEqual([[2], []]);
  await register.stores.elasticsearch.refresh();
  expect(await register.run(verifyCommand, [])).toMatchObject({ exitCode: 0 });
});
