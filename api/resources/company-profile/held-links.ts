/** Finds the links that company profiles show: those whose target exists. */
import { chargeRecord } from "../charge/record.ts";
import type { RecordDefinition } from "../define-record.ts";
import type { RecordReader } from "../define-resource.ts";
import { exemptionsRecord, hasExemptions } from "../exemptions/record.ts";
import { insolvencyRecord } from "../insolvency/record.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/record.ts";
import { registersRecord } from "../registers/record.ts";
import { fetchEstablishments } from "../uk-establishments/fetch.ts";
import { ukEstablishmentsRecord } from "../uk-establishments/record.ts";
import { companyRecord } from "./record.ts";
import type { HeldLink } from "./v1.ts";

/** Kinds of which a company may have many records. */
const LISTS: [HeldLink, RecordDefinition][] = [
  ["charges", chargeRecord],
  ["officers", appointmentRecord],
  ["persons_with_significant_control", pscRecord],
  ["persons_with_significant_control_statements", pscStatementRecord],
];

/** A link, and the numbers of the companies that have its target. */
type Finding = [link: HeldLink, numbers: readonly string[]];

/** Links by company number. Queries all kinds in parallel, each for all companies at once. */
export async function fetchHeldLinks(
  records: RecordReader,
  numbers: readonly string[],
): Promise<Map<string, HeldLink[]>> {
  const links = new Map<string, HeldLink[]>(numbers.map((number) => [number, []]));
  const findings = await Promise.all([...findLists(records, numbers), ...findSingles(records, numbers)]);
  for (const [link, found] of findings) for (const number of new Set(found)) links.get(number)?.push(link);
  return links;
}

function findLists(records: RecordReader, numbers: readonly string[]): Promise<Finding>[] {
  return LISTS.map(async ([link, record]): Promise<Finding> => {
    const [only, ...others] = numbers;
    // A single company may have thousands of records: one is enough.
    if (only !== undefined && others.length === 0) {
      const page = { filter: { company_number: only }, sort: [], skip: 0, limit: 1 };
      return [link, (await records.fetchPage(record, page)).length > 0 ? [only] : []];
    }
    return [link, await records.fetchKeys(record, { company_number: numbers }, "company_number")];
  });
}

/** Kinds of which a company has one record. */
function findSingles(records: RecordReader, numbers: readonly string[]): Promise<Finding>[] {
  const idsOf = async <D>(record: RecordDefinition<D>, counts: (data: D) => boolean = () => true) => {
    const found = await records.fetchByIds(record, [...numbers]);
    return found.flatMap(({ _id, data }) => (counts(data) ? [_id] : []));
  };
  return [
    idsOf(exemptionsRecord, hasExemptions).then((found): Finding => ["exemptions", found]),
    idsOf(insolvencyRecord).then((found): Finding => ["insolvency", found]),
    idsOf(registersRecord).then((found): Finding => ["registers", found]),
    findEstablishments(records, numbers).then((found): Finding => ["uk-establishments", found]),
  ];
}

async function findEstablishments(records: RecordReader, numbers: readonly string[]): Promise<string[]> {
  const [listed, told] = await Promise.all([
    records.fetchByIds(ukEstablishmentsRecord, [...numbers]),
    records.fetchKeys(companyRecord, { parent_company_number: numbers }, "parent_company_number"),
  ]);
  const found: string[] = [];
  for (const number of new Set([...listed.map(({ _id }) => _id), ...told]))
    if ((await fetchEstablishments(records, number)).items.length > 0) found.push(number);
  return found;
}
