import { describe, expect, it } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { pscRecord, type Psc } from "../../../api/resources/person-with-significant-control/record.ts";
import { pscNotificationList } from "../../../api/resources/psc-notification-list/index.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany } from "../../support/stored-company.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const [version1] = pscNotificationList.versions;
const checkAnswer = compileCheck(version1.schema);
let made = 0;

function aNotification(company_number: string, rest: Partial<Psc> = {}) {
  made += 1;
  const data: Psc = {
    notification_id: String(made).padStart(27, "n"),
    company_number,
    kind: "individual-person-with-significant-control",
    name: "Mr Barnaby Quillfeather",
    name_elements: { title: "Mr", forename: "Barnaby", surname: "Quillfeather" },
    date_of_birth: { month: 5, year: 1962 },
    ...rest,
  };
  return toStored(pscRecord, data, 1);
}

/** A company with a status, which its name repeats. */
function companyOf(number: string, company_status: string) {
  return aCompany(number, { company_name: `${company_status} LTD`, company_status });
}

const BODY = {
  kind: "corporate-entity-person-with-significant-control",
  name: "Sample Nominees Limited",
  identification: { country_registered: "England", registration_number: "99000064" },
} as const;

// A body that controls hundreds of companies, half of them dissolved, so that the list must be walked for active ones.
const agency = Array.from({ length: 450 }, (_, index) =>
  toStored(
    pscRecord,
    {
      ...BODY,
      notification_id: String(index).padStart(27, "b"),
      company_number: `9910${String(index).padStart(4, "0")}`,
      notified_on: `20${String(10 + (index % 10))}-01-01`,
    },
    1,
  ),
);
const own = [
  aNotification("99000001", { notified_on: "2016-04-06" }),
  aNotification("99000002", { notified_on: "2020-01-01", ceased_on: "2021-01-01" }),
  aNotification("99000003", { notified_on: "2023-01-01" }),
  aNotification("99000004", {
    notified_on: "2018-01-01",
    natures_of_control: ["significant-influence-or-control"],
  }),
  aNotification("99000009", { notified_on: "2017-01-01" }),
];
const secret = toStored(
  pscRecord,
  {
    notification_id: "s".repeat(27),
    company_number: "99000001",
    kind: "super-secure-person-with-significant-control",
    description: "super-secure-persons-with-significant-control",
  },
  1,
);
const memory = createMemoryReader({
  pscs: [...own, ...agency, secret],
  companies: [
    companyOf("99000001", "active"),
    companyOf("99000002", "active"),
    companyOf("99000003", "dissolved"),
    companyOf("99000004", "liquidation"),
    ...agency.map((item, index) =>
      companyOf(keyOf(item, "company_number"), index % 2 ? "active" : "dissolved"),
    ),
  ],
});
const PERSON = keyOf(own[0], "psc_id");
const AGENT = keyOf(agency[0], "psc_id");

function keyOf(record: object | undefined, key: string): string {
  return (record as Record<string, string> | undefined)?.[key] ?? "";
}

async function read(psc_id: string, raw: RawQuery = {}): Promise<unknown> {
  const query = parseQuery(pscNotificationList.parameters, raw);
  return pscNotificationList.read(memory.records, { psc_id }, query);
}

async function answer(psc_id: string, raw: RawQuery = {}): Promise<Record<string, unknown>> {
  const found = await read(psc_id, raw);
  if (!found) throw new Error("not found");
  const body = version1.present(found, { today: "2026-11-01" });
  expect(checkAnswer(body)).toBeNull();
  return body;
}

async function companiesIn(psc_id: string, raw: RawQuery = {}): Promise<string[]> {
  const { items } = await answer(psc_id, raw);
  return (items as { notified_to: { company_number: string } }[]).map(
    (item) => item.notified_to.company_number,
  );
}

