/** What an edition of a snapshot omits or spells differently from the edition before does not stay. */
import { describe, expect, it } from "@jest/globals";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { batchRunner, event, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { aCompanyLine, aPersonLine } from "../support/officer-lines.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

async function fetchData(record: RecordDefinition, company: string): Promise<object> {
  const query = { field: "company_number", values: [company] };
  const [stored, ...others] = (await register.stores.mongo.records.fetchGroups(record, query)).records;
  expect(others).toEqual([]);
  return stored?.data as object;
}

describe("a person with significant control", () => {
  const uriOf = (company: string) =>
    `/company/${company}/persons-with-significant-control/individual/${"person".padEnd(27, "-")}`;
  const dataOf = (company: string, members: object) => ({
    kind: "individual-person-with-significant-control",
    links: { self: uriOf(company) },
    natures_of_control: ["ownership-of-shares-75-to-100-percent"],
    notified_on: "2016-04-06",
    ...members,
  });
  const snapshot = (company: string, day: string, members: object): Rows => ({
    source: "psc-snapshot",
    fileName: `psc-snapshot-${day}.txt`,
    rows: [JSON.stringify({ company_number: company, data: dataOf(company, members) })],
  });
  const former = {
    name: "Dr Una ONE",
    name_elements: { title: "Dr", forename: "Una", surname: "ONE" },
    nationality: "British",
    address: { address_line_1: "1 HIGH STREET", address_line_2: "Old Town", locality: "Leeds" },
  };
  const present = {
    name: "Una One",
    name_elements: { forename: "Una", surname: "One" },
    address: { address_line_1: "1 High Street", locality: "Leeds" },
  };

  it("loses omitted nested members, and takes a corrected letter case; an older edition restores nothing", async () => {
    const company = "97000001";
    expect(await run(snapshot(company, "2026-11-01", former))).toMatchObject({ written: 1 });
    expect(await run(snapshot(company, "2026-11-02", present))).toMatchObject({ written: 1, unchanged: 0 });
    const stored = await fetchData(pscRecord, company);
    expect(stored).toMatchObject(present);
    expect(stored).not.toHaveProperty("nationality");
    expect(stored).not.toHaveProperty("address.address_line_2");
    expect(stored).not.toHaveProperty("name_elements.title");
    expect(await run(snapshot(company, "2026-11-01", former))).toMatchObject({ written: 0, unchanged: 1 });
    expect(await fetchData(pscRecord, company)).toEqual(stored);
  });

  it("loses them even if the stream stated them first, and keeps what no snapshot states", async () => {
    const company = "97000002";
    const data = { ...dataOf(company, former), date_of_birth: { day: 3, month: 4, year: 1978 } };
    const resource = { resource_kind: "company-psc-individual", resource_uri: uriOf(company), data };
    await run(event({ ...resource, resource_id: "person".padEnd(27, "-") }, 1, "2026-11-01"));
    const born = { ...present, date_of_birth: { month: 4, year: 1978 } };
    await run(snapshot(company, "2026-11-02", born));
    const stored = await fetchData(pscRecord, company);
    expect(stored).toMatchObject({ ...present, birth_day: 3 });
    expect(stored).not.toHaveProperty("address.address_line_2");
    expect(stored).not.toHaveProperty("name_elements.title");
    await expectStoresAgree(register.stores);
  });
});

describe("an officer", () => {
  const number = "100000010001";
  const snapshot = (company: string, day: string, line: Parameters<typeof aPersonLine>[0]): Rows => ({
    ...{ source: "officers-snapshot", fileName: "Prod195_4321_ew_1.dat" },
    first: `DDDDSNAP4321${day.replaceAll("-", "")}`,
    rows: [aCompanyLine(company, "SAMPLE LTD"), aPersonLine({ company, number, ...line })],
  });

  it("loses the title, postcode and occupation that the next edition omits", async () => {
    const company = "97000003";
    const former = { title: "DR", occupation: "BAKER", postcode: "LS1 7ZZ", address: "1 MOCK LANE" };
    await run(snapshot(company, "2026-11-01", former));
    expect(await fetchData(appointmentRecord, company)).toMatchObject({
      name_elements: { title: "Dr" },
      occupation: "Baker",
      address: { postal_code: "LS1 7ZZ" },
    });
    const written = await run(snapshot(company, "2026-12-01", { address: "1 MOCK LANE" }));
    expect(written).toMatchObject({ written: 1, unchanged: 0 });
    const stored = await fetchData(appointmentRecord, company);
    expect(stored).not.toHaveProperty("name_elements.title");
    expect(stored).not.toHaveProperty("occupation");
    expect(stored).not.toHaveProperty("address.postal_code");
    await run(snapshot(company, "2026-11-01", former));
    expect(await fetchData(appointmentRecord, company)).toEqual(stored);
    await expectStoresAgree(register.stores);
  });
});
