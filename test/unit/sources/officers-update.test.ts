import { describe, expect, it } from "@jest/globals";
import type { StoredRecord } from "../../../api/resources/define-record.ts";
import {
  appointmentRecord,
  type StoredAppointment,
} from "../../../api/resources/officer-appointment/record.ts";
import type { Outcome } from "../../../ingest/define-source.ts";
import { planChanges, type ChangesPlan } from "../../../ingest/plan-changes.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";
import { officersUpdate } from "../../../ingest/sources/officers-update.ts";
import type { Withdrawal } from "../../../ingest/withdrawals.ts";
import { toStored } from "../../../ingest/writers/mongo.ts";
import {
  aCompanyLine,
  anUpdateLine,
  aPersonLine,
  type PersonTold,
  type UpdateTold,
} from "../../support/officer-lines.ts";
import { mapFile, refusalsOf } from "../../support/snapshot-files.ts";

const NUMBER = "100000010001";
const DAY = "2026-11-02";

/** What a register holds, as far as these tests look. */
class Register {
  records = new Map<string, StoredAppointment>();
  withdrawals = new Map<string, Withdrawal>();
  private revision = 1;

  /** As a snapshot holds it. */
  hold(told: PersonTold & { type?: string }, members: object = {}): this {
    const [outcome] = officersSnapshot.mapRows([{ line: 1, text: aPersonLine(told) }], {});
    if (outcome?.kind !== "record") throw new Error("no record");
    const data = { ...(outcome.data as StoredAppointment["data"]), ...members };
    const stored = toStored(appointmentRecord, data, 1) as StoredAppointment;
    this.records.set(stored._id, stored);
    return this;
  }

  /** Applies an update as often as is said, as batches that are run again. */
  update(lines: string[], { run = 4322, times = 1 } = {}): ChangesPlan {
    const rows = lines.map((text, at) => ({ line: at + 2, text }));
    let first: ChangesPlan | undefined;
    for (let time = 1; time <= times; time += 1) {
      const plan = this.plan(officersUpdate.mapRows(rows, { run: String(run) }));
      this.write(plan);
      first ??= plan;
    }
    if (!first) throw new Error("not applied");
    return first;
  }

  plan(outcomes: Outcome[]): ChangesPlan {
    const changes = outcomes.flatMap((outcome) => (outcome.kind === "change" ? outcome.change : []));
    expect(changes).toHaveLength(outcomes.length);
    const reading = {
      records: [...this.records.values()] as StoredRecord[],
      fields: ["_id", "company_number", "person_number"],
      ...{ withdrawals: this.withdrawals, tombstones: new Map() },
    };
    this.revision += 2;
    return planChanges(appointmentRecord, changes, reading, { revision: this.revision, productionDate: DAY });
  }

  write({ creations, replacements, removals, withdrawals }: ChangesPlan): void {
    for (const item of creations) this.records.set(item._id, item as StoredAppointment);
    for (const { stored } of replacements) this.records.set(stored._id, stored as StoredAppointment);
    for (const { _id } of removals) this.records.delete(_id);
    for (const withdrawal of withdrawals) this.withdrawals.set(withdrawal.record_id, withdrawal);
  }

  /** Data by company and role, in that order. */
  get held(): StoredAppointment["data"][] {
    const key = ({ data }: StoredAppointment) =>
      `${data.company_number} ${data.officer_role} ${data.appointed_on} ${data.person_number}`;
    return [...this.records.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ data }) => data);
  }
}

const register = () => new Register();
const line = (told: UpdateTold = {}) => anUpdateLine(told);

