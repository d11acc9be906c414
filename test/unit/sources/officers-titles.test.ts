/** Titles that the API's lists leave out: a name in a list or an event does not remove them, in any order. */
import { describe, expect, it } from "@jest/globals";
import { appointmentRecord, type Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { formatListName } from "../../../api/resources/officer-appointment/index.ts";
import { findMergeRules } from "../../../ingest/sources/index.ts";
import { OFFICERS_RULES, UPDATE_RULES } from "../../../ingest/sources/officers-layout.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { absorb } from "../../../ingest/statements/absorb.ts";
import { prune } from "../../../ingest/statements/prune.ts";
import { fold, type FullStatement } from "../../../ingest/statements/statement.ts";
import type { RecordOrTombstone } from "../../../api/shared/definitions/define-record.ts";
import { aPersonLine, type PersonFields } from "../../support/officer-lines.ts";

function readLine(person: PersonFields): Appointment {
  const [outcome] = officersSnapshot.mapRows([{ line: 1, text: aPersonLine(person) }], {});
  if (outcome?.kind !== "record") throw new Error("no record");
  return outcome.data as Appointment;
}

const edition = (day: string, person: PersonFields, tells = OFFICERS_RULES): FullStatement => ({
  ...{ at: day, tells, place: 1e15, data: { ...readLine(person) } },
});

/** The statement of an event, or with `isLine` of a JSON line, with a name as lists show it. */
function state(
  day: string,
  person: PersonFields,
  { isLine = false, uri = "/one", occupation = "Potter" } = {},
): FullStatement {
  const line = readLine(person);
  const name = formatListName(line);
  const resource = {
    ...{
      kind: "company-officers",
      uri: `/company/${line.company_number}/appointments/${"x".repeat(27)}`,
      id: "x".repeat(27),
    },
    data: {
      name,
      officer_role: "director",
      appointed_on: "2020-01-01",
      person_number: line.person_number,
      occupation,
    },
  };
  const data = appointmentRecord.incoming?.normalise(resource, []);
  const at = `${day}T09:00:00.000Z`;
  const own = isLine ? { place: 2e15 } : { event: { uri, timepoint: Number(day.slice(-2)) } };
  return { at, ...own, data: { ...data } };
}

function permute<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one, at) => permute(all.toSpliced(at, 1)).map((others) => [one, ...others]));
}

/** The names in every order of loads, from pruned statements and from stored records. */
function namesOf(...statements: FullStatement[]) {
  return permute(statements).flatMap((ordered) => {
    const kept = ordered.reduce<FullStatement[]>((all, one) => prune([...all, one], findMergeRules), []);
    const stored = ordered.reduce<RecordOrTombstone | undefined>((before, one, at) => {
      const absorbing = { record: appointmentRecord, revision: 1e15 + at, findMergeRules };
      return absorb(before, { id: "one", statements: [one] }, absorbing) ?? before;
    }, undefined);
    const folded = fold(kept, findMergeRules);
    return [folded?.name_elements, stored && "data" in stored && (stored.data as Appointment).name_elements];
  });
}

const UNA = { title: "MRS", forenames: "UNA MARY" };

describe("an officer with a title in a file", () => {
  it.each<[string, { isLine?: boolean }]>([
    ["an event", {}],
    ["a JSON line", { isLine: true }],
  ])("keeps it beside %s of the same name, whichever comes first", (_what, options) => {
    const later = state("2026-11-05", UNA, options);
    expect(later.data?.name_elements).not.toHaveProperty("title");
    for (const name of namesOf(edition("2026-11-01", UNA), later))
      expect(name).toEqual({ title: "Mrs", forename: "Una", other_forenames: "Mary", surname: "TESTERHOLM" });
  });

  it("keeps it beside a JSON line that counts all forenames as the first", () => {
    const later = state("2026-11-05", UNA, { isLine: true });
    const name_elements = { forename: "Una Mary", surname: "TESTERHOLM" };
    for (const name of namesOf(edition("2026-11-01", UNA), {
      ...later,
      data: { ...later.data, name_elements },
    }))
      expect(name).toEqual({ title: "Mrs", ...name_elements });
  });

  it("keeps it after several events", () => {
    const events = [state("2026-11-05", UNA), state("2026-11-06", UNA, { uri: "/two" })];
    for (const name of namesOf(edition("2026-11-01", UNA), ...events))
      expect(name).toMatchObject({ title: "Mrs" });
  });

  it.each<[string, PersonFields]>([
    ["another surname", { ...UNA, surname: "EXAMPLEFORD" }],
    ["other forenames", { forenames: "UNA" }],
    ["a title that lists show", { ...UNA, title: "DR" }],
  ])("does not keep it beside an event with %s", (_what, person) => {
    const event = state("2026-11-05", person);
    for (const name of namesOf(edition("2026-11-01", UNA), event))
      expect(name).toEqual(event.data?.name_elements);
  });

  it("loses a title that lists show if an event lacks it", () => {
    const event = state("2026-11-05", { forenames: "UNA MARY" });
    for (const name of namesOf(edition("2026-11-01", { ...UNA, title: "DR" }), event))
      expect(name).not.toHaveProperty("title");
  });

  it("has the title of the last file before the event", () => {
    const files = [
      edition("2026-11-01", { ...UNA, title: "MISS" }),
      edition("2026-11-02T24", UNA, UPDATE_RULES),
    ];
    for (const name of namesOf(...files, state("2026-11-05", UNA)))
      expect(name).toMatchObject({ title: "Mrs" });
  });

  it("has the title of an edition after the event", () => {
    const files = [edition("2026-11-01", { ...UNA, title: "MISS" }), edition("2026-11-09", UNA)];
    for (const name of namesOf(...files, state("2026-11-05", UNA)))
      expect(name).toMatchObject({ title: "Mrs" });
  });

  it("keeps its name if the address of a later event is deleted", () => {
    const [one, two] = [state("2026-10-05", UNA), state("2026-11-05", UNA, { uri: "/two" })];
    const gone = {
      at: "2026-11-06T09:00:00.000Z",
      event: { uri: "/two", timepoint: 6 },
      gone: true,
    } as const;
    const ordered = [edition("2026-11-01", UNA), one, two, gone];
    const kept = ordered.reduce<FullStatement[]>((all, next) => prune([...all, next], findMergeRules), []);
    expect(fold(kept, findMergeRules)?.name_elements).toMatchObject({ title: "Mrs", forename: "Una" });
  });

  it("does not have a title that an update has removed", () => {
    const files = [edition("2026-11-01", UNA), edition("2026-11-02T24", { ...UNA, title: "" }, UPDATE_RULES)];
    for (const name of namesOf(...files, state("2026-11-05", UNA))) expect(name).not.toHaveProperty("title");
  });

  it("loses it with its name if it becomes a corporate body", () => {
    const body = readLine({ isCorporate: true, surname: "A BODY LTD" });
    const event = { ...state("2026-11-05", UNA), data: { ...body } };
    for (const name of namesOf(edition("2026-11-01", UNA), event)) expect(name).toBeUndefined();
  });
});
