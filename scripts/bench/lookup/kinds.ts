/** The kinds of lookups that are measured: the resource of each, and the path values of its requests. */
import { resources } from "../../../api/resources/index.ts";
import { chargeList } from "../../../api/resources/charge/index.ts";
import { companyProfile } from "../../../api/resources/company-profile/index.ts";
import type { PathValues, ResourceDefinition } from "../../../api/resources/define-resource.ts";
import { filingHistory } from "../../../api/resources/filing-history/index.ts";
import { officerAppointment } from "../../../api/resources/officer-appointment/index.ts";
import {
  appointmentRecord,
  type StoredAppointment,
} from "../../../api/resources/officer-appointment/record.ts";
import { officerAppointmentList } from "../../../api/resources/officer-appointment-list/index.ts";
import { officerList } from "../../../api/resources/officer-list/index.ts";
import { findPscKind } from "../../../api/resources/person-with-significant-control/kinds.ts";
import { pscRecord, type StoredPsc } from "../../../api/resources/person-with-significant-control/record.ts";
import { pscList } from "../../../api/resources/person-with-significant-control/index.ts";
import { pscStatementList } from "../../../api/resources/psc-statement/index.ts";
import { registeredOfficeAddress } from "../../../api/resources/registered-office-address/index.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { LARGE_COMPANY, LARGE_OFFICER } from "./fill.ts";

/** Requests of one kind. */
export interface LookupKind {
  name: string;
  resource: ResourceDefinition;
  /** Path values, one for each request. */
  paths: PathValues[];
  /** Items on a page; absent: the default of the list. */
  items?: number;
}

const OF_COMPANIES: readonly ResourceDefinition[] = [
  companyProfile,
  registeredOfficeAddress,
  officerList,
  pscList,
  pscStatementList,
  chargeList,
  filingHistory,
];

/** Lookups for these companies, for the first officer and controller of each, and for the large lists. */
export async function drawKinds({ mongo }: Stores, numbers: readonly string[]): Promise<LookupKind[]> {
  const page = (company_number: string) => ({ filter: { company_number }, sort: [], skip: 0, limit: 1 });
  const officers: StoredAppointment[] = [];
  const persons: StoredPsc[] = [];
  for (const number of numbers) {
    officers.push(...(await mongo.records.fetchPage(appointmentRecord, page(number))));
    persons.push(...(await mongo.records.fetchPage(pscRecord, page(number))));
  }
  const appointments = officers.map(({ company_number, appointment_id }) => ({
    company_number,
    appointment_id,
  }));
  const people = officers.map(({ officer_id }) => ({ officer_id }));
  const largestOfficer = kindOf(officerAppointmentList, [{ officer_id: LARGE_OFFICER }]);
  const largestCompany = kindOf(filingHistory, [{ company_number: LARGE_COMPANY }]);
  return [
    ...OF_COMPANIES.map((resource) => kindOfCompanies(resource, numbers)),
    kindOf(officerAppointment, appointments),
    kindOf(officerAppointmentList, people),
    ...personKinds(persons),
    { ...largestOfficer, name: "an officer of very many", items: 1 },
    { ...largestCompany, name: "a company of very many", items: 1 },
  ];
}

/** Lookups of the profiles of these companies. */
export function lookupsOfProfiles(numbers: readonly string[]): LookupKind {
  return kindOfCompanies(companyProfile, numbers);
}

function kindOfCompanies(resource: ResourceDefinition, numbers: readonly string[]): LookupKind {
  const paths = numbers.map((company_number) => ({ company_number }));
  return kindOf(resource, paths);
}

function kindOf(resource: ResourceDefinition, paths: PathValues[]): LookupKind {
  return { name: resource.name, resource, paths };
}

/** Groups persons with significant control by kind, because each kind has its own resource. */
function personKinds(persons: readonly StoredPsc[]): LookupKind[] {
  const byResource = new Map<ResourceDefinition, PathValues[]>();
  for (const { _id, company_number, data } of persons) {
    const { segment = "", idParameter = "" } = findPscKind(data.kind) ?? {};
    const resource = resources.find(({ path }) => path.endsWith(`/${segment}/:${idParameter}`));
    const values = { company_number, [idParameter]: _id };
    if (resource) byResource.set(resource, [...(byResource.get(resource) ?? []), values]);
  }
  return [...byResource].map(([resource, paths]) => kindOf(resource, paths));
}

/** The path of one request. */
export function pathOf({ resource, items }: LookupKind, values: PathValues): string {
  const path = resource.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  return items === undefined ? path : `${path}?items_per_page=${items}`;
}
