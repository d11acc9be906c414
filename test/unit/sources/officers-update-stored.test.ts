/** The officers' daily update over stored appointments: lines run again, stream events, and unexpected states. */
import { describe, expect, it } from "@jest/globals";
import { officersUpdate } from "../../../ingest/sources/officers-update.ts";
import { DAY, StoredAppointments, NUMBER, withoutRemovals } from "../../support/stored-appointments.ts";
import { lastEventOf } from "../../support/statements.ts";
import {
  aCompanyLine,
  anUpdateLine,
  type PersonFields,
  type UpdateFields,
} from "../../support/officer-lines.ts";

describe("a line that is run again", () => {
  it("does not undo a later update", () => {
    const stored = new StoredAppointments().add({ type: "03", resigned: "20200131" });
    const first = [anUpdateLine({ oldType: "03" })];
    stored.update(first, { run: 4322 });
    stored.update([anUpdateLine({ newType: "03", resigned: "20261103" })], { run: 4323 });
    const plan = stored.update(first, { run: 4322 });
    expect(plan.effects).toEqual(["none"]);
    expect(stored.appointments).toMatchObject([{ resigned_on: "2026-11-03" }]);
  });

  it("changes nothing if a later update came before it, even one that stated the stored values", () => {
    const stored = new StoredAppointments().add({ address: "1 MOCK LANE" });
    const plan = stored.update([anUpdateLine({ address: "1 MOCK LANE" })], { run: 4324 });
    expect(plan.effects).toEqual(["none"]);
    stored.update([anUpdateLine({ address: "2 NEW LANE" })], { run: 4322 });
    expect(stored.appointments).toMatchObject([{ address: { address_line_1: "1 Mock Lane" } }]);
    const again = new StoredAppointments().add({});
    again.update([anUpdateLine({ oldType: "03" })], { run: 4324 });
    again.update([anUpdateLine({ newType: "03", resigned: "20261102" })], { run: 4322 });
    expect(again.appointments).toHaveLength(1);
    expect(again.appointments[0]).not.toHaveProperty("resigned_on");
  });

  it("because its batch was killed after its writes gives the same counts as the first run", () => {
    const stored = new StoredAppointments()
      .add({ address: "1 MOCK LANE" })
      .add({ address: "1 MOCK LANE", company: "99000501" });
    const lines = [
      anUpdateLine({ address: "1 MOCK LANE" }),
      anUpdateLine({ company: "99000501", address: "2 NEW LANE" }),
      anUpdateLine({ company: "99000502" }),
    ];
    const rows = lines.map((text, at) => ({ line: at + 2, text }));
    const outcomes = () => officersUpdate.mapRows(rows, { run: "4322" });
    const plan = stored.plan(outcomes());
    expect(plan.effects).toEqual(["none", "changed", "created"]);
    stored.write(plan);
    // An existing record counts as changed, so both are written.
    expect(stored.plan(outcomes(), { isAgain: true }).effects).toEqual(["none", "changed", "changed"]);
  });

  it("writes only its own appointment if the company's others have its values already", () => {
    const stored = new StoredAppointments().add({}).add({ number: "100000020001" });
    stored.update([aCompanyLine("99000500", "SAMPLE LTD")], { run: 4322 });
    const { rewritten } = stored.update(
      [aCompanyLine("99000500", "SAMPLE LTD"), anUpdateLine({ address: "2 NEW LANE" })],
      { run: 4323 },
    );
    expect(rewritten).toHaveLength(1);
  });

  it("does not create an appointment again that a later update has deleted or moved", () => {
    const stored = new StoredAppointments();
    const first = [anUpdateLine(), anUpdateLine({ company: "99000501" })];
    stored.update(first, { run: 4322 });
    const later = [
      anUpdateLine({ newType: "99" }),
      anUpdateLine({ company: "99000501", oldNumber: NUMBER, number: "200000020001" }),
    ];
    stored.update(later, { run: 4323 });
    stored.update(first, { run: 4322 });
    expect(stored.appointments).toMatchObject([
      { company_number: "99000501", person_number: "200000020001" },
    ]);
    expect(stored.appointments).toHaveLength(1);
  });

  it("completes a move that was interrupted before the former record was removed, and counts as done", () => {
    const stored = new StoredAppointments().add({});
    const outcomes = () =>
      officersUpdate.mapRows(
        [{ line: 2, text: anUpdateLine({ oldNumber: NUMBER, number: "200000020001" }) }],
        {
          run: "4322",
        },
      );
    const plan = stored.plan(outcomes());
    stored.write(withoutRemovals(plan));
    expect(stored.records.size).toBe(2);
    stored.write(stored.plan(outcomes()));
    expect(stored.appointments).toMatchObject([{ person_number: "200000020001" }]);
    expect(stored.records.size).toBe(1);
  });

  it("does not delete an appointment again that a later snapshot has", () => {
    const stored = new StoredAppointments().add({});
    const line = [anUpdateLine({ newType: "99" })];
    stored.update(line);
    expect([stored.records.size, stored.tombstones.length]).toEqual([0, 1]);
    stored.add({}, {}, "2026-11-05");
    stored.update(line);
    expect(stored.records.size).toBe(1);
  });

  it("completes an interrupted deletion with another day than the line states, and deletes no other", () => {
    const stored = new StoredAppointments()
      .add({ type: "03", appointed: "20100101", resigned: "20150101" })
      .add({ type: "03", appointed: "20160101", resigned: "20170101" });
    const line = anUpdateLine({ oldType: "03", newType: "99", appointed: "20100109", resigned: "20150101" });
    const outcomes = () => officersUpdate.mapRows([{ line: 2, text: line }], { run: "4322" });
    stored.write(withoutRemovals(stored.plan(outcomes())));
    expect(stored.records.size).toBe(2);
    stored.write(stored.plan(outcomes()));
    stored.write(stored.plan(outcomes()));
    expect(stored.appointments).toMatchObject([{ appointed_on: "2016-01-01" }]);
  });

  it("is not taken for another line that had its position in an earlier run", () => {
    const stored = new StoredAppointments();
    const refused = { number: "200000020001" };
    // In a file of exported and mended rows, lines move towards the beginning.
    stored.update([anUpdateLine()]);
    stored.update([anUpdateLine(refused)]);
    stored.update([anUpdateLine({ newType: "00", oldType: "00" })]);
    expect(
      stored.appointments.map(({ officer_role, person_number }) => [officer_role, person_number]),
    ).toEqual([
      ["director", NUMBER],
      ["director", refused.number],
      ["secretary", NUMBER],
    ]);
  });

  it("for a new appointment does not change the person's other appointments", () => {
    const stored = new StoredAppointments().add({ company: "99000501", nationality: "BRITISH" });
    stored.update([anUpdateLine({ nationality: "IRISH" })], { times: 2 });
    expect(stored.appointments.map(({ nationality }) => nationality)).toEqual(["Irish", "British"]);
  });
});

