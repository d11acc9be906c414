/**
 * How snapshots and streams describe companies, appointments and persons with significant control, for day histories.
 */
import type { Random } from "../../scripts/bench/random.ts";
import type { DaySource } from "./day-histories.ts";
import { snapshot } from "./event-batches.ts";
import { aCompanyLine, aPersonLine } from "./officer-lines.ts";

/** Gives a resource every optional member. */
export const ALL_MEMBERS: Random = { next: () => 0, below: () => 0, pick: ([first]) => first as never };

/** Companies: the name holds the word. */
export const companySource: DaySource = {
  snapshot: (company, day, word) => snapshot(day, `${word} LIMITED`, company),
  resource: (company, word, random) => ({
    ...envelope("company-profile", `/company/${company}`, company),
    data: {
      company_number: company,
      company_name: `${word} LIMITED`,
      type: "ltd",
      ...sometimes(random, { company_status: "active", company_status_detail: "transferred-from-uk" }),
      ...sometimes(random, { jurisdiction: "england-wales", has_been_liquidated: true }),
      ...sometimes(random, { registered_office_address: addressOf(word) }),
      ...sometimes(random, { accounts: { last_accounts: { type: "full", made_up_to: "2025-01-01" } } }),
    },
  }),
  isFoundBare: true,
};

const firmOf = (day: string) => `FIRM OF ${day}`;

/** Appointments: the surname is the word. Only the stream knows ids; only snapshots know the company's name. */
export const appointmentSource: DaySource = {
  snapshot: (company, day, word, random) => ({
    source: "officers-snapshot",
    fileName: "Prod195_4321_ew_1.dat",
    first: `DDDDSNAP4321${day.replaceAll("-", "")}`,
    rows: [
      aCompanyLine(company, firmOf(day)),
      aPersonLine({
        ...{ company, number: PERSON, surname: word, appointed: "20200101" },
        ...sometimes(random, { occupation: "BAKER" }),
        ...sometimes(random, { nationality: "BRITISH" }),
      }),
    ],
  }),
  resource: (company, word, random) => {
    const id = `events-${company}`.padEnd(27, "-");
    return {
      ...envelope("company-officers", `/company/${company}/appointments/${id}`, id),
      data: {
        ...{ name: `${word}, Una`, officer_role: "director", appointed_on: "2020-01-01" },
        person_number: PERSON,
        links: { officer: { appointments: `/officers/${"an-officer".padEnd(27, "-")}/appointments` } },
        ...sometimes(random, { occupation: "Clerk", country_of_residence: "Wales" }),
        ...sometimes(random, { address: addressOf(word) }),
      },
    };
  },
  isFoundBare: false,
  lasting: firmOf,
};

/** Persons with significant control: the surname is the word. */
export const pscSource: DaySource = {
  snapshot: (company, day, word, random) => ({
    source: "psc-snapshot",
    fileName: `psc-snapshot-${day}.txt`,
    rows: [JSON.stringify({ company_number: company, data: pscData(company, word, random) })],
  }),
  resource: (company, word, random) => ({
    ...envelope("company-psc-individual", pscUri(company), pscId(company)),
    data: { ...pscData(company, word, random), date_of_birth: { day: 3, month: 4, year: 1978 } },
  }),
  isFoundBare: true,
};

const PERSON = "100000010001";

function pscData(company: string, word: string, random: Random): object {
  return {
    kind: "individual-person-with-significant-control",
    links: { self: pscUri(company) },
    name: `Una ${word}`,
    name_elements: { forename: "Una", surname: word },
    natures_of_control: ["ownership-of-shares-75-to-100-percent"],
    notified_on: "2016-04-06",
    ...sometimes(random, { nationality: "British" }),
    ...sometimes(random, { address: addressOf(word) }),
    ...sometimes(random, { etag: "40ce37471838dc0a97e24f5247dc10c11eb645bf" }),
  };
}

function pscUri(company: string): string {
  return `/company/${company}/persons-with-significant-control/individual/${pscId(company)}`;
}

function pscId(company: string): string {
  return `person-${company}`.padEnd(27, "-");
}

function envelope(resource_kind: string, resource_uri: string, resource_id: string): object {
  return { resource_kind, resource_uri, resource_id };
}

function addressOf(word: string): object {
  return { premises: "1", address_line_1: `${word} Street`, locality: "Leeds", postal_code: "LS1 7ZZ" };
}

function sometimes(random: Random, members: object): object {
  return random.next() < 0.5 ? members : {};
}
