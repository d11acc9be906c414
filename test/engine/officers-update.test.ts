/** The officers' daily update of the sample: what it changes after the snapshots, and that they do not undo it. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { countAppointments, fetchStored, SNAPSHOTS, UPDATE } from "../support/officers-update.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { fetchState, type RegisterState } from "../support/register-state.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

interface Facts {
  officers: {
    after_update: Record<
      | "appointments_before"
      | "current_before"
      | "appointments_after"
      | "current_after"
      | "created"
      | "resigned"
      | "reinstated"
      | "deleted"
      | "changed"
      | "corrected"
      | "renumbered or retyped"
      | "nominee appointments touched"
      | "global 199012340001"
      | "global 199013710001",
      number
    >;
  };
}

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const expected = facts.officers.after_update;

describe("the sample update after the snapshots", () => {
  let register: TestRegister;
  let before: Map<string, StoredAppointment>;
  let after: Map<string, StoredAppointment>;
  let undisturbed: RegisterState;
  const all = async () => {
    const records = new Map<string, StoredAppointment>();
    for await (const chunk of register.stores.mongo.scanner.scan(appointmentRecord, {})) {
      for (const item of chunk as StoredAppointment[]) records.set(item._id, item);
    }
    return records;
  };
  beforeAll(async () => {
    register = await openRegister();
    expect(await register.load(...SNAPSHOTS)).toMatchObject({ exitCode: 0 });
    before = await all();
    const run = await register.load(UPDATE);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.messages.join("\n")).not.toMatch(/run/);
    expect(run.printed.join("\n")).not.toMatch(/warning/);
    after = await all();
    undisturbed = await fetchState(register.stores);
  });
  afterAll(() => register.close());

  it("ends with the totals of facts.json in both stores", async () => {
    const current = [...before.values()].filter(({ is_resigned }) => !is_resigned).length;
    expect([before.size, current]).toEqual([expected.appointments_before, expected.current_before]);
    expect(await countAppointments(register)).toBe(expected.appointments_after);
    expect(await countAppointments(register, { is_resigned: false })).toBe(expected.current_after);
    const { documents } = await expectStoresAgree(register.stores);
    const shown = Object.entries(documents).filter(([id]) => id.startsWith("officers/"));
    const counts = shown.map(([, document]) => (document as Shown).shown.appointment_count);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(expected.appointments_after);
  });

  interface Shown {
    shown: { appointment_count: number };
  }

  it("applied each rule as often as facts.json says", () => {
    const pairs = [...after].flatMap(([id, now]) => {
      const was = before.get(id);
      return was ? [{ was, now }] : [];
    });
    const resigned = pairs.filter(({ was, now }) => !was.is_resigned && now.is_resigned);
    const reinstated = pairs.filter(({ was, now }) => was.is_resigned && !now.is_resigned);
    expect(resigned).toHaveLength(expected.resigned);
    expect(reinstated).toHaveLength(expected.reinstated);
    // A merge and a corrected day change the record's identity; an appointment entered again on the same day keeps it.
    const gone = [...before.keys()].filter((id) => !after.has(id)).length;
    const fresh = [...after.keys()].filter((id) => !before.has(id)).length;
    const moved = 2;
    const again = 1;
    expect(gone).toBe(expected.deleted + moved - again);
    expect(fresh).toBe(expected.created + moved - again);
    const ofPerson = pairs.filter(({ now }) => now.person_number === "199012340001");
    expect(ofPerson.filter(({ now }) => now.data.nationality === "Irish")).toHaveLength(
      expected["global 199012340001"],
    );
    const movedAddress = ofPerson.filter(({ now }) => now.data.address?.address_line_1 === "77 Moved Lane");
    expect(movedAddress).toHaveLength(expected.changed);
    const corrected = [...after.values()].filter(({ person_number }) => person_number === "199013710001");
    expect(corrected.map(({ data }) => data.name_elements?.surname)).toEqual(
      Array<string>(expected["global 199013710001"]).fill("O'PLACEHOLDER-REED"),
    );
    expect(corrected.filter(({ data }) => data.appointed_on === "2009-11-01")).toHaveLength(
      expected.corrected,
    );
    const nominee = [...after.values()].filter(({ person_number }) => person_number === "900099010001");
    expect(nominee.filter(({ data }) => data.address?.address_line_1 === "New Shelf House")).toHaveLength(
      expected["nominee appointments touched"],
    );
  });

  it("moved the search documents of both persons in a merge", async () => {
    const { documents } = await fetchState(register.stores);
    expect(documents).not.toHaveProperty([`officers/${deriveOfficerId("199016450001")}`]);
    expect(documents[`officers/${deriveOfficerId("199990010001")}`]).toMatchObject({
      shown: { appointment_count: 2 },
    });
  });

  it("renamed a company from a line without officers", async () => {
    const names = (await fetchStored(register, "company_number", "99000033")).map(
      ({ data }) => data.company_name,
    );
    expect(new Set(names)).toEqual(new Set(["STRIKE OFF SAMPLE (RENAMED) LIMITED"]));
  });

  it("changes nothing when loaded again, and reports that it was applied before", async () => {
    const dry = await register.run(loadCommand, [`${SAMPLE}/${UPDATE}`], {
      encoding: "utf-8",
      dryRun: "true",
    });
    expect(dry.printed).toEqual(expect.arrayContaining(["created   0", "changed   0", "removed   0"]));
    const again = await register.load(UPDATE);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.messages[0]).toMatch(/run 4322 was applied before \(the last run was 4322\)/);
    expect(again.printed.slice(1, 2)).toEqual(["written   0"]);
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
  });

  it("is not undone by the earlier snapshots", async () => {
    expect(await register.load(...SNAPSHOTS)).toMatchObject({ exitCode: 0 });
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
    expect(
      await register.run(
        loadCommand,
        SNAPSHOTS.slice(0, 3).map((path) => `${SAMPLE}/${path}`),
        {
          ...{ encoding: "utf-8", complete: "true", force: "true" },
        },
      ),
    ).toMatchObject({ exitCode: 0 });
    // Nothing that the update stated is removed as missing.
    const now = await all();
    expect([...after.values()].filter(({ _id, update }) => update && !now.has(_id))).toEqual([]);
  });
});
