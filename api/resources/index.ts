/** Table of contents: every resource that can be fetched, one line each. */
import type { RecordDefinition } from "./define-record.ts";
import type { ResourceDefinition } from "./define-resource.ts";
import { companyProfile } from "./company-profile/index.ts";
import { corporateDisqualification } from "./corporate-disqualification/index.ts";
import { naturalDisqualification } from "./natural-disqualification/index.ts";
import { officerAppointment } from "./officer-appointment/index.ts";
import { officerAppointmentList } from "./officer-appointment-list/index.ts";
import { officerList } from "./officer-list/index.ts";
import { registeredOfficeAddress } from "./registered-office-address/index.ts";

export const resources: readonly ResourceDefinition[] = [
  companyProfile,
  registeredOfficeAddress,
  officerList,
  officerAppointment,
  officerAppointmentList,
  naturalDisqualification,
  corporateDisqualification,
];

/** Every kind of record that the resources show, each once: what MongoDB holds. */
export const records: readonly RecordDefinition[] = [
  ...new Map(resources.map(({ record }) => [record.collection, record])).values(),
];
