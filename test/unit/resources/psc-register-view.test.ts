import { describe, expect, it } from "@jest/globals";
import { pscList } from "../../../api/resources/person-with-significant-control/index.ts";
import { pscStatementList } from "../../../api/resources/psc-statement/index.ts";
import { registersRecord } from "../../../api/resources/registers/index.ts";
import {
  aPerson,
  aStatement,
  openLists,
  severalPersons,
  severalStatements,
} from "../../support/psc-builders.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany } from "../../support/stored-company.ts";

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
  companies: [FULL, EMPTY].map((number) => aCompany(number)),
  pscs: [
    ...severalPersons(FULL),
    aPerson(UNREGISTERED, "lonely", { notified_on: "2016-04-06" }),
    aPerson(CEASED, "before", { notified_on: "2016-04-06", ceased_on: "2018-01-01" }),
    aPerson(MOVED_AWAY, "elsewhere", { notified_on: "2016-04-06" }),
  ],
  psc_statements: [
    ...severalStatements(FULL),
    aStatement(CEASED, "s-before", { notified_on: "2017-01-01", ceased_on: "2018-01-01" }),
    aStatement(MOVED_AWAY, "s-there", { notified_on: "2016-04-06" }),
  ],
  registers: [
    aRegister(FULL, ["2020-01-01", "public-register"], ["2017-01-01", "registered-office"]),
    ...[CEASED, REGISTER_ALONE].map((number) => aRegister(number, ["2020-01-01", "public-register"])),
    aRegister(MOVED_AWAY, ["2021-01-01", "registered-office"], ["2020-01-01", "public-register"]),
  ],
};
const { read, answer, labelsIn } = openLists(collections);

describe("the register view", () => {
  const register_view = "true";

  it("shows persons who are active, or ceased on or after the day of the move", async () => {
    const shown = ["new", "gone-late", "stays", "on-the-day", "old", "undated"];
    expect(await labelsIn(pscList, FULL, { register_view })).toEqual(shown);
    expect(await answer(pscList, FULL, { register_view })).toMatchObject({
      active_count: 4,
      ceased_count: 2,
      total_results: 6,
    });
    const page = { register_view, start_index: "1", items_per_page: "2" };
    expect(await labelsIn(pscList, FULL, page)).toEqual(shown.slice(1, 3));
  });

  it("shows statements that are active, or were withdrawn in the election period", async () => {
    expect(await labelsIn(pscStatementList, FULL, { register_view })).toEqual(["s-late", "s-active"]);
    expect(await answer(pscStatementList, FULL, { register_view })).toMatchObject({
      active_count: 1,
      ceased_count: 1,
      total_results: 2,
    });
  });

  it.each([UNREGISTERED, MOVED_AWAY, EMPTY])(
    "is 404 if the register of %s is not on the public register",
    async (number) => {
      expect(await read(pscList, number, { register_view })).toBeNull();
      expect(await read(pscStatementList, number, { register_view })).toBeNull();
    },
  );

  it.each([
    ["all persons had ceased before the move, even if the company is not in the register", CEASED],
    ["nothing but the place of the company's registers is known", REGISTER_ALONE],
  ])("is empty if %s", async (_what, number) => {
    const body = await answer(pscList, number, { register_view });
    expect(body).toMatchObject({ total_results: 0, items: [] });
  });

  // Compat: as the list of statements is outside the register view (API reference 7.15).
  it("of statements is 404 if there is none to show", async () => {
    expect(await read(pscStatementList, CEASED, { register_view })).toBeNull();
  });

  it("shows and counts all persons of a company that has more than are read at once", async () => {
    const pscs = Array.from({ length: 450 }, (_, index) =>
      aPerson(FULL, `n${index}`, {
        notified_on: "2016-04-06",
        ...(index % 2 ? { ceased_on: "2019-01-01" } : {}),
      }),
    );
    const body = await openLists({ ...collections, pscs }).answer(pscList, FULL, { register_view });
    expect(body).toMatchObject({ total_results: 225, active_count: 225, ceased_count: 0 });
    expect(body.items).toHaveLength(25);
  });
});
