/** Makes rows of the company CSV, and merges them into a stored company as a load would. */
import { readFileSync } from "node:fs";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";
import type { Members } from "../../api/shared/values/members.ts";
import { absorb } from "../../ingest/statements/absorb.ts";
import { mergeRecords } from "../../ingest/statements/merge.ts";
import type { FullStatement } from "../../ingest/statements/statement.ts";
import { findMergeRules } from "../../ingest/sources/index.ts";
import { companyCsv } from "../../ingest/sources/company-csv.ts";

const EDITION = "test/fixtures/register/companies/BasicCompanyData-2026-11-01-part1_2.csv";
const [HEADER = ""] = readFileSync(EDITION, "utf8").split("\r\n");

/** Fields by their column; the others are empty. */
export type Fields = Record<string, string>;

const BASE: Fields = {
  CompanyName: "SAMPLE LTD",
  CompanyNumber: "99000001",
  CompanyCategory: "Private Limited Company",
  CompanyStatus: "Active",
};

/** The same address in an event (`STREET`), in a row (`PLAIN`), and in a row with two lines more (`MORE`). */
export const STREET = {
  premises: "1",
  address_line_1: "High Street",
  locality: "Leeds",
  postal_code: "LS1 7ZZ",
};
export const PLAIN = {
  "RegAddress.AddressLine1": "1 HIGH STREET",
  "RegAddress.PostTown": "LEEDS",
  "RegAddress.PostCode": "LS1 7ZZ",
};
export const MORE = { ...PLAIN, "RegAddress.CareOf": "J SMITH", "RegAddress.AddressLine2": "OLD TOWN" };

/** A row with a value in every group of columns. */
export const FULL: Fields = {
  ...MORE,
  CompanyStatus: "Active - Proposal to Strike off",
  DissolutionDate: "24/11/2026",
  IncorporationDate: "01/02/2010",
  "Accounts.AccountRefDay": "31",
  "Accounts.AccountRefMonth": "12",
  "Accounts.NextDueDate": "30/09/2026",
  "Accounts.LastMadeUpDate": "31/12/2024",
  "Accounts.AccountCategory": "MICRO ENTITY",
  "Returns.NextDueDate": "01/03/2016",
  "Returns.LastMadeUpDate": "01/02/2015",
  "Mortgages.NumMortCharges": "1",
  "SICCode.SicText_1": "62012 - Business and domestic software development",
  "PreviousName_1.CompanyName": "OLD LTD",
  "PreviousName_1.CONDATE": "01/01/2012",
  ConfStmtNextDueDate: "15/10/2026",
};
/** A row that gives almost none of these values. */
export const EMPTIED: Fields = { CompanyStatus: "Liquidation", "SICCode.SicText_1": "None Supplied" };

/** An event about the company of these rows. */
export function anEvent(day: string, timepoint: number, registered_office_address: object): FullStatement {
  const company = { company_number: "99000001", company_name: "SAMPLE LTD", type: "ltd" };
  const event = { uri: "/company/99000001", timepoint };
  return { at: `${day}T09:00:00.000Z`, event, data: { ...company, registered_office_address } };
}

/** The statement that a row with these fields makes; `lacking` matches columns that its file does not have. */
export function stateRow(day: string, fields: Fields, lacking = /^$/): FullStatement & { data: Members } {
  const columns = HEADER.split(",").filter((name) => !lacking.test(name.trim()));
  const context = companyCsv.open({ line: 1, text: columns.join(",") }, `BasicCompanyData-${day}.csv`);
  const given: Fields = { ...BASE, ...fields };
  const text = columns.map((name) => `"${given[name.trim()] ?? ""}"`).join(",");
  const [outcome] = companyCsv.mapRows([{ line: 2, text }], context);
  if (outcome?.kind !== "record" || outcome.tells === undefined)
    throw new Error("the row makes no record that is merged");
  const { tells, leaves, data } = outcome;
  return { at: day, tells, ...(leaves && { leaves }), data: data as Members };
}

/** The company after a row with these fields is merged; `lacking` matches columns that its file does not have. */
export function after(stored: object, fields: Fields, lacking = /^$/): Partial<CompanyProfile> {
  const { data, tells } = stateRow("2026-11-01", fields, lacking);
  const before = { company_name: "SAMPLE LTD", company_number: "99000001", type: "ltd", ...stored };
  return mergeRecords(before, data, findMergeRules(tells ?? "")?.rules ?? {});
}

/** The record or tombstone after a statement from the batch with this number. */
export function storedWith(before: RecordOrTombstone | undefined, one: FullStatement, revision: number) {
  const incoming = { id: "99000001", statements: [one.event ? one : { ...one, place: revision }] };
  return absorb(before, incoming, { record: companyRecord, revision, findMergeRules }) ?? before;
}

/** The record or tombstone after these statements, in this order, each from a batch of its own. */
export function storedAfter(...statements: FullStatement[]): RecordOrTombstone | undefined {
  return statements.reduce<RecordOrTombstone | undefined>(
    (before, one, at) => storedWith(before, one, at + 1),
    undefined,
  );
}

/** The company after these statements; undefined if it is deleted. */
export function companyAfter(...statements: FullStatement[]): CompanyProfile | undefined {
  const stored = storedAfter(...statements);
  return stored && "data" in stored ? (stored.data as CompanyProfile) : undefined;
}

/** The company after several rows, each from an edition of its own. */
export function afterEditions(...editions: Fields[]): Partial<CompanyProfile> {
  return companyAfter(...editions.map((fields, at) => stateRow(`2026-11-0${at + 1}`, fields))) ?? {};
}