describe("members that a stream has stated", () => {
  const event = { uri: "/x", timepoint: 7 };

  it.each([
    ["after the day of the update stay", "2026-11-03T00:00:00.000Z", undefined],
    [
      "on that day or before are replaced, and the event is still known",
      "2026-11-02T09:00:00.000Z",
      "2026-10-29",
    ],
  ])("%s", (_name, published_at, resigned_on) => {
    const stored = new StoredAppointments().add({});
    for (const [id, record] of stored.records)
      stored.all.set(id, { ...record, told: [{ at: published_at, event }] });
    stored.update([anUpdateLine({ newType: "03", resigned: "20261029" })]);
    expect(stored.appointments[0]?.resigned_on).toBe(resigned_on);
    expect([...stored.records.values()].map(lastEventOf)).toEqual([event]);
  });
});

it("an update finds an appointment stored under another variant of its number, by the first eight digits and the day", () => {
  const stored = new StoredAppointments().add({ number: "100000010007" });
  stored.update([anUpdateLine({ newType: "03", resigned: "20261029" })]);
  expect(stored.appointments).toMatchObject([{ resigned_on: "2026-10-29" }]);
  expect(stored.appointments).toHaveLength(1);
});

it("changes no other appointment if a stream has already ended the one of the line's day", () => {
  const stored = new StoredAppointments()
    .add({ appointed: "20100101" })
    .add({ type: "03", resigned: "20261028" });
  stored.update([anUpdateLine({ newType: "03", resigned: "20261029" })], { times: 2 });
  expect(stored.appointments.map(({ resigned_on }) => resigned_on)).toEqual([undefined, "2026-10-29"]);
});

