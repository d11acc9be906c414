/** Faults in a snapshot of disqualified officers: bad records, line by line, and wrong headers and trailers. */
import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { disqualifiedOfficersSnapshot } from "../../../ingest/sources/disqualified-officers-snapshot.ts";
import { dataOf, mapFile, readRowsOf, refusalsOf, tallyOf } from "../../support/snapshot-files.ts";

const FILE = "disqualified/Prod192_4287.txt";

describe("bad records", () => {
  it("are refused with their line, and the person's other lines kept", async () => {
    const { outcomes, close } = await mapFile(
      disqualifiedOfficersSnapshot,
      "disqualified/edge-cases/bad.txt",
    );
    expect(refusalsOf(outcomes)).toEqual({
      5: "belongs to a person whose own record is not in the file",
      6: "record_type is not known: 5",
    });
    expect(dataOf<DisqualifiedOfficer>(outcomes)[0]?.disqualifications).toHaveLength(2);
    expect(close).toThrow("the trailer says 5 records, its types add up to 4");
    expect(close).toThrow(SourceError);
  });

  it("leave no person without a disqualification", async () => {
    const rows = await readRowsOf(FILE);
    const person = rows.slice(1, 2);
    expect(refusalsOf(disqualifiedOfficersSnapshot.mapRows(person, {}))).toEqual({
      2: "no disqualification of this person could be read",
    });
  });

  it("are refused even if they are cut off before the person number, at the beginning of a batch", () => {
    const cut = { line: 1_001, text: "1" };
    expect(disqualifiedOfficersSnapshot.mapRows([cut], {})).toMatchObject([{ kind: "refused", row: cut }]);
  });

  it("are refused if they are a second record of a person, or a variation that follows no disqualification", async () => {
    const rows = await readRowsOf(FILE);
    const [one, , ...others] = rows.filter((row) => row.text.slice(1, 13) === "199026040001");
    const variation = others.at(-1);
    const lines = [one, one && { ...one, line: 900 }, variation && { ...variation, line: 901 }];
    const given = lines.flatMap((row) => (row ? [row] : []));
    expect(refusalsOf(disqualifiedOfficersSnapshot.mapRows(given, {}))).toMatchObject({
      900: "the person already has a record",
      901: "follows no disqualification that could be read",
    });
  });
});

it("permissions that differ only in their purpose are one permission", async () => {
  const rows = (await readRowsOf(FILE)).filter(({ text }) => text.slice(1, 13) === "199026040001");
  const permission = rows.find(({ text }) => text.startsWith("3"));
  const text = permission?.text.replace("0000000003", "0000000001") ?? "";
  expect(text).not.toBe(permission?.text);
  const [officer] = dataOf<DisqualifiedOfficer>(
    disqualifiedOfficersSnapshot.mapRows([...rows, { line: 900, text }], {}),
  );
  expect(officer?.permissions_to_act).toHaveLength(3);
});

describe("a variation without the day of the court's action", () => {
  const mapWith = async (days: string) => {
    const rows = (await readRowsOf(FILE)).filter(({ text }) => text.slice(1, 13) === "199026040001");
    const varied = rows.map((row) =>
      row.text.startsWith("4") ? { ...row, text: row.text.slice(0, 43) + days + row.text.slice(59) } : row,
    );
    return disqualifiedOfficersSnapshot.mapRows(varied, {});
  };

  it("gets the day of the order, with a warning", async () => {
    const outcomes = await mapWith("20200505        ");
    const [officer] = dataOf<DisqualifiedOfficer>(outcomes);
    const varied = officer?.disqualifications.flatMap(({ last_variation: one }) => one?.varied_on ?? []);
    expect(varied).toEqual(["2020-05-05"]);
    expect(outcomes.flatMap(({ warnings = [] }) => warnings)).toContain(
      "varied_on: the date of the court's action is blank, the order date is taken",
    );
  });

  it("is refused if the order has no day either", async () => {
    const refusals = Object.values(refusalsOf(await mapWith(" ".repeat(16))));
    expect(refusals).toEqual(["varied_on is not a valid date: (blank)"]);
  });
});

describe("header and trailer", () => {
  it("are checked: the trailer must count all records, and those of each type", async () => {
    const rows = (await readRowsOf(FILE)).slice(1);
    const close = (last: number, count: number) => () =>
      disqualifiedOfficersSnapshot.close?.(
        rows.at(last),
        count,
        {},
        tallyOf(disqualifiedOfficersSnapshot, rows),
      );
    expect(close(-1, rows.length)).not.toThrow();
    expect(close(-2, rows.length - 1)).toThrow(/^truncated/);
    expect(close(-1, rows.length + 1)).toThrow("the trailer says 101 records, the file has 102");
    const trailer = rows.at(-1)?.text.replace("/00000040/00000050/", "/00000041/00000049/") ?? "";
    rows.splice(-1, 1, { line: rows.length + 1, text: trailer });
    expect(close(-1, rows.length)).toThrow(
      "the trailer says 41 records of type 1, the file has 40; download it again",
    );
  });

  it("are distinguished, although they share a word", () => {
    const [header, trailer] = [
      "DISQUALS428720261031",
      "DISQUALS/00000001/00000003/00000000/00000000/00000004",
    ];
    expect(disqualifiedOfficersSnapshot.recognises(header)).toBe(true);
    expect(disqualifiedOfficersSnapshot.recognises(trailer)).toBe(false);
    expect(disqualifiedOfficersSnapshot.groupKey?.(trailer)).toBe("trailer");
    expect(disqualifiedOfficersSnapshot.open({ line: 1, text: header }, "Prod192_1.txt")).toEqual({
      run: "4287",
      productionDate: "2026-10-31",
    });
    expect(() => disqualifiedOfficersSnapshot.open({ line: 1, text: trailer }, "Prod192_1.txt")).toThrow(
      SourceError,
    );
  });
});