/** Each rule once, applied one time and again: the outcome must be the same. */
describe.each([1, 2, 3])("applied %i times", (times) => {
  it("an appointment that is not held is new", () => {
    const held = register();
    const plan = held.update([aCompanyLine("99000500", "MOCK LTD"), line({ nationality: "IRISH" })], {
      times,
    });
    expect(plan.effects).toEqual(["none", "created"]);
    expect(held.held).toMatchObject([
      {
        ...{
          company_number: "99000500",
          person_number: NUMBER,
          officer_role: "director",
          nationality: "Irish",
        },
        ...{ appointed_on: "2020-01-01", company_name: "MOCK LTD", company_status: "active" },
      },
    ]);
    expect(plan.warnings).toEqual([]);
  });

  it("a resignation sets type and day, and nothing else", () => {
    const held = register().hold({ occupation: "BAKER" });
    held.update([line({ newType: "03", resigned: "20261029", occupation: "KNIGHT" })], { times });
    expect(held.held).toMatchObject([{ resigned_on: "2026-10-29", occupation: "Baker" }]);
    expect(held.records.values().next().value).toMatchObject({ is_resigned: true });
  });

  it("a reinstatement clears the resignation of the appointment of that day", () => {
    const held = register()
      .hold({ type: "03", appointed: "20160701", resigned: "20200131" })
      .hold({ type: "03", appointed: "20100701", resigned: "20120131" });
    held.update([line({ oldType: "03", appointed: "20160701" })], { times });
    expect(held.held.map(({ appointed_on, resigned_on }) => [appointed_on, resigned_on])).toEqual([
      ["2010-07-01", "2012-01-31"],
      ["2016-07-01", undefined],
    ]);
  });

  it("a change is of this appointment, nationality and residence of every one of the number; blanks say nothing", () => {
    const held = register()
      .hold({ occupation: "BAKER", nationality: "BRITISH", residence: "ENGLAND", born: "196205" })
      .hold({ company: "99000501", occupation: "BAKER", nationality: "BRITISH", residence: "ENGLAND" })
      .hold({ company: "99000502", type: "00", nationality: "BRITISH" })
      .hold({ company: "99000503", number: "100000010002", nationality: "BRITISH" });
    held.update(
      [line({ address: "77 MOVED LANE", postcode: "BS1 7ZZ", nationality: "IRISH", residence: "IRELAND" })],
      {
        times,
      },
    );
    expect(held.held).toMatchObject([
      {
        ...{ address: { address_line_1: "77 Moved Lane", postal_code: "BS1 7ZZ" }, occupation: "Baker" },
        ...{ nationality: "Irish", country_of_residence: "Ireland", date_of_birth: { month: 5, year: 1962 } },
      },
      { address: { address_line_1: "1 Mock Lane" }, nationality: "Irish", country_of_residence: "Ireland" },
      { officer_role: "secretary", nationality: "Irish" },
      { person_number: "100000010002", nationality: "British" },
    ]);
    expect(held.held[2]).not.toHaveProperty("country_of_residence");
  });

  it("a correction counts with its blanks: of this appointment all, of the others of the number what is the person's", () => {
    const told = { born: "197512", occupation: "BAKER", nationality: "BRITISH", residence: "ENGLAND" };
    const held = register()
      .hold({ ...told, forenames: "UNA MAY" })
      .hold({ ...told, forenames: "UNA MAY", company: "99000501" })
      .hold({ company: "99000502", type: "00", forenames: "UNA MAY", nationality: "BRITISH" });
    const correction = {
      isCorrection: true,
      surname: "TESTERHOLM-REED",
      born: "197511",
      appointed: "20200201",
    };
    held.update([line(correction)], { times });
    expect(held.held).toHaveLength(3);
    const [own, other, secretary] = held.held;
    const person = { name_elements: { forename: "Una", surname: "TESTERHOLM-REED" } };
    expect(own).toMatchObject({
      ...person,
      appointed_on: "2020-02-01",
      date_of_birth: { month: 11, year: 1975 },
    });
    for (const member of ["occupation", "nationality", "country_of_residence"]) {
      expect(own).not.toHaveProperty(member);
    }
    expect(own?.name_elements).not.toHaveProperty("other_forenames");
    expect(other).toMatchObject({ ...person, occupation: "Baker", date_of_birth: { month: 11, year: 1975 } });
    expect(other).not.toHaveProperty("nationality");
    expect(secretary).toMatchObject(person);
    expect(secretary).not.toHaveProperty("date_of_birth");
  });

  it("an increment moves the appointment to the new variant, under the same identity", () => {
    const held = register().hold({ surname: "FIZZLEBECK" });
    const [id] = held.records.keys();
    held.update(
      [line({ oldNumber: NUMBER, number: "100000010002", surname: "WEDLOCK", occupation: "KNIGHT" })],
      { times },
    );
    expect([...held.records.keys()]).toEqual([id]);
    expect(held.held).toMatchObject([
      { person_number: "100000010002", name_elements: { surname: "WEDLOCK" }, occupation: "Knight" },
    ]);
  });

  it("a merge moves it to the other person, with the ids that the API gives where they are known", () => {
    const officer_id = "real-officer".padEnd(27, "-");
    const appointment_id = "real-appointment".padEnd(27, "-");
    const merged = "200000020001";
    const held = register()
      .hold({}, { appointment_id })
      .hold({ company: "99000501", number: merged }, { officer_id });
    const [former] = held.records.keys();
    const plan = held.update([line({ oldNumber: NUMBER, number: merged, surname: "ONE" })], { times });
    expect(plan.effects).toEqual(["changed"]);
    expect(held.held).toMatchObject([
      {
        company_number: "99000500",
        person_number: merged,
        appointment_id,
        officer_id,
        name_elements: { surname: "ONE" },
      },
      { company_number: "99000501" },
    ]);
    expect([...held.withdrawals.keys()]).toEqual([former]);
  });

  it("a merge of which the old number is not held stores the new data", () => {
    const held = register();
    const told = {
      oldType: "03",
      newType: "03",
      oldNumber: NUMBER,
      number: "200000020001",
      resigned: "20240404",
    };
    const plan = held.update([line(told)], { times });
    expect(held.held).toMatchObject([{ person_number: "200000020001", resigned_on: "2024-04-04" }]);
    expect(plan.warnings).toEqual([]);
  });

  it("a type change sets the type", () => {
    const held = register().hold({ type: "04", occupation: "BAKER" });
    held.update([line({ oldType: "04", newType: "05", occupation: "KNIGHT" })], { times });
    expect(held.held).toMatchObject([{ officer_role: "llp-designated-member", occupation: "Baker" }]);
    const other = register().hold({ type: "00" });
    other.update([line({ oldType: "00", newType: "01" })], { times });
    expect(other.held).toMatchObject([{ officer_role: "director" }]);
    expect(other.held).toHaveLength(1);
  });

  it("an errored appointment is deleted, and no other of the person", () => {
    const held = register()
      .hold({ appointed: "20160701" })
      .hold({ appointed: "20200101" })
      .hold({ type: "00" })
      .hold({ company: "99000501" });
    const plan = held.update([line({ newType: "99" })], { times });
    expect(plan.effects).toEqual(["removed"]);
    expect(
      held.held.map(({ company_number, officer_role, appointed_on }) => [
        company_number,
        officer_role,
        appointed_on,
      ]),
    ).toEqual([
      ["99000500", "director", "2016-07-01"],
      ["99000500", "secretary", "2020-01-01"],
      ["99000501", "director", "2020-01-01"],
    ]);
  });

  it("what was errored and entered again the same day is there, in whatever order the file has it", () => {
    const held = register().hold({ occupation: "BAKER" });
    const again = line({ occupation: "KNIGHT" });
    held.update([again, line({ newType: "99" })], { times });
    expect(held.held).toMatchObject([{ occupation: "Knight" }]);
    expect(held.withdrawals.size).toBe(0);
  });

  it("the correction of a nominee reaches every appointment of the number", () => {
    const number = "900099010001";
    const nominee = { number, isCorporate: true, surname: "SHELF LIMITED", forenames: "" };
    const held = register()
      .hold({ ...nominee, type: "00" })
      .hold({ ...nominee, type: "02", company: "99000501", resigned: "20210101" })
      .hold({ ...nominee, number: "900099010002", company: "99000502" });
    const told = { ...nominee, company: "", oldType: "  ", newType: "  ", appointed: "" };
    held.update(
      [line({ ...told, surname: "NEW SHELF LIMITED", address: "2 NEW LANE", postcode: "CF10 2ZZ" })],
      { times },
    );
    const now = {
      name: "NEW SHELF LIMITED",
      address: { address_line_1: "2 New Lane", postal_code: "CF10 2ZZ" },
    };
    expect(held.held).toMatchObject([
      { ...now, officer_role: "corporate-nominee-secretary" },
      { ...now, resigned_on: "2021-01-01" },
      { name: "SHELF LIMITED" },
    ]);
  });

  it("a company line that stands alone gives its name and status to the company's appointments", () => {
    const held = register().hold({}).hold({ company: "99000501" });
    held.update([aCompanyLine("99000500", "RENAMED LTD", "D")], { times });
    expect(held.held[0]).toMatchObject({ company_name: "RENAMED LTD", company_status: "dissolved" });
    expect(held.held[1]).not.toHaveProperty("company_name");
    expect([...held.records.values()][0]).toMatchObject({ is_company_ended: true });
  });
});

