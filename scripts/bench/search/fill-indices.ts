/** Fills search indices from bulk files, with the real mapping and projection, but without a load. */
import { join } from "node:path";
import type { IndexWrite } from "../../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import type { StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type {
  IndexDefinition,
  IndexName,
  SearchDocument,
} from "../../../api/shared/definitions/define-index.ts";
import { findIndex } from "../../../index-mappings/index.ts";
import { textsOf } from "../../../index-mappings/words/index.ts";
import { InFlight } from "../in-flight.ts";
import type { FileKind } from "../register/generate.ts";
import { readRecords } from "../register/read-records.ts";
import { RecordGroups } from "../register/record-groups.ts";
import { disqualify, readPerson } from "./people.ts";
import type { RegisterNames } from "./register-names.ts";
import type { Sampler } from "./sample.ts";

// Writes that run while the next batch is mapped: enough to keep the engine busy, few enough to bound memory.
const WRITES_UNDER_WAY = 4;
const WRITE_DOCUMENTS = 1_000;
const GROUPED_AT_ONCE = 20_000;
// The published file has only live companies; users who also load dissolved ones have many of these.
const LIVE_TO_EACH_DISSOLVED = 3;

/** What filling needs. */
interface Filling {
  elasticsearch: Stores["elasticsearch"];
  sampler: Sampler;
  /** Collects all names; null if they are not needed. */
  names: RegisterNames | null;
}

/** A bulk file to fill from. */
interface FillingFile {
  path: string;
  /** For temporary files. */
  folder: string;
  /** Size of the register. */
  companies: number;
}

/** Documents by index. */
export type DocumentCounts = Partial<Record<IndexName, number>>;

/** Fills indices from one kind of file. */
export interface Filler {
  indices: readonly IndexName[];
  file: FileKind;
  /** Fills the indices; returns the number of documents in each. */
  fill: (filling: Filling, file: FillingFile) => Promise<DocumentCounts>;
}

const PSCS = "persons-with-significant-control";

/** The fillers of all indices, one line each. */
export const fillers: readonly Filler[] = [
  { indices: ["companies"], file: "csv", fill: fillCompanies },
  { indices: ["officers", "disqualified-officers"], file: "officers", fill: fillOfficers },
  { indices: [PSCS], file: "psc", fill: fillPscs },
];

/** Fills the index of companies; every fourth company is made a dissolved one. */
async function fillCompanies(filling: Filling, { path }: FillingFile): Promise<DocumentCounts> {
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
  return { companies: writer.written };
}

/** Fills the index of officers, one document per person, and that of disqualified officers with some of them. */
async function fillOfficers(filling: Filling, file: FillingFile): Promise<DocumentCounts> {
  const disqualified = new Writer(filling, findIndex("disqualified-officers"));
  let position = 0;
  const officers = await fillPeople(filling, findIndex("officers"), file, {
    onRecord: ({ data }) => filling.sampler.offerOfficer(data as Appointment), // the file has only appointments
    onDocuments: async (projected) => {
      const records = projected.flatMap(({ document, group }) => {
        position += 1;
        return disqualify(position, document, group) ?? [];
      });
      await disqualified.add(records.map((record) => [record]));
    },
  });
  await disqualified.finish();
  return { officers, "disqualified-officers": disqualified.written };
}

async function fillPscs(filling: Filling, file: FillingFile): Promise<DocumentCounts> {
  return { [PSCS]: await fillPeople(filling, findIndex(PSCS), file) };
}

interface PeopleWatch {
  onRecord?: (record: StoredRecord) => void;
  onDocuments?: (projected: Projected[]) => Promise<void>;
}

/** Fills an index of people, one document per group of records, and draws a sample. Returns the number of documents. */
async function fillPeople(
  filling: Filling,
  index: IndexDefinition,
  { path, folder, companies }: FillingFile,
  { onRecord, onDocuments }: PeopleWatch = {},
): Promise<number> {
  const parts = Math.ceil(companies / GROUPED_AT_ONCE);
  const groups = new RecordGroups(join(folder, index.name), index.groupBy, parts);
  await readRecords(path, ({ collection }, stored) => {
    // A file may also have records of other indices, or of none.
    if (collection !== index.record.collection) return;
    if (onRecord) stored.forEach(onRecord);
    groups.add(stored);
  });
  const writer = new Writer(filling, index);
  for (const people of groups.read()) {
    const projected = await writer.add([...people.values()]);
    await onDocuments?.(projected);
  }
  await writer.finish();
  return writer.written;
}

/** The same company, dissolved ten years after its creation, but in 2025 at the latest. */
function dissolve(company: CompanyProfile): CompanyProfile {
  const created = company.date_of_creation ?? "2000-01-01";
  const year = Math.min(Number(created.slice(0, 4)) + 10, 2025);
  const dissolved = { ...company, company_status: "dissolved", date_of_cessation: `${year}-06-30` };
  delete dissolved.company_status_detail;
  return dissolved;
}

interface Projected {
  document: SearchDocument;
  group: StoredRecord[];
}

function toWrite({ document }: Projected): IndexWrite {
  return { id: String(document.id), version: 1, document, texts: textsOf(document) };
}

/** Projects groups of records and writes their documents. */
class Writer {
  written = 0;
  private readonly inFlight = new InFlight(WRITES_UNDER_WAY);

  constructor(
    private readonly filling: Filling,
    private readonly index: IndexDefinition,
  ) {}

  /** Begins to write the documents of the groups. Returns the documents, each with its records. */
  async add(groups: StoredRecord[][]): Promise<Projected[]> {
    const projected = groups.flatMap((group) => this.project(group));
    for (const { document, group } of projected) this.offer(document, group);
    for (let start = 0; start < projected.length; start += WRITE_DOCUMENTS) {
      const writes = projected.slice(start, start + WRITE_DOCUMENTS).map(toWrite);
      await this.inFlight.add(() => this.write(writes));
    }
    return projected;
  }

  finish(): Promise<void> {
    return this.inFlight.finish();
  }

  private project(group: StoredRecord[]): Projected[] {
    const document = this.index.document(group);
    return document ? [{ document, group }] : [];
  }

  private offer(document: SearchDocument, group: StoredRecord[]): void {
    const { sampler, names } = this.filling;
    names?.add(this.index.name, document);
    const person = this.index.name === "companies" ? null : readPerson(document, group);
    if (person) sampler.offerPerson(this.index.name, person);
  }

  private async write(writes: IndexWrite[]): Promise<void> {
    const [refused] = await this.filling.elasticsearch.write(this.index.name, writes);
    if (refused) throw new CommandError(`index ${this.index.name} refused ${refused.id}: ${refused.reason}`);
    this.written += writes.length;
  }
}
