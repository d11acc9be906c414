/** Appointments in a stream: deletions and corrections, also after a daily update; their officers' search documents. */
import { describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { deriveAppointmentKey } from "../../api/resources/officer-appointment/identity.ts";
import { ALL_MEMBERS, appointmentSource } from "../support/day-sources.ts";
import { batchRunner, event, NUMBER, type Rows } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { anUpdateLine, aPersonLine, type UpdateFields } from "../support/officer-lines.ts";
import { openRegister } from "../support/register.ts";
import { lastEventOf } from "../support/statements.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const APPOINTMENT = `/company/${NUMBER}/appointments/`;

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

describe("an appointment that a stream deletes or corrects", () => {
  const officer = { officer: { appointments: `/officers/${"officer".padEnd(27, "-")}/appointments` } };
  function appointment(id: string, person: string): object {
    const uri = APPOINTMENT + id.padEnd(27, "-");
    const data = {
      ...{ name: "GONESUCH, Una", officer_role: "director", appointed_on: "2020-01-01" },
      ...{ person_number: person, links: officer },
    };
    return { resource_kind: "company-officers", resource_uri: uri, resource_id: id.padEnd(27, "-"), data };
  }

  async function fetchAppointmentCount(): Promise<number | undefined> {
    await register.stores.elasticsearch.refresh();
    const { body } = await register.get("/search/officers?q=una+gonesuch");
    return (body as { items: { appointment_count: number }[] }).items[0]?.appointment_count;
  }

  it("leaves the search when deleted, and takes the officer out of it with the last one", async () => {
    const [first, second] = [appointment("first", "111111110001"), appointment("second", "111111120001")];
    await run(event(first, 1, "2026-11-02"));
    await run(event(second, 2, "2026-11-02"));
    expect(await fetchAppointmentCount()).toBe(2);
    await run(event({ ...first, data: {} }, 3, "2026-11-02", "deleted"));
    expect(await fetchAppointmentCount()).toBe(1);
    await run(event({ ...second, data: {} }, 4, "2026-11-02", "deleted"));
    expect(await fetchAppointmentCount()).toBeUndefined();
    await expectStoresAgree(register.stores);
  });

  it("is one record after its day of appointment was corrected, in either order of the events", async () => {
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
      expect(await fetchAppointmentCount()).toBe(1);
    }
    await run(event({ ...original, data: {} }, timepoint + 2, "2026-11-02", "deleted"));
    expect(await fetchAppointments()).toEqual([]);
    await expectStoresAgree(register.stores);
  });

  it("is found by older events of its batch if a file stated it before", async () => {
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

  it("stays deleted at both its addresses, although the first was deleted while the second was shown", async () => {
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

  it("leaves the search once workers have followed, if deleted during an outage of Elasticsearch", async () => {
    const third = appointment("third", "111111130001");
    await run(event(third, 5, "2026-11-02"));
    const write = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
    const stores = { ...register.stores, elasticsearch: { ...register.stores.elasticsearch, write } };
    const deletion = event({ ...third, data: {} }, 6, "2026-11-02", "deleted");
    await expect(run(deletion, stores)).rejects.toThrow("away");
    expect(await register.stores.mongo.records.count(appointmentRecord, {})).toBe(0);
    expect(await fetchAppointmentCount()).toBe(1);
    await followNow(register.stores);
    expect(await fetchAppointmentCount()).toBeUndefined();
  });
});

let companies = 98_500_000;
const anEvent = (company: string, word: string, timepoint: number, day: string) =>
  event(appointmentSource.resource(company, word, ALL_MEMBERS), timepoint, day);
const edition = (company: string) =>
  appointmentSource.snapshot(company, "2026-11-01", "EDITION", ALL_MEMBERS);

function update(company: string, ...lines: UpdateFields[]): Rows {
  return {
    source: "officers-update",
    fileName: "Prod198_4322.dat",
    first: "DDDDUPDT432220261105",
    rows: lines.map((line) => anUpdateLine({ company, surname: "UPDATE", ...line })),
  };
}

/** The company's stored appointments after the files were loaded in this order. */
async function loadInOrder(toFiles: (company: string) => Rows[]): Promise<StoredAppointment[]> {
  const company = String((companies += 1));
  for (const file of toFiles(company)) expect(await run(file)).toMatchObject({ refused: 0 });
  const query = { field: "company_number", values: [company] };
  await expectStoresAgree(register.stores);
  return (await register.stores.mongo.records.fetchGroups(appointmentRecord, query))
    .records as StoredAppointment[];
}

const wordsOf = (stored: StoredAppointment[]) =>
  stored.map(({ data }) => [data.name_elements?.surname, data.resigned_on, data.occupation]);

it.each<[string, UpdateFields, unknown[]]>([
  ["correction", { isCorrection: true }, ["UPDATE", undefined]],
  ["resignation", { newType: "03", resigned: "20261104" }, [expect.anything(), "2026-11-04"]],
])("the %s in an update outranks an event of an earlier day, in either order", async (_how, line, words) => {
  for (const isInOrder of [true, false]) {
    const stored = await loadInOrder((company) => {
      const older = anEvent(company, "OLD", 1, "2026-11-03");
      const files = [edition(company), update(company, line)];
      return isInOrder ? files.toSpliced(1, 0, older) : [...files, older];
    });
    expect(wordsOf(stored).map((found) => found.slice(0, 2))).toEqual([words]);
    expect(stored[0] && lastEventOf(stored[0])?.timepoint).toBe(1);
  }
});

it("an older event changes nothing of a snapshot that an update has changed in part", async () => {
  const stored = await loadInOrder((company) => [
    edition(company),
    update(company, { occupation: "MILLER" }),
    anEvent(company, "OLD", 1, "2026-10-20"),
  ]);
  expect(wordsOf(stored)).toEqual([["EDITION", undefined, "Miller"]]);
  expect(stored[0]?.data.country_of_residence).toBe("Wales");
});

it("an appointment removed by an update comes back only with an event of a later day", async () => {
  const errored = { newType: "99" };
  const before = await loadInOrder((company) => [
    edition(company),
    update(company, errored),
    anEvent(company, "OLD", 1, "2026-11-05"),
  ]);
  expect(before).toEqual([]);
  const after = await loadInOrder((company) => [
    edition(company),
    update(company, errored),
    anEvent(company, "NEWS", 1, "2026-11-06"),
  ]);
  expect(wordsOf(after)).toEqual([["NEWS", undefined, "Clerk"]]);
});

it.each([true, false])(
  "an appointment removed and entered again on one day keeps what only the stream states (event first: %s)",
  async (isFirst) => {
    const [stored, ...others] = await loadInOrder((company) => {
      const resource = appointmentSource.resource(company, "STREAM", ALL_MEMBERS) as { data: object };
      const data = { ...resource.data, former_names: [{ forenames: "Una", surname: "FORMER" }] };
      const told = event({ ...resource, data }, 1, "2026-11-05");
      const again = update(company, { occupation: "MILLER" }, { newType: "99" });
      return [edition(company), ...(isFirst ? [told, again, again] : [again, told, again])];
    });
    expect(others).toEqual([]);
    expect(stored?.data).toMatchObject({ name_elements: { surname: "UPDATE" }, occupation: "Miller" });
    expect(stored?.data).toMatchObject({
      appointment_id: expect.stringMatching(/^events-/),
      former_names: [{ surname: "FORMER" }],
    });
    expect(stored?.data.country_of_residence).toBeUndefined();
  },
);

describe("of a person's two appointments, an update line leaves the other one alone if the stream", () => {
  const two = (company: string): Rows => ({
    ...edition(company),
    rows: ["20200101", "20210101"].map((appointed) =>
      aPersonLine({ company, appointed, surname: "EDITION" }),
    ),
  });
  const daysOf = (stored: StoredAppointment[]) =>
    stored.map(({ data }) => [data.appointed_on, data.resigned_on]).sort();

  it("already stated the resignation", async () => {
    const stored = await loadInOrder((company) => {
      const resource = appointmentSource.resource(company, "STREAM", ALL_MEMBERS) as { data: object };
      const resigned = { ...resource, data: { ...resource.data, resigned_on: "2026-11-04" } };
      const line = update(company, { newType: "03", resigned: "20261104" });
      return [two(company), event(resigned, 1, "2026-11-05"), line, line];
    });
    expect(daysOf(stored)).toEqual([
      ["2020-01-01", "2026-11-04"],
      ["2021-01-01", undefined],
    ]);
  });

  it("already deleted the first one", async () => {
    const stored = await loadInOrder((company) => {
      const resource = appointmentSource.resource(company, "STREAM", ALL_MEMBERS);
      const deletion = event({ ...resource, data: {} }, 2, "2026-11-05", "deleted");
      const line = update(company, { newType: "99" });
      return [two(company), event(resource, 1, "2026-11-04"), deletion, line, line];
    });
    expect(daysOf(stored)).toEqual([["2021-01-01", undefined]]);
  });
});
