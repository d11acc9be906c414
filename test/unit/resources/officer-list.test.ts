import { describe, expect, it } from "@jest/globals";
import { ApiError } from "../../../api/shared/runtime/errors.ts";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { appointmentRecord, type Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { officerList } from "../../../api/resources/officer-list/index.ts";
import { registersRecord } from "../../../api/resources/registers/index.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany } from "../../support/stored-company.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const LIVE = "99000001";
const ENDED = "99000002";
const EMPTY = "99000003";
const UNREGISTERED = "99000004";

const NOBODY = {
  active_count: 0,
  inactive_count: 0,
  resigned_count: 0,
  total_results: 0,
  items: [],
  etag: "",
};

const [version1] = officerList.versions;
const checkAnswer = compileCheck(version1.schema);
let made = 0;

function anAppointment(company_number: string, surname: string, rest: Partial<Appointment>): Appointment {
  made += 1;
  return {
    appointment_id: String(made).padStart(27, "a"),
    officer_id: String(made).padStart(27, "o"),
    company_number,
    officer_role: "director",
    is_corporate: false,
    name_elements: { surname },
    ...rest,
  };
}

const appointments = [
  anAppointment(LIVE, "YOUNG", { appointed_on: "2020-01-01" }),
  anAppointment(LIVE, "ABLE", { appointed_on: "2015-01-01" }),
  anAppointment(LIVE, "CLERK", { officer_role: "secretary", appointed_on: "2001-01-01" }),
  anAppointment(LIVE, "OLD", { appointed_before: "1991-05-05", is_pre_1992_appointment: true }),
  anAppointment(LIVE, "BAKER", { appointed_on: "2010-01-01", resigned_on: "2012-01-01" }),
  anAppointment(LIVE, "QUITTER", {
    officer_role: "secretary",
    appointed_on: "2011-01-01",
    resigned_on: "2019-01-01",
  }),
  anAppointment(ENDED, "LAST", { appointed_on: "2000-01-01" }),
  anAppointment(ENDED, "GONE", { appointed_on: "2000-01-01", resigned_on: "2001-01-01" }),
  anAppointment(UNREGISTERED, "LONELY", { company_status: "dissolved" }),
];
const stored = {
  appointments: appointments.map((data) => toStored(appointmentRecord, data, 1)),
  companies: [
    aCompany(LIVE, { company_status: "active" }),
    aCompany(ENDED, { company_status: "converted-closed" }),
    aCompany(EMPTY, { company_status: "active" }),
  ],
};
const memory = createMemoryReader(stored);

async function read(company_number: string, raw: RawQuery = {}): Promise<unknown> {
  const query = parseQuery(officerList.parameters, raw);
  return officerList.read(memory.records, { company_number }, query);
}

async function answer(company_number: string, raw: RawQuery = {}): Promise<Record<string, unknown>> {
  const found = await read(company_number, raw);
  if (!found) throw new Error("not found");
  const body = version1.present(found, { today: "2026-11-01" });
  expect(checkAnswer(body)).toBeNull();
  return body;
}

async function namesIn(company_number: string, raw: RawQuery = {}): Promise<unknown[]> {
  const { items } = await answer(company_number, raw);
  return (items as { name: string }[]).map(({ name }) => name);
}

describe("the order", () => {
  it("is by role, serving officers first", async () => {
    expect(await namesIn(LIVE)).toEqual(["CLERK", "ABLE", "OLD", "YOUNG", "QUITTER", "BAKER"]);
  });

  it.each([
    ["appointed_on", ["YOUNG", "ABLE", "QUITTER", "BAKER", "CLERK", "OLD"]],
    ["resigned_on", ["QUITTER", "BAKER", "CLERK", "ABLE", "OLD", "YOUNG"]],
    ["surname", ["ABLE", "BAKER", "CLERK", "OLD", "QUITTER", "YOUNG"]],
  ])("is by %s when asked", async (order_by, names) => {
    expect(await namesIn(LIVE, { order_by })).toEqual(names);
  });

  it("ends in a key that no two appointments share", async () => {
    await read(LIVE, { order_by: "appointed_on" });
    expect(memory.pages.at(-1)?.sort.at(-1)).toEqual(["name_order", 1]);
  });
});

describe("the counts", () => {
  it("are the company's, not the page's", async () => {
    expect(await answer(LIVE, { items_per_page: "2", start_index: "3" })).toMatchObject({
      active_count: 4,
      inactive_count: 0,
      resigned_count: 2,
      total_results: 6,
      items_per_page: 2,
      start_index: 3,
      kind: "officer-list",
      links: { self: `/company/${LIVE}/officers` },
    });
    expect(await namesIn(LIVE, { items_per_page: "2", start_index: "3" })).toEqual(["YOUNG", "QUITTER"]);
  });

  it("count the officers of a company that has ended as inactive", async () => {
    expect(await answer(ENDED)).toMatchObject({
      active_count: 0,
      inactive_count: 1,
      resigned_count: 1,
      total_results: 2,
    });
  });

  it("use the officers file if the company is not in the register", async () => {
    expect(await answer(UNREGISTERED)).toMatchObject({
      active_count: 0,
      inactive_count: 1,
      total_results: 1,
    });
  });
});

describe("the filter", () => {
  it("leaves out resigned officers", async () => {
    expect(await namesIn(LIVE, { filter: "active" })).toEqual(["CLERK", "ABLE", "OLD", "YOUNG"]);
    expect(await answer(LIVE, { filter: "active" })).toMatchObject({
      total_results: 4,
      active_count: 4,
      inactive_count: 0,
      resigned_count: 0,
    });
  });

  it("leaves out everyone of a company that has ended", async () => {
    expect(await answer(ENDED, { filter: "active" })).toMatchObject(NOBODY);
  });
});

describe("what is not found", () => {
  it("is an unknown company", async () => {
    expect(await read("99999998")).toBeNull();
    expect(officerList.notFound).toBe("company-profile-not-found");
  });

  it("does not include a company without officers, or a page past the end, whose lists are empty", async () => {
    expect(await answer(EMPTY)).toMatchObject(NOBODY);
    expect(await answer(LIVE, { start_index: "6" })).toMatchObject({ items: [], total_results: 6, etag: "" });
  });

  it.each([LIVE, UNREGISTERED])(
    "is a register of %s that is not public, with a 404 of its own",
    async (company) => {
      const view = read(company, { register_view: "true", register_type: "directors" });
      await expect(view).rejects.toMatchObject({
        status: 404,
        details: [{ type: "ch:service", error: "company-register-not-public" }],
      });
    },
  );

  it("is a register of an unknown company", async () => {
    expect(await read("99009999", { register_view: "true", register_type: "directors" })).toBeNull();
  });
});

describe("bad parameters", () => {
  it.each([
    [{ order_by: "-appointed_on" }],
    [{ filter: "resigned" }],
    [{ register_view: "yes" }],
    [{ register_view: "true", register_type: "members" }],
    [{ register_view: "true" }],
    [{ items_per_page: "0" }],
    [{ items_per_page: "-1" }],
    [{ start_index: "first" }],
  ])("are a 400: %j", async (raw) => {
    await expect(read(LIVE, raw)).rejects.toMatchObject({ status: 400 });
    await expect(read(LIVE, raw)).rejects.toBeInstanceOf(ApiError);
  });

  it.each([[{ register_view: "false", register_type: "director" }], [{ register_type: "llp-members" }]])(
    "do not include a register type without the register view, where it has no effect: %j",
    async (raw) => {
      expect(await answer(LIVE, raw)).toEqual(await answer(LIVE));
    },
  );
});

describe("a register that is public", () => {
  const items = [{ moved_on: "2020-01-01", register_moved_to: "public-register" }];
  const registers = [LIVE, ENDED].map((company_number) =>
    toStored(registersRecord, { company_number, registers: { directors: { items } } }, 1),
  );
  const { records } = createMemoryReader({ ...stored, registers });

  async function view(company_number: string, raw: RawQuery = {}): Promise<Record<string, unknown>> {
    const asked = { register_view: "true", register_type: "directors", ...raw };
    const found = await officerList.read(
      records,
      { company_number },
      parseQuery(officerList.parameters, asked),
    );
    const body = found ? version1.present(found, { today: "2026-11-01" }) : {};
    expect(checkAnswer(body)).toBeNull();
    return body;
  }

  it("shows only serving officers of its roles", async () => {
    expect(await view(LIVE)).toMatchObject({
      active_count: 3,
      inactive_count: 0,
      resigned_count: 0,
      total_results: 3,
      items: [{ name: "ABLE" }, { name: "OLD" }, { name: "YOUNG" }],
    });
  });

  it("shows officers of an ended company who had not resigned as inactive, and nobody with the filter", async () => {
    expect(await view(ENDED)).toMatchObject({
      active_count: 0,
      inactive_count: 1,
      total_results: 1,
      items: [{ name: "LAST" }],
    });
    expect(await view(ENDED, { filter: "active" })).toMatchObject(NOBODY);
    expect(await view(LIVE, { filter: "active" })).toMatchObject({ active_count: 3, total_results: 3 });
  });
});

it("a page has at most 100 items", async () => {
  expect(await answer(LIVE, { items_per_page: "500" })).toMatchObject({ items_per_page: 100 });
});
