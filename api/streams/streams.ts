/** Table of contents: the nine event streams (bulk formats 5), one entry each. */
import { charge } from "../resources/charge/index.ts";
import { findLinks } from "../resources/company-profile/links.ts";
import { companyRecord } from "../resources/company-profile/record.ts";
import { fetchHasAllPscs, presentCompany } from "../resources/company-profile/index.ts";
import type { ScopeName } from "../shared/access/scopes.ts";
import type { IndexKeys, RecordDefinition, StoredRecord } from "../shared/definitions/define-record.ts";
import type { PresentContext, ResourceDefinition } from "../resources/define-resource.ts";
import type { RecordReader } from "../shared/definitions/record-reader.ts";
import { naturalDisqualification } from "../resources/disqualified-officer/index.ts";
import { exemptions } from "../resources/exemptions/index.ts";
import { filingHistoryItem } from "../resources/filing-history/index.ts";
import { insolvency } from "../resources/insolvency/index.ts";
import { showOfficers } from "../resources/officer-appointment/persons.ts";
import { appointmentRecord } from "../resources/officer-appointment/record.ts";
import { presentOfficer } from "../resources/officer-appointment/index.ts";
import { presentPsc } from "../resources/person-with-significant-control/index.ts";
import { pscRecord } from "../resources/person-with-significant-control/record.ts";
import { linkPersons, presentStatement, pscStatementRecord } from "../resources/psc-statement/index.ts";

/** Header with the timepoint that the stream starts from, so that a reader can resume even before the first event. */
export const NEXT_TIMEPOINT = "X-Next-Timepoint";
/** The error in a 416 for a timepoint that the stream has not reached. */
export const IN_THE_FUTURE = "timepoint-in-the-future";

type Body = Record<string, unknown>;

/** A stream: the records whose changes it sends, and how it presents them. */
export interface StreamDefinition {
  /** Path and name. */
  name: string;
  record: RecordDefinition;
  /** The scope that readers need; the API requires the same for these records. */
  scope: ScopeName;
  /** Presents records as the API does, in their order. */
  present: (
    records: RecordReader,
    stored: readonly StoredRecord[],
    context: PresentContext,
  ) => Promise<Body[]>;
}

/** Makes a stream with its own way to present records. The cast is safe: a stream gets only records of its own kind. */
function defineStream<D, K extends IndexKeys>(
  name: string,
  record: RecordDefinition<D, K>,
  present: (
    records: RecordReader,
    stored: readonly StoredRecord<D, K>[],
    context: PresentContext,
  ) => Promise<Body[]>,
): StreamDefinition {
  return { name, record, present, scope: "company.read" } as unknown as StreamDefinition;
}

/** Makes the stream of a resource whose answer is made from its record alone. */
function streamOf(name: string, { record, scope, versions: [{ present }] }: ResourceDefinition) {
  if (!record) throw new Error(`${name} has no record`);
  const presentAll: StreamDefinition["present"] = (_records, stored, context) =>
    Promise.resolve(stored.map((item) => present(item, context)));
  return { name, record, scope, present: presentAll };
}

export const streams: readonly StreamDefinition[] = [
  defineStream("companies", companyRecord, async (records, stored, context) => {
    const numbers = stored.map(({ _id }) => _id);
    const [links, hasAllPscs] = await Promise.all([findLinks(records, numbers), fetchHasAllPscs(records)]);
    return stored.map((company) =>
      presentCompany({ company, links: links.get(company._id) ?? [], hasAllPscs }, context),
    );
  }),
  defineStream("officers", appointmentRecord, async (records, stored) =>
    (await showOfficers(records, stored)).map(presentOfficer),
  ),
  streamOf("filings", filingHistoryItem),
  streamOf("charges", charge),
  streamOf("insolvency-cases", insolvency),
  defineStream("persons-with-significant-control", pscRecord, (_records, stored) =>
    Promise.resolve(stored.map(presentPsc)),
  ),
  defineStream("persons-with-significant-control-statements", pscStatementRecord, async (records, stored) =>
    (await linkPersons(records, [...stored])).map(presentStatement),
  ),
  // Corporate bodies are presented in the same way as people.
  streamOf("disqualified-officers", naturalDisqualification),
  streamOf("company-exemptions", exemptions),
];
