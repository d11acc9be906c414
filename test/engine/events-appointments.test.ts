/** Appointments that a stream deletes or corrects, and their officers' search documents. */
import { describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { deriveAppointmentKey } from "../../api/resources/officer-appointment/identity.ts";
import { batchRunner, event, NUMBER } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const APPOINTMENT = `/company/${NUMBER}/appointments/`;

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

describe("an appointment that a stream deletes", () => {
  const officer = { officer: { appointments: `/officers/${"officer".padEnd(27, "-")}/appointments` } };
  function appointment(id: string, person: string): object {
    const uri = APPOINTMENT + id.padEnd(27, "-");
    const data = {
      ...{ name: "GONESUCH, Una", officer_role: "director", appointed_on: "2020-01-01" },
      ...{ person_number: person, links: officer },
    };
    return { resource_kind: "company-officers", resource_uri: uri, resource_id: id.padEnd(27, "-"), data };
  }

  async function appointmentCount(): Promise<number | undefined> {
    await register.stores.elasticsearch.refresh();
    const { body } = await register.get("/search/officers?q=una+gonesuch");
    return (body as { items: { appointment_count: number }[] }).items[0]?.appointment_count;
  }

  it("leaves the officer's other appointments in the search, and takes the officer out with the last", async () => {
    const [first, second] = [appointment("first", "111111110001"), appointment("second", "111111120001")];
    await run(event(first, 1, "2026-11-02"));
    await run(event(second, 2, "2026-11-02"));
    expect(await appointmentCount()).toBe(2);
    await run(event({ ...first, data: {} }, 3, "2026-11-02", "deleted"));
    expect(await appointmentCount()).toBe(1);
    await run(event({ ...second, data: {} }, 4, "2026-11-02", "deleted"));
    expect(await appointmentCount()).toBeUndefined();
    await expectStoresAgree(register.stores);
  });

  it("is one record when an event corrected its day of appointment, in either order", async () => {
    const original = appointment("corrected", "111111140001") as { data: object };
    const corrected = { ...original, data: { ...original.data, appointed_on: "2020-01-02" } };
    let timepoint = 100;
    for (const [first, later] of [
      [original, corrected],
      [corrected, original],
    ] as const) {
      timepoint += 2;
      await run(event(first, timepoint, "2026-11-02"));
      await run(event(later, timepoint + 1, "2026-11-02"));
      await run(event(first, timepoint, "2026-11-02"));
      expect((await fetchAppointments()).map(({ data }) => data)).toMatchObject([
        { appointed_on: dayOf(later) },
      ]);
      expect(await appointmentCount()).toBe(1);
    }
    await run(event({ ...original, data: {} }, timepoint + 2, "2026-11-02", "deleted"));
    expect(await fetchAppointments()).toEqual([]);
    await expectStoresAgree(register.stores);
  });

  it("is found by older events of its batch when a file stated it before", async () => {
    const person_number = "111111150001";
    const original = appointment("named-later", person_number) as { data: object };
    const identity = { company_number: NUMBER, person_number, officer_role: "director" };
    const derived = deriveAppointmentKey({ ...identity, appointed_on: "2020-01-01" });
    const inFile = { ...original, resource_uri: APPOINTMENT + derived, resource_id: derived };
    await run({ source: "api-json-lines", fileName: "file.jsonl", rows: [JSON.stringify(inFile)] });
    const corrected = { ...original, data: { ...original.data, appointed_on: "2020-01-02" } };
    const events = [event(original, 200, "2026-11-02"), event(corrected, 201, "2026-11-02")];
    await run({ ...event(original, 0, "2026-11-02"), rows: events.flatMap(({ rows }) => rows) });
    expect((await fetchAppointments()).map(({ data }) => data)).toMatchObject([
      { appointed_on: "2020-01-02" },
    ]);
    await run(event({ ...original, data: {} }, 202, "2026-11-02", "deleted"));
    await expectStoresAgree(register.stores);
  });

  it("stays away under both addresses, although the first was deleted while the second was shown", async () => {
    const [one, two] = ["one", "two"].map((id) => appointment(id, "111111160001"));
    await run(event({ ...one }, 300, "2026-11-02"));
    await run(event({ ...two }, 301, "2026-11-02"));
    await run(event({ ...one, data: {} }, 302, "2026-11-02", "deleted"));
    expect(await fetchAppointments()).toHaveLength(1);
    await run(event({ ...two, data: {} }, 303, "2026-11-02", "deleted"));
    expect(await fetchAppointments()).toEqual([]);
    await expectStoresAgree(register.stores);
  });

  async function fetchAppointments() {
    const query = { field: "company_number", values: [NUMBER] };
    return (await register.stores.mongo.records.fetchGroups(appointmentRecord, query)).records;
  }

  function dayOf({ data }: { data: object }): unknown {
    return (data as { appointed_on?: unknown }).appointed_on;
  }

  it("during an outage of Elasticsearch leaves the search once the workers have followed", async () => {
    const third = appointment("third", "111111130001");
    await run(event(third, 5, "2026-11-02"));
    const write = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
    const stores = { ...register.stores, elasticsearch: { ...register.stores.elasticsearch, write } };
    const deletion = event({ ...third, data: {} }, 6, "2026-11-02", "deleted");
    await expect(run(deletion, stores)).rejects.toThrow("away");
    expect(await register.stores.mongo.records.count(appointmentRecord, {})).toBe(0);
    expect(await appointmentCount()).toBe(1);
    await followNow(register.stores);
    expect(await appointmentCount()).toBeUndefined();
  });
});
