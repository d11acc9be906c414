/** Owns the company profile: GET /company/:company_number. */
import { chargeRecord } from "../charge/record.ts";
import { etagOf, type RecordDefinition } from "../define-record.ts";
import { defineResource, type RecordReader } from "../define-resource.ts";
import { exemptionsRecord, hasExemptions } from "../exemptions/record.ts";
import { insolvencyRecord } from "../insolvency/record.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/record.ts";
import { registersRecord } from "../registers/record.ts";
import { fetchEstablishments } from "../uk-establishments/fetch.ts";
import { companyRecord } from "./record.ts";
import { version1, type CompanyRead, type HeldLink } from "./v1.ts";
import example from "./example.json" with { type: "json" };

/** Records of which a company may have many. */
const LISTS: [HeldLink, RecordDefinition][] = [
  ["charges", chargeRecord],
  ["officers", appointmentRecord],
  ["persons_with_significant_control", pscRecord],
  ["persons_with_significant_control_statements", pscStatementRecord],
];

export const companyProfile = defineResource({
  name: "company-profile",
  path: "/company/:company_number",
  scope: "company.read",
  summary: "Basic company information.",
  record: companyRecord,
  parameters: {},
  notFound: "company-profile-not-found",
  read: async (records, { company_number: number }): Promise<CompanyRead | null> => {
    if (!number) return null;
    const [company, held] = await Promise.all([
      records.fetchOne(companyRecord, { _id: number }),
      fetchHeldLinks(records, number),
    ]);
    return company && { company, held };
  },
  etag: ({ company }) => etagOf(company),
  // `overdue` turns with the day, links with the other collections.
  isComputed: true,
  versions: [version1],
  example,
});

/** Links to what holds something: each costs one look into the index of its record, all at the same time. */
async function fetchHeldLinks(records: RecordReader, number: string): Promise<HeldLink[]> {
  const [lists, singles] = await Promise.all([fetchLists(records, number), fetchSingles(records, number)]);
  return [...lists, ...singles].flatMap(([link, isHeld]) => (isHeld ? [link] : []));
}

type Finding = [link: HeldLink, isHeld: boolean];

function fetchLists(records: RecordReader, number: string): Promise<Finding[]> {
  const page = { filter: { company_number: number }, sort: [], skip: 0, limit: 1 };
  const findings = LISTS.map(async ([link, record]): Promise<Finding> => {
    const found = await records.fetchPage(record, page);
    return [link, found.length > 0];
  });
  return Promise.all(findings);
}

/** Records of which a company has one. */
async function fetchSingles(records: RecordReader, number: string): Promise<Finding[]> {
  const filter = { _id: number };
  const [exemptions, insolvency, registers, establishments] = await Promise.all([
    records.fetchOne(exemptionsRecord, filter),
    records.fetchOne(insolvencyRecord, filter),
    records.fetchOne(registersRecord, filter),
    fetchEstablishments(records, number),
  ]);
  return [
    ["exemptions", exemptions !== null && hasExemptions(exemptions.data)],
    ["insolvency", insolvency !== null],
    ["registers", registers !== null],
    ["uk-establishments", establishments.items.length > 0],
  ];
}
