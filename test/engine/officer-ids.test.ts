/** An officer's real id, stated for one appointment, applies to all of the person, in whatever order they come. */
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { officersSnapshot } from "../../ingest/sources/officers-snapshot.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { toStored } from "../support/stored.ts";
import { appointment, batchRunner, event, fillId, type Rows } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { aCompanyLine, aPersonLine, anUpdateLine, type UpdateFields } from "../support/officer-lines.ts";
import { anUpdate, aSnapshot, fetchStored } from "../support/officers-update.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { removeRecords } from "../support/statements.ts";

// Each test has its own person and companies, in one register.
const SURNAMES =
  "ALFA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIETT KILO LIMA MIKE NOVEMBER OSCAR PAPA QUEBEC ROMEO SIERRA TANGO UNIFORM VICTOR WHISKEY XRAY YANKEE ZULU AMBER";
const surnames = SURNAMES.split(" ").values();

const register = forAllTests(() => openRegister({ withWorker: false }));
beforeAll(async () => {
  // The first real id of a register takes effect a moment later, so the register gets one before the tests.
  await register.stores.mongo.documents.put(PERSONS, { _id: "derived", officer_id: "real" });
});
const run = batchRunner(() => register.stores);

let surname = "";
let person = 10_000_000;
let real = "";
/** The person's companies: one for which the real id is stated, one only in the snapshot, and one of an update. */
let [known, other, third] = ["", "", ""];
beforeEach(takePerson);

function takePerson(): void {
  person += 1;
  surname = surnames.next().value ?? "";
  real = fillId(`officer-${person}`);
  [known, other, third] = companiesFrom(0, 3) as [string, string, string];
}

function companiesFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    String(99_000_000 + 100 * (person - 10_000_000) + first + at),
  );
}

/** A snapshot in which the person, in the variant with these digits, is a director of these companies. */
function snapshot(companies: readonly string[], variant = "0001"): Rows {
  return aSnapshot(
    companies.flatMap((company) => [
      aCompanyLine(company, "SAMPLE LTD"),
      aPersonLine({ company, surname, number: `${person}${variant}` }),
    ]),
  );
}

/** The person's appointment as events and lines state it, with the id of the officer. */
function resource(company: string, officer = real, number = `${person}0001`) {
  const ids = { id: `stated-${company}`, officer };
  return appointment(company, { ...ids, name: `${surname}, Una`, person_number: number });
}

const stateByEvent = () => event(resource(known), 1, "2026-11-02");
const stateByLine = (): Rows => ({
  ...{ source: "api-json-lines", fileName: "officers.jsonl" },
  rows: [JSON.stringify(resource(known))],
});
const update = (line: UpdateFields = {}) =>
  anUpdate([
    aCompanyLine(third, "SAMPLE LTD"),
    anUpdateLine({ company: third, surname, number: `${person}0002`, ...line }),
  ]);

const derivedId = () => deriveOfficerId(String(person));

/** Expects the person to be one officer with these companies, under either id, in lookups and in the search. */
async function expectOneOfficer(companies: readonly string[]): Promise<void> {
  await followNow(register.stores);
  const self = `/officers/${real}/appointments`;
  for (const id of [real, derivedId()]) {
    const { body } = await register.get(`/officers/${id}/appointments?items_per_page=50`);
    const { items, links } = body as { items: { appointed_to: { company_number: string } }[]; links: object };
    expect(items.map(({ appointed_to }) => appointed_to.company_number).sort()).toEqual(companies);
    expect(links).toEqual({ self });
  }
  // Of many companies check three: the first, for which the real id is stated, the second and the last.
  for (const company of new Set([...companies.slice(0, 2), ...companies.slice(-1)])) {
    const { body } = await register.get(`/company/${company}/officers`);
    expect(body).toMatchObject({ items: [{ links: { officer: { appointments: self } } }] });
  }
  await register.stores.elasticsearch.refresh();
  const found = await register.get(`/search/officers?q=una+${surname}`);
  expect(found.body).toMatchObject({
    items: [{ appointment_count: companies.length, links: { self } }],
    total_results: 1,
  });
}

