/** Which links a company profile shows: those that lead to at least one record, and which records count for each. */
import { chargeRecord } from "../charge/record.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type RecordDefinition,
} from "../../shared/definitions/define-record.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { exemptionsRecord, hasExemptions } from "../exemptions/index.ts";
import { hasInsolvency, insolvencyRecord } from "../insolvency/index.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { pscKinds } from "../person-with-significant-control/kinds.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/index.ts";
import { hasRegisters, registersRecord } from "../registers/index.ts";
import { type UkEstablishments, ukEstablishmentsRecord } from "../uk-establishments/index.ts";
import { companyRecord, isEstablishment } from "./record.ts";

/** Not a link, but stored like one: the company has a super-secure person, which the profile shows as a flag. */
export const SUPER_SECURE = "super_secure_pscs";

/** Links that a profile shows only with a record behind them, in the profile's order. Their paths have hyphens. */
export const recordLinks = [
  "charges",
  "officers",
  "persons_with_significant_control",
  "persons_with_significant_control_statements",
  "exemptions",
  "insolvency",
  "registers",
  // The specification's spelling; live answers have an underscore.
  "uk-establishments",
  SUPER_SECURE,
] as const;

export type RecordLink = (typeof recordLinks)[number];

/** A kind of record that a link leads to. */
interface LinkSource {
  link: RecordLink;
  record: RecordDefinition;
  /** Top-level field with the number of the company that shows the link. */
  field: "_id" | "company_number" | "parent_company_number";
  /** Only records of these kinds cause the link: values of the key `kind`. Absent: all. */
  kinds?: readonly string[];
  /** Whether a record with this data causes the link. Absent: every record does. */
  counts: ((data: never) => boolean) | undefined;
}

export const linkSources: readonly LinkSource[] = [
  leadTo("charges", chargeRecord, "company_number"),
  leadTo("officers", appointmentRecord, "company_number"),
  leadTo("persons_with_significant_control", pscRecord, "company_number"),
  leadTo("persons_with_significant_control_statements", pscStatementRecord, "company_number"),
  leadTo("exemptions", exemptionsRecord, "_id", hasExemptions),
  leadTo("insolvency", insolvencyRecord, "_id", hasInsolvency),
  leadTo("registers", registersRecord, "_id", hasRegisters),
  leadTo("uk-establishments", ukEstablishmentsRecord, "_id", hasItems),
  leadTo("uk-establishments", companyRecord, "parent_company_number", isEstablishment),
  {
    ...leadTo(SUPER_SECURE, pscRecord, "company_number"),
    kinds: pscKinds.flatMap(({ subject, kind }) => (subject === "super-secure" ? kind : [])),
  },
];

function leadTo(
  link: RecordLink,
  record: unknown,
  field: LinkSource["field"],
  counts?: (data: never) => boolean,
): LinkSource {
  // The cast: callers use only what all kinds have in common.
  return { link, record: record as RecordDefinition, field, counts };
}

function hasItems({ items }: UkEstablishments): boolean {
  return items.length > 0;
}

/** Links by company number, computed from the records: all kinds in parallel, each for all companies at once. */
export async function findLinks(
  records: RecordReader,
  numbers: readonly string[],
): Promise<Map<string, RecordLink[]>> {
  const links = new Map<string, RecordLink[]>(numbers.map((number) => [number, []]));
  const found = await Promise.all(recordLinks.map((link) => fetchCompaniesWith(records, link, numbers)));
  for (const [at, link] of recordLinks.entries())
    for (const number of found[at] ?? []) links.get(number)?.push(link);
  return links;
}

type LinkReader = Pick<RecordReader, "fetchByIds" | "fetchPage" | "fetchKeys">;

/** Those of the given companies that have a record behind the link. */
export async function fetchCompaniesWith(
  records: LinkReader,
  link: RecordLink,
  numbers: readonly string[],
): Promise<Set<string>> {
  const sources = linkSources.filter((source) => source.link === link);
  const found = await Promise.all(sources.map((source) => findBehind(records, source, numbers)));
  return new Set(found.flat());
}

async function findBehind(
  records: LinkReader,
  source: LinkSource,
  numbers: readonly string[],
): Promise<string[]> {
  const { record, field, kinds, counts } = source;
  const [only, ...others] = numbers;
  if (only === undefined) return [];
  if (field === "_id") return companiesOf(source, await records.fetchByIds(record, [...numbers]));
  const ofKind = kinds && { kind: kinds };
  const filter = { [field]: numbers, ...ofKind };
  if (counts) return companiesOf(source, await records.fetchPage(record, { ...ALL, filter }));
  // A single company may have thousands of records: one is enough.
  if (others.length > 0) return records.fetchKeys(record, filter, field);
  const page = { filter: { [field]: only, ...ofKind }, sort: [], skip: 0, limit: 1 };
  return (await records.fetchPage(record, page)).length > 0 ? [only] : [];
}

// Limit: most establishments that are read at once; the register has some 20,000 in all.
const ALL = { sort: [], skip: 0, limit: 100_000 };

/** The companies whose profiles show a link because of these records. */
export function companiesOf(source: LinkSource, records: readonly RecordOrTombstone[]): string[] {
  const { field, kinds, counts } = source;
  return records.flatMap((item) => {
    if (isTombstone(item)) return [];
    // The casts: keys are top-level members, and `counts` gets data of its own kind only.
    const { [field]: number, kind = "" } = item as unknown as Partial<Record<string, string>>;
    if (kinds && !kinds.includes(kind)) return [];
    return number !== undefined && (!counts || counts(item.data as never)) ? number : [];
  });
}
