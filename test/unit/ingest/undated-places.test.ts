/** Rows without a day that are written after later batches: mended rows, rows of a resumed load, `--as-of`. */
import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import type { RecordOrTombstone } from "../../../api/shared/definitions/define-record.ts";
import type { Members } from "../../../api/shared/values/members.ts";
import { absorb, type Incoming } from "../../../ingest/statements/absorb.ts";
import { exactly, given, value } from "../../../ingest/statements/merge.ts";
import {
  isStatedSince,
  momentOfUpdate,
  type FullStatement,
  type MergeRules,
} from "../../../ingest/statements/statement.ts";

const ID = "99000001";
const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03"];
// Revisions count microseconds; this one is on the first day.
const FIRST = 1_000 * Date.parse(DAYS[0] ?? "");
const DAY = 86_400_000_000;

/** Sources like the snapshot of persons with significant control, and like the company CSV, which leaves gaps. */
const MEMBERS = { whole: ["name", "address"], gaps: ["name", "post"] };
const mergeRules: Record<string, MergeRules> = {
  whole: { rules: { name: exactly, address: exactly }, replaces: ["whole"] },
  gaps: { rules: { name: value, post: given((_stored, incoming) => incoming) }, replaces: [] },
};
const findMergeRules = (name: string) => mergeRules[name];

interface Row {
  /** If absent, the row is a whole record, like a line of the API. */
  tells?: keyof typeof MEMBERS | undefined;
  /** If absent, the record is removed. */
  data?: Members | undefined;
  /** If absent, the row has no day. */
  at?: string | undefined;
}

function toIncoming({ tells, data, at }: Row, place: number): Incoming {
  const members = Object.entries(data ?? {}).filter(([name]) => !tells || MEMBERS[tells].includes(name));
  const stated = data
    ? { ...(tells && { tells }), data: Object.fromEntries(members) }
    : { gone: true as const };
  const statement: FullStatement = { at: at ?? "", place, ...stated };
  return { id: ID, statements: [statement], isUndated: at === undefined };
}

const eventOf = (at: string, revision: number, name: string): Incoming => {
  const event = { uri: "/one", timepoint: revision };
  return { id: ID, statements: [{ at, event, data: { name, town: "EVENT" } }] };
};

/** The record after these rows, each in the batch of its place. */
function take(stored: RecordOrTombstone | undefined, incoming: Incoming): RecordOrTombstone | undefined {
  const [{ place, event } = {}] = incoming.statements;
  const revision = place ?? event?.timepoint ?? 0;
  return absorb(stored, incoming, { record: companyRecord, revision, findMergeRules }) ?? stored;
}

const takeAll = (rows: readonly Incoming[]) =>
  rows.reduce<RecordOrTombstone | undefined>((stored, row) => take(stored, row), undefined);
const dataOf = (stored: RecordOrTombstone | undefined) =>
  stored && "data" in stored ? stored.data : undefined;

const words = fc.constantFrom("A", "B", "C");
const parts = fc.record({ post: words, address: words, town: words }, { requiredKeys: [] });
const drawn = fc.record({
  parts,
  tells: fc.constantFrom("whole" as const, "gaps" as const, undefined),
  day: fc.constantFrom(...DAYS),
  kind: fc.constantFrom("dated", "in time", "late"),
});

/** Rows in the order of their batches. Editions come in the order of their days: loads refuse any other. */
const history = fc
  .tuple(fc.array(drawn, { minLength: 2, maxLength: 5 }), fc.nat(8))
  .filter(([rows]) => ["late", "dated"].every((kind) => rows.some((row) => row.kind === kind)))
  .map(([rows, removed]) => {
    const days = rows.map(({ day }) => day).sort();
    return rows.map(({ parts: some, tells, kind }, at) => {
      const isLate = kind === "late";
      // At most one of them removes the record, because a removed record is not removed again.
      const data = at === removed && !isLate ? undefined : { name: `ROW ${at}`, ...some };
      const row = { tells, data, at: kind === "dated" ? days[at] : undefined };
      return { isLate, row: toIncoming(row, FIRST + 20 * at) };
    });
  });