describe.each([1, 2])("another day than the stored one, applied %i times", (times) => {
  const resigned = (person: PersonFields) => ({
    type: "03",
    appointed: "20100101",
    resigned: "20150101",
    ...person,
  });

  it("replaces the stored day, since the line is a correction", () => {
    const stored = new StoredAppointments().add(resigned({}));
    const fields = { oldType: "03", newType: "03", isCorrection: true };
    const plan = stored.update([anUpdateLine({ ...resigned({ appointed: "20100102" }), ...fields })], {
      times,
    });
    expect(stored.appointments).toMatchObject([{ appointed_on: "2010-01-02", resigned_on: "2015-01-01" }]);
    expect(stored.appointments).toHaveLength(1);
    expect(plan.warnings).toEqual([]);
  });

  it("still finds a resigned appointment that was entered in error, which is deleted", () => {
    const stored = new StoredAppointments().add(resigned({}));
    const fields = { oldType: "03", newType: "99" };
    const plan = stored.update([anUpdateLine({ ...resigned({ appointed: "20100109" }), ...fields })], {
      times,
    });
    expect(stored.appointments).toEqual([]);
    expect(plan).toMatchObject({ effects: ["removed"], warnings: [] });
  });

  it("leaves the day of resignation to decide among several resigned appointments", () => {
    const twoResigned = () =>
      new StoredAppointments()
        .add(resigned({}))
        .add(resigned({ appointed: "20160101", resigned: "20170101" }));
    const line = (day: string) =>
      anUpdateLine({ ...resigned({ appointed: "20100109", resigned: day }), oldType: "03", newType: "99" });
    const stored = twoResigned();
    stored.update([line("20170101")], { times });
    expect(stored.appointments).toMatchObject([{ appointed_on: "2010-01-01" }]);
    const other = twoResigned();
    expect(other.update([line("20180101")], { times }).warnings).toEqual(["errored: was not stored"]);
    expect(other.appointments).toHaveLength(2);
  });

  it("reinstates no appointment", () => {
    const stored = new StoredAppointments().add(resigned({}));
    stored.update([anUpdateLine({ oldType: "03", appointed: "20100109" })], { times });
    expect(stored.appointments.map(({ resigned_on }) => resigned_on)).toEqual(["2015-01-01", undefined]);
  });
});

describe("an appointment that is removed but was not stored", () => {
  const idsOf = (person: PersonFields & { type?: string }) => [
    ...new StoredAppointments().add(person).records.keys(),
  ];

  it.each([
    ["it was entered in error", { newType: "99" }, {}],
    ["it was merged into another person's", { oldNumber: NUMBER, number: "200000020001" }, {}],
    ["it became one of another kind", { newType: "00" }, {}],
    [
      "it had resigned and became one of another kind",
      { oldType: "03", newType: "02", resigned: "20200201" },
      { type: "03", resigned: "20200201" },
    ],
  ])("gets a tombstone if %s", (_what, fields, former) => {
    const stored = new StoredAppointments();
    stored.update([anUpdateLine(fields)], { times: 2 });
    expect(stored.tombstones).toEqual(idsOf(former));
    expect(stored.all.get(stored.tombstones[0] ?? "")?.told).toMatchObject([{ at: `${DAY}T24`, gone: true }]);
  });

  it.each<[string, UpdateFields, string?]>([
    ["is new", {}],
    ["has resigned", { newType: "03", resigned: "20261029" }],
    ["gets another variant of its number", { oldNumber: NUMBER, number: "100000010002" }],
    ["is entered again the same day", { newType: "99" }, anUpdateLine()],
  ])(
    "gets no tombstone if it %s, since it is stored under the same identity",
    (_what, fields, again = "") => {
      const stored = new StoredAppointments();
      stored.update([...(again ? [again] : []), anUpdateLine(fields)], { times: 2 });
      expect(stored.tombstones).toEqual([]);
      expect(stored.records.size).toBe(1);
    },
  );

  it("gets no tombstone if it is stored with another type than the line has", () => {
    const stored = new StoredAppointments().add({ type: "03", resigned: "20200201" });
    stored.update([anUpdateLine({ newType: "99" })], { times: 2 });
    expect([stored.records.size, stored.tombstones.length]).toEqual([1, 0]);
  });
});

it("an update adds appointments that should have been stored, and warns of these and of missing ones to delete", () => {
  const stored = new StoredAppointments();
  const plan = stored.update([
    anUpdateLine({ newType: "03", resigned: "20261029" }),
    anUpdateLine({ company: "99000501", newType: "99" }),
  ]);
  expect(plan.effects).toEqual(["created", "none"]);
  expect(plan.warnings).toEqual(["retyped: was not stored, added from the line", "errored: was not stored"]);
});