describe("a line that is run again", () => {
  it("does not undo what a later update has told", () => {
    const held = register().hold({ type: "03", resigned: "20200131" });
    const first = [line({ oldType: "03" })];
    held.update(first, { run: 4322 });
    held.update([line({ newType: "03", resigned: "20261103" })], { run: 4323 });
    const plan = held.update(first, { run: 4322 });
    expect(plan.effects).toEqual(["none"]);
    expect(held.held).toMatchObject([{ resigned_on: "2026-11-03" }]);
  });

  it("does not create again what a later update has deleted or moved", () => {
    const held = register();
    const first = [line(), line({ company: "99000501" })];
    held.update(first, { run: 4322 });
    const later = [
      line({ newType: "99" }),
      line({ company: "99000501", oldNumber: NUMBER, number: "200000020001" }),
    ];
    held.update(later, { run: 4323 });
    held.update(first, { run: 4322 });
    expect(held.held).toMatchObject([{ company_number: "99000501", person_number: "200000020001" }]);
    expect(held.held).toHaveLength(1);
  });

  it("ends a move that was broken off before the former record went, and counts as done", () => {
    const held = register().hold({});
    const outcomes = () =>
      officersUpdate.mapRows([{ line: 2, text: line({ oldNumber: NUMBER, number: "200000020001" }) }], {
        run: "4322",
      });
    const plan = held.plan(outcomes());
    held.write({ ...plan, removals: [], withdrawals: [] });
    expect(held.records.size).toBe(2);
    held.write(held.plan(outcomes()));
    expect(held.held).toMatchObject([{ person_number: "200000020001" }]);
    expect(held.records.size).toBe(1);
  });

  it("ends a deletion that was broken off behind its withdrawal", () => {
    const held = register().hold({});
    const outcomes = () =>
      officersUpdate.mapRows([{ line: 2, text: line({ newType: "99" }) }], { run: "4322" });
    held.write({ ...held.plan(outcomes()), removals: [] });
    expect([held.records.size, held.withdrawals.size]).toEqual([1, 1]);
    held.write(held.plan(outcomes()));
    expect(held.records.size).toBe(0);
    // What a later snapshot holds again is not taken for it.
    held.hold({});
    for (const [id, record] of held.records) held.records.set(id, { ...record, revision: 1_000 });
    held.write(held.plan(outcomes()));
    expect(held.records.size).toBe(1);
  });

  it("does not tell the person's other appointments what a new appointment told", () => {
    const held = register().hold({ company: "99000501", nationality: "BRITISH" });
    held.update([line({ nationality: "IRISH" })], { times: 2 });
    expect(held.held.map(({ nationality }) => nationality)).toEqual(["Irish", "British"]);
  });
});

