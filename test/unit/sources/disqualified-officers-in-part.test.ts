/** A disqualified person with a refused line: the other lines remove nothing that is stored. */
import { describe, expect, it } from "@jest/globals";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { disqualifiedOfficerRecord } from "../../../api/resources/disqualified-officer/record.ts";
import type { RecordOrTombstone, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import type { RawRow, UnreadableRow } from "../../../ingest/readers/read-rows.ts";
import type { Outcome } from "../../../ingest/sources/define-source.ts";
import { mergeRecords } from "../../../ingest/statements/merge.ts";
import { disqualifiedOfficersSnapshot } from "../../../ingest/sources/disqualified-officers-snapshot.ts";
import { findMergeRules } from "../../../ingest/sources/index.ts";
import { absorb } from "../../../ingest/statements/absorb.ts";
import type { FullStatement } from "../../../ingest/statements/statement.ts";
import { readRowsOf, refusalsOf } from "../../support/snapshot-files.ts";

const rows = await readRowsOf("disqualified/Prod192_4287.txt");
const linesOf = (number: string) => rows.filter(({ text }) => text.slice(1, 13) === number);
/** One order about two companies, with three permissions and a variation. */
const VARIED = linesOf("199026040001");
/** An order and a later undertaking. */
const TWICE = linesOf("199027410001");

const WHOLE = "disqualified-officers-snapshot";
const IN_PART = "disqualified-officers-snapshot-in-part";

type Change = (text: string) => string;
const withoutSection: Change = (text) =>
  text.replace(/CDD[AO] \d{4} [AS]\d+/, (found) => "?".padEnd(found.length));
const cutOff: Change = (text) => text.slice(0, 20);
const withoutNumber: Change = (text) => `${text.charAt(0)}??${text.slice(3)}`;

/** The rows, with one of them (counted from 0) changed. */
function change(given: RawRow[], at: number, by: Change): RawRow[] {
  return given.map((row, place) => (place === at ? { ...row, text: by(row.text) } : row));
}

/** The outcomes of the rows; those at these positions (from 0) were not UTF-8. */
function mapWithout(given: RawRow[], ...places: number[]): Outcome[] {
  const isBad = (_row: RawRow, at: number) => places.includes(at);
  const unreadable = given.filter(isBad).map(({ line, text }): UnreadableRow => {
    return { line, bytes: Buffer.from(text).toString("base64"), reason: "contains bytes that are not UTF-8" };
  });
  const readable = given.filter((row, at) => !isBad(row, at));
  return disqualifiedOfficersSnapshot.mapRows(readable, {}, unreadable);
}

function recordOf(outcomes: Outcome[]): Extract<Outcome, { kind: "record" }> {
  const [record] = outcomes.flatMap((outcome) => (outcome.kind === "record" ? outcome : []));
  if (!record) throw new Error("the lines make no record");
  return record;
}

const personOf = (given: RawRow[]) => recordOf(mapWithout(given)).data as DisqualifiedOfficer;

/** The stored person after a file. */
function after(stored: DisqualifiedOfficer, outcomes: Outcome[]): DisqualifiedOfficer {
  const { data, tells = "" } = recordOf(outcomes);
  return mergeRecords(stored, data, findMergeRules(tells)?.rules ?? {}) as DisqualifiedOfficer;
}

describe("a person", () => {
  it.each([
    ["of an unknown section", mapWithout(change(TWICE, 1, withoutSection))],
    ["that is cut off", mapWithout(change(TWICE, 1, cutOff))],
    ["with bytes that cannot be read", mapWithout(TWICE, 1)],
    ["with a damaged person number", mapWithout(change(TWICE, 2, withoutNumber))],
    ["that is a cut-off exemption", mapWithout(change(VARIED, 4, cutOff))],
    ["that is a cut-off variation", mapWithout(change(VARIED, 6, cutOff))],
  ])("is stated in part if the person has a line %s", (_what, outcomes) => {
    expect(recordOf(outcomes).tells).toBe(IN_PART);
  });

  it("is stated completely if all lines are good, whatever happens to other persons", () => {
    const ofTwo = mapWithout([...VARIED, ...change(TWICE, 1, withoutSection)]);
    const records = ofTwo.flatMap((outcome) => (outcome.kind === "record" ? outcome : []));
    expect(records.map(({ tells }) => tells)).toEqual([WHOLE, IN_PART]);
    expect(recordOf(mapWithout([...VARIED, ...rows.slice(-1)])).tells).toBe(WHOLE);
  });

  it("stays as stored if no disqualification could be read", () => {
    const outcomes = mapWithout(TWICE, 1, 2);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["refused"]);
  });
});

