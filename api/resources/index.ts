/** Table of contents: every resource that can be fetched, one line each. */
import type { RecordDefinition } from "../shared/definitions/define-record.ts";
import type { ResourceDefinition } from "./define-resource.ts";
import { charge, chargeList } from "./charge/index.ts";
import { companyProfile } from "./company-profile/index.ts";
import { defineCoverage } from "./coverage/index.ts";
import { corporateDisqualification, naturalDisqualification } from "./disqualified-officer/index.ts";
import { enumeration, enumerationList } from "./enumeration/index.ts";
import { exemptions } from "./exemptions/index.ts";
import { filingHistory, filingHistoryItem } from "./filing-history/index.ts";
import { insolvency } from "./insolvency/index.ts";
import { officerAppointment } from "./officer-appointment/index.ts";
import { officerAppointmentList } from "./officer-appointment-list/index.ts";
import { officerList } from "./officer-list/index.ts";
import { pscList, pscResources } from "./person-with-significant-control/index.ts";
import { pscNotificationList } from "./psc-notification-list/index.ts";
import { pscStatement, pscStatementList } from "./psc-statement/index.ts";
import { registeredOfficeAddress } from "./registered-office-address/index.ts";
import { registers } from "./registers/index.ts";
import { ukEstablishments } from "./uk-establishments/index.ts";

const ofRecords: readonly ResourceDefinition[] = [
  companyProfile,
  registeredOfficeAddress,
  officerList,
  officerAppointment,
  officerAppointmentList,
  registers,
  filingHistory,
  filingHistoryItem,
  exemptions,
  chargeList,
  charge,
  insolvency,
  ukEstablishments,
  naturalDisqualification,
  corporateDisqualification,
  pscList,
  ...pscResources,
  pscStatementList,
  pscStatement,
  pscNotificationList,
];

/** Every kind of record that the resources show, without repeats. These are the records in MongoDB. */
export const records: readonly RecordDefinition[] = [
  ...new Map(ofRecords.flatMap(({ record }) => (record ? [[record.collection, record]] : []))).values(),
];

export const coverage = defineCoverage(records);

export const resources: readonly ResourceDefinition[] = [
  ...ofRecords,
  coverage,
  enumerationList,
  enumeration,
];
