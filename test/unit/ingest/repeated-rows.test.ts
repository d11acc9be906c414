/** A file with two different rows of a record in two batches: the later row counts, also when it is loaded again. */
import { expect, it } from "@jest/globals";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import type { RecordOrTombstone } from "../../../api/shared/definitions/define-record.ts";
import { absorb } from "../../../ingest/statements/absorb.ts";
import { findMergeRules } from "../../../ingest/sources/index.ts";

const FIRST = "FIRST LIMITED";
const RENAMED = "RENAMED LIMITED";
const DAY = "2026-11-01";

/** The record after rows that arrive in this order, each with the number of its batch. */
function takeAll(rows: readonly (readonly [name: string, batch: number])[], from?: RecordOrTombstone) {
  return rows.reduce<RecordOrTombstone | undefined>((stored, [company_name, place]) => {
    const data = { company_number: "09000001", company_name, type: "ltd" };
    const statements = [{ at: DAY, tells: "company-csv", place, data }];
    const absorbing = { record: companyRecord, revision: place, findMergeRules };
    return absorb(stored, { id: "09000001", statements }, absorbing) ?? stored;
  }, from);
}

const nameOf = (stored: RecordOrTombstone | undefined) =>
  (stored as { data?: { company_name?: string } }).data?.company_name;

const LOAD: (readonly [string, number])[] = [
  [FIRST, 100],
  [RENAMED, 120],
];
const ONCE_MORE: (readonly [string, number])[] = [
  [FIRST, 1100],
  [RENAMED, 1120],
];

it.each([
  ["in order, twice", [LOAD, ONCE_MORE]],
  ["in reverse order, then in order", [LOAD.toReversed(), ONCE_MORE]],
])("the later row of a record counts if the batches come %s", (_order, loads) => {
  expect(nameOf(takeAll(loads.flat()))).toBe(RENAMED);
});

it("a corrected file of the same day changes the record", () => {
  const stored = takeAll([...LOAD, ...ONCE_MORE]);
  expect(nameOf(takeAll([["MENDED LIMITED", 2000]], stored))).toBe("MENDED LIMITED");
});

it("a file with one row of the record changes nothing when it is loaded again", () => {
  const stored = takeAll([[FIRST, 100]]);
  expect(takeAll([[FIRST, 1100]], stored)).toBe(stored);
});
