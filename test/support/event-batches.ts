/**
 * Batches of one snapshot row or one stream event, which tests process one by one, and the company stored after them.
 */
import { readFileSync } from "node:fs";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchCounts } from "../../ingest/queue/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { followNow } from "./follow.ts";
import { SAMPLE } from "./sample-register.ts";

const CSV = readFileSync(`${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`, "utf8");
const [header = "", firstRow = ""] = CSV.split("\n");
/** The company of snapshots and events, unless a test names another one. */
export const NUMBER = /"(\d{8})"/.exec(firstRow)?.[1] ?? "";

/** Rows of one file. */
export interface Rows {
  source: string;
  rows: string[];
  fileName: string;
  /** The first line of the file; by default the header of the company CSV. */
  first?: string;
  /** Collections that were empty when the load began. */
  empty?: string[];
  /** Revision of the batch, if not the next one: a load that began earlier has a lower one. */
  revision?: number;
}

/**
 * Returns a function that processes rows as one batch and then updates the search indices. Each batch gets the next
 * revision, unless its rows name one. `stores` can be those of another worker.
 */
export function batchRunner(open: () => Stores): (rows: Rows, stores?: Stores) => Promise<BatchCounts> {
  let jobs = 0;
  return async (rows, stores = open()) => {
    const source = findSource(rows.source);
    jobs += 1;
    const revision = rows.revision ?? jobs;
    const texts = rows.rows.map((text, at) => ({ line: at + 2, text }));
    const first = source.hasHeader ? (rows.first ?? header) : (rows.rows[0] ?? "");
    const job = {
      ...{ load: "a-load", file: rows.fileName, source: source.name, revision },
      ...{ context: source.open({ line: 1, text: first }, rows.fileName), rows: texts },
      ...(rows.empty && { first: rows.empty }),
    };
    const counts = await processBatch(stores, source, job, `job-${revision}`);
    await followNow(stores);
    return counts;
  };
}

/** A snapshot of one company; `day` is null for a file whose name has no day. */
export function snapshot(day: string | null, name: string, number = NUMBER): Rows {
  const row = firstRow.replace(/^"[^"]*"/, `"${name}"`).replace(NUMBER, number);
  return { source: "company-csv", fileName: day ? `BasicCompanyData-${day}.csv` : "again.csv", rows: [row] };
}

/** A stream event about this resource, published on this day. */
export function event(resource: object, timepoint: number, day: string, type = "changed"): Rows {
  const details = { timepoint, published_at: `${day}T09:00:00`, type };
  const row = JSON.stringify({ data: {}, ...resource, event: details });
  return { source: "streaming-events", fileName: "companies.ndjson", rows: [row] };
}

/** A company in the form that events have. */
export function company(name: string, number = NUMBER): object {
  const data = { company_number: number, company_name: name, type: "ltd" };
  const envelope = {
    resource_kind: "company-profile",
    resource_uri: `/company/${number}`,
    resource_id: number,
  };
  return { ...envelope, data };
}

/** A director's appointment in the form that events have; ids are filled up to their length. */
export function appointment(
  company: string,
  { id, officer, ...members }: { id: string; officer: string } & Record<string, unknown>,
) {
  const resource_id = fillId(id);
  const data = {
    ...{ name: "TESTERHOLM, Una", officer_role: "director", appointed_on: "2020-01-01" },
    links: { officer: { appointments: `/officers/${fillId(officer)}/appointments` } },
    ...members,
  };
  const resource_uri = `/company/${company}/appointments/${resource_id}`;
  return { resource_kind: "company-officers", resource_uri, resource_id, data };
}

/** Makes an id as long as those of officers, appointments and persons with significant control. */
export const fillId = (start: string) => start.slice(0, 27).padEnd(27, "-");

/** The stored name of a company. */
export async function fetchNameOnRecord({ mongo }: Stores, number = NUMBER): Promise<string | undefined> {
  return (await mongo.records.fetchOne(companyRecord, { _id: number }))?.data.company_name;
}
