/** Owns GET /coverage: for each kind of record, whether it has been loaded and as of which day. Not in the original. */
import { chargeRecord } from "../charge/record.ts";
import { companyRecord } from "../company-profile/record.ts";
import type { RecordDefinition } from "../define-record.ts";
import { defineResource, type RecordReader } from "../define-resource.ts";
import { disqualifiedOfficerRecord } from "../disqualified-officer/record.ts";
import { exemptionsRecord } from "../exemptions/record.ts";
import { filingRecord } from "../filing-history-item/record.ts";
import { insolvencyRecord } from "../insolvency/record.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/record.ts";
import { registersRecord } from "../registers/record.ts";
import { ukEstablishmentsRecord } from "../uk-establishments/record.ts";
import { coverageOfRegister } from "./kinds.ts";
import { version1, type CoverageRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

/** Every kind of record, in the order of the answer. */
export const kinds: readonly RecordDefinition[] = [
  companyRecord,
  appointmentRecord,
  disqualifiedOfficerRecord,
  pscRecord,
  pscStatementRecord,
  filingRecord,
  chargeRecord,
  insolvencyRecord,
  exemptionsRecord,
  registersRecord,
  ukEstablishmentsRecord,
];

export const coverage = defineResource({
  name: "coverage",
  path: "/coverage",
  scope: "search.read",
  summary: "Which kinds of record the register holds, their sources and their day.",
  parameters: {},
  notFound: "resource-not-found",
  read: async (records: RecordReader): Promise<CoverageRead> => {
    const sources = await records.fetchLoadedSources();
    return Promise.all(
      kinds.map(async (record) => {
        const [first] = await records.fetchPage(record, { filter: {}, sort: [], skip: 0, limit: 1 });
        return { record: record.name, ...coverageOfRegister(sources, record.name, first !== undefined) };
      }),
    );
  },
  versions: [version1],
  example,
});
