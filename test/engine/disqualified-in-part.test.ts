/** Editions of disqualified persons with refused lines: a disqualification stays until a whole edition lacks it. */
import { beforeEach, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import {
  deriveDisqualifiedId,
  disqualifiedOfficerRecord,
} from "../../api/resources/disqualified-officer/record.ts";
import { disqualifiedOfficersSnapshot } from "../../ingest/sources/disqualified-officers-snapshot.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, writeFile } from "../support/load-command.ts";
import { refusedRowsOf, loadOf, mendRows } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type CommandRun } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { tallyOf } from "../support/snapshot-files.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const NUMBER = "199027410001";
const [PERSON = "", ORDER = "", UNDERTAKING = ""] = readFileSync(
  `${SAMPLE}/disqualified/Prod192_4287.txt`,
  "utf8",
)
  .split("\n")
  .filter((text) => text.slice(1, 13) === NUMBER);
// A third disqualification, of the same kind and in later years.
const LATER = UNDERTAKING.replace("2022090120300831", "2024010120341231");
/** The order with a letter that is invalid UTF-8 when the file is written as Latin-1. */
const ODD_ORDER = ORDER.replace("LAGAN GONE", "LAGAN GON\u00c9");

const folder = makeOwnFolder();
const register = forAllTests(openRegister);

let week = 0;
let number = NUMBER;
/** Each test uses its own person, in editions later than those of the tests before it. */
beforeEach(async () => {
  number = String(Number(number) + 10_000);
  expect(await loadNext([PERSON, ORDER, UNDERTAKING])).toMatchObject({ exitCode: 0 });
});

/** Loads the edition of the next week. */
function loadNext(lines: string[], options?: Record<string, string>): Promise<CommandRun> {
  week += 1;
  const own = lines.map((line) => line.replace(NUMBER, number));
  const header = `DISQUALS428${week}2026110${week}`;
  const rows = own.map((text, at) => ({ line: at + 2, text }));
  const tally = tallyOf(disqualifiedOfficersSnapshot, rows);
  const trailer = disqualifiedOfficersSnapshot.trailerOf?.(rows.length, tally);
  const text = [header, ...own, trailer, ""].join("\n");
  return load(register, [writeFile(folder, `Prod192_428${week}.txt`, Buffer.from(text, "latin1"))], options);
}

/** The days on which the person's stored disqualifications start; undefined if the person is not stored. */
async function fetchStarts(): Promise<string[] | undefined> {
  const person = await register.stores.mongo.records.fetchOne(disqualifiedOfficerRecord, {
    _id: deriveDisqualifiedId(number),
  });
  return person?.data.disqualifications.map((item) => item.disqualified_from);
}

it("a disqualification with a refused line stays in force until a whole edition lacks it", async () => {
  expect(await loadNext([PERSON, ODD_ORDER, LATER])).toMatchObject({ exitCode: 2 });
  expect(await fetchStarts()).toEqual(["2024-01-01", "2022-09-01", "2018-01-02"]);
  await expectStoresAgree(register.stores);

  expect(await loadNext([PERSON, LATER])).toMatchObject({ exitCode: 0 });
  expect(await fetchStarts()).toEqual(["2024-01-01"]);
  await expectStoresAgree(register.stores);
});

it("a mended line completes the person, even if it is mended only at the second attempt", async () => {
  let id = loadOf(await loadNext([PERSON, ODD_ORDER, LATER]));
  const left = await mendRows(register, { folder, id });
  expect(left).toMatchObject({ exitCode: 2 });
  expect(await fetchStarts()).toEqual(["2024-01-01", "2022-09-01", "2018-01-02"]);
  expect(await refusedRowsOf(register, id)).toEqual([]);

  id = loadOf(left);
  expect(await mendRows(register, { folder, id }, { encoding: "latin1" })).toMatchObject({ exitCode: 0 });
  expect(await fetchStarts()).toEqual(["2024-01-01", "2018-01-02"]);
  expect(await refusedRowsOf(register, id)).toEqual([]);
  await expectStoresAgree(register.stores);
});

it("a person whose disqualifications are all refused stays, even with --complete", async () => {
  const run = await loadNext([PERSON, ODD_ORDER], { complete: "true" });
  expect(run.error?.message).toMatch(/Nothing was removed/);
  expect(await fetchStarts()).toEqual(["2022-09-01", "2018-01-02"]);
});
