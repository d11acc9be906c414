/** Lines of the officers' daily update that are run again, mended, or completed after an interruption. */
import { describe, expect, it } from "@jest/globals";
import { officersUpdate } from "../../../ingest/sources/officers-update.ts";
import { StoredAppointments, NUMBER, withoutRemovals } from "../../support/stored-appointments.ts";
import { aCompanyLine, anUpdateLine } from "../../support/officer-lines.ts";

const outcomesOf = (lines: readonly string[]) =>
  officersUpdate.mapRows(
    lines.map((text, at) => ({ line: at + 2, text })),
    { run: "4322" },
  );

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

describe("a line that is mended after later ones", () => {
  it("counts at its own place: what a later line states of the appointment stays, and it keeps the rest", () => {
    const stored = new StoredAppointments().add({ occupation: "BAKER", nationality: "BRITISH" });
    stored.update([anUpdateLine({ nationality: "FRENCH", address: "" })], { run: 4323 });
    const refused = anUpdateLine({ address: "2 NEW LANE", occupation: "KNIGHT", nationality: "IRISH" });
    stored.update([refused], { times: 2 });
    expect(stored.appointments).toMatchObject([
      { address: { address_line_1: "2 New Lane" }, occupation: "Knight", nationality: "French" },
    ]);
  });
});

describe("a batch that was interrupted before it removed anything", () => {
  it("deletes the appointment of another day, not the one that it has entered instead", () => {
    const stored = new StoredAppointments().add({ appointed: "20200202" });
    const lines = [anUpdateLine({ newType: "99" }), anUpdateLine({ appointed: "20200303" })];
    stored.write(withoutRemovals(stored.plan(outcomesOf(lines))));
    expect(stored.records.size).toBe(2);
    stored.write(stored.plan(outcomesOf(lines), { isAgain: true }));
    expect(stored.appointments).toMatchObject([{ appointed_on: "2020-03-03" }]);
    expect(stored.records.size).toBe(1);
  });

  it.each(["20200101", "20200202"])(
    "also changes the person's other appointments, and counts once, if the stored day is %s",
    (appointed) => {
      const stored = new StoredAppointments()
        .add({ appointed })
        .add({ company: "99000501", nationality: "BRITISH" });
      const other = [...stored.records.values()].find(({ company_number }) => company_number === "99000501");
      const lines = [anUpdateLine({ nationality: "IRISH" })];
      stored.write(withoutRemovals(stored.plan(outcomesOf(lines))));
      if (other) stored.all.set(other._id, other);
      const plan = stored.plan(outcomesOf(lines), { isAgain: true });
      stored.write(plan);
      expect(plan.effects).toEqual(["changed"]);
      expect(stored.appointments.map(({ nationality }) => nationality)).toEqual(["Irish", "Irish"]);
    },
  );
});

describe("a whole file that is run again after later ones", () => {
  it("does not add an appointment again that was stored with another day and has ended", () => {
    const stored = new StoredAppointments().add({ appointed: "20200202" });
    const first = [anUpdateLine({ occupation: "KNIGHT" })];
    stored.update(first);
    stored.update([anUpdateLine({ newType: "03", resigned: "20261103" })], { run: 4323 });
    stored.update(first);
    expect(stored.appointments).toMatchObject([{ resigned_on: "2026-11-03", occupation: "Knight" }]);
    expect(stored.appointments).toHaveLength(1);
  });

  it("does not add an appointment again that had another day, changed its class and was merged", () => {
    const stored = new StoredAppointments().add({ appointed: "20200202" });
    const first = [anUpdateLine({ newType: "00" })];
    stored.update(first);
    const secretary = { oldType: "00", newType: "00", oldNumber: NUMBER, number: "200000020001" };
    stored.update([anUpdateLine({ ...secretary, appointed: "20200202" })], { run: 4323 });
    stored.update(first);
    expect(stored.appointments).toMatchObject([{ person_number: "200000020001" }]);
    expect(stored.appointments).toHaveLength(1);
  });

  it("writes nothing", () => {
    const stored = new StoredAppointments().add({ address: "1 MOCK LANE" });
    const lines = [anUpdateLine({ address: "1 MOCK LANE" }), anUpdateLine({ company: "99000501" })];
    stored.update(lines);
    expect(stored.update(lines)).toMatchObject({ rewritten: [], effects: ["none", "none"] });
  });

  it("leaves an appointment as it is that later lines have brought to other types", () => {
    const stored = new StoredAppointments().add({ type: "04", occupation: "BAKER" });
    const first = [anUpdateLine({ oldType: "04", newType: "06", resigned: "20261101" })];
    stored.update(first);
    const retyped = { oldType: "06", newType: "07", resigned: "20261101" };
    stored.update([anUpdateLine(retyped)], { run: 4323 });
    stored.update(first);
    expect(stored.appointments).toMatchObject([
      { officer_role: "llp-designated-member", occupation: "Baker", resigned_on: "2026-11-01" },
    ]);
  });

  it("merges no other appointment of the person if a later snapshot has stated the merged one", () => {
    const ended = { type: "03", resigned: "20250101" };
    const stored = new StoredAppointments().add({ ...ended, appointed: "20100101" }).add(ended);
    stored.add({ ...ended, number: "200000020001" }, {}, "2026-11-05");
    const fields = { oldType: "03", newType: "03", resigned: "20250101", number: "200000020001" };
    stored.update([anUpdateLine({ ...fields, oldNumber: NUMBER })], { times: 2 });
    expect(stored.appointments).toMatchObject([
      { person_number: NUMBER, appointed_on: "2010-01-01" },
      { person_number: "200000020001", appointed_on: "2020-01-01" },
    ]);
  });

  it("does not remove an appointment that was entered under the former number once more", () => {
    const stored = new StoredAppointments().add({});
    const merge = [anUpdateLine({ oldNumber: NUMBER, number: "200000020001" })];
    stored.update(merge);
    stored.update([anUpdateLine({ occupation: "KNIGHT" })], { run: 4323 });
    expect(stored.update(merge)).toMatchObject({ rewritten: [] });
    expect(stored.appointments.map(({ person_number }) => person_number)).toEqual([NUMBER, "200000020001"]);
  });

  it("removes nothing of an appointment that a line after a correction has brought to the person", () => {
    const other = { number: "200000020001", company: "99000501" };
    const stored = new StoredAppointments().add({}).add({ ...other, nationality: "BRITISH" });
    const event = { uri: "/x", timepoint: 7 };
    for (const [id, record] of stored.records)
      stored.all.set(id, { ...record, told: [{ at: "2026-10-01T09:00:00.000Z", event }] });
    const merged = anUpdateLine({ ...other, oldNumber: other.number, number: NUMBER });
    stored.update([anUpdateLine({ isCorrection: true }), merged], { times: 2 });
    // A snapshot's blank leaves what an event stated.
    stored.add({ ...other, number: NUMBER }, {}, "2026-11-05");
    expect(stored.appointments[1]).toMatchObject({ person_number: NUMBER, nationality: "British" });
  });
});
