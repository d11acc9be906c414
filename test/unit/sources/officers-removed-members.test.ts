/** Members that a daily update removed stay removed, whatever earlier events stated, until a snapshot gives them. */
import { describe, expect, it } from "@jest/globals";
import { appointmentRecord, type Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { findMergeRules } from "../../../ingest/sources/index.ts";
import { officersUpdate } from "../../../ingest/sources/officers-update.ts";
import { absorb, build } from "../../../ingest/statements/absorb.ts";
import { aPersonLine, anUpdateLine, type UpdateFields } from "../../support/officer-lines.ts";
import { StoredAppointments, NUMBER } from "../../support/stored-appointments.ts";

const PERSON = { born: "197005", nationality: "BRITISH", occupation: "BAKER", residence: "ENGLAND" };
const REMOVED = ["date_of_birth", "nationality", "occupation", "country_of_residence"];
const ADDRESS = { premises: "1", address_line_1: "Mock Lane" };

/** Adds an event about the person's appointment: the values of a snapshot's line, but with separate premises. */
function addEvent(stored: StoredAppointments, company: string, at = "2026-10-01T10:00:00.000Z", type = "01") {
  const [outcome] = officersSnapshot.mapRows(
    [{ line: 1, text: aPersonLine({ ...PERSON, company, type }) }],
    {},
  );
  if (outcome?.kind !== "record") throw new Error("no record");
  const data = { ...(outcome.data as Appointment), address: ADDRESS };
  const id = appointmentRecord.identify(data);
  const event = { uri: `/company/${company}/${type}`, timepoint: 5 };
  const statements = [{ at, event, data: { ...data } }];
  const made = absorb(
    stored.all.get(id),
    { id, statements },
    { record: appointmentRecord, revision: 1, findMergeRules },
  );
  if (made) stored.all.set(id, made);
  return stored;
}

const correction = anUpdateLine({ isCorrection: true });

describe("an officer, after a correction with a blank birth date and other blanks,", () => {
  const corrected = () => {
    const stored = addEvent(new StoredAppointments(), "99000500").add(PERSON);
    stored.update([correction]);
    return stored;
  };

  it("has none of them after the next snapshots, which leave them blank too", () => {
    const stored = corrected();
    for (const day of ["2026-12-01", "2027-01-01"]) {
      stored.add({}, {}, day);
      for (const member of REMOVED) expect(stored.appointments[0]).not.toHaveProperty(member);
      expect(stored.appointments[0]).toMatchObject({ address: ADDRESS });
      // The statement that stays beside the event and the snapshot has only the names of these members.
      const [record] = stored.records.values();
      expect(record?.told?.[1]?.lacks ?? []).toEqual([]);
    }
  });

  it("has those that a later snapshot gives, until the next one leaves them blank", () => {
    const stored = corrected().add({}, {}, "2026-12-01");
    stored.add({ nationality: "IRISH" }, {}, "2027-01-01");
    expect(stored.appointments[0]).toMatchObject({ nationality: "Irish" });
    expect(stored.appointments[0]).not.toHaveProperty("occupation");
    stored.add({}, {}, "2027-02-01");
    expect(stored.appointments[0]).not.toHaveProperty("nationality");
  });

  it("has none of them if the event comes last, and a snapshot of a day in between comes late", () => {
    const stored = new StoredAppointments().add(PERSON);
    stored.update([correction]);
    stored.add({}, {}, "2026-12-01").add({ occupation: "BAKER" }, {}, "2026-11-15");
    addEvent(stored, "99000500");
    for (const member of REMOVED) expect(stored.appointments[0]).not.toHaveProperty(member);
  });

  it.each<[string, UpdateFields]>([
    ["an increment", { oldNumber: NUMBER, number: "100000010002" }],
    ["a merge with another person", { oldNumber: NUMBER, number: "200000020001" }],
    ["a change of class", { newType: "00" }],
    ["a correction that gives them", { ...PERSON, isCorrection: true }],
  ])("has none of them after %s and a snapshot, which leave them blank too", (_what, line) => {
    const stored = corrected();
    stored.update([anUpdateLine(line)], { run: 4323 });
    stored.add({ number: line.number ?? NUMBER, type: line.newType ?? "01" }, {}, "2026-12-01");
    expect(stored.appointments).toHaveLength(1);
    for (const member of REMOVED) expect(stored.appointments[0]).not.toHaveProperty(member);
  });

  it("loses the person's own members in all appointments", () => {
    const stored = addEvent(corrected(), "99000501").add({ ...PERSON, company: "99000501" });
    stored.update([correction], { run: 4323 });
    stored.add({ company: "99000501" }, {}, "2026-12-01");
    expect(stored.appointments[1]).toMatchObject({ company_number: "99000501", occupation: "Baker" });
    expect(stored.appointments[1]).not.toHaveProperty("date_of_birth");
    expect(stored.appointments[1]).not.toHaveProperty("nationality");
  });
});

it.each([
  ["last", false],
  ["first", true],
])(
  "an officer whom a daily update adds has the members of an event of that day, if the event comes %s",
  (_when, isFirst) => {
    const stored = new StoredAppointments();
    const addEventOfDay = () => addEvent(stored, "99000500", "2026-11-02T10:00:00.000Z");
    if (isFirst) addEventOfDay();
    stored.update([anUpdateLine()]);
    if (!isFirst) addEventOfDay();
    stored.add({}, {}, "2026-12-01");
    expect(stored.appointments[0]).toMatchObject({ nationality: "British", occupation: "Baker" });
    expect(stored.appointments[0]).toHaveProperty("date_of_birth");
  },
);

it("a change that gives members leaves no statement once a snapshot follows", () => {
  const stored = addEvent(new StoredAppointments(), "99000500").add(PERSON);
  stored.update([anUpdateLine({ nationality: "IRISH" })]);
  stored.add({ ...PERSON, nationality: "IRISH" }, {}, "2026-12-01");
  const [record] = stored.records.values();
  expect(record?.told).toHaveLength(2);
  expect(record?.data).toMatchObject({ nationality: "Irish", address: ADDRESS });
});

it.each([
  [
    "secretary",
    { type: "00" },
    { oldType: "00", newType: "00", nationality: "BRITISH", occupation: "BAKER" },
  ],
  ["body", { isCorporate: true }, { isCorporate: true }],
])(
  "a %s whom a daily update adds or corrects has one statement after the next snapshot",
  (_who, person, line) => {
    const snapshot = { ...line, ...person };
    for (const corrections of [0, 1]) {
      const stored = new StoredAppointments();
      stored.update([anUpdateLine(line)]);
      if (corrections > 0) stored.update([anUpdateLine({ ...line, isCorrection: true })], { run: 4323 });
      stored.add(snapshot, {}, "2026-12-01");
      const [record] = stored.records.values();
      expect(record?.told).toHaveLength(1);
      stored.add(snapshot, {}, "2026-12-01");
      expect([...stored.records.values()][0]).toBe(record);
    }
  },
);

describe("a person with corrections by blanks in one company after the other", () => {
  const linesOf = (companies: readonly string[]) =>
    companies.map((company) => anUpdateLine({ company, isCorrection: true }));
  const companiesOf = (count: number) => Array.from({ length: count }, (_, at) => String(99_000_600 + at));

  it("has all appointments rewritten only by the first of a day, because the others remove nothing more", () => {
    const companies = companiesOf(10);
    const stored = new StoredAppointments();
    for (const company of companies) stored.add({ company });
    const plans = linesOf(companies).map((line, at) => stored.update([line], { run: 4322 + at }));
    expect(plans.map(({ rewritten }) => rewritten.length)).toEqual([10, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("has no further changes when the batch is run once more", () => {
    const companies = companiesOf(6);
    const stored = new StoredAppointments();
    for (const company of companies) stored.add({ company });
    const rows = linesOf(companies).map((text, at) => ({ line: at + 2, text }));
    const outcomes = officersUpdate.mapRows(rows, { run: "4322" });
    for (const isAgain of [false, true]) {
      const plan = stored.plan(outcomes, { isAgain });
      stored.write(plan);
      expect(plan.effects).toEqual(companies.map(() => "none"));
    }
  });
});

const secretary = { oldType: "00", newType: "00" };
it.each<[string, UpdateFields, string, UpdateFields]>([
  ["director", {}, "01", { oldType: "00" }],
  ["secretary", secretary, "00", { newType: "00" }],
])(
  "two appointments that become one as %s have none of the members that corrections removed",
  (_as, corrected, type, line) => {
    const stored = new StoredAppointments();
    for (const kind of ["00", "01"])
      addEvent(stored, "99000500", undefined, kind).add({ ...PERSON, type: kind });
    stored.update([anUpdateLine({ ...corrected, isCorrection: true })]);
    stored.update([anUpdateLine(line)], { run: 4323 });
    stored.add({ type }, {}, "2026-12-01");
    expect(stored.appointments).toHaveLength(1);
    for (const member of REMOVED) expect(stored.appointments[0]).not.toHaveProperty(member);
  },
);

it("a correction that an earlier release stored under another name keeps the members of an event", () => {
  const stored = addEvent(new StoredAppointments(), "99000500");
  const [[id, record] = []] = stored.records;
  if (!id || !record) throw new Error("no record");
  const event = { uri: "/company/99000500/01", timepoint: 5 };
  const links = { self: "/company/99000500/appointments/one" };
  const statements = [
    {
      at: "2026-10-01T10:00:00.000Z",
      event,
      data: { ...record.data, former_names: [{ surname: "SHELF" }], links },
    },
    { at: "2026-11-02T24", place: 432_200_000_002, tells: "officers-correction", data: { ...record.data } },
  ];
  const absorbing = { record: appointmentRecord, revision: 1, findMergeRules };
  stored.all.set(id, build(undefined, { id, statements }, absorbing));
  stored.add({ nationality: "IRISH" }, {}, "2026-12-01");
  expect(stored.appointments).toMatchObject([
    { nationality: "Irish", former_names: [{ surname: "SHELF" }], links },
  ]);
  expect([...stored.records.values()][0]?.told).toHaveLength(2);
});
