/** The officers' daily update over stored appointments: stream events, and unexpected states. */
import { describe, expect, it } from "@jest/globals";
import { DAY, StoredAppointments, NUMBER } from "../../support/stored-appointments.ts";
import { lastEventOf } from "../../support/statements.ts";
import { anUpdateLine, type PersonFields, type UpdateFields } from "../../support/officer-lines.ts";

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

  it.each<[string, UpdateFields, object]>([
    ["a change", { occupation: "KNIGHT" }, { officer_role: "director", occupation: "Knight" }],
    ["a resignation", { newType: "03", resigned: "20261029" }, { resigned_on: "2026-10-29" }],
    ["a change of class", { newType: "00" }, { officer_role: "secretary" }],
  ])("stays beside %s, which does not state it, and no second one is added", (_what, fields, members) => {
    const stored = new StoredAppointments().add({ appointed: "20200202" });
    stored.update([anUpdateLine(fields)], { times });
    expect(stored.appointments).toMatchObject([{ ...members, appointed_on: "2020-02-02" }]);
    expect(stored.appointments).toHaveLength(1);
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
