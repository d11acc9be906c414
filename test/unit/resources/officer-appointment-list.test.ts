import { describe, expect, it } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import example from "../../../api/resources/officer-appointment-list/example.json" with { type: "json" };
import { officerAppointmentList } from "../../../api/resources/officer-appointment-list/index.ts";
import { appointmentRecord, type Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { KEPT_FROM } from "../../../api/shared/stores/collections/officer-counts.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany } from "../../support/stored-company.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const PERSON = "p".repeat(27);
const AGENT = "q".repeat(27);
const MANY = "m".repeat(27);
const RETIRED = "r".repeat(27);
const DERIVED = "s".repeat(27);

const [version1] = officerAppointmentList.versions;
const checkAnswer = compileCheck(version1.schema);
const NATURAL = {
  name_elements: { forename: "Barnaby", surname: "QUILLFEATHER" },
  date_of_birth: { day: 3, month: 5, year: 1962 },
};
let made = 0;

function anAppointment(company_number: string, rest: Partial<Appointment>): Appointment {
  made += 1;
  return {
    appointment_id: String(made).padStart(27, "a"),
    officer_id: PERSON,
    company_number,
    officer_role: "director",
    is_corporate: false,
    ...(rest.is_corporate ? {} : NATURAL),
    ...rest,
  };
}

/** A company with a status, which its name repeats. */
function companyOf(number: string, company_status: string) {
  return aCompany(number, { company_name: `${company_status} LTD`, company_status });
}

const married = { name_elements: { forename: "Barnaby", surname: "NEWNAME" } };
// An agent's companies: every other one has ended, so that the list must be walked to find active ones.
const agency = Array.from({ length: 900 }, (_, index) =>
  anAppointment(`9910${String(index).padStart(4, "0")}`, {
    officer_id: AGENT,
    officer_role: "corporate-nominee-secretary",
    is_corporate: true,
    name: index % 10 === 9 ? "SAMPLE AGENTS LTD" : "FORMER AGENTS LTD",
    appointed_on: `20${String(10 + (index % 10))}-01-01`,
    company_status: index % 2 === 0 ? "dissolved" : "active",
  }),
);
const appointments = [
  anAppointment("99000001", { appointed_on: "2010-01-01", ...married }),
  anAppointment("99000002", { appointed_on: "2020-01-01" }),
  anAppointment("99000003", {
    appointed_before: "1991-01-01",
    company_status: "dissolved",
    company_name: "FILE LTD",
  }),
  anAppointment("99000004", { appointed_on: "2025-01-01", resigned_on: "2025-06-01" }),
  anAppointment("99000004", { appointed_on: "2024-01-01", resigned_on: "2026-01-01" }),
  anAppointment("99000005", { officer_id: RETIRED, appointed_on: "2001-01-01", resigned_on: "2002-01-01" }),
  // The register has another status of the first two companies.
  anAppointment("99000001", { officer_id: DERIVED, appointed_on: "2003-01-01", company_status: "dissolved" }),
  anAppointment("99000002", { officer_id: DERIVED, appointed_on: "2002-01-01", company_status: "active" }),
  anAppointment("99000003", { officer_id: DERIVED, appointed_on: "2001-01-01", company_status: "dissolved" }),
  ...agency,
];
/** Appointments of a person who has so many that the inactive ones are counted only from time to time. */
function manyAppointments(statusOf: (index: number) => string) {
  return Array.from({ length: KEPT_FROM + 1 }, (_, index) => {
    const company_status = statusOf(index);
    const appointed_on = `${2020 - index}-01-01`;
    const number = `9920${String(index).padStart(4, "0")}`;
    return toStored(
      appointmentRecord,
      anAppointment(number, { officer_id: MANY, appointed_on, company_status }),
      1,
    );
  });
}

const memory = createMemoryReader({
  appointments: appointments.map((data) => toStored(appointmentRecord, data, 1)),
  companies: [
    companyOf("99000001", "active"),
    companyOf("99000002", "dissolved"),
    companyOf("99000004", "active"),
  ],
});

async function read(officer_id: string, raw: RawQuery = {}): Promise<unknown> {
  const query = parseQuery(officerAppointmentList.parameters, raw);
  return officerAppointmentList.read(memory.records, { officer_id }, query);
}

async function answer(officer_id: string, raw: RawQuery = {}): Promise<Record<string, unknown>> {
  const found = await read(officer_id, raw);
  if (!found) throw new Error("not found");
  const body = version1.present(found, { today: "2026-11-01" });
  expect(checkAnswer(body)).toBeNull();
  return body;
}

async function companiesIn(officer_id: string, raw: RawQuery = {}): Promise<string[]> {
  const { items } = await answer(officer_id, raw);
  return (items as { appointed_to: { company_number: string } }[]).map(
    (item) => item.appointed_to.company_number,
  );
}

describe("a person's appointments", () => {
  it("are listed with serving ones first, latest first, then by resignation", async () => {
    expect(await companiesIn(PERSON)).toEqual(["99000002", "99000001", "99000003", "99000004", "99000004"]);
    const { items } = await answer(PERSON);
    expect(items).toMatchObject([{}, {}, {}, { resigned_on: "2026-01-01" }, { resigned_on: "2025-06-01" }]);
  });

  it("are counted by the status of their companies", async () => {
    expect(await answer(PERSON)).toMatchObject({
      total_results: 5,
      active_count: 1,
      inactive_count: 2,
      resigned_count: 2,
      items_per_page: 35,
      start_index: 0,
      kind: "personal-appointment",
      links: { self: `/officers/${PERSON}/appointments` },
    });
  });

  it("are counted by the status in the register, if it has the company, also of those beyond the page", async () => {
    expect(await answer(DERIVED, { items_per_page: "1" })).toMatchObject({
      total_results: 3,
      active_count: 1,
      inactive_count: 2,
      items: [{ appointed_to: { company_number: "99000001" } }],
    });
  });

  it("are found by the real id and by the derived ones, and all are listed", async () => {
    const stored = { appointments: appointments.map((data) => toStored(appointmentRecord, data, 1)) };
    const { records } = createMemoryReader(stored, [], { [DERIVED]: RETIRED });
    for (const officer_id of [DERIVED, RETIRED])
      expect(
        await officerAppointmentList.read(
          records,
          { officer_id },
          parseQuery(officerAppointmentList.parameters, {}),
        ),
      ).toMatchObject({
        officerId: RETIRED,
        counts: { total: 4 },
      });
  });

  it("are looked up in the register some hundred companies at a time", async () => {
    const asked: number[] = [];
    const fetchByIds: typeof memory.records.fetchByIds = (record, ids) => {
      asked.push(ids.length);
      return memory.records.fetchByIds(record, ids);
    };
    const query = parseQuery(officerAppointmentList.parameters, { start_index: "899" });
    await officerAppointmentList.read({ ...memory.records, fetchByIds }, { officer_id: AGENT }, query);
    expect(asked.slice(0, 2)).toEqual([500, 400]);
  });

  it("are headed by the first active one, without the day of birth", async () => {
    const body = await answer(PERSON, { items_per_page: "1" });
    expect(body).toMatchObject({ name: "Barnaby NEWNAME", is_corporate_officer: false });
    expect(body.date_of_birth).toEqual({ month: 5, year: 1962 });
  });

  it("are headed by the same one on every page", async () => {
    expect(await answer(AGENT, { start_index: "200" })).toMatchObject({ name: "SAMPLE AGENTS LTD" });
  });

  it("are headed by the latest one when none is active", async () => {
    expect(await answer(RETIRED)).toMatchObject({
      name: "Barnaby QUILLFEATHER",
      active_count: 0,
      resigned_count: 1,
    });
  });

  it("show the company's name and status from the register, else from the officers file", async () => {
    expect((await answer(PERSON)).items).toMatchObject([
      { appointed_to: { company_name: "dissolved LTD", company_status: "dissolved" } },
      { appointed_to: { company_name: "active LTD", company_status: "active" } },
      { appointed_to: { company_name: "FILE LTD", company_status: "dissolved" } },
      {},
      {},
    ]);
  });

  it("show a person by elements of the name, with a link to the company", async () => {
    expect((await answer(PERSON, { start_index: "1", items_per_page: "1" })).items).toEqual([
      {
        appointed_on: "2010-01-01",
        appointed_to: { company_number: "99000001", company_name: "active LTD", company_status: "active" },
        name: "Barnaby NEWNAME",
        name_elements: { forename: "Barnaby", surname: "NEWNAME" },
        officer_role: "director",
        links: { company: "/company/99000001" },
      },
    ]);
  });

  it("show that an officer is corporate", async () => {
    expect(await answer(AGENT)).toMatchObject({ is_corporate_officer: true, name: "SAMPLE AGENTS LTD" });
  });

  it("are not found for an unknown person", async () => {
    expect(await read("z".repeat(27))).toBeNull();
  });
});

it("a person is found even if the last active company has ended since the count", async () => {
  const { records } = createMemoryReader({ appointments: manyAppointments(() => "dissolved") });
  const reader = { ...records, fetchInactiveCount: () => Promise.resolve(KEPT_FROM) };
  const query = parseQuery(officerAppointmentList.parameters, {});
  expect(await officerAppointmentList.read(reader, { officer_id: MANY }, query)).toMatchObject({
    counts: { total: KEPT_FROM + 1, active: 1 },
  });
});

describe("the filter", () => {
  it("leaves out resigned and inactive appointments", async () => {
    expect(await companiesIn(PERSON, { filter: "active" })).toEqual(["99000001"]);
    expect(await answer(PERSON, { filter: "active" })).toMatchObject({
      total_results: 1,
      active_count: 1,
      inactive_count: 0,
      resigned_count: 0,
    });
  });

  it("leaves no appointments of a person who has retired", async () => {
    expect(await answer(RETIRED, { filter: "active" })).toMatchObject({ total_results: 0, items: [] });
  });

  it("pages through the active ones as if there were no others", async () => {
    const pages = await Promise.all(
      [0, 50, 400, 440].map((start) =>
        companiesIn(AGENT, { filter: "active", items_per_page: "50", start_index: String(start) }),
      ),
    );
    const overlap = await companiesIn(AGENT, {
      filter: "active",
      items_per_page: "50",
      start_index: "25",
    });
    expect(pages.map((page) => page.length)).toEqual([50, 50, 50, 10]);
    expect(new Set(pages.flat().slice(0, 100)).size).toBe(100);
    expect(overlap.slice(0, 25)).toEqual(pages[0]?.slice(25));
    expect(overlap.slice(25)).toEqual(pages[1]?.slice(0, 25));
    expect(pages.flat().every((number) => Number(number) % 2 === 1)).toBe(true);
  });

  it.each([
    ["a page with the last active one", 0, 1, 2],
    ["a page past it", 1, 0, 1],
  ])("reads no further than the last active one: %s", async (_what, start, found, reads) => {
    const latest = (index: number) => (index === 0 ? "active" : "dissolved");
    const { records, pages } = createMemoryReader({ appointments: manyAppointments(latest) });
    const query = { filter: "active", start_index: start, items_per_page: 35 };
    const list = await officerAppointmentList.read(records, { officer_id: MANY }, query);
    expect((list as { appointments: unknown[] }).appointments).toHaveLength(found);
    // The first appointment, which heads the list, is read too.
    expect(pages.filter(({ filter: { officer_id } }) => officer_id !== undefined)).toHaveLength(reads);
  });

  it.each([
    ["the first page", 0, 1],
    ["a page far past it", 900, 0],
  ])(
    "shows a company that was restored since the count, and reads no further: %s",
    async (_what, start, found) => {
      const latest = (index: number) => (index === 0 ? "active" : "dissolved");
      const { records, pages } = createMemoryReader({ appointments: manyAppointments(latest) });
      const reader = { ...records, fetchInactiveCount: () => Promise.resolve(KEPT_FROM + 1) };
      const query = { filter: "active", start_index: start, items_per_page: 35 };
      const list = await officerAppointmentList.read(reader, { officer_id: MANY }, query);
      expect((list as { appointments: unknown[] }).appointments).toHaveLength(found);
      expect(pages.filter(({ limit }) => limit === 200)).toHaveLength(1);
    },
  );

  it("is a 400 if it is an unknown word", async () => {
    await expect(read(PERSON, { filter: "all" })).rejects.toMatchObject({ status: 400 });
  });
});

describe("paging", () => {
  it.each([
    ["0", 35],
    ["-10", 10],
    ["51", 50],
  ])("items_per_page %s means %i", async (items_per_page, expected) => {
    const body = await answer(AGENT, { items_per_page });
    expect(body.items_per_page).toBe(expected);
    expect(body.items).toHaveLength(expected);
  });

  it("never reads more than a page of a long list", async () => {
    memory.pages.length = 0;
    await answer(AGENT, { start_index: "-600" });
    expect(Math.max(...memory.pages.map((page) => page.limit))).toBeLessThanOrEqual(200);
  });
});

it("has an example in the order of the list", () => {
  const days = example.items.map(({ appointed_on }) => appointed_on);
  expect(days).toEqual(days.toSorted().reverse());
});
