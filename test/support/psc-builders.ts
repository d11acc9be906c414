/** Builds records about control for tests, and reads a company's lists of them. */
import { expect } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../api/shared/schemas/validate.ts";
import type { ResourceDefinition } from "../../api/resources/define-resource.ts";
import { pscRecord, type Psc } from "../../api/resources/person-with-significant-control/record.ts";
import { pscStatementRecord } from "../../api/resources/psc-statement/index.ts";
import { createMemoryReader } from "./record-reader.ts";
import { toStored } from "./stored.ts";

/** An id of 27 characters that ends in this label. */
function idOf(label: string): string {
  return label.padStart(27, "-");
}

/** A stored individual person with significant control. */
export function aPerson(company_number: string, label: string, dates: Partial<Psc>) {
  const kind = "individual-person-with-significant-control";
  const data: Psc = { notification_id: idOf(label), company_number, kind, name: `Mr ${label}`, ...dates };
  return toStored(pscRecord, data, 1);
}

/** A stored statement. */
export function aStatement(
  company_number: string,
  label: string,
  dates: { notified_on: string; ceased_on?: string },
) {
  const statement = "psc-exists-but-not-identified";
  return toStored(pscStatementRecord, { statement_id: idOf(label), company_number, statement, ...dates }, 1);
}

/** Persons of a company: active, undated and ceased before, on and after 1 January 2020; one is super-secure. */
export function severalPersons(company_number: string) {
  return [
    aPerson(company_number, "old", { notified_on: "2016-04-06" }),
    aPerson(company_number, "gone-late", { notified_on: "2018-01-01", ceased_on: "2022-05-05" }),
    aPerson(company_number, "gone-early", { notified_on: "2018-01-01", ceased_on: "2019-05-05" }),
    aPerson(company_number, "new", { notified_on: "2023-03-03" }),
    aPerson(company_number, "stays", { notified_on: "2018-01-01" }),
    aPerson(company_number, "undated", {}),
    aPerson(company_number, "on-the-day", { notified_on: "2017-01-01", ceased_on: "2020-01-01" }),
    toStored(
      pscRecord,
      {
        notification_id: idOf("secret"),
        company_number,
        kind: "super-secure-person-with-significant-control",
        description: "super-secure-persons-with-significant-control",
        ceased: true,
      },
      1,
    ),
  ];
}

/** Statements of a company: active, and withdrawn before and after 1 January 2020. */
export function severalStatements(company_number: string) {
  return [
    aStatement(company_number, "s-active", { notified_on: "2016-04-06" }),
    aStatement(company_number, "s-early", { notified_on: "2017-01-01", ceased_on: "2018-01-01" }),
    aStatement(company_number, "s-late", { notified_on: "2019-01-01", ceased_on: "2021-01-01" }),
  ];
}

/** Reads lists of companies from collections in memory. */
export function openLists(collections: Parameters<typeof createMemoryReader>[0]) {
  const { records } = createMemoryReader(collections);

  async function read(resource: ResourceDefinition, company_number: string, raw: RawQuery = {}) {
    return resource.read(records, { company_number }, parseQuery(resource.parameters, raw));
  }

  /** The body of an answer, which must match its schema. Throws if the list is not found. */
  async function answer(resource: ResourceDefinition, company_number: string, raw: RawQuery = {}) {
    const found = await read(resource, company_number, raw);
    if (found === null) throw new Error("not found");
    const [version] = resource.versions;
    const body = version.present(found, { today: "2026-11-01" });
    expect(compileCheck(version.schema)(body)).toBeNull();
    return body;
  }

  /** The labels of the items, in order. */
  async function labelsIn(resource: ResourceDefinition, company_number: string, raw: RawQuery = {}) {
    const { items } = await answer(resource, company_number, raw);
    return (items as { links: { self: string } }[]).map(({ links }) =>
      links.self.slice(links.self.lastIndexOf("/") + 1).replace(/^-+/, ""),
    );
  }

  return { read, answer, labelsIn };
}