// Events and lines state a real id alike, so each order is tested with one of them.
describe("the real id of an officer", () => {
  it.each<[string, () => Rows[]]>([
    ["of an event after the snapshot", () => [snapshot([known, other]), stateByEvent()]],
    ["of an event before the snapshot", () => [stateByEvent(), snapshot([known, other])]],
    ["of a line before the snapshot", () => [stateByLine(), snapshot([known, other])]],
    ["of a line between two of its files", () => [snapshot([other]), stateByLine(), snapshot([known])]],
    ["after another variant", () => [snapshot([known]), snapshot([other], "0002"), stateByLine()]],
  ])("%s applies to all appointments of the person", async (_order, files) => {
    for (const file of files()) await run(file);
    await expectOneOfficer([known, other]);
    await run(snapshot([known, other]));
    expect(await run(snapshot([known, other]))).toMatchObject({ written: 0, unchanged: 2 });
    await expectOneOfficer([known, other]);
  });

  it.each([
    ["of a line after", () => [update(), stateByLine()]],
    ["of an event before", () => [stateByEvent(), update()]],
  ])("%s a daily update applies to the update's appointment", async (_order, files) => {
    for (const file of [snapshot([other]), ...files()]) await run(file);
    await expectOneOfficer([known, other, third]);
  });

  it("applies to an appointment that a daily update moves to the person", async () => {
    const another = { company: third, number: "800000010001", surname };
    await run(aSnapshot([aCompanyLine(third, "SAMPLE LTD"), aPersonLine(another)]));
    for (const file of [stateByEvent(), update({ oldNumber: another.number })]) await run(file);
    await expectOneOfficer([known, third]);
  });

  it("applies to all of them when snapshot and event are loaded at once", async () => {
    const companies = companiesFrom(10, 48);
    const parts = Array.from({ length: 12 }, (_, at) => snapshot(companies.slice(4 * at, 4 * at + 4)));
    await Promise.all([...parts.slice(0, 6), stateByEvent(), ...parts.slice(6)].map((rows) => run(rows)));
    await expectOneOfficer([known, ...companies]);
  });
});

describe("the real id in an event is learnt though another event deletes the appointment", () => {
  const remove = () => event({ ...resource(known), data: {} }, 2, "2026-11-03", "deleted");

  it.each([
    ["after the first one", () => [stateByEvent(), remove()]],
    ["before the first one", () => [remove(), stateByEvent()]],
  ])("and is loaded %s", async (_order, events) => {
    for (const rows of [...events(), snapshot([other])]) await run(rows);
    await expectOneOfficer([other]);
  });
});

it("a real id is learnt from a line of a load that began before the snapshot's load", async () => {
  await run(snapshot([known, other]));
  expect(await run({ ...stateByLine(), revision: 0 })).toMatchObject({ written: 1 });
  await expectOneOfficer([known, other]);
});

it("a real id applies to the officer's document even if an appointment is removed at the same time", async () => {
  await run(snapshot([other, third]));
  const find = async () => {
    const stored = await fetchStored(register, "company_number", other);
    await run(stateByEvent());
    return stored;
  };
  expect(await removeRecords(register.stores, appointmentRecord, `remove-${person}`, find)).toBe(1);
  await followNow(register.stores);
  await expectOneOfficer([known, third]);
});

it("ids that the register derives itself are not exchanged without end if two lines swap them", async () => {
  const [one, another] = [person, person + 500].map((digits) => ({
    number: `${digits}0001`,
    derived: deriveOfficerId(String(digits)),
  })) as [Named, Named];
  const stateId = ({ number }: Named, { derived }: Named, company: string) =>
    JSON.stringify(resource(company, derived, number));
  const rows = [stateId(one, another, known), stateId(another, one, other)];
  expect(await run({ ...stateByLine(), rows })).toMatchObject({ written: 2 });
  await run(snapshot([third]));
});

interface Named {
  number: string;
  derived: string;
}

it("a real id does not replace another one that a source states for another appointment of the person", async () => {
  const another = fillId(`another-${person}`);
  await run(stateByEvent());
  await run(event(resource(other, another), 2, "2026-11-02"));
  await run(snapshot([known, other]));
  expect(await fetchStored(register, "officer_id", another)).toMatchObject([{ company_number: other }]);
  expect(await fetchStored(register, "officer_id", real)).toMatchObject([{ company_number: known }]);
});

