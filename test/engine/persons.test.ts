/** Persons whose appointments are stored under several ids, as search documents combine them. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { fetchRuns } from "../../ingest/log/changes.ts";
import { walkPersons } from "../../ingest/projection/groups.ts";
import { officersSnapshot } from "../../ingest/sources/officers-snapshot.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { toStored } from "../support/stored.ts";
import { batchRunner } from "../support/event-batches.ts";
import { aPersonLine, anUpdateLine } from "../support/officer-lines.ts";
import { anUpdate, aSnapshot, fetchStored } from "../support/officers-update.ts";
import { openRegister } from "../support/register.ts";
import { anAppointment } from "../support/search-records.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

describe("a walk over all persons", () => {
  // With the eight digits of a person these are ids of 27 characters.
  const [low, high] = ["-".repeat(19), "z".repeat(19)];
  let person = 20_000_000;
  let derived = "";
  beforeEach(() => {
    person += 1;
    derived = deriveOfficerId(String(person));
  });

  /** Stores an appointment of the person under each of these ids. */
  async function storeAppointments(...ids: string[]): Promise<void> {
    const stored = ids.map((officer_id, at) => {
      const officer = { officer_id, forename: "Odile", surname: "TARN" };
      return anAppointment(officer, at, { person_number: `${person}0001`, company_number: `${person + at}` });
    });
    await register.stores.mongo.writer.insertMissing(appointmentRecord, stored);
  }

  const storePersons = (ids: Record<string, string>) =>
    register.stores.mongo.documents.putMissing(
      PERSONS,
      Object.entries(ids).map(([_id, officer_id]) => ({ _id, officer_id })),
    );

  /** The number of appointments in the groups with these ids, in the order of the walk. */
  async function walk(...wanted: string[]): Promise<[string, number][]> {
    const met: [string, number][] = [];
    for await (const groups of walkPersons(register.stores.mongo, findIndex("officers"))) {
      for (const { id, records } of groups) {
        if (!wanted.includes(id)) continue;
        expect(new Set(records.map((item) => (item.data as { officer_id: string }).officer_id))).toEqual(
          new Set([id]),
        );
        met.push([id, records.length]);
      }
    }
    return met;
  }

  it.each([
    ["before", low],
    ["after", high],
  ])(
    "meets a person once, with all appointments, if the real id sorts %s the derived one",
    async (_where, start) => {
      const real = `${start}${person}`;
      await storePersons({ [derived]: real });
      await storeAppointments(real, derived, derived);
      expect(await walk(real, derived)).toEqual([[real, 3]]);
    },
  );

  it("meets a person under the real id even if nothing is stored under it", async () => {
    const real = `${high}${person}`;
    const other = deriveOfficerId(String(person + 500));
    await storePersons({ [derived]: real, [other]: real });
    await storeAppointments(derived, other);
    expect(await walk(real, derived, other)).toEqual([[real, 2]]);
  });
});

describe("the correction of a nominee", () => {
  const number = "900000010001";
  const COUNT = 2_100;
  const companies = Array.from({ length: COUNT }, (_, at) => String(96_000_000 + at));
  const correction = { number, company: "", oldType: "  ", newType: "  ", appointed: "", surname: "RENAMED" };
  const update = (run: number, members: object = {}) =>
    anUpdate([anUpdateLine({ ...correction, ...members })], run);

  it("reaches very many appointments, in several changes, and those that an older snapshot brings later", async () => {
    const rows = companies.map((company, line) => ({ line, text: aPersonLine({ company, number }) }));
    const stored = officersSnapshot
      .mapRows(rows, {})
      .flatMap((outcome) => (outcome.kind === "record" ? toStored(appointmentRecord, outcome.data, 1) : []));
    await register.stores.mongo.writer.insertMissing(appointmentRecord, stored);
    const revision = await register.stores.redis.nextRevision(0);
    expect(await run({ ...update(4332), revision })).toMatchObject({ written: 1 });
    // One change with all appointments could be too large for MongoDB.
    const changes = await fetchRuns(register.stores.mongo.documents, `job-${revision}`);
    const named = changes.map(({ ids, changed = ids }) => changed.appointments?.length ?? 0);
    expect(Math.max(...named)).toBeLessThanOrEqual(2_000);
    expect(named.reduce((sum, count) => sum + count, 0)).toBe(COUNT);
    const later = "95999999";
    await run(aSnapshot([aPersonLine({ company: later, number })]));
    const kept = await fetchStored(register, "person_number", number);
    expect(kept).toHaveLength(COUNT + 1);
    for (const { data, name_order } of kept) {
      expect(data.name_elements).toMatchObject({ surname: "RENAMED" });
      expect(name_order).toMatch(/^RENAMED/);
    }
    expect(await run(update(4332))).toMatchObject({ written: 0, unchanged: 1 });
    const [document] = await register.stores.elasticsearch.fetchDocuments("officers", [
      deriveOfficerId(number),
    ]);
    const shown = { title: "Una RENAMED", appointment_count: COUNT + 1 };
    expect(document?.source).toMatchObject({ shown });
  }, 120_000);

  it("yields to a later correction that was loaded first, and to a snapshot of a later day", async () => {
    const [company, other] = ["95999990", "95999991"];
    const own = { number: "900000020001" };
    await run(aSnapshot([aPersonLine({ company, ...own })]));
    await run(update(4335, { ...own, surname: "LAST" }));
    await run(update(4334, { ...own, surname: "FIRST", address: "2 NEW LANE" }));
    await run(aSnapshot([aPersonLine({ company: other, ...own })], "20261130"));
    const [{ data } = { data: undefined }] = await fetchStored(register, "company_number", company);
    expect(data).toMatchObject({ name_elements: { surname: "LAST" } });
    const [later] = await fetchStored(register, "company_number", other);
    expect(later?.data.name_elements).toMatchObject({ surname: "TESTERHOLM" });
  });
});
