/** Whether a list that shows nothing is of a company with records: its coverage tells "none shown" from "not loaded". */
import { expect, it } from "@jest/globals";
import { parseQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { chargeList } from "../../../api/resources/charge/index.ts";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import { filingHistory } from "../../../api/resources/filing-history/index.ts";
import { filingRecord } from "../../../api/resources/filing-history/record.ts";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
import { officerList } from "../../../api/resources/officer-list/index.ts";
import { pscList } from "../../../api/resources/person-with-significant-control/index.ts";
import { registersRecord } from "../../../api/resources/registers/index.ts";
import { aPerson } from "../../support/psc-builders.ts";
import { createMemoryReader } from "../../support/record-reader.ts";
import { aCompany } from "../../support/stored-company.ts";
import { toStored } from "../../support/stored.ts";

const company_number = "99000001";
const id = "a".repeat(27);
const company = {
  companies: [aCompany(company_number)],
  registers: [
    toStored(
      registersRecord,
      {
        company_number,
        registers: {
          persons_with_significant_control: {
            items: [{ moved_on: "2020-01-01", register_moved_to: "public-register" }],
          },
        },
      },
      1,
    ),
  ],
};
const appointment = toStored(
  appointmentRecord,
  {
    ...{ appointment_id: id, officer_id: id, company_number, officer_role: "director", is_corporate: false },
    ...{ name_elements: { surname: "QUILLFEATHER" }, resigned_on: "2021-01-01" },
  },
  1,
);
const filing = toStored(
  filingRecord,
  {
    ...{ transaction_id: id, company_number, type: "AA", date: "2020-01-01" },
    ...{ category: "accounts", description: "accounts" },
  },
  1,
);
const person = aPerson(company_number, "before", { ceased_on: "2018-01-01" });
const charge = toStored(chargeRecord, { company_number, id, charge_number: 1, status: "satisfied" }, 1);

it.each(
  [
    { resource: officerList, query: { filter: "active" }, stored: { appointments: [appointment] } },
    { resource: filingHistory, query: { category: "capital" }, stored: { filings: [filing] } },
    { resource: pscList, query: { register_view: "true" }, stored: { pscs: [person] } },
    { resource: chargeList, query: { filter: "outstanding" }, stored: { charges: [charge] } },
  ].map((one) => [one.resource.name, one] as const),
)("%s that leaves out all records is known to have some", async (_name, { resource, query, stored }) => {
  for (const [collections, expected] of [
    [{ ...company, ...stored }, true],
    [company, false],
  ] as const) {
    const { records } = createMemoryReader(collections);
    const read = await resource.read(records, { company_number }, parseQuery(resource.parameters, query));
    expect(resource.versions[0].present(read, { today: "2026-11-01" }).items).toEqual([]);
    expect(await resource.hasRecords?.(read, records, { company_number })).toBe(expected);
  }
});