it("of two real ids that a batch states for a person, the first one applies to the other appointments", async () => {
  const rows = [resource(known), resource(other, fillId(`another-${person}`))];
  await run({ ...stateByLine(), rows: rows.map((row) => JSON.stringify(row)) });
  await run(snapshot([third]));
  const { body } = await register.get(`/officers/${derivedId()}/appointments`);
  expect(body).toMatchObject({ links: { self: `/officers/${real}/appointments` } });
});

it("a real id changes what is shown of an appointment that does not state it, but not what is stored", async () => {
  await run(snapshot([known, other]));
  const [{ appointment_id } = { appointment_id: "" }] = await fetchStored(register, "company_number", other);
  const addresses = [
    `/company/${other}/appointments/${appointment_id}`,
    `/company/${other}/officers`,
    `/officers/${derivedId()}/appointments`,
  ];
  const fetchAll = () => Promise.all(addresses.map((address) => register.get(address)));
  const [before, stored] = [await fetchAll(), await fetchStored(register, "company_number", other)];
  await run(stateByEvent());
  const after = await fetchAll();
  for (const [at, { headers, body }] of after.entries()) {
    expect(headers.get("etag")).not.toBe(before[at]?.headers.get("etag"));
    expect(JSON.stringify(body)).not.toContain(derivedId());
    expect(JSON.stringify(before[at]?.body)).toContain(derivedId());
  }
  expect(await fetchStored(register, "company_number", other)).toEqual(stored);
});

describe("a batch interrupted before its change counts as written", () => {
  const revision = 5_000;

  it.each([
    ["its rerun", () => run({ ...stateByEvent(), revision })],
    ["a follower of the log", () => followNow(register.stores)],
  ])("is completed by %s", async (_name, finish) => {
    const { mongo } = register.stores;
    const amendIf: typeof mongo.documents.amendIf = (collection, filter, members) =>
      "state" in members
        ? Promise.reject(new UnavailableError("mongodb", "away"))
        : mongo.documents.amendIf(collection, filter, members);
    const stores = { ...register.stores, mongo: { ...mongo, documents: { ...mongo.documents, amendIf } } };
    await run(snapshot([known, other]));
    await expect(run({ ...stateByEvent(), revision }, stores)).rejects.toThrow("away");
    await finish();
    await expectOneOfficer([known, other]);
  });
});

// Runs after the other tests, each of which has left a person.
it("the stores agree after all these tests", async () => {
  await followNow(register.stores);
  await expectStoresAgree(register.stores);
});

describe("an officer with very many appointments", () => {
  const COUNT = 3_000;
  const CHUNK = 1_000;

  /** Stores the appointments as a snapshot states them, without their search document, which other tests cover. */
  async function store(): Promise<void> {
    const companies = Array.from({ length: COUNT }, (_, at) => String(97_000_000 + at));
    const rows = snapshot(companies).rows.map((text, at) => ({ line: at + 2, text }));
    const stored = officersSnapshot
      .mapRows(rows, {})
      .flatMap((outcome) => (outcome.kind === "record" ? toStored(appointmentRecord, outcome.data, 1) : []));
    for (let at = 0; at < COUNT; at += CHUNK)
      await register.stores.mongo.writer.insertMissing(appointmentRecord, stored.slice(at, at + CHUNK));
  }

  it("gets the real id without a rewrite of any appointment", async () => {
    const { mongo, elasticsearch } = register.stores;
    await store();
    await run(stateByEvent());
    const stored = await fetchStored(register, "officer_id", derivedId());
    expect(stored).toHaveLength(COUNT);
    expect(new Set(stored.map(({ revision }) => revision))).toEqual(new Set([1]));
    expect(await mongo.documents.fetch(PERSONS, derivedId())).toMatchObject({ officer_id: real });

    for (const id of [real, derivedId()]) {
      const { body } = await register.get(`/officers/${id}/appointments`);
      const links = { self: `/officers/${real}/appointments` };
      expect(body).toMatchObject({ total_results: COUNT + 1, links });
    }
    const [[document], former] = await Promise.all([
      elasticsearch.fetchDocuments("officers", [real]),
      elasticsearch.fetchDocuments("officers", [derivedId()]),
    ]);
    expect(document?.source).toMatchObject({ id: real, shown: { appointment_count: COUNT + 1 } });
    expect(former).toEqual([]);
  }, 120_000);
});