describe("a person's notifications", () => {
  it("are sorted latest first, ceased ones last", async () => {
    expect(await companiesIn(PERSON)).toEqual(["99000003", "99000004", "99000009", "99000001", "99000002"]);
  });

  it("are counted by the status of their companies", async () => {
    expect(await answer(PERSON, { items_per_page: "2", start_index: "1" })).toMatchObject({
      name: "Mr Barnaby Quillfeather",
      date_of_birth: { month: 5, year: 1962 },
      kind: "personal-notification",
      active_count: 3,
      inactive_count: 1,
      ceased_count: 1,
      total_results: 5,
      items_per_page: 2,
      start_index: 1,
      links: { self: `/persons-with-significant-control/${PERSON}/notifications` },
    });
  });

  it("show a company's name and status from the register, and only its number if it is not there", async () => {
    const { items } = await answer(PERSON);
    expect(items).toMatchObject([
      { notified_to: { company_name: "dissolved LTD", company_status: "dissolved" } },
      { links: { company: "/company/99000004" }, natures_of_control: ["significant-influence-or-control"] },
      {},
      {},
      { ceased_on: "2021-01-01" },
    ]);
    const [, , unregistered] = items as { notified_to: object }[];
    expect(unregistered?.notified_to).toEqual({ company_number: "99000009" });
  });

  it("leave out ceased ones and those to ended companies when filtered", async () => {
    expect(await companiesIn(PERSON, { filter: "active" })).toEqual(["99000004", "99000009", "99000001"]);
    expect(await answer(PERSON, { filter: "active" })).toMatchObject({
      active_count: 3,
      inactive_count: 0,
      ceased_count: 0,
      total_results: 3,
    });
  });

  it("are paged without gap or repeat when filtered, although half of them are inactive", async () => {
    expect(await answer(AGENT)).toMatchObject({ active_count: 225, inactive_count: 225, total_results: 450 });
    const whole: string[] = [];
    for (const start_index of ["0", "100", "200"]) {
      whole.push(...(await companiesIn(AGENT, { filter: "active", items_per_page: "100", start_index })));
    }
    expect(whole).toHaveLength(225);
    expect(new Set(whole).size).toBe(225);
  });
});

it.each([
  ["a page with the last active one", 0, 1, 2],
  ["a page past it", 1, 0, 1],
])("the filter reads no further than the last active one: %s", async (_what, start, found, reads) => {
  const companies = agency.map((item, index) =>
    companyOf(keyOf(item, "company_number"), index === 9 ? "active" : "dissolved"),
  );
  const { records, pages } = createMemoryReader({ pscs: agency, companies });
  const query = { filter: "active", start_index: start, items_per_page: 35 };
  const list = await pscNotificationList.read(records, { psc_id: AGENT }, query);
  expect((list as { notifications: unknown[] }).notifications).toHaveLength(found);
  // The first one, which heads the list, is read too.
  expect(pages).toHaveLength(reads);
});

it.each([100, 440, 450])(
  "the filter changes nothing of the page from %i if all are active",
  async (start_index) => {
    const { records } = createMemoryReader({ pscs: agency, companies: [] });
    const shown = async (filter?: "active") => {
      const query = { filter, start_index, items_per_page: 35 };
      const list = await pscNotificationList.read(records, { psc_id: AGENT }, query);
      return (list as { notifications: unknown[] }).notifications;
    };
    expect(await shown("active")).toEqual(await shown());
  },
);

describe("what is not found", () => {
  it("is an unknown id, and the empty one of the super-secure", async () => {
    expect(await read("x".repeat(27))).toBeNull();
    expect(await read("")).toBeNull();
  });

  it("does not include a page past the end, which is empty", async () => {
    expect(await answer(PERSON, { start_index: "5" })).toMatchObject({ items: [], total_results: 5 });
    expect(await answer(PERSON, { start_index: "3", filter: "active" })).toMatchObject({ items: [] });
  });
});

describe("paging", () => {
  it.each([
    [{}, 35],
    [{ items_per_page: "-7" }, 7],
    [{ items_per_page: "1000" }, 100],
  ])("corrects %j to %i a page", async (raw, size) => {
    expect((await answer(PERSON, raw)).items_per_page).toBe(size);
  });

  it.each([{ filter: "ceased" }, { items_per_page: "x" }])("refuses %j", async (raw) => {
    await expect(read(PERSON, raw)).rejects.toMatchObject({ status: 400 });
  });
});
