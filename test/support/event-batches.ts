/** Owns batches of a snapshot's row or a stream's event as tests process them one by one, and looks at what is then held. */
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
/** The company that snapshots and events are of when a test names no other. */
export const NUMBER = /"(\d{8})"/.exec(firstRow)?.[1] ?? "";

/** Rows of one file. */
export interface Rows {
  source: string;
  rows: string[];
  fileName: string;
  /** The first line of the file; absent: the header of the company CSV. */
  first?: string;
  /** Collections that were empty when their load began. */
  empty?: string[];
  /** That of their batch, when it is not the next one: of a load that was begun before. */
  revision?: number;
}

/**
 * Gives what processes rows as one batch, each with the next revision unless it says one, and brings it to the search;
 * `stores` are those of another worker.
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

/** A snapshot of one company; null: a file whose name tells no day. */
export function snapshot(day: string | null, name: string, number = NUMBER): Rows {
  const row = firstRow.replace(/^"[^"]*"/, `"${name}"`).replace(NUMBER, number);
  return { source: "company-csv", fileName: day ? `BasicCompanyData-${day}.csv` : "again.csv", rows: [row] };
}

/** An event of a stream about this resource, published on this day. */
export function event(resource: object, timepoint: number, day: string, type = "changed"): Rows {
  const told = { timepoint, published_at: `${day}T09:00:00`, type };
  const row = JSON.stringify({ data: {}, ...resource, event: told });
  return { source: "streaming-events", fileName: "companies.ndjson", rows: [row] };
}

/** A company as events have it. */
export function company(name: string, number = NUMBER): object {
  const data = { company_number: number, company_name: name, type: "ltd" };
  const envelope = {
    resource_kind: "company-profile",
    resource_uri: `/company/${number}`,
    resource_id: number,
  };
  return { ...envelope, data };
}

/** The name under which a company is held. */
export async function fetchHeldName({ mongo }: Stores, number = NUMBER): Promise<string | undefined> {
  return (await mongo.records.fetchOne(companyRecord, { _id: number }))?.data.company_name;
}
