/** Owns the filling of search indices from bulk files: real mapping, real projection, no load in between. */
import { join } from "node:path";
import type { IndexWrite } from "../../../api/core/stores/elasticsearch.ts";
import type { Stores } from "../../../api/core/stores/index.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/record.ts";
import type { StoredRecord } from "../../../api/resources/define-record.ts";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { pscRecord, type Psc } from "../../../api/resources/person-with-significant-control/record.ts";
import { CommandError } from "../../../api/core/errors.ts";
import type { IndexDefinition } from "../../../index-mappings/define-index.ts";
import { findIndex } from "../../../index-mappings/index.ts";
import { InFlight } from "../../../ingest/in-flight.ts";
import { readRecords } from "../register/read-records.ts";
import { RecordGroups } from "../register/record-groups.ts";
import type { Sampler } from "./sample.ts";

// Requests under way while the next batch is mapped: the engine stays busy, memory bounded.
const WRITES_UNDER_WAY = 4;
const WRITE_DOCUMENTS = 1_000;
const GROUPED_AT_ONCE = 20_000;
// The published file holds live companies alone; those who load dissolved ones, too, have many of them.
const LIVE_TO_EACH_DISSOLVED = 3;

/** What filling needs. */
export interface Filling {
  elasticsearch: Stores["elasticsearch"];
  sampler: Sampler;
}

/** Fills the index of companies; each fourth one is told to be dissolved. Returns how many documents there are. */
export async function fillCompanies(filling: Filling, path: string): Promise<number> {
  const writer = new Writer(filling, findIndex("companies"));
  let count = 0;
  await readRecords(path, async (_record, stored) => {
    const companies = stored as unknown as StoredRecord<CompanyProfile>[];
    for (const company of companies) {
      count += 1;
      if (count % (LIVE_TO_EACH_DISSOLVED + 1) === 0) company.data = dissolve(company.data);
      filling.sampler.offerCompany(company.data);
    }
    await writer.add(stored.map((item) => [item]));
  });
  await writer.finish();
  return writer.written;
}

/** Fills the index of officers, a document a person. Returns how many there are. */
export async function fillOfficers(
  filling: Filling,
  { path, folder, companies }: { path: string; folder: string; companies: number },
): Promise<number> {
  const index = findIndex("officers");
  const parts = Math.ceil(companies / GROUPED_AT_ONCE);
  const groups = new RecordGroups(join(folder, "officers"), index.groupBy, parts);
  await readRecords(path, (_record, stored) => {
    for (const { data } of stored) filling.sampler.offerOfficer(data as Appointment);
    groups.add(stored);
  });
  const writer = new Writer(filling, index);
  for (const people of groups.read()) await writer.add([...people.values()]);
  await writer.finish();
  return writer.written;
}

/** Fills the index of persons with significant control. Returns how many there are. */
export async function fillPscs(filling: Filling, path: string): Promise<number> {
  const writer = new Writer(filling, findIndex("persons-with-significant-control"));
  await readRecords(path, async ({ collection }, stored) => {
    // The file has statements and exemptions, too.
    if (collection !== pscRecord.collection) return;
    for (const { data } of stored) filling.sampler.offerPsc(data as Psc);
    await writer.add(stored.map((item) => [item]));
  });
  await writer.finish();
  return writer.written;
}

/** The same company ten years after its creation, or today's, struck off. */
function dissolve(company: CompanyProfile): CompanyProfile {
  const created = company.date_of_creation ?? "2000-01-01";
  const year = Math.min(Number(created.slice(0, 4)) + 10, 2025);
  const dissolved = { ...company, company_status: "dissolved", date_of_cessation: `${year}-06-30` };
  delete dissolved.company_status_detail;
  return dissolved;
}

/** Projects groups of records and writes their documents. */
class Writer {
  written = 0;
  private readonly inFlight = new InFlight(WRITES_UNDER_WAY);

  constructor(
    private readonly filling: Filling,
    private readonly index: IndexDefinition,
  ) {}

  async add(groups: StoredRecord[][]): Promise<void> {
    for (let start = 0; start < groups.length; start += WRITE_DOCUMENTS) {
      const writes = groups.slice(start, start + WRITE_DOCUMENTS).flatMap((group) => this.toWrite(group));
      await this.inFlight.add(() => this.write(writes));
    }
  }

  finish(): Promise<void> {
    return this.inFlight.finish();
  }

  private toWrite(group: StoredRecord[]): IndexWrite[] {
    const document = this.index.document(group);
    return document ? [{ id: String(document.id), version: 1, document }] : [];
  }

  private async write(writes: IndexWrite[]): Promise<void> {
    const [refused] = await this.filling.elasticsearch.write(this.index.name, writes);
    if (refused) throw new CommandError(`index ${this.index.name} refused ${refused.id}: ${refused.reason}`);
    this.written += writes.length;
  }
}