it("late rows without a day count in the order of their batches, and change nothing when they come again", () => {
  const found = fc.property(history, (all) => {
    const late = all.filter(({ isLate }) => isLate).map(({ row }) => row);
    const before = takeAll(all.filter(({ isLate }) => !isLate).map(({ row }) => row));
    const after = late.reduce(take, before);
    expect(dataOf(after)).toEqual(dataOf(takeAll(all.map(({ row }) => row))));
    for (const row of late) expect(take(after, row)).toBe(after);
  });
  fc.assert(found, { numRuns: 1_000 });
});

it("a late row without a day counts even if the load that wrote the record after its batch was undone", () => {
  const [row, later] = [FIRST, FIRST + 20].map((place) =>
    toIncoming({ tells: "gaps", data: { name: `ROW ${place}` } }, place),
  );
  const edition = toIncoming({ tells: "whole", data: { name: "EDITION" }, at: DAYS[0] }, FIRST - 20);
  const stored = later && takeAll([edition, later]);
  const isUndone = ({ place }: FullStatement) => place === FIRST + 20;
  const absorbing = { record: companyRecord, revision: FIRST + 40, findMergeRules };
  const undone = absorb(stored, { id: ID, statements: [], isUndone }, absorbing) ?? undefined;
  expect(dataOf(undone)).toEqual({ name: "EDITION" });
  expect(row && dataOf(take(undone, row))).toEqual({ name: `ROW ${FIRST}` });
});

it.each([
  ["is later than an event that was published before its batch began", DAYS[1], "ROW"],
  ["is earlier than an event that was published since", DAYS[2], "EVENT"],
])("a late row without a day %s", (_title, published = "", expected) => {
  const place = FIRST + 1.5 * DAY;
  const data = { name: "ROW", post: "ROW", town: "ROW" };
  const event = eventOf(`${published}T09:00:00.000Z`, place + 20, "EVENT");
  const edition = toIncoming({ tells: "gaps", data: { name: "EDITION" }, at: "2026-11-04" }, place + 40);
  const stored = takeAll([event, edition, toIncoming({ data }, place)]);
  expect(dataOf(stored)).toMatchObject({ name: "EDITION", town: expected });
});

it.each([
  ["is earlier than a daily update of a day since", DAYS[2], "UPDATE"],
  ["is later than a daily update of a day before", DAYS[0], "ROW"],
])("a row without a day %s, also if a later batch has written the record", (_title, day = "", expected) => {
  const place = FIRST + 1.5 * DAY;
  const row = toIncoming({ data: { name: "ROW", post: "ROW" } }, place);
  const edition = toIncoming({ tells: "whole", data: { name: "EDITION" }, at: DAYS[0] }, FIRST);
  // The place is made of run and line; the revision of the batch does not matter.
  const update: FullStatement = {
    at: momentOfUpdate(day),
    place: 432_200_000_003,
    of: ["post"],
    data: { post: "UPDATE" },
  };
  const absorbing = { record: companyRecord, revision: place + 20, findMergeRules };
  const updated = absorb(take(undefined, edition), { id: ID, statements: [update] }, absorbing) ?? undefined;
  expect(dataOf(take(updated, row))).toMatchObject({ name: "ROW", post: expected });
});

it.each([
  ["is later than an edition of a day before that moment", DAYS[0], "ROW"],
  ["is earlier than an edition of a day since", DAYS[2], "EDITION"],
])("a row with a given moment %s that is loaded afterwards", (_title, day, expected) => {
  const row = { ...toIncoming({ data: { name: "ROW" } }, FIRST + DAY), asOf: `${DAYS[1]}T09:00:00.000Z` };
  const edition = toIncoming({ tells: "whole", data: { name: "EDITION" }, at: day }, FIRST + 5 * DAY);
  expect(dataOf(takeAll([row, edition]))).toMatchObject({ name: expected });
});

it("a record with a row of a given moment counts as newer than editions up to that day, even if they lack it", () => {
  const row = { ...toIncoming({ data: { name: "ROW" } }, FIRST + DAY), asOf: `${DAYS[1]}T09:00:00.000Z` };
  const stored = take(undefined, row);
  expect(DAYS.map((day) => stored && isStatedSince(stored, day))).toEqual([true, true, false]);
});