describe("what a stream has told", () => {
  const event = (published_at: string) => ({ uri: "/x", timepoint: 7, published_at });

  it.each([
    ["after the day of the update stays", "2026-11-03T00:00:00.000Z", undefined],
    ["on that day or before gives way, and is still known", "2026-11-02T09:00:00.000Z", "2026-10-29"],
  ])("%s", (_name, published_at, resigned_on) => {
    const held = register().hold({});
    for (const [id, record] of held.records) held.records.set(id, { ...record, event: event(published_at) });
    held.update([line({ newType: "03", resigned: "20261029" })]);
    expect(held.held[0]?.resigned_on).toBe(resigned_on);
    expect([...held.records.values()][0]?.event).toEqual(event(published_at));
  });
});

it("finds an appointment whose number is held in another variant by its first eight digits and its day", () => {
  const held = register().hold({ number: "100000010007" });
  held.update([line({ newType: "03", resigned: "20261029" })]);
  expect(held.held).toMatchObject([{ resigned_on: "2026-10-29" }]);
  expect(held.held).toHaveLength(1);
});

it("stores what should have been held with a warning, and warns of what should have been deleted", () => {
  const held = register();
  const plan = held.update([
    line({ newType: "03", resigned: "20261029" }),
    line({ company: "99000501", newType: "99" }),
  ]);
  expect(plan.effects).toEqual(["created", "none"]);
  expect(plan.warnings).toEqual([
    "retyped: was not held, stored as the line tells it",
    "errored: was not held",
  ]);
});