describe("a stored person", () => {
  it("keeps the disqualification of a refused line, and gets new ones", () => {
    const stored = personOf(TWICE);
    const third = change(TWICE, 2, (text) => text.replace("2022090120300831", "2024010120341231"));
    expect(after(stored, mapWithout(TWICE, 1))).toEqual(stored);
    expect(after(stored, mapWithout(TWICE, 2))).toEqual(stored);
    const merged = after(stored, mapWithout(third, 1));
    expect(merged.disqualifications.map((item) => item.disqualified_from)).toEqual([
      "2024-01-01",
      "2022-09-01",
      "2018-01-02",
    ]);
    expect(after(merged, mapWithout(third)).disqualifications).toHaveLength(2);
  });

  it("keeps the companies, the variation and the permissions of refused lines", () => {
    const stored = personOf(VARIED);
    for (const at of [2, 3, 4, 5, 6]) expect(after(stored, mapWithout(VARIED, at))).toEqual(stored);
    const noPermission = mapWithout(change([...VARIED.slice(0, 3), ...VARIED.slice(6)], 3, cutOff));
    expect(after(stored, noPermission)).toEqual(stored);
  });

  it("takes the changes of good lines", () => {
    const stored = personOf(VARIED);
    const changes = [
      [2, "ADMINISTERED STATUS", "REINSTATED STATUS  "],
      [4, "20210801", "20220801"],
      [6, "20210202", "20220202"],
    ] as const;
    const changed = changes.reduce(
      (given, [at, from, to]) => change(given, at, (text) => text.replace(from, to)),
      VARIED,
    );
    const merged = after(stored, mapWithout(changed, 3));
    expect(merged.disqualifications).toMatchObject([
      {
        company_names: [
          "STRIKE OFF SAMPLE LIMITED",
          "ADMINISTERED STATUS SAMPLE LIMITED (99000038)",
          expect.stringMatching(/^REINSTATED/),
        ],
        last_variation: { varied_on: "2022-02-02" },
      },
    ]);
    expect(merged.permissions_to_act?.map((item) => item.expires_on)).toEqual([
      ...["2027-06-14", "2021-08-01", "2027-06-14", "2022-08-01"],
    ]);
  });

  it("keeps the latest variation if its line is refused", () => {
    const stored = personOf(VARIED);
    const [last] = VARIED.slice(-1);
    const earlier = last && { line: 900, text: last.text.replace("20210202", "20200901") };
    const outcomes = mapWithout([...VARIED, ...(earlier ? [earlier] : [])], 6);
    expect(after(stored, outcomes)).toEqual(stored);
  });
});

it("a person stated completely and then in part keeps the content of both when an older event comes late", () => {
  const later = change(TWICE, 2, (text) => text.replace("2022090120300831", "2024010120341231"));
  const { data, tells = "" } = recordOf(mapWithout(later, 1));
  const honoured = { ...personOf(TWICE.slice(0, 2)), honours: "OBE" };
  const event = { uri: "/disqualified-officers/natural/x", timepoint: 1 };
  const stated: FullStatement[] = [
    { at: "2026-10-31", tells: WHOLE, data: { ...personOf(TWICE) } },
    { at: "2026-11-07", tells, data: { ...(data as DisqualifiedOfficer) } },
    { at: "2026-10-30T09:00:00", event, data: { ...honoured } },
  ];
  const absorbing = { record: disqualifiedOfficerRecord, revision: 1, findMergeRules };
  const [, merged, withEvent] = stated
    .reduce<(RecordOrTombstone | null)[]>(
      (stored, statement) => [
        ...stored,
        absorb(stored.at(-1) ?? undefined, { id: "x", statements: [statement] }, absorbing),
      ],
      [],
    )
    .map((stored) => (stored as StoredRecord<DisqualifiedOfficer> | null)?.data);
  expect(withEvent).toEqual({ ...merged, honours: "OBE" });
  expect(merged?.disqualifications).toHaveLength(3);
});

describe("a variation after a line that could not be read", () => {
  const [variation] = VARIED.slice(-1);
  const withVariation = [...TWICE, ...(variation ? [{ ...variation, line: 900 }] : [])].map((row) => ({
    ...row,
    text: `${row.text.charAt(0)}199027410001${row.text.slice(13)}`,
  }));

  it("is refused instead of being added to the disqualification before", () => {
    const outcomes = mapWithout(withVariation, 2);
    expect(refusalsOf(outcomes)).toEqual({ 900: "follows no disqualification that could be read" });
  });

  it("is added to the disqualification before if the unreadable line is of another kind", () => {
    const exemption = { line: 14, text: VARIED[3]?.text.replace("199026040001", "199027410001") ?? "" };
    const outcomes = mapWithout([...withVariation.slice(0, 3), exemption, ...withVariation.slice(3)], 3);
    expect(refusalsOf(outcomes)).toEqual({});
    const { disqualifications } = recordOf(outcomes).data as DisqualifiedOfficer;
    expect(disqualifications[0]).toHaveProperty("last_variation.varied_on", "2021-02-02");
  });
});
