import { describe, expect, it } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import type { ResourceDefinition } from "../../../api/resources/define-resource.ts";
import { pscRecord } from "../../../api/resources/person-with-significant-control/record.ts";
import { pscList } from "../../../api/resources/person-with-significant-control/index.ts";
import { pscStatementList } from "../../../api/resources/psc-statement/index.ts";
import { registersRecord } from "../../../api/resources/registers/index.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany, aPerson, aStatement, idOf } from "../../support/psc-builders.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const FULL = "99000001";
const EMPTY = "99000002";
const UNREGISTERED = "99000003";
const MOVED_AWAY = "99000005";
const CEASED = "99000006";
const REGISTER_ALONE = "99000007";

function aRegister(company_number: string, ...moves: [moved_on: string, register_moved_to: string][]) {
  const items = moves.map(([moved_on, register_moved_to]) => ({ moved_on, register_moved_to }));
  const registers = { persons_with_significant_control: { items } };
  return toStored(registersRecord, { company_number, registers }, 1);
}

const collections = {
  companies: [FULL, EMPTY].map(aCompany),
  pscs: [
    aPerson(FULL, "old", { notified_on: "2016-04-06" }),
    aPerson(FULL, "gone-late", { notified_on: "2018-01-01", ceased_on: "2022-05-05" }),
    aPerson(FULL, "gone-early", { notified_on: "2018-01-01", ceased_on: "2019-05-05" }),
    aPerson(FULL, "new", { notified_on: "2023-03-03" }),
    aPerson(FULL, "stays", { notified_on: "2018-01-01" }),
    aPerson(FULL, "undated", {}),
    aPerson(FULL, "on-the-day", { notified_on: "2017-01-01", ceased_on: "2020-01-01" }),
    toStored(
      pscRecord,
      {
        notification_id: idOf("secret"),
        company_number: FULL,
        kind: "super-secure-person-with-significant-control",
        description: "super-secure-persons-with-significant-control",
        ceased: true,
      },
      1,
    ),
    aPerson(UNREGISTERED, "lonely", { notified_on: "2016-04-06" }),
    aPerson(CEASED, "before", { notified_on: "2016-04-06", ceased_on: "2018-01-01" }),
    aPerson(MOVED_AWAY, "elsewhere", { notified_on: "2016-04-06" }),
  ],
  psc_statements: [
    aStatement(FULL, "s-active", { notified_on: "2016-04-06" }),
    aStatement(FULL, "s-early", { notified_on: "2017-01-01", ceased_on: "2018-01-01" }),
    aStatement(FULL, "s-late", { notified_on: "2019-01-01", ceased_on: "2021-01-01" }),
    aStatement(CEASED, "s-before", { notified_on: "2017-01-01", ceased_on: "2018-01-01" }),
    aStatement(MOVED_AWAY, "s-there", { notified_on: "2016-04-06" }),
  ],
  registers: [
    aRegister(FULL, ["2020-01-01", "public-register"], ["2017-01-01", "registered-office"]),
    ...[CEASED, REGISTER_ALONE].map((number) => aRegister(number, ["2020-01-01", "public-register"])),
    aRegister(MOVED_AWAY, ["2021-01-01", "registered-office"], ["2020-01-01", "public-register"]),
  ],
};
const memory = createMemoryReader(collections);

async function read(resource: ResourceDefinition, company_number: string, raw: RawQuery = {}) {
  return resource.read(memory.records, { company_number }, parseQuery(resource.parameters, raw));
}

async function answer(resource: ResourceDefinition, company_number: string, raw: RawQuery = {}) {
  const found = await read(resource, company_number, raw);
  if (found === null) throw new Error("not found");
  const [version] = resource.versions;
  const body = version.present(found, { today: "2026-11-01" });
  expect(compileCheck(version.schema)(body)).toBeNull();
  return { body };
}

/** The signs that the ids of the items end with, in order. */
async function signsIn(resource: ResourceDefinition, raw: RawQuery = {}): Promise<string[]> {
  const { body } = await answer(resource, FULL, raw);
  const items = body.items as { links: { self: string } }[];
  return items.map(({ links }) => links.self.slice(links.self.lastIndexOf("/") + 1).replace(/^-+/, ""));
}

describe("the register view", () => {
  const register_view = "true";

  it("shows persons who are active, or ceased on or after the day of the move", async () => {
    const shown = ["new", "gone-late", "stays", "on-the-day", "old", "undated"];
    expect(await signsIn(pscList, { register_view })).toEqual(shown);
    expect((await answer(pscList, FULL, { register_view })).body).toMatchObject({
      active_count: 4,
      ceased_count: 2,
      total_results: 6,
    });
    const page = { register_view, start_index: "1", items_per_page: "2" };
    expect(await signsIn(pscList, page)).toEqual(shown.slice(1, 3));
  });

  it("shows statements that are active, or were withdrawn in the election period", async () => {
    expect(await signsIn(pscStatementList, { register_view })).toEqual(["s-late", "s-active"]);
    expect((await answer(pscStatementList, FULL, { register_view })).body).toMatchObject({
      active_count: 1,
      ceased_count: 1,
      total_results: 2,
    });
  });

  it.each([UNREGISTERED, MOVED_AWAY, EMPTY])("is 404 if the register is elsewhere: %s", async (number) => {
    expect(await read(pscList, number, { register_view })).toBeNull();
    expect(await read(pscStatementList, number, { register_view })).toBeNull();
  });

  it.each([
    ["all persons of a company that is not in the register had ceased before", CEASED],
    ["nothing but the place of the company's registers is known", REGISTER_ALONE],
  ])("is empty if %s", async (_what, number) => {
    const { body } = await answer(pscList, number, { register_view });
    expect(body).toMatchObject({ total_results: 0, items: [] });
  });

  it("of statements is 404 if there is none to show", async () => {
    // Compat: without statements to show it is 404.
    expect(await read(pscStatementList, CEASED, { register_view })).toBeNull();
  });

  it("reads on if a company has more than are read at once", async () => {
    const pscs = Array.from({ length: 450 }, (_, index) =>
      aPerson(FULL, `n${index}`, {
        notified_on: "2016-04-06",
        ...(index % 2 ? { ceased_on: "2019-01-01" } : {}),
      }),
    );
    const many = createMemoryReader({ ...collections, pscs });
    const query = parseQuery(pscList.parameters, { register_view });
    const found = await pscList.read(many.records, { company_number: FULL }, query);
    const body = found === null ? {} : pscList.versions[0].present(found, { today: "2026-11-01" });
    expect(body).toMatchObject({ total_results: 225, active_count: 225, ceased_count: 0 });
    expect(body.items).toHaveLength(25);
  });
});