describe("a bad line is refused with field and reason:", () => {
  it.each([
    ["an unknown old type", line({ oldType: "42" }), "old_type is not known: 42"],
    ["an unknown new type", line({ newType: "98" }), "new_type is not known: 98"],
    [
      "an old number that is none",
      line({ oldNumber: "10000001 001" }),
      "old_person_number is not twelve digits",
    ],
    [
      "a new number that is none",
      line({ number: "X00000010001", oldNumber: NUMBER }),
      "person_number is not twelve digits",
    ],
    ["a resignation without its day", line({ newType: "03" }), "resigned_on is no date: (blank)"],
    ["no surname", line({ surname: "" }), "surname is empty"],
    ["a blank company that is no nominee's", line({ company: "" }), /^company_number is blank/],
    ["a company number that is none", line({ company: "9900 500" }), /^company_number is none/],
    ["a length that does not fit", line().replace("UNA<", "UN<"), /^text_length says/],
    ["a cut text", line().replace(/<{13}$/, "<".repeat(12)), /^text_length says/],
    ["an unknown record type", `990005003${line().slice(9)}`, "record_type is not known: 3"],
    ["an unknown status", aCompanyLine("99000500", "X", "Q"), "company_status is not known: Q"],
  ])("%s", (_name, text, reason) => {
    const refused = refusalsOf(officersUpdate.mapRows([{ line: 9, text }], { run: "4322" }))[9];
    if (typeof reason === "string") expect(refused).toBe(reason);
    else expect(refused).toMatch(reason);
  });
});

describe("the sample", () => {
  it("is mapped whole, and its trailer adds up", async () => {
    const { outcomes, close } = await mapFile(officersUpdate, "officers/Prod198_4322.dat");
    expect(outcomes.filter(({ kind }) => kind === "change")).toHaveLength(30);
    expect(outcomes.filter((outcome) => outcome.kind === "change" && outcome.warnings)).toEqual([]);
    const told = outcomes.flatMap((outcome) => (outcome.kind === "change" ? (outcome.data ?? []) : []));
    expect(told.map((data) => appointmentRecord.check(data)).filter(Boolean)).toEqual([]);
    expect(close).not.toThrow();
  });

  it("is told apart from a snapshot, and a broken header is named", () => {
    const openLine = (text: string) => () => officersUpdate.open({ line: 1, text }, "Prod198_1.dat");
    expect(openLine("DDDDSNAP432120261101")).toThrow(/it is a snapshot/);
    expect(openLine("DDDDUPDT43222026")).toThrow(/a run number and a date/);
    expect(openLine("DDDDUPDT432220261102")()).toEqual({ run: "4322", productionDate: DAY });
  });
});
