/** Owns which links company profiles show: those behind which there is a record, and how it is known that there is. */
import { isTombstone } from "../../core/tombstone.ts";
import { chargeRecord } from "../charge/record.ts";
import type { RecordOrTombstone, RecordDefinition } from "../define-record.ts";
import type { RecordReader } from "../define-resource.ts";
import { exemptionsRecord, hasExemptions } from "../exemptions/record.ts";
import { insolvencyRecord } from "../insolvency/record.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/record.ts";
import { registersRecord } from "../registers/record.ts";
import { isEstablishment } from "../uk-establishments/fetch.ts";
import { ukEstablishmentsRecord, type UkEstablishments } from "../uk-establishments/record.ts";
import { companyRecord } from "./record.ts";
import type { HeldLink } from "./v1.ts";

/** A kind of record behind a link. */
export interface LinkSource {
  link: HeldLink;
  record: RecordDefinition;
  /** Top-level field with the number of the company that shows the link. */
  field: "_id" | "company_number" | "parent_company_number";
  /** False for a record that does not make the link; absent: every record makes it. */
  counts?: (data: never) => boolean;
}

/** All of them, in the order in which profiles show their links. */
export const linkSources: readonly LinkSource[] = [
  { link: "charges", record: plain(chargeRecord), field: "company_number" },
  { link: "officers", record: plain(appointmentRecord), field: "company_number" },
  { link: "persons_with_significant_control", record: plain(pscRecord), field: "company_number" },
  {
    link: "persons_with_significant_control_statements",
    record: plain(pscStatementRecord),
    field: "company_number",
  },
  { link: "exemptions", record: plain(exemptionsRecord), field: "_id", counts: hasExemptions },
  { link: "insolvency", record: plain(insolvencyRecord), field: "_id" },
  { link: "registers", record: plain(registersRecord), field: "_id" },
  {
    link: "uk-establishments",
    record: plain(ukEstablishmentsRecord),
    field: "_id",
    counts: ({ items }: UkEstablishments) => items.length > 0,
  },
  {
    link: "uk-establishments",
    record: plain(companyRecord),
    field: "parent_company_number",
    counts: isEstablishment,
  },
];

/** Every link, in the order in which profiles show them. */
export const heldLinks = [...new Set(linkSources.map(({ link }) => link))];

/** The links that a company shows, by what is kept of it, else by its records. */
export async function fetchLinks(records: RecordReader, number: string): Promise<readonly HeldLink[]> {
  const kept = await records.fetchKeptLinks(number, heldLinks);
  // The cast: it gives some of what was asked for.
  return (kept as HeldLink[] | null) ?? (await fetchHeldLinks(records, [number])).get(number) ?? [];
}

/** Links by company number, by the records themselves: all kinds in parallel, each for all companies at once. */
export async function fetchHeldLinks(
  records: RecordReader,
  numbers: readonly string[],
): Promise<Map<string, HeldLink[]>> {
  const links = new Map<string, HeldLink[]>(numbers.map((number) => [number, []]));
  const found = await Promise.all(heldLinks.map((link) => fetchCompaniesWith(records, link, numbers)));
  for (const [at, link] of heldLinks.entries())
    for (const number of found[at] ?? []) links.get(number)?.push(link);
  return links;
}

/** Those of these companies behind whose link there is a record. */
export async function fetchCompaniesWith(
  records: Pick<RecordReader, "fetchByIds" | "fetchPage" | "fetchKeys">,
  link: HeldLink,
  numbers: readonly string[],
): Promise<Set<string>> {
  const sources = linkSources.filter((source) => source.link === link);
  const found = await Promise.all(sources.map((source) => findBehind(records, source, numbers)));
  return new Set(found.flat());
}

async function findBehind(
  records: Pick<RecordReader, "fetchByIds" | "fetchPage" | "fetchKeys">,
  source: LinkSource,
  numbers: readonly string[],
): Promise<string[]> {
  const { record, field, counts } = source;
  const [only, ...others] = numbers;
  if (only === undefined) return [];
  if (field === "_id") return companiesOf(source, await records.fetchByIds(record, [...numbers]));
  const filter = { [field]: numbers };
  if (counts) return companiesOf(source, await records.fetchPage(record, { ...ALL, filter }));
  // A single company may have thousands of records: one is enough.
  if (others.length > 0) return records.fetchKeys(record, filter, field);
  const page = { filter: { [field]: only }, sort: [], skip: 0, limit: 1 };
  return (await records.fetchPage(record, page)).length > 0 ? [only] : [];
}

// Limit: establishments of so many companies; the register has some 20,000.
const ALL = { sort: [], skip: 0, limit: 100_000 };

/** The companies that these records stand behind a link of. */
export function companiesOf({ field, counts }: LinkSource, held: readonly RecordOrTombstone[]): string[] {
  return held.flatMap((item) => {
    if (isTombstone(item)) return [];
    // The casts: keys are top-level members, and a definition's own records have its data.
    const number = (item as unknown as Partial<Record<string, string>>)[field];
    return number !== undefined && (!counts || counts(item.data as never)) ? number : [];
  });
}

/** The cast: the list's readers ask for nothing that the kinds do not have in common. */
function plain(record: unknown): RecordDefinition {
  return record as RecordDefinition;
}
